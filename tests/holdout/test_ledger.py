"""The ledger of a holdout: every look is entered, in order, and none can be changed or lost unnoticed."""

from __future__ import annotations

import json
import multiprocessing
import os
import resource
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seatrial.app import holdout as looking
from seatrial.app.ledger import END, LEDGER, enter, looks_at
from seatrial.base.errors import LedgerError, UsageError
from seatrial.records.holdout import Look, first_break, sealed
from tests._suites import hidden
from tests.cli.program import seatrial
from tests.gate.made import evidence
from tests.store.builders import in_a_process

NOW = "2026-05-04T09:00:00Z"


def look(run_hash: str = "r1", *, by: str = "Ann", edition: str = "e", **more: object) -> Look:
    """Return a look as a verb makes it."""
    words = {"kind": "decision", "decision": "pass", **more}
    return Look(
        0, door="gate", by=by, at=NOW, run="r.seatrial", run_hash=run_hash, candidate="c", candidate_hash="h", holdout="x", edition=edition,
        **words,  # type: ignore[arg-type]
    )  # fmt: skip


def filled(folder: Path, number: int = 4) -> Path:
    """Enter some looks and return the ledger."""
    for index in range(number):
        enter(folder, look(f"run {index}"))
    return folder / LEDGER


def test_looks_stand_in_the_order_in_which_they_were_entered(tmp_path: Path) -> None:
    """Each has the next number and the hash of the one before, and is what was entered."""
    filled(tmp_path)
    found = looks_at(tmp_path)
    assert [each.run_hash for each in found] == [f"run {index}" for index in range(4)]
    assert [each.number for each in found] == [1, 2, 3, 4]
    assert [each.previous for each in found] == ["", *(each.hash for each in found[:-1])]
    assert (tmp_path / LEDGER).read_text(encoding="utf-8").count("\n") == 4


@pytest.mark.parametrize("number", range(4))
def test_a_line_that_was_taken_out_is_missed(tmp_path: Path, number: int) -> None:
    """The first, one in the middle, the last: the file and the place are named, and nothing further is entered."""
    path = filled(tmp_path)
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:number] + lines[number + 1 :]), encoding="utf-8")
    with pytest.raises(LedgerError, match=r"ledger\.jsonl"):
        looks_at(tmp_path)
    before = path.read_bytes()
    with pytest.raises(LedgerError, match="Restore both files"):
        enter(tmp_path, look())
    assert path.read_bytes() == before


@given(st.data())
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_byte_that_was_changed_is_noticed(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    """Whatever is written over one byte of either file, the ledger no longer counts as whole – or says the very same."""
    folder = tmp_path_factory.mktemp("ledger")
    filled(folder, 2)
    before = looks_at(folder)
    path = folder / data.draw(st.sampled_from([LEDGER, END]))
    content = bytearray(path.read_bytes())
    content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(32, 126))
    path.write_bytes(content)
    with suppress(LedgerError):
        assert looks_at(folder) == before


@given(st.lists(st.integers(0, 9), max_size=6), st.data())
def test_a_chain_breaks_where_it_was_changed_first(numbers: list[int], data: st.DataObject) -> None:
    """A chain is whole as it was made; with two looks swapped, or one changed, the first wrong place is named."""
    looks: list[Look] = []
    for number in numbers:
        looks.append(sealed(look(f"run {number}"), looks[-1] if looks else None))
    assert first_break(looks) is None
    if looks:
        place = data.draw(st.integers(0, len(looks) - 1))
        changed = [*looks[:place], look("another"), *looks[place + 1 :]]
        assert first_break(changed) == place + 1


def test_a_ledger_whose_end_is_gone_is_not_whole(tmp_path: Path) -> None:
    """Without the second file nobody can tell whether looks were cut off; without the first, that there were any is still known."""
    path = filled(tmp_path)
    end = (tmp_path / END).read_bytes()
    (tmp_path / END).unlink()
    with pytest.raises(LedgerError, match="it is missing"):
        looks_at(tmp_path)
    (tmp_path / END).write_bytes(end)
    path.unlink()
    with pytest.raises(LedgerError, match="look 4 was entered and is no longer there"):
        looks_at(tmp_path)


def test_a_look_that_was_cut_off_while_it_was_entered_was_never_shown(tmp_path: Path) -> None:
    """The half of a line that a kill leaves is no look: the next takes its place."""
    path = filled(tmp_path, 2)
    with path.open("ab") as file:
        file.write(b'{"number":3,"kind":"dec')
    assert len(looks_at(tmp_path)) == 2
    enter(tmp_path, look("run 9"))
    assert [each.run_hash for each in looks_at(tmp_path)] == ["run 0", "run 1", "run 9"]


def test_a_kill_between_the_two_files_loses_nothing(tmp_path: Path) -> None:
    """A line whose end was not noted yet is a look all the same, and the next follows it."""
    filled(tmp_path, 2)
    end = (tmp_path / END).read_bytes()
    enter(tmp_path, look("run 2"))
    (tmp_path / END).write_bytes(end)
    assert len(enter(tmp_path, look("run 3"))) == 4
    assert len(looks_at(tmp_path)) == 4


