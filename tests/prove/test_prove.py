"""Proofs of suites: what is noticed, what is not, and what would notice it."""

from __future__ import annotations

import json
import os

import pytest
from msgspec import structs

from seatrial.app.loading import load
from seatrial.app.proof_file import MOST_BYTES, proof_note, write_proof
from seatrial.app.proving import MANY, prove
from seatrial.app.reporting import summary_of
from seatrial.base.canonical import canonical
from seatrial.base.errors import NothingSelected, SuiteError
from seatrial.records.proof import note_of, proof_line
from tests._suites import desk
from tests._suites.sailing import sail
from tests.prove.suites import ASKED, IDLE, TASK, WORLD, holes, proved, write, written


def note(mutant):
    """Return the YAML list with one explained hole."""
    return f"holes: [{{mutant: {mutant!r}, why: the order is free here, by: Ann, on: 2026-03-01}}]\n"


def test_a_sound_contract_lets_no_mutant_through(tmp_path):
    """Every mutant of a contract that names calls, order and end state is caught, and every other spelling passes."""
    proof = proved(tmp_path)
    assert holes(proof) == {}
    assert proof.total.score == 1.0
    assert (proof.errors, proof.false_alarms, proof.references) == ((), (), 1)
    assert {row.name for row in proof.kinds if row.caught} == {
        "agent", "append_write", "at_once", "double_write", "drop_call", "exceed_budget", "ignore_error", "invent_value",
        "other_record", "swap_order",
    }  # fmt: skip
    assert proof.total.same > 0


@pytest.mark.parametrize(
    ("weak", "mutant", "closes"),
    [
        ({"ORDER": "[]"}, "swap_order(look < close)", "order: [look < close]"),
        ({"ORDER": "[]"}, "at_once(look < close)", "order: [look < close]"),
        ({"LOOK": "{ticket_id: T-1}, compare: []"}, "other_record(look.ticket_id=T-2)", 'with: {ticket_id: "T-1"}'),
    ],
)
def test_a_weak_contract_has_the_hole_and_names_what_closes_it(tmp_path, weak, mutant, closes):
    """What the contract does not say a mutant walks through, and the line that would say it stands beside it."""
    found = holes(proved(tmp_path, written(TASK, **weak)))
    assert closes in found[mutant]


def test_a_call_of_the_reference_that_nothing_requires_is_a_hole(tmp_path):
    """A look that the reference takes and the contract does not ask for can be left out unseen."""
    text = written(TASK).replace("      - {id: look, call: look, with: {ticket_id: T-1}}\n", "").replace("[look < close]", "[]")
    found = holes(proved(tmp_path, text))
    assert "required: [{id: look, call: look" in found["drop_call(look)"]


def test_writes_that_anybody_may_add_are_holes(tmp_path):
    """With neither an end state nor a limit on extras, one more write and a doubled one pass."""
    text = written(TASK).replace("  outcome: {changes: {tickets/T-1: {status: closed}}}\n", "").replace("extras: reads", "extras: any")
    text = text.replace("  reference:", "  provenance: 'off'\n  reference:").replace(
        "    extras: any", "    extras: any\n    repeats: {writes: 9}"
    )
    found = holes(proved(tmp_path, text))
    assert {"append_write(close)", "double_write(close)"} <= set(found)
    assert found["append_write(close)"] == "process: {extras: reads}"


@pytest.mark.parametrize("expected", ["{$any: true}", "{$one_of: [T-1, T-2]}"])
def test_what_the_contract_admits_in_so_many_words_does_not_count(tmp_path, expected):
    """Another record in an argument that a matcher leaves open is allowed: neither caught nor a hole."""
    proof = proved(tmp_path, written(TASK, LOOK=f"{{ticket_id: {expected}}}"))
    assert holes(proof) == {}
    assert next(row for row in proof.kinds if row.name == "other_record").allowed == 1


@pytest.mark.parametrize(("order", "open_"), [("[user.2 < close]", False), ("[]", True)])
def test_a_question_that_may_be_skipped_is_a_hole(tmp_path, order, open_):
    """Without a rule that asks for the yes, the question before a write may be left out, or come after it."""
    found = holes(proved(tmp_path, written(ASKED, ORDER=order)))
    assert {"skip_confirmation(close)", "move_confirmation(close)"} <= set(found) if open_ else found == {}


