"""Sealed decisions: computed again from the same files they stand; one byte elsewhere, and the part that is another is named."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
import zstandard
from msgspec import Raw, structs

from seatrial.app.baselines import set_baseline
from seatrial.app.gating import GateOptions, decide_again, gate
from seatrial.app.labelling import Opinion, add_label
from seatrial.app.regrade import regrade
from seatrial.app.sealing import hash_of_policy, read_decision, seal_of, write_decision
from seatrial.app.signing import sign
from seatrial.app.verifying import Verified, verify
from seatrial.base.errors import RecordError, RunFileError, UsageError
from seatrial.records.decision import SealedDecision
from seatrial.store import RunFile
from tests._suites import desk
from tests._suites.sailing import StillClock, sail

POLICY = "gate: {reliability: {at_least: 0.5, kind: regression}, not_worse: {margin: 0.1, kind: regression}}\n"


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    tasks = {name: desk.task(name) for name in ("a-1", "a-2", "a-3")}
    return desk.write(tmp_path / "suite", suite=desk.SUITE + POLICY, tasks=tasks)


@pytest.fixture
def base(suite: Path, tmp_path: Path) -> Path:
    """The pinned baseline."""
    sail(suite, "agents:good", output=tmp_path / "base.seatrial")
    set_baseline(suite, tmp_path / "base.seatrial", by="Ann", clock=StillClock())
    return tmp_path / "base.seatrial"


@pytest.fixture
def run(suite: Path, base: Path, tmp_path: Path) -> Path:
    """A candidate's run that carries the pin, with a label."""
    sail(suite, "agents:again", output=tmp_path / "run.seatrial")
    add_label(tmp_path / "run.seatrial", "a-1", 0, Opinion("safe", "Ann", "I read it"), clock=StillClock())
    return tmp_path / "run.seatrial"


@pytest.fixture
def file(run: Path, tmp_path: Path) -> Path:
    """The sealed decision on the run."""
    write_decision(gate(run, clock=StillClock()).sealed, tmp_path / "decision.json")
    return tmp_path / "decision.json"


def verified(file: Path, **where: Path) -> Verified:
    return verify(read_decision(file), decide_again, **where)


def changed(found: Verified) -> set[str]:
    """The parts that are not the same."""
    return {part.part for part in found.changed}


def repacked(path: Path, table: str, old: bytes, new: bytes) -> None:
    """Edit the body of the first row of a table in place, as a skilled hand would: packed again, with a right checksum."""
    with closing(sqlite3.connect(path)) as connection, connection:
        number, body = connection.execute(f"SELECT id, body FROM {table} WHERE dictionary = 0 ORDER BY task, trial LIMIT 1").fetchone()
        data = zstandard.ZstdDecompressor().decompress(body)
        assert old in data
        packed = zstandard.ZstdCompressor(write_checksum=True).compress(data.replace(old, new, 1))
        connection.execute(f"UPDATE {table} SET body = ? WHERE id = ?", (packed, number))


def test_a_decision_stands_while_everything_is_as_it_was(file: Path, run: Path, base: Path) -> None:
    """It names run, baseline, pin, policy and day with their hashes, and comes out the same from the same files."""
    sealed = read_decision(file)
    assert (sealed.run.candidate, sealed.today) == ("again", "2026-01-01")
    assert sealed.baseline is not None
    assert sealed.pin is not None
    assert (sealed.baseline.candidate, sealed.pin.by, sealed.pin.hash) == ("good", "Ann", sealed.baseline.hashes.content)
    assert {rule.rule for rule in sealed.decision.rules} == {"reliability", "not_worse", "no_violation"}
    found = verified(file)
    assert (found.same, changed(found), found.decision) == (True, set(), sealed.decision)


def test_a_decision_is_read_back_as_it_was_sealed(file: Path, run: Path) -> None:
    """Writing indents the file for people and changes nothing of what it says."""
    assert read_decision(file) == gate(run, clock=StillClock()).sealed
    assert file.read_text(encoding="utf-8").startswith("{\n  ")


def test_files_that_were_moved_are_verified_where_they_are(file: Path, run: Path, base: Path, tmp_path: Path) -> None:
    """A run that is gone is asked for; one that is somewhere else is the same run."""
    (tmp_path / "moved").mkdir()
    moved = {"run": run.rename(tmp_path / "moved" / "r"), "baseline": base.rename(tmp_path / "moved" / "b")}
    with pytest.raises(UsageError, match=r"is not there; say where it is with --(run|baseline) RUN"):
        verified(file)
    assert verified(file, **moved).same


