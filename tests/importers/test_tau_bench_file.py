"""What a τ-bench result file must be, and the error for each way in which it is not."""

import json
import os

import pytest

from seatrial.base.errors import ForeignFormatError
from seatrial.importers import tau_bench
from seatrial.records.trace import Status
from tests.importers.recordings import STOP, agent, answer, booking, call, row, user, value, write

WHOLE = json.dumps([row(trial=0), row(trial=1)])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the file is empty"),
        (WHOLE[: len(WHOLE) // 3], "cut in the middle of row 0"),
        (WHOLE[:-40], "cut in the middle of row 1"),
        (WHOLE[:-1], "cut after 2 whole rows"),
        (WHOLE + WHOLE, "a second JSON document follows the list of 2 rows"),
        (WHOLE + "\n{}", "a second JSON document follows"),
        ("[]", "the list is empty"),
        ("{}", "expected a JSON list of rows, got '{}'"),
        ("[1, 2]", "row 0"),
        ('[{"task_id": 3}]', "missing required field"),
        ('[{"id": "x", "task_id": 3, "termination_reason": "user_stop"}]', "looks like a τ² simulation"),
        (json.dumps([row(), row(trial=0)]), "task 0, trial 0 is already recorded in row 0"),
        (json.dumps([row(reward=float("nan"))]), "row 0 holds the value NaN"),
        (json.dumps([row(), row(trial=1, reward=float("-inf"))]), "row 1 holds the value -Infinity"),
        (json.dumps([row(reward="1")]), "reward"),
        (json.dumps([row()]).replace('"reward": 1.0', '"reward": 1e999', 1), "1e999"),
        (json.dumps([row(task="../x")]), "task_id '../x' is no task id"),
        (json.dumps([row(task="a\u0007")]), r"task_id 'a\x07' is no task id"),
        (json.dumps([row(task="")]), "task_id '' is no task id"),
        (json.dumps([row(task=-1)]), "task_id -1 is no task id"),
        (json.dumps([row(trial=-2)]), "trial -2 is no trial number"),
        (json.dumps([row(messages=[user("\ud800")])]), "half of a surrogate pair"),
        ('[{"a": "\x01"}]', "row 0 is not JSON"),
        ("[" * 200_000, "nested too deeply"),
        (json.dumps([row(messages=[{"role": "critic", "content": "x"}])]), "traj[0]: Invalid enum value 'critic'"),
        (json.dumps([row(messages=[user("a"), answer("think", "x")])]), "traj[1] is an answer of the tool 'think' that no call precedes"),
        (json.dumps([row(messages=[call("think", {}), answer("calculate", "x")])]), "the call at its place is 'think'"),
        (json.dumps([row(), row(trial=1, actions=[booking(a=1)])]), "has other actions or outputs here than in an earlier row"),
        (json.dumps([row(actions=[booking(a={"$any": True})])]), "begins with '$'"),
    ],
)
def test_a_wrong_file_is_refused_with_the_place_and_the_value(tmp_path, text, words):
    """Every fault is met by an error that names the file, the row and what is wrong."""
    path = write(tmp_path, text)
    with pytest.raises(ForeignFormatError) as caught:
        tau_bench.read(path)
    assert words in str(caught.value)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    "wrong",
    [
        row(task="x" * 100_000),
        row(messages=[{"role": "y" * 100_000, "content": "x"}]),
        row(messages=[user("a"), answer("z" * 100_000, "x")]),
        row(messages=[call("think", {}), answer("z" * 100_000, "x")]),
    ],
)
def test_a_huge_value_does_not_make_a_huge_message(tmp_path, wrong):
    """A wrong value as long as the file is shown by its start; what was expected still stands at the end."""
    path = write(tmp_path, json.dumps([wrong]))
    with pytest.raises(ForeignFormatError, match="row 0: ") as caught:
        tau_bench.read(path)
    assert len(str(caught.value)) < 500 + len(str(path))


def test_bytes_that_are_not_utf8_are_refused(tmp_path):
    """A byte that is no UTF-8 is named; nothing is guessed."""
    path = tmp_path / "results.json"
    path.write_bytes(json.dumps([row(messages=[user("ABC"), user(STOP)])]).encode().replace(b"ABC", b"A\xffC"))
    with pytest.raises(ForeignFormatError, match="not UTF-8"):
        tau_bench.read(path)