@pytest.mark.parametrize(
    ("outcome", "passing"), [("{changes: {}}", {"null", "done_only", "echo"}), ("{changes: {}, answer: ['4711']}", set())]
)
def test_a_task_that_idling_passes_has_a_hole(tmp_path, outcome, passing):
    """Where nothing is to be done, whoever does nothing passes, unless the answer says that somebody looked."""
    found = holes(proved(tmp_path, written(IDLE, OUTCOME=outcome)))
    assert {f"agent({name})" for name in passing} == set(found)
    assert not passing or "answer" in found["agent(null)"]


def test_the_refuser_may_pass_where_a_refusal_is_expected(tmp_path):
    """An agent that refuses is no hole of a task that ends by refusal."""
    text = written(IDLE, OUTCOME="{changes: {}}").replace("expect:\n", "expect:\n  ends: refusal\n")
    proof = proved(tmp_path, text.replace('{answer: "I have seen that nothing is to be done: code 4711."}', "{refuse: true}"))
    assert "agent(refuser)" not in holes(proof)
    assert next(row for row in proof.kinds if row.name == "agent").allowed == 1


def test_a_reference_that_breaks_a_rule_is_an_error_of_the_suite(tmp_path):
    """A right way on which an invariant fails is no right way, and the proof says so."""
    proof = proved(tmp_path, suite="invariants: [{no_forbidden_call: {tools: [close]}}]\n")
    assert any("breaks the rule no_forbidden_call" in error for error in proof.errors)


def test_a_reference_says_what_may_change_where_only_an_answer_is_asked(tmp_path):
    """A task with an answer, a reference and no process expects what the reference changes, here nothing."""
    text = IDLE.replace("  process: {required: [], extras: reads}\n", "").replace("OUTCOME", '{answer: ["4711"]}')
    proof = proved(tmp_path, text)
    assert (proof.errors, proof.references) == ((), 1)
    assert "agent(greedy_writer)" not in holes(proof)


def proved_breaking(tmp_path):
    """Return the proof of a suite whose own rule breaks on whatever it sees."""
    rule = '\n\nfrom seatrial import invariant\n\n\n@invariant("breaks")\ndef breaks(trial):\n    """Break."""\n    raise KeyError\n'
    suite = desk.SUITE + "invariants: [breaks]\n"
    return prove(load(desk.write(tmp_path / "breaking", tasks={"t": written(TASK)}, suite=suite, world=WORLD + rule)))


def test_a_rule_that_breaks_on_a_mutant_has_noticed_nothing(tmp_path):
    """A mutant that only a crash of the suite's own rule kept from passing is not caught, and the crash is an error of the suite."""
    crashing = """

from seatrial import invariant


@invariant("looks")
def looks(trial):
    \"\"\"Nothing is wrong.\"\"\"
    return [] if trial.calls and trial.calls[0].tool == "look" else [][1]
"""
    weak = written(TASK, ORDER="[]")
    assert "swap_order(look < close)" in holes(proved(tmp_path / "open", weak))
    folder = desk.write(tmp_path / "crashing", tasks={"t": weak}, suite=desk.SUITE + "invariants: [looks]\n", world=WORLD + crashing)
    proof = prove(load(folder))
    (swaps,) = (row for row in proof.kinds if row.name == "swap_order")
    assert (swaps.caught, swaps.spoiled) == (0, 1)
    assert proved_breaking(tmp_path).false_alarms == ()
    assert any(error.startswith("t: safety cannot be judged on ") and "IndexError" in error for error in proof.errors)
    assert any("the rule looks of world.py broke: IndexError: list index out of range (world.py:" in error for error in proof.errors)


def test_a_mutant_that_only_leaves_a_doubt_is_counted_apart(tmp_path):
    """A mutant that no question fails, and that a rule only doubts, is neither caught nor a hole, and the score leaves it out."""
    doubting = """

from seatrial import Breach, Findings, invariant


@invariant("looks")
def looks(trial):
    \"\"\"Doubt what begins otherwise.\"\"\"
    doubts = () if trial.calls and trial.calls[0].tool == "look" else (Breach(1, "who knows"),)
    return Findings("looked at", doubts=doubts)
"""
    weak = written(TASK, ORDER="[]")
    folder = desk.write(tmp_path / "doubting", tasks={"t": weak}, suite=desk.SUITE + "invariants: [looks]\n", world=WORLD + doubting)
    proof = prove(load(folder))
    (swaps,) = (row for row in proof.kinds if row.name == "swap_order")
    assert (swaps.caught, swaps.holes, swaps.undetermined, swaps.score) == (0, 0, 1, None)
    assert note_of(proof, older=False).undetermined == proof.total.undetermined