def _enter_until(folder: Path, step: str, number: int) -> None:
    """Enter a look, and be killed at a step on the disk."""
    steps, real = [], getattr(os, step)

    def killed(*arguments: object) -> object:
        steps.append(arguments)
        return os._exit(9) if len(steps) == number else real(*arguments)

    setattr(os, step, killed)
    enter(folder, look("killed"))
    os._exit(0)


@pytest.mark.parametrize("before", [0, 1, 3])
@pytest.mark.parametrize(("step", "number"), [("fsync", 1), ("fsync", 2), ("fsync", 3), ("replace", 1), ("replace", 2)])
def test_whoever_is_killed_while_entering_leaves_a_ledger_that_goes_on(tmp_path: Path, before: int, step: str, number: int) -> None:
    """At whatever step, and at the very first look too: the look that was cut off is there whole or not at all, and the next follows."""
    filled(tmp_path, before)
    process = multiprocessing.get_context("fork").Process(target=_enter_until, args=(tmp_path, step, number))
    process.start()
    process.join()
    assert process.exitcode in (0, 9)
    found = looks_at(tmp_path)
    assert len(found) in (before, before + 1)
    assert enter(tmp_path, look("next"))[:-1] == found


def _enter_often(folder: Path, name: str) -> None:
    for _ in range(12):
        enter(folder, look(by=name))


def test_two_processes_enter_their_looks_one_after_the_other(tmp_path: Path) -> None:
    """None is lost, none is written into another, and the chain is whole."""
    fork = multiprocessing.get_context("fork")
    processes = [fork.Process(target=_enter_often, args=(tmp_path, name)) for name in ("Ann", "Ben", "Cem")]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    found = looks_at(tmp_path)
    assert sorted(each.by for each in found) == sorted(["Ann", "Ben", "Cem"] * 12)
    assert [file.name for file in sorted(tmp_path.iterdir())] == sorted([LEDGER, END])


def _entered_under(folder: Path, limit: int) -> str:
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    try:
        enter(folder, look("one too many"))
    except LedgerError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("room", [0, 1, 200])
def test_a_full_disk_enters_nothing_and_spoils_nothing(tmp_path: Path, room: int) -> None:
    """The look is refused with the way out, the ledger is as it was, and with room again it goes on."""
    path = filled(tmp_path, 3)
    before = path.read_bytes()
    told = in_a_process(_entered_under, tmp_path, len(before) + room)
    assert "the look cannot be entered" in str(told)
    assert "nothing is shown" in str(told)
    assert path.read_bytes() == before
    assert len(enter(tmp_path, look())) == 4


def _entered_by_nobody(folder: Path) -> str:
    try:
        enter(folder, look())
    except LedgerError as error:
        return str(error)
    return ""


def test_a_folder_that_cannot_be_written_shows_nothing(tmp_path: Path) -> None:
    """Where the look cannot be entered, it is not taken."""
    folder = tmp_path / "apart"
    folder.mkdir(mode=0o755)
    told = in_a_process(_entered_by_nobody, folder, nobody=True)
    assert "Make the holdout's folder writable" in str(told)


def test_a_ledger_that_is_a_link_or_a_pipe_is_none(tmp_path: Path) -> None:
    """A look is not entered through a link, which may lead to where nobody looks."""
    (tmp_path / "elsewhere").write_text("", encoding="utf-8")
    (tmp_path / LEDGER).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(LedgerError, match="no plain file"):
        enter(tmp_path, look())


@pytest.fixture(scope="module")
def sailed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """A suite, its holdout and a run of both."""
    folder = tmp_path_factory.mktemp("sailed")
    suite, holdout = hidden.write(folder)
    assert (
        seatrial("run", suite, "--agent", "agents:nosy", "--holdout", holdout, "--by", "Ann", "-o", folder / "r.seatrial").returncode == 1
    )
    return suite, holdout, folder / "r.seatrial"


def test_every_look_says_who_when_what_and_which_decision(sailed: tuple[Path, Path, Path]) -> None:
    """A run, a gate and a revealed trace are three looks at the same trials."""
    _, holdout, run = sailed
    alias = seatrial("show", run, hidden.TASK_ID).stderr.split()[1]
    assert seatrial("gate", run, "--holdout", holdout, "--by", "Ben").returncode == 1
    assert seatrial("show", run, alias, "--reveal", "--holdout", holdout, "--by", "Cem").returncode == 0
    found = looks_at(holdout)
    assert [(each.door, each.kind, each.by, each.decision, each.what) for each in found] == [
        ("run", "decision", "Ann", "fail", ""),
        ("gate", "decision", "Ben", "fail", ""),
        ("show", "reveal", "Cem", "", f"{hidden.TASK_ID}#0"),
    ]
    assert len({each.run_hash for each in found}) == 1
    assert {(each.candidate, each.run) for each in found} == {("nosy", "r.seatrial")}


