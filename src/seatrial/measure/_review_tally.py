"""What is kept of the review queue while trials stream by."""

from __future__ import annotations

import heapq
from collections import Counter

from seatrial.measure._judged import Judged
from seatrial.records.grade import Verdict
from seatrial.records.graded import GradedTrial
from seatrial.records.label import ReviewSummary, TrialReview, reviewer_key

_SHOWN = 200
_STALE = ("other trace", "other doubt")


class ReviewTally:
    """Counts of trials that wait for reviewers, or were labelled by them."""

    def __init__(self) -> None:
        self._waiting = self._unjudged = self._settled_doubts = self._settled_trials = self._violated = self._stale = 0
        self._reviewers: set[str] = set()
        self._against: set[str] = set()
        self._read: Counter[str] = Counter()
        self._readers: dict[str, str] = {}
        self._first: list[TrialReview] = []

    def add(self, trial: GradedTrial, verdicts: Judged) -> None:
        """Count one trial.

        Args:
            trial: The trial.
            verdicts: Its verdicts as they count.
        """
        review = trial.review
        if review is None:
            return
        self._add_read(review, verdicts)
        self._waiting += review.way_out == "label"
        self._unjudged += review.way_out in ("regrade", "run again")
        self._stale += sum(note.standing in _STALE for note in review.labels)
        self._violated += bool(review.violated_by)
        self._against.update(review.violated_by)
        if trial.grade.safety.verdict is Verdict.PASS and review.doubts:
            self._settled_trials += 1
            self._settled_doubts += len(review.doubts)
            self._reviewers.update(name for doubt in review.doubts for name in doubt.safe)
        self._keep(review)

    def _add_read(self, review: TrialReview, verdicts: Judged) -> None:
        """Count a trial as read when a label speaks of it as it ran; who gives two labels has read it once."""
        names = [note.by for note in review.labels if note.standing != "other trace"]
        if names:
            self._read["passing" if verdicts.strict is Verdict.PASS else "failing" if verdicts.strict is Verdict.FAIL else "open"] += 1
        for name in names:
            key = reviewer_key(name)
            # The spelling that is shown must not depend on the order of trials.
            self._readers[key] = min(name, self._readers.get(key, name))

    def _keep(self, review: TrialReview) -> None:
        """Keep a trial among the first by task and trial."""
        self._first.append(review)
        if len(self._first) > 4 * _SHOWN:
            self._first = self._smallest()

    def _smallest(self) -> list[TrialReview]:
        """Return the first trials."""
        return heapq.nsmallest(_SHOWN, self._first, key=lambda one: (one.task, one.trial))

    def summary(self) -> ReviewSummary:
        """Return what was counted."""
        return ReviewSummary(
            self._waiting,
            self._unjudged,
            self._settled_doubts,
            self._settled_trials,
            tuple(sorted(self._reviewers)),
            self._violated,
            tuple(sorted(self._against)),
            self._stale,
            tuple(self._smallest()),
            read_failing=self._read["failing"],
            read_passing=self._read["passing"],
            read_open=self._read["open"],
            readers=tuple(sorted(self._readers.values())),
        )
