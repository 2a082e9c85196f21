"""Argument provenance: every value that the agent put into a call must have come from somewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from typing import Literal

import msgspec
from msgspec import UNSET, Struct

from seatrial.grade.lazy import lazy
from seatrial.grade.naming import tool_name
from seatrial.grade.provenance.derived import Declared, is_derived, read_derivations
from seatrial.grade.provenance.needles import Needle, Text
from seatrial.grade.provenance.operands import Seen, day_from
from seatrial.grade.provenance.places import place_of
from seatrial.grade.provenance.proposals import SMALL, Opening, Path, Proposals, Proposed, leaves
from seatrial.grade.provenance.schema import UNKNOWN, ToolArguments, schema_text, tool_arguments
from seatrial.grade.provenance.severity import Place, Severity, declared_severities, severity_at
from seatrial.grade.provenance.sources import Sources
from seatrial.grade.tokens import caseless
from seatrial.grade.view import CallView, TraceView
from seatrial.records.contract import Contract, Process, ToolSpec
from seatrial.records.grade import ValueSource
from seatrial.records.risk import PROVENANCE_RULE
from seatrial.records.trace import ToolCall

UNSOURCED = frozenset({"none", "agent"})
"""Kinds of source that are none: the value stands nowhere, or only the agent itself said it."""
_LISTED = frozenset({*UNSOURCED, "exempt", "free"})
"""Kinds of source that a grade lists; the others are many and say nothing."""
INPUT = "the input"
"""What the task's input is called in reasons."""
_FREE = "free", "declared free"


def _step_of(view: CallView) -> int:
    return view.call.sequence


@dataclass(frozen=True)
class CompiledProvenance:
    """What provenance needs to know of a task, made once.

    Args:
        mode: Whose values are judged.
        standing: Texts that were there from the start: input, clock, documents, tool schemas.
        tools: Tool → what is known of its arguments.
        constants: Declared constants, as literals in lower case.
        derivations: `tool.argument` → derivations declared for it.
        today: The world's day; `None`: not a date.
        prefix: Prefix that is dropped from the names of called tools.
        aliases: Other name → tool name.
        normalisers: Name → a suite's own normaliser.
        uses: What each use of the rule in the contract says of single arguments; empty: the contract does not name it.
        proposals: Takes calls apart.
    """

    mode: Literal["off", "writes", "all"]
    standing: tuple[Text, ...]
    tools: Mapping[str, ToolArguments]
    constants: frozenset[str]
    derivations: Mapping[str, tuple[Declared, ...]]
    today: date | None
    prefix: str = ""
    aliases: Mapping[str, str] = field(default_factory=dict)
    normalisers: Mapping[str, Callable[[object], object]] = field(default_factory=dict)
    uses: tuple[Mapping[Place, Severity], ...] = ()
    proposals: Proposals = field(default_factory=lambda: Proposals({}, "", {}, Opening("")))

    @property
    def off(self) -> bool:
        """Whether nobody asks."""
        return self.mode == "off" and not self.uses

    @property
    def everywhere(self) -> bool:
        """Whether the values of reads are looked at, too."""
        return self.mode == "all" or bool(self.uses)

    def in_process(self, finding: Finding) -> bool:
        """Tell whether a finding is a matter of the process: one in a read, unless a use of the rule says what it is."""
        return self.mode == "all" and not finding.in_write and not any(severity_at(use, finding.place) for use in self.uses)

    def free(self, place: Place) -> bool:
        """Tell whether every use of the rule says that an argument needs no source."""
        return bool(self.uses) and all(severity_at(use, place) == "free" for use in self.uses)

    def tool_name(self, called: str) -> str:
        """Return the name of a tool without prefix and alias."""
        return tool_name(called, self.prefix, self.aliases)


class Finding(Struct, frozen=True, gc=False):
    """One value without a source."""

    call: ToolCall
    """The call that carries it."""
    argument: str
    """`tool.argument.path`."""
    place: Place
    """The tool and the argument."""
    reason: str
    """In words."""
    certain: bool = True
    """Whether it is certain; not when the evidence was not recorded."""

    @property
    def in_write(self) -> bool:
        """Whether the call was to change something."""
        return self.call.effect != "read"


class ProvenanceResult(Struct, frozen=True, gc=False):
    """What provenance says of one attempt."""

    sources: tuple[ValueSource, ...] = ()
    """Values without a source, and those exempted."""
    findings: tuple[Finding, ...] = ()
    """Values without a source, with reasons."""
    checked: int = 0
    """Number of values whose source was looked for."""
    judged: tuple[int, ...] = ()
    """Steps of the calls whose values were looked at."""


