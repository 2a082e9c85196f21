"""What a reader must be told beside the numbers: what was not measured, what is odd, and what to do next."""

from __future__ import annotations

from collections.abc import Sequence

from seatrial.base.wording import count
from seatrial.measure._task_tally import TaskTally
from seatrial.records.contract import Budget
from seatrial.records.grade import QUESTIONS, Verdict
from seatrial.records.manifest import Manifest
from seatrial.records.summary import BudgetRow, StatusRow, TaskRow, WrongReason

CEILINGS = Budget.__struct_fields__


def budgets(tallies: Sequence[TaskTally]) -> tuple[BudgetRow, ...]:
    """Return for each ceiling how many tasks have none."""
    return tuple(BudgetRow(name, sum(getattr(t.task.contract.budget, name) is None for t in tallies), len(tallies)) for name in CEILINGS)


def not_measured(tallies: Sequence[TaskTally], statuses: Sequence[StatusRow], manifest: Manifest) -> tuple[str, ...]:
    """Return what the run does not tell, one sentence each."""
    found = [
        f"This is only a part of the suite: {manifest.partial}." if manifest.partial else "",
        _unknown(statuses),
        _undetermined(tallies),
        *(_unasked(question, tallies) for question in QUESTIONS),
        _unpriced(tallies),
        _unlimited(tallies),
        _once(tallies),
        ""
        if any(tally.task.split == "holdout" for tally in tallies)
        else "No holdout task was run: every number is from tasks that may have been tuned on.",
    ]
    return tuple(filter(None, found))


def _unknown(statuses: Sequence[StatusRow]) -> str:
    """Return how many trials have no known result, by status."""
    lost = [row for row in statuses if row.unknown]
    if not lost:
        return ""
    total = sum(row.trials for row in lost)
    return f"{count(total, 'trial')} ended without a result ({', '.join(f'{row.status} {row.trials}' for row in lost)}): bounds are shown."


def _undetermined(tallies: Sequence[TaskTally]) -> str:
    """Return how many trials have a question that the evidence does not answer."""
    trials = ((question, sum(t.verdicts[question][Verdict.UNDETERMINED] for t in tallies)) for question in QUESTIONS)
    lost = [f"{question} {number:,}" for question, number in trials if number]
    return f"Undetermined, in trials: {', '.join(lost)}; they count as neither pass nor fail." if lost else ""


def _unasked(question: str, tallies: Sequence[TaskTally]) -> str:
    """Return how many tasks do not ask a question."""
    silent = sum(0 < tally.seen == tally.verdicts[question][Verdict.NOT_APPLICABLE] for tally in tallies)
    return f"{question.capitalize()} is not asked by {_of(silent, len(tallies))}." if silent else ""


def _unpriced(tallies: Sequence[TaskTally]) -> str:
    """Return how many trials have no known price."""
    seen = sum(tally.seen for tally in tallies)
    lost = seen - sum(len(tally.costs["usd"]) for tally in tallies)
    return f"The price is not known for {_of(lost, seen, 'trial')}." if lost else ""


def _unlimited(tallies: Sequence[TaskTally]) -> str:
    """Return which ceilings are not set."""
    gaps = [
        f"{row.ceiling} ({'all tasks' if row.not_set == row.tasks else _of(row.not_set, row.tasks)})"
        for row in budgets(tallies)
        if row.not_set
    ]
    return f"Budget ceilings not set: {', '.join(gaps)}." if gaps else ""


def _once(tallies: Sequence[TaskTally]) -> str:
    """Return how many tasks were planned with one trial."""
    once = sum(tally.planned == 1 for tally in tallies)
    return f"{_of(once, len(tallies)).capitalize()} ran once: whether they pass every time cannot be seen." if once else ""


def warnings(tallies: Sequence[TaskTally], manifest: Manifest, models: Sequence[str]) -> tuple[str, ...]:
    """Return what is odd about the run, one sentence each."""
    broken = sum(any(tally.verdicts[question][Verdict.ERROR] for question in QUESTIONS) for tally in tallies)
    retried = sum(tally.harness_retries for tally in tallies)
    unplanned = sum(tally.unplanned for tally in tallies)
    found = [
        _contaminated(sum(tally.contaminated for tally in tallies)),
        f"The grader broke on {_of(broken, len(tallies))}: read the reasons, and report it." if broken else "",
        f"More than one model answered: {', '.join(models)}." if len(models) > 1 else "",
        f"{count(retried, 'trial')} had an attempt that the harness abandoned and repeated." if retried else "",
        f"{count(unplanned, 'trial')} {'was' if unplanned == 1 else 'were'} not in the plan." if unplanned else "",
        f"Imported by {manifest.source}: the harness was not the witness." if manifest.source != "run" else "",
        _unsound(manifest),
    ]
    return tuple(filter(None, found))


def _contaminated(trials: int) -> str:
    """Return that the agent has read what it is judged by."""
    told = "it has read the suite's files, so that no number here speaks of tasks that it does not know"
    return f"The agent wrote the suite's canary on {count(trials, 'trial')}: {told}." if trials else ""


def _unsound(manifest: Manifest) -> str:
    """Return that the suite itself is wrong, where its proof, if of this very suite, says so."""
    proof = manifest.proof
    if proof is None or proof.older or not proof.errors:
        return ""
    return f"The suite has {count(proof.errors, 'error')} of its own, so that a pass here shows little: mend what `seatrial prove` names."


def next_step(wrong: Sequence[WrongReason], worst: Sequence[TaskRow], statuses: Sequence[StatusRow], source: str = "run") -> str:
    """Return what to do next, in one sentence; `RUN`, `SUITE` and `AGENT` stand for their names."""
    for kind in ("regression", "capability"):
        read = _failure([each for each in wrong if each.kind == kind], [row for row in worst if row.kind == kind])
        if read:
            return read
    if any(row.unknown for row in statuses) and source != "run":
        return "Get the missing trials where the recording comes from, and import it again: seatrial import --help"
    if any(row.unknown for row in statuses):
        return "Run again with the same file to get the missing trials: seatrial run SUITE --agent AGENT -o RUN"
    return "Read a few passing transcripts as well: seatrial report RUN -o report.html"


def _failure(wrong: Sequence[WrongReason], worst: Sequence[TaskRow]) -> str:
    """Return which failure to read first: one with the right outcome, else the worst; empty: nothing failed."""
    if wrong:
        return f"Read why {wrong[0].task} was right for the wrong reason: seatrial show RUN {wrong[0].task} --trial {wrong[0].trials[0]}"
    failed = next((row for row in worst if any(trial.strict is Verdict.FAIL for trial in row.trials)), None)
    if failed is None:
        return ""
    trial = next(trial.trial for trial in failed.trials if trial.strict is Verdict.FAIL)
    return f"Read why {failed.task} fails: seatrial show RUN {failed.task} --trial {trial}"


def _of(part: int, whole: int, noun: str = "task") -> str:
    """Return `n of m tasks` in words."""
    return f"{part:,} of {count(whole, noun)}"
