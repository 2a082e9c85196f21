"""The life of a suite in the terminal: what is saturated, what was never passed, what still tells candidates apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from seatrial.base.wording import count, listed
from seatrial.records.lifecycle import SATURATED, Headroom, Standing, SuiteStatus, TaskStanding
from seatrial.records.task import KINDS, Kind
from seatrial.report import _console
from seatrial.report._grid import Grid, Section
from seatrial.report._plain import plain
from seatrial.report._wording import NONE, percent, share, share_with_interval

if TYPE_CHECKING:
    from rich.console import RenderableType

_MOST = 12
_ROWS = (
    ("solved", "solved: every trial of the last versions passed"),
    ("dead_weight", "dead weight: no version ever failed it"),
    ("holding", "holding: every trial of the last versions passed"),
    ("discriminating", "tells the last versions apart"),
    ("open", "none of these"),
    ("not_yet_passed", "never passed, in few trials"),
    ("never_passed", "never passed: more likely broken than hard"),
    ("not_run", "not run as it is now"),
)

_LISTS: tuple[tuple[Kind, str, frozenset[Standing]], ...] = (
    ("capability", "Saturated capability tasks", SATURATED),
    ("capability", "Never passed (capability)", frozenset({"never_passed"})),
    ("regression", "Never passed (regression)", frozenset({"never_passed"})),
    ("capability", "Tell the last versions apart (capability)", frozenset({"discriminating"})),
    ("regression", "Tell the last versions apart (regression)", frozenset({"discriminating"})),
)


def render(
    status: SuiteStatus,
    *,
    suite: str = "SUITE",
    runs: str = "--run RUN",
    everything: bool = False,
    width: int | None = None,
    colour: bool | None = None,
) -> str:
    """Return the status of a suite as terminal text.

    Args:
        status: What its runs say.
        suite: Folder of the suite, for the command that is proposed.
        runs: The options that say which runs were looked at, for the same.
        everything: Whether all tasks of a list are named.
        width: Columns; `None`: the terminal's.
        colour: Whether to use colour; `None`: as standard output and NO_COLOR have it.

    Returns:
        The text: capability first, regression apart, then what was left out and what to do next.
    """
    from rich.text import Text

    target = _console.console(width, colour)
    parts: list[RenderableType] = [Text(plain(_headline(status)), style="bold"), Text(plain(_versions(status)), style="dim")]
    for section in _sections(status, None if everything else _MOST):
        parts.extend(_console.section(section, target.width))
    why, command = _next(status, suite, runs)
    parts += [Text(), Text(f"next: {why}")]
    parts += [_console.command(command, 6)] if command else []
    return _console.drawn(target, parts)


def _headline(status: SuiteStatus) -> str:
    solved, broken = len(status.of("capability", *SATURATED)), sum(task.standing == "never_passed" for task in status.tasks)
    return f"{status.suite}: {count(solved, 'capability task')} saturated, {count(broken, 'task')} never passed."


def _versions(status: SuiteStatus) -> str:
    named = [" ".join(filter(None, (one.candidate, one.version, one.hash[:8]))) for one in status.versions]
    return f"{count(len(named), 'version')}, newest first: {listed(named, _MOST)}" if named else "no version of a candidate was run"


def _sections(status: SuiteStatus, most: int | None) -> Iterator[Section]:
    for kind in KINDS:
        tasks = [task for task in status.tasks if task.kind == kind]
        if tasks:
            yield _kind(kind, tasks, status)
    yield from _lists(status, most)
    if status.left_out:
        yield Section("Left out", None, tuple(plain(line) for line in status.left_out))


def _kind(kind: Kind, tasks: Sequence[TaskStanding], status: SuiteStatus) -> Section:
    """Return how many tasks of a kind stand how, and of capability whether a gain could still be seen."""
    counted = [(words, sum(task.standing == standing for task in tasks)) for standing, words in _ROWS]
    rows = tuple((words, f"{number:,}") for words, number in counted if number)
    lines = tuple(_headroom(status.headroom)) if kind == "capability" and status.headroom is not None else ()
    waiting = _waiting(status) if kind == "capability" else ""
    return Section(
        f"{kind.capitalize()}: {count(len(tasks), 'task')}", Grid(("", "tasks"), rows), (*lines, *([waiting] if waiting else []))
    )


def _headroom(found: Headroom) -> Iterator[str]:
    if found.headroom is None:
        yield "Whether it is saturated is not known: no trial of a capability task is known."
        return
    yield f"Strict pass^1 of the newest version: {share_with_interval(found.rate)}; at most {percent(found.headroom)} can still be gained."
    if found.detectable is None:
        yield f"What a comparison on these tasks finds with 80 % power is not known, nor whether they are saturated: {found.note}."
        return
    finds = f"A comparison on these tasks finds {percent(found.detectable)} or more with 80 % power ({found.note})"
    if found.saturated:
        yield f"{finds}: saturated, no gain that can still happen would be seen."
    else:
        yield f"{finds}: {'not saturated' if found.saturated is False else 'whether it is saturated is not known'}."


def _waiting(status: SuiteStatus) -> str:
    if not status.missing:
        return ""
    known = len(status.versions)
    given = f"Only {known} of the last {status.last:,} versions {'is' if known == 1 else 'are'} known here"
    given = given if known else "No version is known here"
    return f"{given}, so no task is called saturated; give more runs, or ask for fewer with --last N."


def _lists(status: SuiteStatus, most: int | None) -> Iterator[Section]:
    for kind, title, standings in _LISTS:
        tasks = status.of(kind, *standings)
        if tasks:
            yield _listed(title, tasks, most)


def _listed(title: str, tasks: Sequence[TaskStanding], most: int | None) -> Section:
    shown = tasks if most is None else tasks[:most]
    hidden = len(tasks) - len(shown)
    more = (f"and {count(hidden, 'more task')}; --all names them.",) if hidden else ()
    return Section(title, Grid(("task", "trials passed", "last versions, newest first"), tuple(_row(task) for task in shown), left=1), more)


def _row(task: TaskStanding) -> tuple[str, str, str]:
    unknown = f" (+{task.unknown} unknown)" if task.unknown else ""
    rates = " ".join(NONE if rate is None else share(rate) for rate in task.rates)
    return plain(task.task), f"{task.passed:,} of {task.scored:,}{unknown}", rates


def _next(status: SuiteStatus, suite: str, runs: str) -> tuple[str, str]:
    """Return what to do next, and the command that does it."""
    if status.of("capability", *SATURATED):
        return "make regression tasks of what is saturated", f"seatrial suite graduate {suite} {runs}"
    broken = [task for task in status.tasks if task.standing == "never_passed"]
    if broken:
        return f"read a trial of {plain(broken[0].task)}; when the task is broken, mend it", f"seatrial show RUN {plain(broken[0].task)}"
    stale = sum(task.standing == "not_run" for task in status.tasks)
    if stale and status.versions:
        return f"run the suite again: of {count(stale, 'task')} no trial is known as it is now", f"seatrial run {suite} --agent AGENT"
    if status.missing:
        return f"run {count(status.missing, 'more version')} of the candidate", f"seatrial run {suite} --agent AGENT"
    return "nothing: no task is saturated, and none looks broken", ""
