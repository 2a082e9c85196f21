"""Signatures in a run file: added, never changed, never lost; and the content hashes that a sealed decision holds a run against."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from seatrial.base.errors import RunFileError
from seatrial.records.decision import RunHashes, Signature
from seatrial.records.grade import Verdict
from seatrial.records.label import Label
from seatrial.records.trace import Status
from seatrial.store import RunFile
from seatrial.store.content import run_hashes
from tests.store.builders import TASKS, grade, made, manifest, trace

PARTS = ("manifest", "tasks", "traces", "grades", "labels", "signatures")


def signature(value: str = "water", *, by: str = "Anna", reason: str = "read them") -> Signature:
    """One signature."""
    return Signature(f"loss_type={value}", by, reason, "2026-11-30T12:00:00Z", baseline="0" * 32, traces="1" * 32)


def label(number: int = 0, trial: int = 0, *, by: str = "Anna", verdict: str = "safe") -> Label:
    """One label on a trial of task `number`."""
    return Label(TASKS[number].id, trial, "0" * 32, verdict, by, "read it", "2026-11-30T12:00:00Z")  # type: ignore[arg-type]


@pytest.fixture
def path(tmp_path):
    return made(tmp_path / "run.seatrial", [trace(0, 0), trace(0, 1), trace(1, 0)])


def changed(path, change) -> RunHashes:
    """Change an open file and return its hashes."""
    with RunFile.open(path, write=True) as run_file:
        change(run_file)
    return hashes(path)


def hashes(path) -> RunHashes:
    with RunFile.open(path) as run_file:
        return run_file.content_hashes()


def differing(before: RunHashes, after: RunHashes) -> set[str]:
    """The parts whose hashes differ."""
    return {part for part in PARTS if getattr(before, part) != getattr(after, part)}


def test_signatures_come_back_in_the_order_in_which_they_were_given(path):
    """What was signed is read as it was, later signatures last."""
    signed = [signature(), signature("fire"), signature(by="Bo"), signature()]
    for one in signed:
        changed(path, lambda run_file, one=one: run_file.add_signatures([one]))
    with RunFile.open(path) as run_file:
        assert run_file.signatures() == tuple(signed)


def test_a_file_open_for_reading_takes_no_signature(path):
    """Only who holds the right to write may sign."""
    with RunFile.open(path) as run_file, pytest.raises(RunFileError, match="signatures cannot be stored: it is open for reading"):
        run_file.add_signatures([signature()])


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE signatures SET body = '{}'",
        "DELETE FROM signatures",
        "UPDATE signatures SET signatory = 'Bo' WHERE id = 1",
        "INSERT OR REPLACE INTO signatures SELECT id, slice, 'Bo', signed_at, shape, body FROM signatures",
        "INSERT INTO signatures SELECT * FROM signatures WHERE true ON CONFLICT DO UPDATE SET slice = 'a=b'",
    ],
)
def test_no_program_changes_or_removes_a_signature(path, change):
    """Another program that opens the file is refused when it would rewrite or delete a signature."""
    changed(path, lambda run_file: run_file.add_signatures([signature()]))
    with closing(sqlite3.connect(path)) as connection, pytest.raises(sqlite3.IntegrityError, match="a signature is never"):
        connection.execute(change)
    with RunFile.open(path) as run_file:
        assert run_file.signatures() == (signature(),)


def test_a_damaged_signature_is_told(path):
    """A signature that no longer can be read stops whoever asks for the signatures, and says which it is."""
    changed(path, lambda run_file: run_file.add_signatures([signature()]))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DROP TRIGGER signatures_are_never_changed")
        connection.execute("UPDATE signatures SET body = '{}'")
    with RunFile.open(path) as run_file, pytest.raises(RunFileError, match="signature 1 cannot be read"):
        run_file.signatures()


@pytest.mark.parametrize(
    ("part", "change"),
    [
        ("manifest", lambda file: file.replan(structs.replace(file.manifest, notes=("changed",)), ())),
        ("traces", lambda file: file.append(trace(2, 0))),
        ("grades", lambda file: file.put_grades([grade(0, 0, Verdict.FAIL)])),
        ("labels", lambda file: file.add_labels([label()])),
        ("signatures", lambda file: file.add_signatures([signature()])),
    ],
)
def test_each_part_has_a_hash_of_its_own(path, part, change):
    """What is added to or changed in one part changes its hash and no other; the content's hash with it, but for a signature."""
    before = hashes(path)
    after = changed(path, change)
    assert differing(before, after) == {part}
    assert (before.content == after.content) == (part == "signatures")


