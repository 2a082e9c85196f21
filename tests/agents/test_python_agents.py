"""A Python callable as an agent: what it is handed, what of its doings is recorded, and how it is found."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from seatrial.agents import make_agent
from seatrial.base.errors import UsageError
from seatrial.records.trace import AgentMessage, ModelCall, Status, ToolCall, Trace, UserTurn
from tests._suites import desk
from tests._suites.sailing import sail, traces

AGENTS = """
import asyncio
import threading
import time

from seatrial import Refused, ToolError

LATE = []


def unparseable(task, tools, user):
    seen = [tools.call("look", text) for text in ('{"ticket_id": ', "[]", "", "null", '{"ticket_id": "T-1"}', '{"a": 1, "a": 2}', "NaN")]
    return ",".join(str(one.ok) for one in seen)


def unknown_tool(task, tools, user):
    try:
        tools.lok(ticket_id="T-1")
    except ToolError as error:
        return error.kind


def positional(task, tools, user):
    tools.look("T-1")


def thousand_calls(task, tools, user):
    for _ in range(1000):
        tools.call("look", {"ticket_id": "T-1"})
    return "done"


def megabyte(task, tools, user):
    seen = [tools.call("look", {"ticket_id": "x" * size}) for size in (999_000, 2_000_000)]
    seen.append(tools.call("look", '{"ticket_id": "' + "x" * 3_000_000 + '"}'))
    deep = []
    for _ in range(100):
        deep = [deep]
    seen.append(tools.call("look", {"ticket_id": deep}))
    return ",".join(one.failure.kind for one in seen)


def strange(task, tools, user):
    values = ({1: 2}, {"ticket_id": object()}, 7, {"ticket_id": float("nan")}, {"ticket_id": "\\ud800"})
    kinds = [tools.call("look", value).failure.kind for value in values]
    kinds.append(tools.call("look" * 1000, {}).failure.kind)
    return ",".join(kinds)


def together(task, tools, user):
    tools.together([("look", {"ticket_id": "T-1"}), ("look", {"ticket_id": "T-2"})])
    tools.close(ticket_id="T-1")


async def gathered(task, tools, user):
    await asyncio.gather(tools.look(ticket_id="T-1"), tools.look(ticket_id="T-2"))
    await tools.close(ticket_id="T-1")


async def one_cancelled(task, tools, user):
    first = asyncio.create_task(tools.call("look", {"ticket_id": "T-1"}))
    second = asyncio.create_task(tools.call("look", {"ticket_id": "T-2"}))
    await asyncio.sleep(0)
    first.cancel()
    return str((await second).ok)


async def awaited_report(task, tools, user):
    await tools.report_model_call("small-1", input=10, output=5, usd=0.25)
    tools.report_model_call("small-1", input=1, output=1, usd=0.25)
    return await user.say("Anything else?") or "left"


def threads(task, tools, user):
    def work():
        for _ in range(5):
            tools.call("look", {"ticket_id": "T-1"})
    crew = [threading.Thread(target=work) for _ in range(4)]
    [one.start() for one in crew]
    [one.join() for one in crew]


def late_thread(task, tools, user):
    gone = threading.Event()

    def work():
        gone.wait()
        time.sleep(0.05)
        for name in ("close", "look"):
            try:
                tools.call(name, {"ticket_id": "T-1"})
            except BaseException as error:
                LATE.append(type(error).__name__)
    threading.Thread(target=work, daemon=True).start()
    tools.look(ticket_id="T-1")
    gone.set()
    return "gone"


async def late_task(task, tools, user):
    async def work():
        await asyncio.sleep(0.01)
        await tools.close(ticket_id="T-1")
    asyncio.create_task(work())
    return "gone"


def meddler(task, tools, user):
    was = (dict(task.documents), dict(task.caller))
    task.documents["policy.md"] = "changed"
    task.caller["tickets"] = ("T-9",)
    return str(was == ({}, {}))


def refuses(task, tools, user):
    return Refused("I must not do that.")


def chance(task, tools, user):
    return str(task.random.random())


