"""What a comparison says, section by section; the terminal, Markdown and HTML draw the same sections."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from seatrial.base.wording import listed
from seatrial.records.comparison import Comparison, RunMark
from seatrial.report import _comparison_numbers, _comparison_tasks
from seatrial.report._grid import Section
from seatrial.report._plain import plain
from seatrial.report._wording import filled_in


def headline(found: Comparison) -> str:
    """Return the comparison in one sentence."""
    return plain(found.conclusion)


def facts(found: Comparison) -> str:
    """Return which runs are held against each other, on one line; a suite that both are of is named once."""
    before, after = (f"{mark.suite} {mark.suite_version}".strip() for mark in (found.baseline, found.candidate))
    if before == after:
        return f"{plain(before)}: {_mark(found.baseline)} → {_mark(found.candidate)}"
    return f"{_mark(found.baseline, before)} → {_mark(found.candidate, after)}"


def next_step(found: Comparison) -> str:
    """Return what to do next; its command can be copied as far as the names are known."""
    return plain(filled_in(found.next, {"BASELINE": found.baseline.run, "CANDIDATE": found.candidate.run}))


def commands(found: Comparison) -> tuple[str, ...]:
    """Return the commands of the next step: where it is to read a task, those that show it on both sides."""
    command = next_step(found).partition(": seatrial ")[2]
    pair = tuple(_comparison_tasks.show_commands(found, (*found.shortcuts, *found.lost)))
    if command.startswith("show ") and pair:
        return pair
    return (f"seatrial {command}",) if command else ()


def sections(found: Comparison, *, brief: bool = False) -> Iterator[Section]:
    """Yield the sections of a comparison in their fixed order; those with nothing to say are left out.

    Args:
        found: The comparison.
        brief: Whether to leave out what a first look does not need: slices in which nothing is to be seen, the outcome of slices, what
            is still wrong on tasks that gained, notes on costs, and the commands that stand behind the next step.
    """
    yield from _comparison_tasks.moved_tasks(found, brief=brief)
    yield _comparison_numbers.differences(found.kinds)
    yield from (part for kind in found.kinds for part in _comparison_numbers.set_parts(kind))
    yield from _comparison_numbers.slices(found.kinds, brief=brief)
    yield from _comparison_numbers.movement(found.kinds)
    yield from _comparison_numbers.costs(found, brief=brief)
    yield from _comparison_numbers.money(found.money)
    yield from _set(found)
    if found.warnings:
        yield Section("Warnings", None, tuple(plain(line) for line in found.warnings))


def once(parts: Iterable[Section]) -> Iterator[Section]:
    """Yield sections, each sentence on how to read a table only where it stands first.

    Args:
        parts: The sections of one text.
    """
    said: set[str] = set()
    for part in parts:
        yield replace(part, lines=tuple(line for line in part.lines if line not in said))
        said.update(line for line in part.lines if line in _comparison_numbers.LEGENDS)


def _mark(mark: RunMark, suite: str = "") -> str:
    """Return which run it is, in a few words."""
    version = f" {mark.candidate.version}" if mark.candidate.version and mark.candidate.version not in mark.name else ""
    drawn = ", ".join(filter(None, (f"seed {mark.seed}" if mark.source == "run" else "", mark.created_at)))
    return plain(f"{mark.name}{version}{' on ' if suite else ''}{suite}{f' ({drawn})' if drawn else ''}")


def _set(found: Comparison) -> Iterator[Section]:
    """Yield which tasks the runs do not share."""
    groups = (("Added", found.added), ("Removed", found.removed), ("Another contract", found.changed), ("Other kind", found.moved))
    lines = tuple(f"{name}: {listed([plain(task) for task in tasks], _comparison_tasks.NAMED_IDS)}." for name, tasks in groups if tasks)
    if lines:
        yield Section("Tasks that are not shared", None, lines)
