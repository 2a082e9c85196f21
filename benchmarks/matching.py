"""Trajectory matching with reasons, against agentevals' `superset`: a reference of six calls, runs of eight, one thread.

Both sides judge 16 different runs by turns, all of them right. Ours makes the verdict with its reason and the steps that show it;
rows for every requirement, order pair and call are made when they are asked for, and one line asks for them all. It starts from
trace records as the run file gives them (arguments still JSON text), or from the same OpenAI messages as theirs. Ours also does what
theirs cannot: optimal assignment, order pairs, a list of allowed extras and, where the line says so, normalisers on seven arguments of
which three are spelled in another way than in the reference. A compiled process remembers what an argument text could meet, because
the trials of a task repeat their calls; the last line makes it forget before every run, as if each were the first of its task.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Raw

from benchmarks._interleave import cpu, interleave
from benchmarks._line import Line, against, unmeasured
from benchmarks._matching_case import REFERENCE, RUNS, messages, run
from benchmarks._peers import Peer, PeerUnavailable
from seatrial.base.canonical import canonical
from seatrial.grade.process import CompiledProcess, compile_process, judge_process
from seatrial.grade.view import TraceView
from seatrial.importers.openai_messages import convert
from seatrial.records.contract import Extras, Order, Process, Required, ToolSpec
from seatrial.records.grade import Verdict
from seatrial.records.trace import Trace

_TIMES, _PEER_TIMES, _ROUNDS = 100, 3, 25
_NORMALISERS = {
    "get_policy": {"policy_id": "identifier"},
    "get_claim": {"claim_id": "identifier"},
    "verify_coverage": {"policy_id": "identifier", "date_of_loss": "date"},
    "fraud_flags": {"claim_id": "identifier"},
    "approve_claim": {"claim_id": "identifier", "amount": "money"},
}
_ORDER = (Order("r0", "<", "r2"), Order("r1", "<", "r3"), Order("r2", "<", "r4"), Order("r4", "<", "r5"))


def lines() -> Iterator[Line]:
    """Measure by turns from traces and from messages."""
    plain, strict = contract(strict=False), contract(strict=True)
    chats = [messages(run(number), number) for number in range(RUNS)]
    spelled = [messages(run(number, spelled=True), number) for number in range(RUNS)]
    traces, spelled_traces = [*map(convert, chats)], [*map(convert, spelled)]
    work = {
        "from a decoded trace, order and 7 normalised arguments": (lambda: judge_all(strict, spelled_traces), 40),
        "from a decoded trace, like for like (superset)": (lambda: judge_all(plain, traces), 40),
        "from OpenAI messages, order and 7 normalised arguments": (lambda: convert_and_judge_all(strict, spelled), 25),
        "from a decoded trace, with every row of the report (for information)": (
            lambda: judge_all(strict, spelled_traces, rows=True),
            None,
        ),
        "from a decoded trace, nothing remembered (for information)": (
            lambda: judge_all(strict, spelled_traces, forget=True),
            None,
        ),
    }
    try:
        with Peer("agentevals", "_agentevals_worker") as peer:
            for name, (ours, bar) in work.items():
                yield _line(f"matching with reasons, {name}", ours, peer, bar)
    except PeerUnavailable as error:
        yield unmeasured("matching with reasons", "µs a match", str(error), ok=False)


def _line(name: str, ours: Callable[[], None], peer: Peer, bar: float | None) -> Line:
    found = interleave(lambda: cpu(ours, times=_TIMES) / RUNS * 1e6, lambda: peer.cpu(_PEER_TIMES) * 1e6, rounds=_ROUNDS, warm_up=2)
    return against(name, found, bar=bar, unit="µs a match")


def contract(*, strict: bool) -> CompiledProcess:
    """Return the reference as a compiled process: with order, normalisers and listed extras, or as `superset` has it."""
    tools = {
        tool: ToolSpec(
            tool, "write" if tool in ("approve_claim", "notify") else "read", normalisers=_NORMALISERS.get(tool, {}) if strict else {}
        )
        for tool in (*dict(REFERENCE), "search_documents")
    }
    required = tuple(Required(f"r{place}", (tool,), Raw(canonical(arguments))) for place, (tool, arguments) in enumerate(REFERENCE))
    extras = Extras(("search_documents",)) if strict else Extras("any")
    return compile_process(Process(required, _ORDER if strict else (), extras), tools.values())


def judge_all(compiled: CompiledProcess, traces: Sequence[Trace], *, rows: bool = False, forget: bool = False) -> None:
    """Judge every trace; each must pass. With `rows`, make all that a report shows; with `forget`, start each time from nothing."""
    for trace in traces:
        if forget:
            for plan in compiled.plans.plans.values():
                plan.remembered.clear()
        result = judge_process(compiled, TraceView(trace))
        if result.answer.verdict is not Verdict.PASS or not result.answer.reason:
            raise RuntimeError(result.answer.reason)
        if rows and not (result.requirements and result.calls and result.counts and (result.order or result.credit)):
            raise RuntimeError("a row is missing")


def convert_and_judge_all(compiled: CompiledProcess, chats: Sequence[list[dict[str, object]]]) -> None:
    """Turn every conversation into a trace and judge it."""
    judge_all(compiled, [convert(chat) for chat in chats])