def test_an_edited_policy_is_told(file: Path) -> None:
    """One digit of a bar in the decision file: the policy is not the one that was asked, and the file was edited."""
    text = file.read_text(encoding="utf-8")
    assert text.count('"margin": 0.1') == 1
    file.write_text(text.replace('"margin": 0.1', '"margin": 0.9'), encoding="utf-8")
    found = verified(file)
    assert not found.same
    assert {"policy", "decision file"} <= changed(found)


@pytest.mark.parametrize("key", ["today", "value", "sentence", "margin"])
def test_a_key_that_stands_twice_is_refused(file: Path, key: str) -> None:
    """Programs differ in which of the two they read: what a person sees first must not be another thing than what is verified."""
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace(f'"{key}": ', f'"{key}": "2020-02-02", "{key}": ', 1), encoding="utf-8")
    with pytest.raises(RecordError, match="it is no decision that .* wrote: .*" + key):
        read_decision(file)


def test_a_resealed_file_does_not_make_another_decision_true(file: Path) -> None:
    """Whoever writes another decision and seals it anew is caught by computing it."""
    sealed = read_decision(file)
    other = structs.replace(sealed, decision=structs.replace(sealed.decision, value="fail" if sealed.decision.value != "fail" else "pass"))
    write_decision(structs.replace(other, seal=seal_of(other)), file)
    found = verified(file)
    assert changed(found) == {"decision"}
    assert f"comes out {sealed.decision.value}" in found.sentence


def test_a_resealed_sentence_is_told(file: Path) -> None:
    """Another sentence under the same value is another decision file, though no rule came out otherwise."""
    sealed = read_decision(file)
    other = structs.replace(sealed, decision=structs.replace(sealed.decision, sentence="All is well."))
    write_decision(structs.replace(other, seal=seal_of(other)), file)
    (part,) = verified(file).changed
    assert (part.part, part.note) == ("decision", f"{sealed.decision.value} as before, with other numbers, reasons or warnings")


def test_an_edited_trace_is_told(file: Path, run: Path) -> None:
    """One byte of what an agent said, packed again with a right checksum: the traces are others, and the label on it counts no more."""
    repacked(run, "trials", b"Done.", b"Donf.")
    assert changed(verified(file)) == {"traces of the run", "decision"}


def test_an_edited_grade_is_told(file: Path, run: Path) -> None:
    """A verdict turned in the file: the grades are others, and so is what comes out."""
    repacked(run, "grades", b'"pass"', b'"fail"')
    assert changed(verified(file)) == {"grades of the run", "decision"}


def test_an_edited_trace_or_grade_of_the_baseline_is_told(file: Path, base: Path) -> None:
    """The baseline is held to its hashes like the run; the pin's hash is then another too, which is a warning."""
    repacked(base, "trials", b"closed.", b"closet.")
    found = verified(file)
    assert changed(found) == {"traces of the baseline", "decision"}
    assert "not the one that Ann approved" in " ".join(found.decision.warnings)


def test_an_edited_label_is_told(file: Path, run: Path) -> None:
    """A label that another program rewrote after taking its guard away: the labels are others."""
    with closing(sqlite3.connect(run)) as connection, connection:
        connection.execute("DROP TRIGGER labels_are_never_changed")
        connection.execute("UPDATE labels SET body = replace(body, 'I read it', 'I read is')")
    assert changed(verified(file)) >= {"labels of the run"}
    assert changed(verified(file)) <= {"labels of the run", "decision"}


@pytest.mark.parametrize(
    ("change", "part"),
    [
        (lambda run: add_label(run, "a-2", 0, Opinion("violation", "Bo", "look at step 2")), "labels of the run"),
        (lambda run: sign(run, "size=small", by="Bo", reason="I read them"), "signatures of the run"),
    ],
)
def test_what_was_added_since_is_told(file: Path, run: Path, change, part: str) -> None:
    """A later label or signature may change the decision: it is named, whether it does or not."""
    change(run)
    assert part in changed(verified(file))
    assert not verified(file).same


def test_more_trials_since_are_told(suite: Path, file: Path, run: Path) -> None:
    """A run that went on is another run."""
    sail(suite, "agents:again", output=run, trials=3)
    assert {"manifest of the run", "traces of the run", "grades of the run"} <= changed(verified(file))


def test_the_same_grades_made_again_are_the_same(file: Path, run: Path) -> None:
    """To judge a run again, when nothing comes out otherwise, leaves its decision standing."""
    regrade(run)
    assert verified(file).same