def compile_provenance(
    contract: Contract,
    tools: Sequence[ToolSpec],
    *,
    documents: Mapping[str, str],
    task_input: str = "",
    now: str = "",
    naming: Process | None = None,
    normalisers: Mapping[str, Callable[[object], object]] | None = None,
) -> CompiledProvenance:
    """Prepare the provenance of a task.

    Args:
        contract: The contract.
        tools: What is known of the tools.
        documents: Name → text of what the agent is given to read.
        task_input: What the user says first.
        now: The world's clock, ISO 8601.
        naming: The process that names prefix and aliases of called tools; `None`: there are none.
        normalisers: Name → a suite's own normaliser: a value is sourced, too, where a text holds one of equal normal form.

    Raises:
        SuiteError: A declared derivation, or the severity of an argument, cannot be read.
    """
    known = {tool.name: tool_arguments(tool) for tool in tools}
    names = {name: rules.names for name, rules in known.items()}
    standing = (
        Text("input", task_input, name=INPUT),
        Text("input", f"{now[:10]}\n{now}", name="the clock"),
        *(_shared_text("document", text, f"document {name!r}") for name, text in documents.items()),
        _shared_text("schema", schema_text(tools), "the tool schemas"),
    )
    return CompiledProvenance(
        contract.provenance,
        tuple(text for text in standing if text.text.strip()),
        known,
        frozenset(literal for raw in contract.constants for literal in _constants(raw)),
        read_derivations(contract.derived, tools=names),
        day_from(now),
        naming.tool_prefix if naming else "",
        naming.aliases if naming else {},
        normalisers or {},
        declared_severities(contract.invariants, PROVENANCE_RULE),
        Proposals(known, naming.tool_prefix if naming else "", naming.aliases if naming else {}, Opening(task_input)),
    )


@lru_cache(maxsize=16)
def _shared_text(kind: str, text: str, name: str) -> Text:
    """Return a text that all tasks of a suite share, so that its normal forms are made once for all of them."""
    return Text(kind, text, name=name)


def _constants(raw: msgspec.Raw) -> Iterator[str]:
    for value, _ in leaves(msgspec.json.decode(raw)):
        needle = Needle(value)
        yield needle.number or needle.literal


def judge_provenance(compiled: CompiledProvenance, view: TraceView, *, witnessed: bool = True) -> ProvenanceResult:
    """Find the argument values of one attempt that came from nowhere.

    Args:
        compiled: What is known of the task.
        view: The attempt.
        witnessed: Whether every answer that the agent got is in the trace; if not, a value without a source is not certain to have none.

    Returns:
        The values without a source and those exempted, in the order of the calls.
    """
    if compiled.off:
        return ProvenanceResult()
    return _Search(compiled, view, witnessed=witnessed).run()


def explain_sources(compiled: CompiledProvenance, view: TraceView, *, witnessed: bool = True) -> tuple[ValueSource, ...]:
    """Say of every argument value of one attempt where it came from, also where nobody asks: for a reader, not for a grade.

    Args:
        compiled: What is known of the task.
        view: The attempt.
        witnessed: Whether every answer that the agent got is in the trace.

    Returns:
        One row a leaf, in the order of the calls, with the step and the path of its source, or the rule and the operands it follows from.
    """
    return _Search(compiled, view, witnessed=witnessed, explains=True).run().sources


def _unread(call: ToolCall, tool: str) -> Finding:
    """Return what is said of a call that ran with what is no object of arguments, or with one nested too deep to be read."""
    reason = f"{tool} ran with arguments that cannot be read, so that nobody knows where they came from"
    return Finding(call, tool, (tool, ""), reason, certain=False)


