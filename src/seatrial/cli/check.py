"""`seatrial check`: is the suite sound, and what does it not test?"""

from __future__ import annotations

from pathlib import Path

import click

from seatrial.base.wording import count
from seatrial.cli._exit import FAILED, PASS
from seatrial.cli._options import FOLDER, json_option, print_json, suite_argument
from seatrial.cli._speech import others_on_stderr, say

SHOWN = 10
"""Findings of one rule that are printed; the rest are counted."""


@click.command()
@suite_argument
@click.option("--all", "everything", is_flag=True, help="Print every finding.")
@click.option("--holdout", type=FOLDER, metavar="PATH", help="Folder of a holdout, checked too; for its owner: findings name its tasks.")
@json_option
def command(suite: Path, *, everything: bool, holdout: Path | None, as_json: bool) -> int:
    """Load a suite, lint it, and play every task's reference paths on its fixture.

    An error makes the exit code 1; a warning does not.
    """
    from seatrial.app.checking import check
    from seatrial.app.loading import load

    with others_on_stderr():
        checked = check(load(suite, holdout=holdout, reveal=True))
    if as_json:
        print_json(checked)
    else:
        _print(checked.findings, everything=everything)
        for hint in checked.hints:
            say(f"hint: {hint}")
        played = f"{count(checked.tasks, 'task')}, {count(checked.references, 'reference path')} played"
        say(f"{played}: {count(checked.errors, 'error')}, {count(len(checked.findings) - checked.errors, 'warning')}")
    return FAILED if checked.errors else PASS


def _print(findings, *, everything: bool) -> None:  # noqa: ANN001 - Finding is imported lazily by `app`
    shown: dict[str, int] = {}
    for finding in findings:
        shown[finding.rule] = shown.get(finding.rule, 0) + 1
        if everything or shown[finding.rule] <= SHOWN:
            place = f"{finding.file}:{finding.line}: " if finding.file and finding.line else f"{finding.file}: " if finding.file else ""
            about = f"{finding.task}: " if finding.task else ""
            say(f"{finding.level}: {place}{about}{finding.message}. {finding.fix[:1].upper()}{finding.fix[1:]}.")
    for rule, found in shown.items():
        if not everything and found > SHOWN:
            say(f"… and {found - SHOWN} more of {rule}; --all prints them")
