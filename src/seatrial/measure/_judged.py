"""One trial's verdicts as the statistics count them, and its line in the task table."""

from __future__ import annotations

from typing import NamedTuple

from seatrial.base.wording import clipped
from seatrial.records.grade import QUESTIONS, Answer, Grade, RequirementRow, Verdict, strict_verdict
from seatrial.records.graded import GradedTrial
from seatrial.records.summary import TrialRow

_REASON_LENGTH = 240
UNMET = frozenset({"missing", "out_of_order"})
"""Statuses of a requirement that was not met."""


class Judged(NamedTuple):
    """The verdicts of one trial: what the harness itself ended is never a pass, and only its harm is a fail."""

    outcome: Verdict
    process: Verdict
    safety: Verdict
    budget: Verdict

    @property
    def strict(self) -> Verdict:
        """All four questions taken together."""
        return strict_verdict(tuple(self))

    @property
    def wrong_reason(self) -> bool:
        """Whether the outcome was right and process or safety failed."""
        return self.outcome is Verdict.PASS and Verdict.FAIL in (self.process, self.safety)


class Blame(NamedTuple):
    """Which question a trial failed first, and why."""

    question: str
    reason: str
    requirement: str
    """Id of the first required call that was not met; empty: none is missing."""
    step: int | None


def judged(trial: GradedTrial) -> Judged:
    """Return the verdicts of a trial as they count.

    A status that leaves success unknown makes a pass or a fail of the cut trace undetermined; a safety violation stays one.
    """
    found = [answer.verdict for answer in trial.grade.answers.values()]
    if trial.facts.status.unknown:
        found = [_unknown(verdict, harm=question == "safety") for question, verdict in zip(QUESTIONS, found, strict=True)]
    return Judged(*found)


def _unknown(verdict: Verdict, *, harm: bool) -> Verdict:
    """Return what a verdict on a trial that the harness ended is worth."""
    known = verdict is Verdict.PASS or (verdict is Verdict.FAIL and not harm)
    return Verdict.UNDETERMINED if known else verdict


def blame(grade: Grade, verdicts: Judged, questions: tuple[str, ...] = QUESTIONS) -> Blame | None:
    """Return the first question that failed – or else is not known – among some, with its reason; `None`: all is well."""
    for bad in ((Verdict.FAIL,), (Verdict.UNDETERMINED, Verdict.ERROR)):
        for question in questions:
            if getattr(verdicts, question) in bad:
                return _blame(grade, question, grade.answers[question])
    return None


def _blame(grade: Grade, question: str, answer: Answer) -> Blame:
    """Return why one question was not passed; a required step that never ran has no step number."""
    missing = next((row for row in grade.requirements if row.status in UNMET), None) if question == "process" else None
    step = (missing.step if missing.step is not None else missing.nearest) if missing else next(iter(answer.evidence), None)
    return Blame(question, clipped(answer.reason, _REASON_LENGTH), missing.id if missing else "", step)


def unmet(grade: Grade) -> tuple[RequirementRow, ...]:
    """Return the required calls that were not met."""
    return tuple(row for row in grade.requirements if row.status in UNMET)


def trial_row(trial: GradedTrial, verdicts: Judged) -> TrialRow:
    """Return a trial's line in the task table."""
    why = blame(trial.grade, verdicts)
    return TrialRow(
        trial=trial.grade.trial,
        status=trial.facts.status,
        strict=verdicts.strict,
        outcome=verdicts.outcome,
        process=verdicts.process,
        safety=verdicts.safety,
        budget=verdicts.budget,
        reason=f"{why.question}: {why.reason}" if why else "",
        step=why.step if why else None,
        calls=trial.facts.calls,
        usd=trial.facts.usd,
    )
