"""Hold runs against each other: from run files to comparisons, and to the text that shows them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from seatrial.app.judging import Judge
from seatrial.app.reporting import labels_by_trial, summary_of
from seatrial.base import catalogue
from seatrial.base.canonical import indented
from seatrial.base.errors import UsageError
from seatrial.compare import compare
from seatrial.compare.lineage import Lineage, lineage_of
from seatrial.compare.losses import losses
from seatrial.compare.naming import distinct_names
from seatrial.compare.pairwise import pairwise
from seatrial.compare.plane import plane
from seatrial.grade.labels import reviewed
from seatrial.records.comparison import Comparison, PairedTask, Pairwise, Several
from seatrial.records.grade import GRADER_VERSION, Criterion, Grade
from seatrial.records.plane import Plane
from seatrial.records.summary import RunSummary
from seatrial.records.trace import Trace
from seatrial.store import RunFile

MOST_PAIRS = 100
"""Tasks of each list whose traces are looked up for HTML."""

Side = tuple[Trace, Grade] | None
"""A trial of one run with its grade; `None`: it is not shown."""
Named = tuple[RunSummary, str, str]
"""A run, its file as it was given, and what its candidate is called among all the runs."""


@dataclass(frozen=True)
class Compared:
    """Runs held against each other.

    Args:
        paths: The run files.
        summaries: Their summaries, in the same order.
        comparisons: Each later run against the first.
        plane: All of them on the plane of cost and value; `None`: nobody asked.
    """

    paths: tuple[Path, ...]
    summaries: tuple[RunSummary, ...]
    comparisons: tuple[Comparison, ...]
    plane: Plane | None = None

    @property
    def record(self) -> Comparison | Several:
        """What is said of the runs, for a program to read."""
        return self.comparisons[0] if self.plane is None else Several(self.plane, self.pairwise, self.comparisons)

    @property
    def pairwise(self) -> Pairwise:
        """Each candidate against the baseline, with p corrected for their number."""
        return pairwise(self.comparisons, distinct_names(self.summaries))


@dataclass(frozen=True)
class CompareOptions:
    """How to compare.

    Args:
        criterion: What the sentence and the lists of tasks go by.
        k: The k of pass^k; `None`: the smaller of the runs' headlines.
        reveal: Whether the holdout's tasks are named.
        cost: Unit of the plane's cost; `None`: a plane only of more than two runs, in US dollars.
        built_on: Name of a candidate to the name of the one whose output it starts from; it carries that one's cost.
    """

    criterion: Criterion = "strict"
    k: int | None = None
    reveal: bool = False
    cost: str | None = None
    built_on: Mapping[str, str] = field(default_factory=dict)


PLAIN = CompareOptions()


def compare_runs(paths: Sequence[Path], options: CompareOptions = PLAIN) -> Compared:
    """Return each later run held against the first.

    Args:
        paths: Two run files or more; the first is the baseline.
        options: How to compare.

    Raises:
        RunFileError: A file cannot be read.
        UsageError: Fewer than two runs, one of them twice, or a candidate built on one that is not there.
    """
    if len(paths) < 2:
        raise UsageError("a comparison needs two runs or more: seatrial compare BASELINE CANDIDATE")
    if len({path.resolve() for path in paths}) < len(paths):
        raise UsageError("a run was given twice; a run held against itself shows nothing")
    summaries = tuple(summary_of(path, reveal=options.reveal) for path in paths)
    names = distinct_names(summaries)
    lineage = lineage_of(summaries, names, options.built_on)
    first, *later = zip(summaries, map(str, paths), names, strict=True)
    found = tuple(_against(first, one, options, lineage) for one in later)
    wanted = len(paths) > 2 or options.cost is not None or options.built_on
    drawn = plane(summaries, cost=options.cost or "usd", built_on=options.built_on, seed=summaries[0].seed) if wanted else None
    return Compared(tuple(paths), summaries, found, drawn)


def _against(first: Named, later: Named, options: CompareOptions, lineage: Lineage) -> Comparison:
    before, baseline_run, baseline = first
    after, candidate_run, candidate = later
    runs, names = (baseline_run, candidate_run), (baseline, candidate)
    return compare(before, after, runs=runs, names=names, criterion=options.criterion, k=options.k, lineage=lineage)


def rendered_comparison(comparison: Comparison, form: str, *, reveal: bool = False) -> str:
    """Return a comparison drawn in a format.

    Args:
        comparison: The comparison, with the paths of its run files.
        form: `terminal`, `markdown`, `html` or `json`.
        reveal: Whether HTML holds traces of holdout tasks.
    """
    renderer = catalogue.load("renderer", "comparison" if form == "terminal" else f"comparison_{form}")
    return renderer.render(comparison, traces=traces_of(comparison, reveal=reveal)) if form == "html" else renderer.render(comparison)


def rendered_several(compared: Compared, form: str) -> str:
    """Return runs on the plane of cost and value, drawn in a format.

    Args:
        compared: The runs, with their plane.
        form: `terminal`, `markdown`, `svg` (the plane alone) or `json`.
    """
    if form == "json":
        return indented(compared.record)
    if form == "svg":
        return catalogue.load("renderer", "plane_svg").render(compared.plane)
    end = "" if form == "terminal" else f"_{form}"
    beside, told = ("comparison", compared.comparisons[0]) if len(compared.comparisons) == 1 else ("pairwise", compared.pairwise)
    parts = (("plane", compared.plane), (beside, told)) if beside == "pairwise" else ((beside, told), ("plane", compared.plane))
    return "\n".join(catalogue.load("renderer", name + end).render(record) for name, record in parts)


def rendered_candidates(summaries: Sequence[RunSummary], paths: Sequence[Path] = (), *, width: int | None = None) -> str:
    """Return the candidates of one run of a suite side by side, with what each later one lost against the first, for a terminal.

    Args:
        summaries: One summary a candidate, each with its decision.
        paths: Their run files, for the commands that are proposed; empty: none is proposed.
        width: Columns; `None`: the terminal's.
    """
    lost = [losses(summaries[0], other) for other in summaries[1:]]
    return catalogue.load("renderer", "candidates").render(summaries, lost, runs=[str(path) for path in paths], width=width)


def traces_of(comparison: Comparison, *, reveal: bool = False) -> dict[str, tuple[Side, Side]]:
    """Return task → the trial of each run that shows best how it moved.

    Args:
        comparison: The comparison, with the paths of its run files; at most `MOST_PAIRS` tasks of each list.
        reveal: Whether traces of holdout tasks are among them.
    """
    lists = (comparison.shortcuts, comparison.lost, comparison.moved_away, comparison.gained)
    tasks = {task.task: task for chosen in lists for task in islice(chosen, MOST_PAIRS) if reveal or task.split != "holdout"}
    runs = Path(comparison.baseline.run), Path(comparison.candidate.run)
    before, after = (dict(_trials(run, _asked(tasks.values(), side))) for side, run in enumerate(runs))
    return {task: (before.get(task), after.get(task)) for task in tasks}


def _asked(tasks: Iterable[PairedTask], side: int) -> dict[str, int]:
    return {task.task: trial for task in tasks if (trial := task.show[side]) is not None}


def _trials(path: Path, asked: Mapping[str, int]) -> Iterator[tuple[str, tuple[Trace, Grade]]]:
    """Yield tasks with the trial that is asked of each and its grade, as labels leave it."""
    with RunFile.open(path) as file:
        judge, labels = Judge.of_run(file), labels_by_trial(file)
        grades = {one.task: one for one in file.grades() if asked.get(one.task) == one.trial and one.grader == GRADER_VERSION}
        for task, trial in asked.items():
            trace = file.read(task, trial)
            yield task, (trace, reviewed(grades.get(task) or judge.grade(trace), trace, labels.get((task, trial), ())).grade)