@pytest.mark.parametrize(("by", "words"), [("\u200b", "needs the name of who looks"), ("A" * 201, "a name of 201 characters is too long")])
def test_a_look_has_a_name_that_can_be_read(sailed: tuple[Path, Path, Path], by: str, words: str) -> None:
    """A name of signs that nobody sees, or without end, enters nothing."""
    _, holdout, run = sailed
    before = looks_at(holdout)
    with pytest.raises(UsageError, match=words):
        looking.look(holdout, run, door="show", by=by, at=NOW)
    assert looks_at(holdout) == before


def test_nothing_is_shown_when_the_ledger_was_changed(tmp_path: Path) -> None:
    """Neither a decision nor a trace: the program says which line, and exits with 2."""
    suite, holdout = hidden.write(tmp_path)
    run = tmp_path / "r.seatrial"
    seatrial("run", suite, "--agent", "agents:nosy", "--holdout", holdout, "-o", run)
    path = holdout / LEDGER
    path.write_text(path.read_text(encoding="utf-8").replace('"decision":"fail"', '"decision":"pass"'), encoding="utf-8")
    again = ("run", suite, "--agent", "agents:nosy", "--holdout", holdout, "-o", run)
    for words in (("gate", run, "--holdout", holdout), ("show", run, hidden.TASK_ID, "--reveal", "--holdout", holdout), again):
        told = seatrial(*words)
        assert (told.returncode, told.stdout) == (2, "")
        assert f"{path}:1: this look is not as it was entered" in told.stderr


def test_a_worn_holdout_is_a_warning_and_a_new_canary_counts_anew(sailed: tuple[Path, Path, Path], tmp_path: Path) -> None:
    """So many different runs as `refresh_after` says, and the decision warns; deciding again on the same trials counts once."""
    _, _, run = sailed
    _, holdout = hidden.write(tmp_path)
    told = [_decided(holdout, run) for _ in range(3)]
    assert [each.decided for each in told] == [1, 1, 1]
    assert not any("Refresh" in warning for each in told for warning in each.warnings)
    enter(holdout, look("another run", edition=told[0].look.edition))
    worn = _decided(holdout, run)
    assert (worn.decided, worn.limit) == (2, 2)
    assert "2 runs were decided on this holdout, of at most 2" in " ".join(worn.warnings)
    (holdout / "holdout.yaml").write_text(hidden.HOLDOUT.replace("0001", "0002"), encoding="utf-8")
    assert _decided(holdout, run).decided == 1


def _decided(holdout: Path, run: Path) -> looking.Looked:
    return looking.look(holdout, run, door="gate", by="Ann", at=NOW, decision="pass")


def test_a_holdout_that_changed_since_the_run_is_a_warning(sailed: tuple[Path, Path, Path], tmp_path: Path) -> None:
    """Another task, and the run was not on this holdout; a comment changes nothing."""
    _, _, run = sailed
    _, holdout = hidden.write(tmp_path)
    task = next((holdout / "tasks").iterdir())
    task.write_text(f"# a comment\n{task.read_text(encoding='utf-8')}", encoding="utf-8")
    assert _decided(holdout, run).warnings == ()
    task.write_text(task.read_text(encoding="utf-8").replace("calls: 9", "calls: 8"), encoding="utf-8")
    assert "changed since the run was made" in _decided(holdout, run).warnings[0]


def test_a_ledger_takes_no_look_at_a_run_that_was_not_given_its_holdout(tmp_path: Path) -> None:
    """A run of another suite, or without the holdout, has nothing of it to look at."""
    suite, holdout = hidden.write(tmp_path)
    run = tmp_path / "r.seatrial"
    seatrial("run", suite, "--agent", "agents:nosy", "-o", run)
    with pytest.raises(UsageError, match="was given no holdout"):
        _decided(holdout, run)
    (holdout / "holdout.yaml").write_text("suite: other\n", encoding="utf-8")
    with pytest.raises(UsageError, match="is the holdout of the suite 'other'"):
        _decided(holdout, run)
    assert not (holdout / LEDGER).exists()


def test_a_look_without_a_ledger_is_said_to_be_entered_nowhere(sailed: tuple[Path, Path, Path]) -> None:
    """`--reveal` without `--holdout` shows, and says so; `--holdout` without `--reveal` is refused."""
    _, holdout, run = sailed
    assert "is entered nowhere: give --holdout PATH" in seatrial("report", run, "--reveal", "--json").stderr
    assert "give --reveal too" in seatrial("report", run, "--holdout", holdout).stderr
    assert json.loads(seatrial("report", run, "--json").stdout)["withheld"] == 1


@pytest.mark.parametrize(
    ("tasks", "told"),
    [
        (("h1",), ("1 holdout task stands in", "can read it: move it to a folder of its own")),
        (("h1", "h2"), ("2 holdout tasks stand in", "can read them: move them to a folder of their own")),
    ],
)
def test_holdout_tasks_that_everybody_reads_are_a_warning(tasks, told):
    """One task is spoken of as one, several as several; without any there is no warning."""
    warning = looking.standing_open(evidence(dict.fromkeys(("a", *tasks), "p")).summary)
    assert all(words in warning for words in told)
    assert looking.standing_open(evidence({"a": "p"}).summary) == ""