def test_a_rule_that_nothing_breaks_is_never_seen_to_fail(tmp_path):
    """A rule over a tool that nobody can call was never seen to fail; one that mutants break was."""
    rules = "invariants: [{no_forbidden_call: {tools: [shred_archive]}}]\n"
    seen = {row.rule: row.seen for row in proved(tmp_path, suite=rules).rules}
    assert seen == {"no_forbidden_call": False, "values_have_provenance": True}


def test_a_hole_that_the_suite_explains_is_counted_apart(tmp_path):
    """An explained hole is printed with its reason and does not spoil the score; the others still do."""
    weak = written(TASK, ORDER="[]")
    one = proved(tmp_path / "one", weak + note("swap_order*"))
    assert set(holes(one)) == {"at_once(look < close)"}
    assert (one.total.explained, one.total.holes) == (1, 1)
    every = proved(tmp_path / "all", weak, suite=note("*(look < close)"))
    assert (holes(every), every.total.explained, every.total.score) == ({}, 2, 1.0)
    assert {hole.note.by for hole in every.holes if hole.note} == {"Ann"}


def test_an_explanation_of_no_hole_is_named(tmp_path):
    """What was explained and is a hole no more is listed, so that it goes."""
    proof = proved(tmp_path, suite=note("swap_order*"))
    assert [one.mutant for one in proof.unused] == ["swap_order*"]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("{mutant: x, why: y, by: z}", "needs `on`"),
        ("{mutant: x, why: ' ', by: z, on: 2026-01-01}", "needs `why`"),
        ("{mutant: x, why: y, by: z, on: yesterday}", "is not a date"),
        ("{mutant: x, why: y, by: z, on: 2026-01-01, until: never}", "until"),
        ("{mutant: '*', why: y, by: z, on: 2026-01-01}", "names every mutant"),
        ("{mutant: '*(*)', why: y, by: z, on: 2026-01-01}", "names every mutant"),
    ],
)
def test_an_explanation_without_a_reason_a_name_or_a_day_is_refused(tmp_path, wrong, said):
    """A hole is only let stand by somebody, for a reason, on a day."""
    with pytest.raises(SuiteError, match=said):
        proved(tmp_path, written(TASK) + f"holes: [{wrong}]\n")


def test_a_suite_has_one_proof_byte_for_byte_however_it_is_made(tmp_path):
    """The proof of a suite is the same twice, and the same when several processes share the work."""
    more = {f"t-{number}": written(TASK, ORDER="[]").replace("id: t\n", f"id: t-{number}\n") for number in range(MANY)}
    loaded = load(write(tmp_path, more=more))
    first = canonical(prove(loaded))
    assert canonical(prove(load(tmp_path))) == first
    assert canonical(prove(loaded, processes=2)) == first


def test_only_some_tasks_make_a_proof_in_part(tmp_path):
    """A proof of some tasks says that it is one, and a task that is not there is nothing to select."""
    loaded = load(write(tmp_path, more={"u": written(TASK).replace("id: t\n", "id: u\n")}))
    proof = prove(loaded, only=["u"])
    assert (proof.partial, [row.name for row in proof.tasks]) == (True, ["u"])
    with pytest.raises(NothingSelected):
        prove(loaded, only=["v*"])


def test_a_report_says_what_was_proven_of_its_suite(tmp_path):
    """A run names no proof, then the one in the folder, and says so when the suite has changed since."""
    folder = write(tmp_path / "suite", written(TASK, ORDER="[]"))
    sail(folder, "reference", output=tmp_path / "before.seatrial")
    loaded = load(folder)
    proof = prove(loaded)
    write_proof(proof, folder)
    assert load(folder).suite.hash == loaded.suite.hash
    sail(folder, "reference", output=tmp_path / "proven.seatrial")
    write(folder, written(TASK))
    sail(folder, "reference", output=tmp_path / "older.seatrial")
    before, proven, older = (summary_of(tmp_path / f"{name}.seatrial").proof for name in ("before", "proven", "older"))
    assert before is None
    assert proven is not None
    assert older is not None
    assert (proven.caught, proven.holes, proven.older) == (proof.total.caught, 2, False)
    assert older == structs.replace(proven, older=True)
    assert [proof_line(one)[:20] for one in (before, older)] == ["proof: not proven, r", "proof: of an older s"]
    assert f"{proof.total.caught} of {proof.total.counted} mutants caught, 2 holes" in proof_line(proven)