def two(task, tools):
    return "never called"


class Callable:
    async def __call__(self, task, tools, user):
        return "object"


instance = Callable()
"""


def traces_of(folder: Path, agent: str, **options: object) -> list[Trace]:
    """Run an agent on one task of many calls and return the traces by trial."""
    tasks = {"a-1": desk.task("a-1", calls=2000)}
    suite = desk.write(folder / "suite", AGENTS, tasks=tasks)
    sail(suite, f"agents:{agent}", output=folder / "run.seatrial", **options)
    return list(traces(folder / "run.seatrial").values())


def calls(trace: Trace) -> list[ToolCall]:
    """Return the calls of a trace."""
    return [step for step in trace.steps if isinstance(step, ToolCall)]


def said(trace: Trace) -> str:
    """Return the last words."""
    return [step.text for step in trace.steps if isinstance(step, AgentMessage)][-1]


def test_arguments_as_text_are_read_and_what_is_no_json_is_an_invalid_call(tmp_path: Path) -> None:
    """JSON text is parsed, `""` and `null` are no arguments, and what cannot be parsed is an error observation, never a crash."""
    trace = traces_of(tmp_path, "unparseable")[0]
    assert said(trace) == "False,False,False,False,True,False,False"
    assert [call.validity for call in calls(trace)] == [
        "unparseable",
        "invalid",
        "invalid",
        "invalid",
        "valid",
        "unparseable",
        "unparseable",
    ]


def test_an_unknown_tool_is_recorded_and_answered_with_an_error(tmp_path: Path) -> None:
    """A tool that does not exist is an attempt with an error, and the trial goes on."""
    trace = traces_of(tmp_path, "unknown_tool")[0]
    assert (said(trace), calls(trace)[0].validity) == ("unknown_tool", "unknown_tool")


def test_arguments_without_names_are_the_agents_error(tmp_path: Path) -> None:
    """`tools.look("T-1")` says how tools are called."""
    trace = traces_of(tmp_path, "positional")[0]
    assert trace.status is Status.AGENT_ERROR
    assert "by name" in trace.status_reason


def test_a_thousand_calls_are_a_thousand_steps(tmp_path: Path) -> None:
    """Many calls within the budget are recorded one by one."""
    trace = traces_of(tmp_path, "thousand_calls")[0]
    assert len(calls(trace)) == trace.usage.calls == 1000


def test_huge_and_deep_arguments_are_invalid_calls(tmp_path: Path) -> None:
    """Arguments up to a megabyte are taken; larger and deeper ones are refused, recorded in short, and end nothing."""
    trace = traces_of(tmp_path, "megabyte")[0]
    assert said(trace) == "status,unparseable,unparseable,unparseable"
    assert [call.validity == "valid" for call in calls(trace)] == [True, False, False, False]


def test_arguments_that_json_lacks_are_invalid_calls(tmp_path: Path) -> None:
    """Keys that are no text, objects, bare numbers, NaN, lone surrogates and absurd names are answered with errors."""
    trace = traces_of(tmp_path, "strange")[0]
    assert trace.status is Status.COMPLETED
    assert len(calls(trace)) == 6


@pytest.mark.parametrize("agent", ["together", "gathered"])
def test_calls_of_one_message_are_concurrent(tmp_path: Path, agent: str) -> None:
    """`tools.together` and `asyncio.gather` propose one message: both calls are issued before either answer is delivered."""
    first, second, third = calls(traces_of(tmp_path, agent)[0])
    assert first.message == second.message
    assert first.delivered_at == second.delivered_at
    assert third.issued_at > (first.delivered_at or 0)


def test_a_cancelled_call_leaves_its_message_to_the_others(tmp_path: Path) -> None:
    """When one of the calls that were proposed together is given up, the others are answered all the same."""
    assert said(traces_of(tmp_path, "one_cancelled")[0]) == "True"


def test_reported_model_calls_are_charged_whether_awaited_or_not(tmp_path: Path) -> None:
    """What an agent reports of its model is recorded with tokens and price."""
    trace = traces_of(tmp_path, "awaited_report")[0]
    assert len([step for step in trace.steps if isinstance(step, ModelCall)]) == 2
    assert (trace.usage.usd, trace.usage.tokens, trace.usage.model_calls) == (0.5, 17, 2)
    assert said(trace) == "left"


def test_threads_of_one_agent_take_turns(tmp_path: Path) -> None:
    """An agent may call from several threads: no step is lost, no number is given twice."""
    trace = traces_of(tmp_path, "threads")[0]
    assert len(calls(trace)) == 20
    assert len({step.sequence for step in trace.steps}) == len(trace.steps)


def test_a_thread_that_outlives_its_agent_gets_no_further(tmp_path: Path) -> None:
    """After the agent's end no call is made, recorded, or written to the world."""
    for trace in traces_of(tmp_path, "late_thread"):
        assert [call.tool for call in calls(trace)] == ["look"]
        assert trace.changes == ()