def test_a_missing_file_and_a_folder_are_refused(tmp_path):
    """What cannot be read is said with the reason."""
    with pytest.raises(ForeignFormatError, match="No such file"):
        tau_bench.read(tmp_path / "none.json")
    with pytest.raises(ForeignFormatError, match="cannot be read"):
        tau_bench.read(tmp_path)


def test_a_pipe_is_refused(tmp_path):
    """What has no end, or no beginning, is not waited for."""
    pipe = tmp_path / "results.json"
    os.mkfifo(pipe)
    with pytest.raises(ForeignFormatError, match="it is a pipe or a device"):
        tau_bench.read(pipe)


def test_a_file_above_the_limit_is_refused_before_it_is_read(tmp_path):
    """The size of a file is bounded."""
    with pytest.raises(ForeignFormatError, match="at most 100 are read"):
        tau_bench.read(write(tmp_path, [row()]), limit=100)


def test_a_million_steps_are_refused_by_number(tmp_path):
    """A conversation beyond the bound is refused with its length; it is neither cut nor does it fill the memory."""
    text = json.dumps([row(messages=[])]).replace('"traj": []', '"traj": [' + "0," * 999_999 + "0]")
    with pytest.raises(ForeignFormatError, match="traj holds 1,000,000 messages; at most 100,000"):
        tau_bench.read(write(tmp_path, text))


def test_a_missing_trial_stays_planned_and_is_no_failed_row(tmp_path):
    """Every task is planned for as many trials as the file has labels; one that is missing is unknown, and a note says so."""
    imported = tau_bench.read(write(tmp_path, [row(0, 0), row(0, 1), row(1, 0)]))
    assert {planned.task: planned.trials for planned in imported.manifest.plan} == {"0": 2, "1": 2}
    assert [(t.identity.task, t.identity.trial) for t in imported.traces] == [("0", 0), ("0", 1), ("1", 0)]
    assert any("(1.1)" in note and "unknown, not failed" in note for note in imported.manifest.notes)


def test_trial_labels_are_numbered_from_zero_in_their_order(tmp_path):
    """Labels that do not start at 0 keep their order, plan no phantom trials, and are named in a note."""
    imported = tau_bench.read(write(tmp_path, [row(trial=1_000_000), row(trial=7)]))
    assert imported.manifest.plan[0].trials == 2
    assert sorted(t.identity.trial for t in imported.traces) == [0, 1]
    assert any("7, 1000000" in note for note in imported.manifest.notes)


def test_a_reworded_instruction_is_the_same_task(tmp_path):
    """The wording for the simulated user may drift between rows; the contract is what counts."""
    second = row(trial=1)
    second["info"]["task"]["instruction"] = "You are somebody else."
    imported = tau_bench.read(write(tmp_path, [row(trial=0), second]))
    assert len(imported.tasks) == 1
    assert len({t.identity.contract for t in imported.traces}) == 1


def test_a_task_whose_every_trial_broke_the_harness_is_judged_by_nothing_but_the_reward(tmp_path):
    """When no row says what a task asks for, its process is not judged."""
    failed = {"task_id": 5, "trial": 0, "reward": 0.0, "info": {"error": "boom"}, "traj": []}
    imported = tau_bench.read(write(tmp_path, [failed]))
    assert imported.tasks[0].contract.alternatives[0].process is None
    assert next(imported.traces).status is Status.INFRA_ERROR


def test_unknown_fields_are_ignored(tmp_path):
    """A foreign file may say more than we read."""
    assert len(list(tau_bench.read(write(tmp_path, [row(annotator="x", extra={"y": 1})])).traces)) == 1


def test_other_domains_are_read_by_the_verbs_of_their_tools(tmp_path):
    """Tools of a domain that is not known are reads or writes by their verb, and the suite is named for no domain."""
    messages = [user("a"), call("cancel_order", {}), answer("cancel_order", "ok"), call("look", {}), answer("look", "ok"), user(STOP)]
    imported = tau_bench.read(write(tmp_path, [row(messages=messages)]))
    assert imported.manifest.suite == "tau_bench"
    assert {tool.name: tool.effect for tool in imported.manifest.tools} == {"cancel_order": "write", "look": "read"}