class _Search:
    """One pass over the calls of an attempt, in the order in which they were issued.

    A value whose source was found is remembered with the moment of the call that carried it: later calls may take it from there.
    """

    def __init__(self, compiled: CompiledProvenance, view: TraceView, *, witnessed: bool, explains: bool = False) -> None:
        self.compiled, self.view, self.witnessed, self.explains = compiled, view, witnessed, explains
        self.sources, self.everywhere = Sources(view, compiled.standing, compiled.proposals.opening.said), compiled.everywhere
        self.carried: dict[str, dict[object, int]] = {}
        self.origins: dict[tuple[str, object], str] = {}
        self._last_seen: tuple[CallView, Seen] | None = None
        self.rows: list[ValueSource] = []
        self.findings: list[Finding] = []
        self.checked = 0

    def run(self) -> ProvenanceResult:
        calls, taken_apart = self.view.agent_calls, self.compiled.proposals.of
        for seen in calls:
            proposed = taken_apart(seen)
            if proposed is not None:
                self._judge_call(seen, proposed)
            elif seen.call.ran and self._is_judged(seen.call):
                self.findings.append(_unread(seen.call, self.compiled.tool_name(seen.call.tool)))
        judged = tuple([seen.call.sequence for seen in calls if self.everywhere or seen.call.effect != "read"])
        return ProvenanceResult(tuple(self.rows), tuple(self.findings), self.checked, judged)

    def _is_judged(self, call: ToolCall) -> bool:
        return self.everywhere or call.effect != "read"

    def _judge_call(self, seen: CallView, proposed: Sequence[Proposed]) -> None:
        call = seen.call
        issued, known, heard = call.issued_at, self.carried.get(call.context), self.sources.opened_at < call.issued_at
        if known is None:
            known = self.carried[call.context] = {}
        for one in proposed:
            # Most values were used before or copied letter by letter: they are done with here.
            if one.literal and not self.explains:
                value = one.value
                since = known.get(value)
                if (
                    (since is not None and since < issued)
                    or (heard and one.opened)
                    or self.sources.copied(one.literal, issued, signed=type(value) is int)
                ):
                    if since is None:
                        known[value] = issued
                    self.checked += 1
                    continue
            if one.free:
                self._note(call, one.free, *_FREE)
            else:
                self._judge_leaf(seen, one)

    def _note(self, call: ToolCall, argument: str, source: str, where: str) -> None:
        """Add a row of the result, for an argument that somebody asks about."""
        if self.explains or self.everywhere or call.effect != "read":
            self.rows.append(ValueSource(call.sequence, argument, source, where))

    def _judge_leaf(self, seen: CallView, one: Proposed) -> None:
        tool, rules = self.compiled.tool_name(seen.call.tool), self.compiled.proposals.rules(seen.call.tool)
        argument, value, path = one.argument, one.value, one.path
        name = f"{tool}.{argument}"
        source, where = self._source(seen, rules, argument, value, path, name)
        if source not in _LISTED and not self.explains:
            return
        if source in UNSOURCED and self.compiled.free((tool, argument)):
            source, where = "free", f"declared free by {PROVENANCE_RULE}"
        shown = _extended(name, path) if path else name
        self._note(seen.call, shown, source, where)
        if source in UNSOURCED and self._is_judged(seen.call):
            reason = self._reason(seen.call, shown, value, source, where)
            self.findings.append(Finding(seen.call, shown, (tool, argument), reason, source == "agent" or not where))

    def _reason(self, call: ToolCall, name: str, value: object, source: str, where: str) -> str:
        shown = msgspec.json.encode(value).decode()
        shown = shown if len(shown) <= 120 else f"{shown[:117]}…"
        nowhere = (
            f"{name} = {shown} stands in no input, user turn, document or tool schema, in no answer that was delivered before "
            f"step {call.sequence} and in no earlier sourced argument"
        )
        if source == "agent":
            return f"{nowhere}: only the agent itself said it ({where})"
        return f"{nowhere}; but {where}" if where else nowhere

    def _source(self, seen: CallView, rules: ToolArguments, argument: str, value: object, path: Path, name: str) -> tuple[str, str]:
        """Return the kind of a value's source and where it is; for `none`: why that is not certain."""
        if argument in rules.free:
            return _FREE
        exempt = _exemption(rules, argument, path, value)
        if exempt:
            return "exempt", exempt
        self.checked += 1
        normaliser = "" if path else rules.normalisers.get(argument, "")
        needle = Needle(value, normaliser=normaliser, today=self.compiled.today, own=self.compiled.normalisers.get(normaliser))
        found = self._found(needle, seen, name, path)
        if found[0] not in UNSOURCED:
            self._carry(seen.call, value)
            self._carry(seen.call, needle.literal)
            if normaliser == "identifier":
                self._carry(seen.call, (normaliser, needle.identifier))
            if self.explains:
                carried = f"{_extended(name, path)} of step {seen.call.sequence}"
                self.origins.setdefault((seen.call.context, needle.literal), f"{carried} ← {': '.join(filter(None, found))}")
        return found

    def _carry(self, call: ToolCall, value: object) -> None:
        known = self.carried.setdefault(call.context, {})
        known[value] = min(known.get(value, call.issued_at), call.issued_at)

    def _found(self, needle: Needle, seen: CallView, argument: str, path: Path) -> tuple[str, str]:
        look = self.sources.nearest if self.explains else self.sources.find
        text = look(needle, seen.call)
        if text is not None:
            return text.kind, place_of(needle, text) if self.explains else ""
        if self.compiled.constants and (needle.number or needle.literal) in self.compiled.constants:
            return "constant", "declared constant"
        handed = self._handed(needle, seen.call)
        if handed:
            return "call", handed
        declared = self.compiled.derivations.get(argument)
        if declared and (words := is_derived(needle, path, declared, self._seen_by(seen))):
            return "derived", words
        doubt = self._doubt(needle, seen.call)
        said = "" if doubt else self.sources.said(needle, seen.call)
        return ("agent", said) if said else ("none", doubt)

    def _handed(self, needle: Needle, call: ToolCall) -> str:
        """Return where a value was an argument in this context, or in one that was handed over to it; empty: nowhere."""
        for context, limit in self.sources.limits(call.context, call.issued_at).items():
            carried = self.carried.get(context, {})
            since = carried.get(needle.literal, carried.get((needle.normaliser, needle.identifier)))
            if since is not None and since < limit:
                origin = self.origins.get((context, needle.literal), f"argument of the call issued at step {since}")
                return origin + ("" if context == call.context else f" in {context!r}")
        return ""

    def _doubt(self, needle: Needle, call: ToolCall) -> str:
        elsewhere = self.sources.elsewhere(needle, call)
        if elsewhere is not None:
            return f"{elsewhere.where} held it in {elsewhere.context!r}, and no handoff to {call.context!r} was recorded"
        if not self.witnessed and (cut := self._unrecorded(call)) is not None:
            return f"the answer of step {cut} was not recorded"
        return ""

    def _unrecorded(self, call: ToolCall) -> int | None:
        first = self._first_unrecorded
        return None if first is None or first >= call.sequence else first

    @lazy
    def _first_unrecorded(self) -> int | None:
        calls = (seen.call for seen in self.view.calls)
        return next((call.sequence for call in calls if call.observation is UNSET and call.failure is None), None)

    def _seen_by(self, of: CallView) -> Seen:
        if self._last_seen is None or self._last_seen[0] is not of:
            self._last_seen = (of, self._seen(of))
        return self._last_seen[1]

    def _seen(self, of: CallView) -> Seen:
        call, standing, sources = of.call, self.compiled.standing, self.sources
        return Seen(
            self.compiled.today,
            (*(text for text in standing if text.name == INPUT), *sources.recent(sources.turns, call)),
            tuple(text for text in standing if text.kind == "document"),
            lambda tool: self._answered(tool, call),
            lambda value: self._holds(value, call),
            of.proposed if isinstance(of.proposed, dict) else {},
        )

    def _answered(self, tool: str, call: ToolCall) -> list[CallView]:
        """Return the calls of a tool, by whatever name, whose answers a call's context had seen before it."""
        named = (texts for called, texts in self.sources.answers.items() if self.compiled.tool_name(called) == tool)
        views = self.view.call_by_sequence
        answers = (text.call for texts in named for text in self.sources.recent(texts, call))
        return sorted((views[one.sequence] for one in answers if one is not None), key=_step_of)

    def _holds(self, value: object, call: ToolCall) -> bool:
        """Tell whether a value, or a word, was seen or used before with a source."""
        needle = Needle(caseless(value) if isinstance(value, str) else value)
        return bool(_exemption(UNKNOWN, "", (), value) or self.sources.find(needle, call) or self._handed(needle, call))


def _exemption(rules: ToolArguments, argument: str, path: Path, value: object) -> str:
    if type(value) is not str:
        if value is None or isinstance(value, bool):
            return "empty" if value is None else "boolean"
        if isinstance(value, int | float) and -SMALL < value < SMALL and value == int(value):
            return f"integer under {SMALL}"
    elif not value.strip():
        return "empty"
    if (path or argument in rules.enums) and rules.is_enumerated(argument, path, value):
        return "enumerated in the tool's schema"
    return "the tool's default" if argument in rules.defaults and not path and _equal(value, rules.defaults[argument]) else ""


def _equal(left: object, right: object) -> bool:
    return type(left) is type(right) and left == right


def _extended(name: str, path: Path) -> str:
    return name + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