def test_a_task_that_outlives_its_agent_gets_no_further(tmp_path: Path) -> None:
    """The same for what an asynchronous agent leaves behind on the loop."""
    for trace in traces_of(tmp_path, "late_task"):
        assert calls(trace) == []
        assert trace.changes == ()


def test_an_agent_cannot_change_what_another_trial_sees(tmp_path: Path) -> None:
    """Documents and caller are the trial's own copies."""
    assert [said(trace) for trace in traces_of(tmp_path, "meddler", concurrency=1)] == ["True", "True"]


def test_a_refusal_is_a_status(tmp_path: Path) -> None:
    """`return Refused(text)` ends as refused, and the text is told to the user."""
    trace = traces_of(tmp_path, "refuses")[0]
    assert (trace.status, said(trace)) == (Status.REFUSED, "I must not do that.")


def test_chance_comes_from_the_trial(tmp_path: Path) -> None:
    """`task.random` differs between trials and is the same in a second run."""
    first = [said(trace) for trace in traces_of(tmp_path / "1", "chance")]
    second = [said(trace) for trace in traces_of(tmp_path / "2", "chance")]
    assert first == second
    assert len(set(first)) == 2


def test_the_input_is_the_first_turn(tmp_path: Path) -> None:
    """What the user said first stands first in the trace."""
    step = traces_of(tmp_path, "good")[0].steps[0]
    assert isinstance(step, UserTurn)
    assert step.text.startswith("Please close")


def test_an_object_with_an_asynchronous_call_is_an_agent(tmp_path: Path) -> None:
    """Any callable of three arguments is an agent."""
    assert said(traces_of(tmp_path, "instance")[0]) == "object"


@pytest.mark.parametrize(
    ("target", "told"),
    [
        ("agents:goood", "Did you mean 'good'"),
        ("agents:nothing_like_it", "has no function"),
        ("agents:two", "cannot be called with (task, tools, user)"),
        ("agents:WORDS", "has no function"),
        ("nowhere:good", "It is looked for in"),
        ("other.py:good", "there is no agent file"),
        ("broken:good", "broken.py:2: the agent's module 'broken' raised NameError"),
        ("crooked.py:good", "crooked.py:1: "),
        ("nul", "Did you mean 'null'"),
        ("python", "names no agent"),
        ("replayed:none.json", "names no file"),
    ],
)
def test_a_wrong_target_names_the_way_out(tmp_path: Path, target: str, told: str) -> None:
    """What stands behind --agent is checked before any trial: each mistake has its own words, with file and line where there is one."""
    suite = desk.write(tmp_path, AGENTS)
    (suite / "broken.py").write_text("import json\nnot_a_name\n", encoding="utf-8")
    (suite / "crooked.py").write_text("def good(:\n", encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        make_agent(target, suite)
    assert told in str(caught.value)


def test_two_suites_may_both_have_a_module_of_one_name(tmp_path: Path) -> None:
    """The modules beside the suite are meant, and their neighbours too, not those of the suite before."""
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "words.py").write_text(f"WORD = {name!r}\n", encoding="utf-8")
        (folder / "agents.py").write_text("import words\n\n\ndef speak(task, tools, user):\n    return words.WORD\n", encoding="utf-8")
    made = [make_agent("agents:speak", tmp_path / name) for name in ("one", "two")]
    assert [agent.function(None, None, None) for agent in made] == ["one", "two"]


