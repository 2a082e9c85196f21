"""The result of judging the process of one trace; its rows are made when they are asked for."""

from __future__ import annotations

from seatrial.grade.process.credit import credit
from seatrial.grade.process.explain import Explanation
from seatrial.records.grade import Answer, CallClass, Counts, OrderRow, RequirementRow, Verdict


class ProcessResult:
    """What the process of one trace came to.

    Args:
        answer: The verdict with its reason.
        explanation: What can be said about the decision; `None`: the process was not judged.
    """

    def __init__(self, answer: Answer, explanation: Explanation | None = None) -> None:
        self.answer, self._explanation = answer, explanation

    @property
    def requirements(self) -> tuple[RequirementRow, ...]:
        """One row a required call, in the order of the contract."""
        return () if self._explanation is None else self._explanation.requirements()

    @property
    def order(self) -> tuple[OrderRow, ...]:
        """One row an order pair, as written."""
        return () if self._explanation is None else self._explanation.order()

    @property
    def calls(self) -> tuple[CallClass, ...]:
        """One row an attempt of the agent, in issue order."""
        return () if self._explanation is None else self._explanation.classes()

    @property
    def counts(self) -> Counts:
        """Numbers of attempts by class."""
        return Counts() if self._explanation is None else self._explanation.counts()

    @property
    def credit(self) -> float | None:
        """Share of the expected arguments that were right, 0 to 1, for diagnosis; `None`: nothing was required."""
        if self._explanation is None:
            return None
        if self.answer.verdict == Verdict.PASS:
            return 1.0 if self._explanation.compiled.required_total else None
        return credit(self._explanation.attempts)

    @property
    def normalised(self) -> tuple[str, ...]:
        """Normalisers that took part, `argument: normaliser`."""
        return () if self._explanation is None else self._explanation.compiled.normalised

    @property
    def assignment(self) -> dict[str, tuple[int, ...]]:
        """Id of a required call → indices (among all calls of the trace) of the calls that meet it."""
        if self._explanation is None:
            return {}
        views = self._explanation.attempts.views
        return {name: tuple(views[place].index for place in places) for name, places in self._explanation.of_member.items()}
