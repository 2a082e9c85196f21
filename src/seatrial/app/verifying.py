"""Verify a sealed decision: hold the files against its hashes, compute it again, and say which part is another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct, structs

from seatrial import __version__
from seatrial.app.sealing import hash_of_policy, hashes_of, seal_of
from seatrial.base.errors import UsageError
from seatrial.records.decision import Decision, SealedDecision, SealedRun
from seatrial.records.grade import GRADER_VERSION

Decide = Callable[[SealedDecision, Path, Path | None], Decision]
"""Computes a decision again: the sealed one names policy and day, then the run and the baseline."""
_DIGITS = 9
"""Significant digits to which numbers are compared: another machine may round the last ones otherwise."""


class PartCheck(Struct, frozen=True):
    """One part that a decision rests on."""

    part: str
    """`traces of the run`, `policy`, `program version` …"""
    state: Literal["same", "changed", "newer"]
    """`newer`: it is another version of the program, which alone makes no decision a different one."""
    note: str = ""
    """What it was and what it is; empty: it is the same."""


class Verified(Struct, frozen=True):
    """What became of a sealed decision."""

    same: bool
    """Whether every part is the same and the decision comes out as it was sealed."""
    parts: tuple[PartCheck, ...]
    decision: Decision
    """The decision as it comes out now."""
    sentence: str

    @property
    def changed(self) -> tuple[PartCheck, ...]:
        """The parts that are not the same."""
        return tuple(one for one in self.parts if one.state != "same")


def verify(sealed: SealedDecision, decide: Decide, *, run: Path | None = None, baseline: Path | None = None) -> Verified:
    """Hold a sealed decision against the files that it rests on, and compute it again.

    Args:
        sealed: The decision.
        decide: Computes a decision from files.
        run: The run file; `None`: where it was when it was decided.
        baseline: The baseline's run file; `None`: where it was.

    Raises:
        UsageError: A file is not where it was, and no other was given; or the policy names a rule that is not installed.
        RunFileError: A run file cannot be read; the trial, grade or label that is damaged is in its text.
    """
    run = _found(run, sealed.run, "--run")
    against = _found(baseline, sealed.baseline, "--baseline") if sealed.baseline is not None else None
    parts = [*_of_file(sealed), *_of_run("run", sealed.run, run)]
    if sealed.baseline is not None and against is not None:
        parts += _of_run("baseline", sealed.baseline, against)
    parts += _of_program(sealed)
    decision = decide(sealed, run, against)
    parts.append(_of_decision(sealed, decision))
    same = all(part.state != "changed" for part in parts)
    return Verified(same, tuple(parts), decision, _sentence(sealed, parts, decision))


def _found(given: Path | None, sealed: SealedRun | None, option: str) -> Path:
    path = given or Path(sealed.run if sealed is not None else "")
    if not path.is_file():
        raise UsageError(f"the run {path} that the decision rests on is not there; say where it is with {option} RUN")
    return path


def _of_file(sealed: SealedDecision) -> Iterator[PartCheck]:
    yield _held("decision file", sealed.seal, seal_of(sealed), "it was edited after it was sealed")
    yield _held("policy", sealed.policy_hash, hash_of_policy(sealed.policy), "it is not the policy that was asked")


def _of_run(which: str, sealed: SealedRun, path: Path) -> Iterator[PartCheck]:
    now = hashes_of(path)
    for field in structs.fields(now):
        yield _held(f"{field.name} of the {which}", getattr(sealed.hashes, field.name), getattr(now, field.name), _WAYS[field.name])


def _of_program(sealed: SealedDecision) -> Iterator[PartCheck]:
    for part, then, now in (("program version", sealed.seatrial, __version__), ("grader version", sealed.grader, GRADER_VERSION)):
        yield PartCheck(part, "same") if then == now else PartCheck(part, "newer", f"{then} decided, {now} verifies")


def _of_decision(sealed: SealedDecision, decision: Decision) -> PartCheck:
    """Hold the decision that comes out now against the sealed one: value, rules, then numbers and words."""
    before, after = sealed.decision, decision
    if before.value != after.value:
        return PartCheck("decision", "changed", f"{before.value} was sealed, {after.value} comes out")
    rules = [(one.rule, one.value) for one in before.rules], [(one.rule, one.value) for one in after.rules]
    if rules[0] != rules[1]:
        moved = sorted({name for name, _ in set(rules[0]) ^ set(rules[1])}) or ["their order"]
        return PartCheck("decision", "changed", f"{before.value} as before, but rules come out otherwise: {', '.join(moved)}")
    if _comparable(before) != _comparable(after):
        newer = sealed.seatrial != __version__
        return PartCheck("decision", "newer" if newer else "changed", f"{before.value} as before, with other numbers, reasons or warnings")
    return PartCheck("decision", "same")


def _held(part: str, then: str, now: str, why: str) -> PartCheck:
    return PartCheck(part, "same") if then == now else PartCheck(part, "changed", f"{why} ({then[:12] or 'nothing'} then, {now[:12]} now)")


def _comparable(decision: Decision) -> object:
    return _rounded(msgspec.to_builtins(decision))


def _rounded(node: object) -> object:
    if isinstance(node, float):
        return float(f"{node:.{_DIGITS}g}")
    if isinstance(node, dict):
        return {key: _rounded(value) for key, value in node.items()}
    return [_rounded(value) for value in node] if isinstance(node, list | tuple) else node


def _sentence(sealed: SealedDecision, parts: list[PartCheck], decision: Decision) -> str:
    changed = [part.part for part in parts if part.state == "changed"]
    value = sealed.decision.value.upper()
    if not changed:
        return f"The decision of {sealed.today} stands: {value}, computed again from the same files"
    return f"The decision of {sealed.today} ({value}) does not stand as sealed: {', '.join(changed)}; it comes out {decision.value} now"


_WAYS = {
    "manifest": "what the run was made of was changed",
    "tasks": "what its tasks ask or expect was changed",
    "traces": "trials were run again, added, or edited",
    "grades": "it was judged again, or edited",
    "labels": "labels were added or edited",
    "signatures": "it was signed since, or a signature was edited",
}
"""Part of a run → how it comes to be another."""