def test_a_candidate_changes_with_every_file_it_is_made_of(tmp_path: Path) -> None:
    """The hash of an agent's code covers what it imports from beside it, directly or not, and nothing else."""
    (tmp_path / "agents.py").write_text("import inner\n\n\ndef act(task, tools, user):\n    return inner.word()\n", encoding="utf-8")
    (tmp_path / "inner.py").write_text("import words\n\n\ndef word():\n    return words.WORD\n", encoding="utf-8")
    (tmp_path / "words.py").write_text("WORD = 1\n", encoding="utf-8")
    (tmp_path / "unrelated.py").write_text("", encoding="utf-8")
    before = make_agent("agents:act", tmp_path).candidate.hash
    (tmp_path / "unrelated.py").write_text("X = 1\n", encoding="utf-8")
    assert make_agent("agents:act", tmp_path).candidate.hash == before
    (tmp_path / "words.py").write_text("WORD = 2\n", encoding="utf-8")
    assert make_agent("agents:act", tmp_path).candidate.hash != before


@pytest.mark.parametrize("target", ["agents:act", "agents.py:act", "crew.chief:act"])
def test_what_runs_is_what_is_hashed(tmp_path: Path, target: str) -> None:
    """An agent, or what it imports, that was edited since this process imported it is imported anew, not only hashed anew."""
    module = target.partition(":")[0].removesuffix(".py").replace(".", "/")
    for name, text in {
        f"{module}.py": "import inner\n\n\ndef act(task, tools, user):\n    return inner.word()\n",
        "crew/__init__.py": "",
        "inner.py": "import words\n\n\ndef word():\n    return words.WORD\n",
        "words.py": "WORD = 'one'\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    before = make_agent(target, tmp_path)
    (tmp_path / "words.py").write_text("WORD = 'another'\n", encoding="utf-8")
    after = make_agent(target, tmp_path)
    assert [agent.function(None, None, None) for agent in (before, after)] == ["one", "another"]
    assert before.candidate.hash != after.candidate.hash
    assert make_agent(target, tmp_path).candidate.hash == after.candidate.hash


def test_a_replayed_path_takes_values_from_what_it_saw(tmp_path: Path) -> None:
    """A path file is played call by call; `$from` takes from an earlier observation."""
    suite = desk.write(tmp_path / "suite", tasks={"a-1": desk.task("a-1")})
    path = [
        {"call": "look", "with": {"ticket_id": "T-1"}, "id": "seen"},
        {"call": "close", "with": {"ticket_id": {"$from": "seen.ticket_id"}}},
        {"answer": "Closed."},
    ]
    (suite / "path.json").write_text(json.dumps(path), encoding="utf-8")
    sail(suite, "replayed:path.json", output=tmp_path / "run.seatrial")
    trace = next(iter(traces(tmp_path / "run.seatrial").values()))
    assert [call.tool for call in calls(trace)] == ["look", "close"]
    assert len(trace.changes) == 1


STOPPED = """
import asyncio, sys
from seatrial.agents._threads import run_in_thread

def spin():
    try:
        while True:
            pass
    finally:
        sum(range(2_000_000))

async def stopped():
    task = asyncio.ensure_future(run_in_thread(spin))
    await asyncio.sleep(0.05)
    task.cancel()
    await asyncio.wait([task])

for _ in range(3):
    asyncio.run(stopped())
seen = []
sys.setprofile(lambda *event: seen.append(event))
(lambda: None)()
sys.setprofile(None)
print(len(seen) > 0)
"""


def test_a_profiler_still_works_after_an_agent_was_interrupted():
    """An interruption that came too late leaves nothing behind in the interpreter."""
    done = subprocess.run([sys.executable, "-c", STOPPED], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "True\n"