def test_a_task_that_is_added_changes_the_tasks(tmp_path):
    """A wider plan has other tasks, and a manifest that says so."""
    path = tmp_path / "run.seatrial"
    RunFile.create(path, manifest(TASKS[:2]), TASKS[:2]).close()
    before = hashes(path)
    assert differing(before, changed(path, lambda file: file.replan(manifest(), TASKS))) == {"manifest", "tasks"}


def test_content_is_the_same_whatever_was_written_first_and_however_it_was_packed(tmp_path):
    """The same trials, grades, labels and tasks in another order, with a dictionary or without, have the same hashes."""
    traces = [trace(number, trial) for number in (0, 1) for trial in range(60)]
    grades = [grade(number, trial) for number in (0, 1) for trial in range(60)]
    labels, signatures = [label(0), label(1), label(1, by="Bo")], [signature(), signature("fire")]
    files = []
    for name, step in (("one", 1), ("other", -1)):
        files.append(tmp_path / name)
        with RunFile.create(files[-1], manifest(), TASKS[::step]) as run_file:
            for one in traces[::step]:
                run_file.append(one)
            run_file.put_grades(grades[::step])
            run_file.add_labels([label(1), label(0), label(1, by="Bo")] if step < 0 else labels)
            run_file.add_signatures(signatures[::step])
    assert hashes(files[0]) == hashes(files[1])
    with RunFile.open(files[0]) as run_file:
        assert hashes(files[0]) == run_hashes(
            run_file.manifest, {task.id: task for task in TASKS}, run_file.traces(), run_file.grades(), labels, signatures
        )
    with closing(sqlite3.connect(files[0])) as connection:
        assert connection.execute("SELECT count(DISTINCT dictionary) FROM trials").fetchone() == (1,)
        assert connection.execute("SELECT max(dictionary) FROM trials").fetchone() > (0,)


def test_the_order_of_a_reviewers_labels_is_content(path, tmp_path):
    """Of two labels of one reviewer on one trial the later one counts, so that the other order is other content."""
    other = made(tmp_path / "other.seatrial", [trace(0, 0), trace(0, 1), trace(1, 0)])
    first, second = label(verdict="safe"), label(verdict="violation")
    one = changed(path, lambda file: file.add_labels([first, second]))
    assert differing(one, changed(other, lambda file: file.add_labels([second, first]))) == {"labels"}


def test_a_trial_that_ran_again_is_other_content(path):
    """A lost trial that is run again has another trace."""
    before = changed(path, lambda file: file.append(trace(2, 0, status=Status.INFRA_ERROR)))
    assert differing(before, changed(path, lambda file: file.append(trace(2, 0)))) == {"traces"}


@given(texts=st.lists(st.text(max_size=20), min_size=1, max_size=5, unique=True), place=st.integers(0, 4))
def test_every_letter_of_a_trace_counts(texts, place):
    """Traces with other texts have another hash, wherever the difference lies."""
    place %= len(texts)
    others = [*texts[:place], texts[place] + "x", *texts[place + 1 :]]
    assert _of_texts(texts) == _of_texts(list(texts))
    assert _of_texts(texts) != _of_texts(others)


def _of_texts(texts: list[str]) -> str:
    traces = [trace(0, trial, text=text) for trial, text in enumerate(texts)]
    return run_hashes(manifest(), {}, traces, (), (), ()).traces


def test_a_damaged_part_has_no_hash(path):
    """A trial that cannot be read stops the hashing and is named: a hash of the rest would say too much."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE trials SET body = x'00' WHERE task = ? AND trial = 1", (TASKS[0].id,))
    with RunFile.open(path) as run_file, pytest.raises(RunFileError, match=f"trial 1 of task '{TASKS[0].id}'"):
        run_file.content_hashes()