def test_a_pass_on_a_suite_with_errors_of_its_own_warns(tmp_path):
    """Where the proof of this very suite has errors, every run of it says so; that of another state of the suite says nothing of it."""
    rule = "invariants: [{no_forbidden_call: {tools: [close]}}]\n"
    folder, path = write(tmp_path / "suite", suite=rule), tmp_path / "run.seatrial"
    write_proof(prove(load(folder)), folder)
    sail(folder, "reference", output=path)
    summary = summary_of(path)
    assert proof_line(summary.proof).startswith(f"proof: {summary.proof.errors} error")
    assert any("of its own, so that a pass here shows little" in warning for warning in summary.warnings)
    write(folder, suite=rule.replace("[close]", "[close, look]"))
    sail(folder, "reference", output=tmp_path / "later.seatrial")
    assert not any("of its own" in warning for warning in summary_of(tmp_path / "later.seatrial").warnings)


def test_a_file_that_is_no_proof_is_none(tmp_path):
    """A broken proof.json stops no run: the report says that the suite is not proven."""
    folder = write(tmp_path / "suite")
    (folder / "proof.json").write_text("{}", encoding="utf-8")
    sail(folder, "reference", output=tmp_path / "run.seatrial")
    assert summary_of(tmp_path / "run.seatrial").proof is None


@pytest.mark.parametrize(
    ("part", "count", "value"), [("total", "caught", 1_000), ("total", "caught", -1), ("total", "holes", 0), ("", "partial", True)]
)
def test_a_proof_that_does_not_add_up_is_none(tmp_path, part, count, value):
    """A proof whose counts are not those of its tasks, kinds and holes, or that is of a part of the suite, is no proof."""
    folder = write(tmp_path / "suite", written(TASK, ORDER="[]"))
    loaded = load(folder)
    stored = json.loads(write_proof(prove(loaded), folder).read_text(encoding="utf-8"))
    assert proof_note(loaded) is not None
    (stored[part] if part else stored)[count] = value
    (folder / "proof.json").write_text(json.dumps(stored), encoding="utf-8")
    assert proof_note(loaded) is None


@pytest.mark.parametrize("kind", ["pipe", "folder", "device", "huge", "deep"])
def test_a_proof_that_is_no_plain_file_of_a_sensible_size_stops_no_run(tmp_path, kind):
    """A pipe, a device and a file beyond the limit are not read; what nests too deep is no proof."""
    folder = write(tmp_path / "suite")
    path = folder / "proof.json"
    make = {
        "pipe": lambda: os.mkfifo(path),
        "folder": path.mkdir,
        "device": lambda: path.symlink_to("/dev/zero"),
        "huge": lambda: (path.touch(), os.truncate(path, MOST_BYTES + 1)),
        "deep": lambda: path.write_text("[" * 100_000, encoding="utf-8"),
    }
    make[kind]()
    assert proof_note(load(folder)) is None


def test_records_of_a_fixture_in_sql_are_known_too(tmp_path):
    """Another record's key is tried whether the fixture is written as records or as SQL."""
    folder = write(tmp_path)
    (folder / "fixtures" / "base.json").unlink()
    rows = "('T-1', 'Ann Example', 'open'), ('T-2', NULL, 'open')"
    (folder / "fixtures" / "base.sql").write_text(f"INSERT INTO tickets(ticket_id, holder, status) VALUES {rows};", encoding="utf-8")
    proof = prove(load(folder))
    assert next(row for row in proof.kinds if row.name == "other_record").caught == 2


def test_a_tool_that_does_not_come_back_ends_its_trial_and_not_the_proof(tmp_path, monkeypatch):
    """A forbidden call of a tool that hangs is given up after a while, and counts as noticed."""
    monkeypatch.setattr("seatrial.app.mutating.TIMEOUT", 0.3)
    proof = proved(tmp_path, suite="invariants: [{no_forbidden_call: {tools: [stuck]}}]\n")
    assert next(row for row in proof.kinds if row.name == "forbidden_call").caught == 1