def test_the_retail_domain_is_known_by_its_tools(tmp_path):
    """The retail tools are known as well, called or not."""
    messages = [user("a"), call("get_order_details", {"order_id": "#W1"}), answer("get_order_details", "{}"), agent("b"), user(STOP)]
    imported = tau_bench.read(write(tmp_path, [row(messages=messages)]))
    assert imported.manifest.suite == "tau_retail"
    assert {t.name for t in imported.manifest.tools if t.effect == "write"} >= {"return_delivered_order_items", "modify_user_address"}


def test_the_contract_does_not_depend_on_what_the_agent_called(tmp_path):
    """Two recordings of one benchmark have the same contracts, so that their candidates can be compared."""
    one = [user("a"), call("get_reservation_details", {}), answer("get_reservation_details", "{}"), user(STOP)]
    other = [user("a"), call("book_reservation", {}), answer("book_reservation", "{}"), user(STOP)]
    tasks = [
        tau_bench.read(write(tmp_path, [row(messages=m, actions=[booking(a=1)])], name)).tasks for m, name in ((one, "a"), (other, "b"))
    ]
    assert tasks[0][0].contract_hash == tasks[1][0].contract_hash


def test_gold_writes_are_required_and_gold_reads_are_advice(tmp_path):
    """Writes are required with exact arguments and their number; reads and transfers are optional; no order is asked for."""
    actions = [
        {"name": "get_user_details", "kwargs": {"user_id": "u"}},
        booking(a=1),
        booking(a=2),
        booking(a=1),
        {"name": "transfer_to_human_agents", "kwargs": {"summary": "s"}},
        {"name": "respond", "kwargs": {"content": "hello"}},
    ]
    (task,) = tau_bench.read(write(tmp_path, [row(actions=actions)])).tasks
    process = task.contract.alternatives[0].process
    assert [(r.id, value(r.with_), r.count, r.optional) for r in process.required] == [
        ("get_user_details", {"user_id": "u"}, 1, True),
        ("book_reservation", {"a": 1}, 2, False),
        ("book_reservation_2", {"a": 2}, 1, False),
        ("transfer_to_human_agents", {"summary": "s"}, 1, True),
    ]
    assert process.order == ()
    assert "book_reservation" not in process.extras.allow
    assert value(task.contract.alternatives[0].outcome.reported["reward"]) == 1
    assert task.slices == {"must_act": "yes"}


def test_a_fixture_is_compared_and_its_hash_kept(tmp_path):
    """With a fixture, looked-up records are compared: a renamed field is called so, and values may differ after a write."""
    folder = tmp_path / "data"
    folder.mkdir()
    write(folder, {"u": {"name": "U", "address": {"state": "TX"}}, "v": {"name": "V", "address": {"state": "NY"}}}, "users.json")
    write(folder, [1, 2], "results.json")
    look = [call("get_user_details", {"user_id": "u"}), answer("get_user_details", '{"name": "U", "address": {"province": "TX"}}')]
    booked = [call("book_reservation", {}), answer("book_reservation", "{}")]
    later = [call("get_user_details", {"user_id": "v"}), answer("get_user_details", '{"name": "W", "address": {"state": "NY"}}')]
    path = write(tmp_path, [row(messages=[user("a"), *look, *booked, *later, user(STOP)])])
    manifest = tau_bench.read(path, folder).manifest
    assert manifest.world
    (note,) = [note for note in manifest.notes if note.startswith("fixture ")]
    assert "2 looked-up records compared, 0 not in it, 1 differ in 1 trials" in note
    assert "address.province was renamed to address.state (1 times)" in note


def test_a_folder_without_collections_is_no_fixture(tmp_path):
    """A fixture folder that holds no collection is refused."""
    path = write(tmp_path, [row()])
    with pytest.raises(ForeignFormatError, match=r"expected files such as users\.json"):
        tau_bench.read(path, tmp_path)


def test_a_cut_collection_is_refused(tmp_path):
    """A fixture file that is cut is an error, not a collection that is quietly left out."""
    folder = tmp_path / "data"
    folder.mkdir()
    write(folder, {"u": {"name": "U"}}, "users.json")
    write(folder, '{"f": {', "flights.json")
    with pytest.raises(ForeignFormatError, match=r"flights\.json: it is no whole JSON file"):
        tau_bench.read(write(tmp_path, [row()]), folder)