def test_a_damaged_trial_is_no_verification(file: Path, run: Path) -> None:
    """One byte of a packed trace without a right checksum cannot be read: which trial it is stands in the error."""
    with closing(sqlite3.connect(run)) as connection, connection:
        number, body = connection.execute("SELECT id, body FROM trials WHERE task = 'a-2' AND trial = 1").fetchone()
        spoilt = bytearray(body)
        spoilt[len(spoilt) // 2] ^= 1
        connection.execute("UPDATE trials SET body = ? WHERE id = ?", (bytes(spoilt), number))
    with pytest.raises(RunFileError, match="trial 1 of task 'a-2' cannot be read"):
        verified(file)


def test_another_version_of_the_program_is_told_and_alone_changes_nothing(file: Path) -> None:
    """A decision that comes out the same by a newer program stands; the version is named."""
    sealed = read_decision(file)
    older = structs.replace(sealed, seatrial="0.0.1", grader="1", decision=structs.replace(sealed.decision, next="Something else."))
    found = verify(structs.replace(older, seal=seal_of(older)), decide_again)
    assert found.same
    assert {(part.part, part.state) for part in found.changed} == {
        ("program version", "newer"),
        ("grader version", "newer"),
        ("decision", "newer"),
    }


def test_a_policy_is_the_same_whatever_the_order_of_its_rules() -> None:
    """Two files that say the same in another order are one policy; another number is another."""
    one, other = Raw(b'{"a": {"x": 1, "y": 2}, "b": null}'), Raw(b'{"b":null,"a":{"y":2,"x":1}}')
    assert hash_of_policy(one) == hash_of_policy(other) != hash_of_policy(Raw(b'{"a": {"x": 1, "y": 3}, "b": null}'))


def test_every_field_is_under_the_seal(file: Path) -> None:
    """No field of a sealed decision can be edited without the seal being another."""
    sealed = read_decision(file)
    for field in structs.fields(SealedDecision):
        value = getattr(sealed, field.name)
        other = structs.replace(sealed, **{field.name: _other(value)})
        assert (seal_of(other) == sealed.seal) == (field.name == "seal"), field.name


def _other(value: object) -> object:
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case Raw():
            return Raw(b'{"no_violation":null}')
        case str() | tuple():
            return (*value, "x") if isinstance(value, tuple) else value + "x"
    return None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "it is no decision"),
        ("{}", "it is no decision"),
        ("[1]", "it is no decision"),
        ('{"decision": 1}', "it is no decision"),
        ("\x00", "it is no decision"),
        ("[" * 100_000, "it is no decision"),
    ],
)
def test_what_is_no_decision_is_refused(tmp_path: Path, text: str, told: str) -> None:
    """Another file is told as such, with what writes one."""
    (tmp_path / "d.json").write_text(text, encoding="utf-8")
    with pytest.raises(RecordError, match=told):
        read_decision(tmp_path / "d.json")


def test_a_decision_of_another_version_or_that_is_not_there_is_refused(file: Path, tmp_path: Path) -> None:
    """A newer shape is not guessed at; a missing file and a folder are told."""
    write_decision(structs.replace(read_decision(file), version=99), file)
    with pytest.raises(RecordError, match="it has version 99; this seatrial reads 1"):
        read_decision(file)
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(RecordError, match="the decision cannot be read"):
            read_decision(path)


def test_a_policy_file_is_sealed_as_it_was_asked(run: Path, tmp_path: Path) -> None:
    """A decision by a policy file needs the file no more: the policy is in it, whole."""
    (tmp_path / "policy.yaml").write_text("no_violation: {}\n", encoding="utf-8")
    sealed = gate(run, GateOptions(policy=tmp_path / "policy.yaml"), clock=StillClock()).sealed
    (tmp_path / "policy.yaml").unlink()
    assert msgspec.json.decode(sealed.policy) == {"no_violation": {}}
    assert verify(sealed, decide_again).same


def test_a_run_without_a_baseline_is_sealed_without_one(suite: Path, tmp_path: Path) -> None:
    """No pin and no baseline: both are absent, and the decision can be verified all the same."""
    sail(suite, "agents:good", output=tmp_path / "r.seatrial")
    sealed = gate(tmp_path / "r.seatrial", clock=StillClock()).sealed
    assert (sealed.baseline, sealed.pin) == (None, None)
    assert verify(sealed, decide_again).same
    with RunFile.open(tmp_path / "r.seatrial") as opened:
        assert sealed.run.hashes == opened.content_hashes()
