"""A proof in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from seatrial.base.wording import clipped, count
from seatrial.records.proof import Hole, Proof, RuleTally, Tally
from seatrial.records.risk import RiskProof

SHOWN = 40
"""Holes, errors and false alarms of one sort that are printed; the rest are counted."""
_WIDE = 118
_WORST = 10


def lines(proof: Proof, *, everything: bool = False) -> Iterator[str]:
    """Yield the lines that tell of a proof.

    Args:
        proof: The proof.
        everything: Whether nothing is left out.
    """
    most = 1_000_000 if everything else SHOWN
    yield from _kinds(proof)
    yield from _tasks(proof, everything=everything)
    yield from _rules(proof)
    yield from _titled("errors of the suite", proof.errors, most)
    yield from _titled(
        "right ways that do not pass", [_alarm(each.task, each.mutant, each.question, each.reason) for each in proof.false_alarms], most
    )
    yield from _risks(proof.risks)
    open_holes = [hole for hole in proof.holes if hole.note is None]
    yield from _titled("holes", [line for hole in open_holes[:most] for line in _hole(hole)], 3 * most, hidden=len(open_holes) - most)
    yield from _titled("explained holes", [_explained(hole) for hole in proof.holes if hole.note is not None], most)
    yield from _titled("explanations of no hole", [f"{note.task}: {note.mutant} (by {note.by}, {note.on})" for note in proof.unused], most)
    yield ""
    yield headline(proof)


def headline(proof: Proof) -> str:
    """Return what a proof comes to, in one line; what is wrong beside holes stands before the score."""
    total = proof.total
    parts = [f"{total.caught:,} of {count(total.counted, 'mutant')} caught", count(total.holes, "hole")]
    parts += [f"{total.undetermined:,} undetermined"] if total.undetermined else []
    parts += [f"{total.explained:,} explained"]
    parts += [f"{total.same:,} of {total.same + total.false_alarms:,} right ways in another spelling pass"]
    parts += [f"{count(proof.references, 'right way')} played"]
    score = "no score" if total.score is None else f"score {_share(total.score)}"
    return f"{proof.suite}: {', '.join((*proof.faults, score))}: {'; '.join(parts)}"


def verdict(proof: Proof, fail_under: float) -> str:
    """Return why a proof does not do, with the limit that it misses; empty: it does.

    Args:
        proof: The proof.
        fail_under: The smallest share of caught mutants that does.
    """
    score = proof.total.score
    reasons = list(proof.faults)
    if (score or 0.0) < fail_under:
        told = "no mutant that counts was played, so that no score" if score is None else f"the score of {_share(score)}"
        reasons.append(f"{told} is under {100 * fail_under:g} % (--fail-under)")
    return f"not proven: {', '.join(reasons)}" if reasons else ""


def _share(score: float) -> str:
    """Return a score in percent, never rounded up to all."""
    return f"{int(score * 1000) / 10:.1f} %"


def _kinds(proof: Proof) -> Iterator[str]:
    counted = f"{'kind of mutant':<20}{'caught':>8}{'holes':>8}{'undetermined':>14}{'explained':>11}"
    yield f"{counted}{'allowed':>9}{'spoiled':>9}{'same':>8}{'alarms':>8}"
    for row in proof.kinds:
        counted = f"{row.name:<20}{row.caught:>8,}{row.holes:>8,}{row.undetermined:>14,}{row.explained:>11,}"
        yield f"{counted}{row.allowed:>9,}{row.spoiled:>9,}{row.same:>8,}{row.false_alarms:>8,}"


def _tasks(proof: Proof, *, everything: bool) -> Iterator[str]:
    rows = [row for row in proof.tasks if everything or row.holes or row.undetermined or row.explained or row.false_alarms]
    rows.sort(key=lambda row: (1.0 if row.score is None else row.score, row.name))
    if rows:
        yield ""
        yield f"{'task':<28}{'score':>9}{'caught':>8}{'holes':>8}{'undetermined':>14}{'explained':>11}{'alarms':>8}"
    for row in rows if everything else rows[:_WORST]:
        counted = f"{row.name:<28}{_score(row):>9}{row.caught:>8,}{row.holes:>8,}{row.undetermined:>14,}"
        yield f"{counted}{row.explained:>11,}{row.false_alarms:>8,}"


def _score(row: Tally) -> str:
    return "–" if row.score is None else _share(row.score)


def _rules(proof: Proof) -> Iterator[str]:
    if not proof.rules:
        return
    yield ""
    yield f"{'rule':<36}{'tasks':>7}{'seen on':>9}{'score':>9}{'mutants':>9}{'alone':>7}{'risks':>7}"
    for row in proof.rules:
        seen = f"{row.rule:<36}{row.tasks:>7,}{row.seen_on:>9,}{_share(row.score):>9}"
        yield f"{seen}{row.caught:>9,}{row.alone:>7,}{row.risks:>7,}{_never(row)}"


def _never(row: RuleTally) -> str:
    return "" if row.seen else "  never seen to fail"


def _titled(title: str, found: Sequence[str], most: int, *, hidden: int = 0) -> Iterator[str]:
    if found:
        rest = hidden if hidden > 0 else max(0, len(found) - most)
        yield ""
        yield f"{title}:"
        yield from (f"  {line}" for line in found[:most])
        if rest:
            yield f"  … and {rest:,} more; --all prints them"


def _alarm(task: str, mutant: str, question: str, reason: str) -> str:
    return clipped(f"{task}: {mutant}: {question}: {reason}", 2 * _WIDE)


def _risks(risks: Sequence[RiskProof]) -> Iterator[str]:
    found = [f"{risk.risk}: {problem}" for risk in risks for problem in risk.problems]
    yield from _titled("risks that are not proven", found, 1_000)
    proven = sum(risk.proven for risk in risks)
    if risks:
        yield from _titled("risks", [_tried(risk) for risk in risks], 1_000)
        yield ""
        yield f"{proven} of {count(len(risks), 'risk')} proven: each has a rule, an adversarial task and faulty agents that are caught"


def _tried(risk: RiskProof) -> str:
    """Return who was caught on how many adversarial tasks of a risk, and what caught nobody."""
    agents = ", ".join(f"{one.agent} caught on {len(one.caught)} of {count(one.played, 'task')}" for one in risk.agents)
    parts = [
        agents or "no faulty agent was played",
        f"no agent broke {', '.join(risk.untripped)}" if risk.untripped else "",
        f"nobody was caught on {', '.join(risk.untried)}" if risk.untried else "",
    ]
    return clipped(f"{risk.risk}: {'; '.join(filter(None, parts))}", 3 * _WIDE)


def _hole(hole: Hole) -> Iterator[str]:
    yield f"{hole.task}: {hole.mutant} passes ({', '.join(hole.questions) or 'no question'} asked)"
    yield f"    {hole.closes}"


def _explained(hole: Hole) -> str:
    note = hole.note
    return f"{hole.task}: {hole.mutant}" if note is None else f"{hole.task}: {hole.mutant}: {note.why} ({note.by}, {note.on})"
