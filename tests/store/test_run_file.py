"""A run file keeps what it was given, says what is finished, and never rewrites a fact."""

from __future__ import annotations

import pytest
from msgspec import structs

from seatrial.base.errors import RunFileError
from seatrial.records.grade import Verdict
from seatrial.records.manifest import Candidate
from seatrial.records.task import Task
from seatrial.records.trace import Attempt, Status
from seatrial.store import RunFile
from tests.store.builders import TASKS, grade, made, manifest, trace


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.seatrial"


def test_what_was_stored_is_read_again(path):
    """Manifest, tasks in their order, and traces come back equal after closing."""
    stored = [trace(1, 0), trace(0, 1), trace(0, 0)]
    made(path, stored)
    with RunFile.open(path) as run_file:
        assert run_file.manifest == manifest()
        assert run_file.tasks() == {task.id: task for task in TASKS}
        assert list(run_file.tasks()) == [task.id for task in TASKS]
        assert list(run_file.traces()) == [trace(0, 0), trace(0, 1), trace(1, 0)]
        assert run_file.read(TASKS[1].id, 0) == trace(1, 0)


def test_headers_tell_of_a_trial_without_its_trace(path):
    """A header holds identity, status, usage, and the numbers of steps and attempts."""
    made(path, [trace(0, 2, status=Status.TIMEOUT)])
    with RunFile.open(path) as run_file:
        (header,) = run_file.headers()
    assert (header.task, header.trial, header.contract, header.candidate) == (TASKS[0].id, 2, TASKS[0].contract_hash, "baseline")
    assert (header.status, header.calls, header.seconds, header.usd, header.tokens) == (Status.TIMEOUT, 1, 1.5, 0.25, 120)
    assert (header.attempts, header.steps) == (0, 3)


def test_unknown_cost_stays_unknown(path):
    """Cost and tokens that are not known are None in the header, not 0."""
    one = trace()
    made(path, [structs.replace(one, usage=structs.replace(one.usage, usd=None, tokens=None))])
    with RunFile.open(path) as run_file:
        (header,) = run_file.headers()
    assert (header.usd, header.tokens) == (None, None)


def test_traces_come_with_their_grades(path):
    """Each trace comes with its own grade, with None where there is none, and a grade without a trace is passed over."""
    made(path, [trace(1, 0), trace(0, 1), trace(0, 0)])
    with RunFile.open(path, write=True) as run_file:
        run_file.put_grades([grade(1, 0), grade(0, 0), grade(0, 3)])
        assert list(run_file.graded()) == [(trace(0, 0), grade(0, 0)), (trace(0, 1), None), (trace(1, 0), grade(1, 0))]


def test_storing_the_same_again_changes_nothing(path):
    """A resumed run may store a trial that is there already."""
    made(path, [trace()])
    with RunFile.open(path, write=True) as run_file:
        run_file.append(trace())
        assert len(list(run_file.headers())) == 1


def test_a_finished_trial_is_never_rewritten(path):
    """Another trace of a finished trial is refused, and the first stays."""
    made(path, [trace()])
    with RunFile.open(path, write=True) as run_file:
        with pytest.raises(RunFileError, match=r"trial 0 of task 'water-000' is stored already, with status completed"):
            run_file.append(trace(text="Another answer."))
        assert run_file.read(TASKS[0].id, 0) == trace()


@pytest.mark.parametrize("status", [Status.INFRA_ERROR, Status.CANCELLED, Status.SIMULATOR_ERROR])
def test_a_trial_of_unknown_success_may_be_replaced(path, status):
    """A trial that the harness ended is not finished, and the one that is run again takes its place."""
    made(path, [trace(status=status)])
    again = structs.replace(trace(), attempts=(Attempt(status, "the service was down"),))
    with RunFile.open(path, write=True) as run_file:
        assert run_file.finished() == set()
        run_file.append(again)
        assert run_file.finished() == {(TASKS[0].id, 0)}
        assert list(run_file.traces()) == [again]
        assert next(run_file.headers()).attempts == 1


def test_replacing_a_trial_drops_its_grade(path):
    """A grade never stands beside a trace that it was not made from."""
    made(path, [trace(status=Status.CANCELLED)])
    with RunFile.open(path, write=True) as run_file:
        run_file.put_grades([grade()])
        run_file.append(trace())
        assert list(run_file.grades()) == []


def test_grades_lie_apart_and_may_be_replaced(path):
    """Regrading replaces grades and leaves traces as they are."""
    made(path, [trace(0), trace(1)])
    with RunFile.open(path, write=True) as run_file:
        run_file.put_grades([grade(0), grade(1)])
        run_file.put_grades([grade(1, verdict=Verdict.FAIL)])
    with RunFile.open(path) as run_file:
        assert list(run_file.grades()) == [grade(0), grade(1, verdict=Verdict.FAIL)]
        assert list(run_file.traces()) == [trace(0), trace(1)]


def test_the_grade_of_one_trial_is_read_alone(path):
    """It is the stored one, whatever the grades of other trials are; a trial that was not graded has none."""
    made(path, [trace(0), trace(1)])
    with RunFile.open(path, write=True) as run_file:
        run_file.put_grades([grade(1, verdict=Verdict.FAIL)])
        assert (run_file.grade(grade(0).task, grade(0).trial), run_file.grade("x", 0)) == (None, None)
        assert run_file.grade(grade(1).task, grade(1).trial) == grade(1, verdict=Verdict.FAIL)


def test_grades_may_be_made_while_reading_the_traces(path):
    """A regrade streams: it reads traces and stores grades of the same file."""
    made(path, [trace(0, trial) for trial in range(1200)])
    with RunFile.open(path, write=True) as run_file:
        run_file.put_grades(grade(0, one.identity.trial) for one in run_file.traces())
        assert [one.trial for one in run_file.grades()] == list(range(1200))


def test_the_dictionary_changes_nothing_that_is_read(path):
    """Traces stored before and after the dictionary was trained are read alike, also by a reader that was there before."""
    stored = [trace(0, trial, text=f"Answer number {trial}, with some words of its own.") for trial in range(250)]
    with RunFile.create(path, manifest(), TASKS) as run_file, RunFile.open(path) as reader:
        for one in stored[:99]:
            run_file.append(one)
        assert list(reader.traces()) == stored[:99]
        for one in stored[99:]:
            run_file.append(one)
        assert list(reader.traces()) == stored
        assert list(run_file.traces()) == stored


def test_a_file_is_smaller_than_half_of_its_traces(path):
    """The dictionary is trained and used: 500 like traces take less than a third of their JSON."""
    from seatrial.records.trace import encode

    stored = [
        trace(0, trial, text=f"Answer number {trial}: " + "the claim was routed to the queue for water damage. " * 20)
        for trial in range(500)
    ]
    made(path, stored)
    assert path.stat().st_size < sum(len(encode(one)) for one in stored) / 3


def test_closing_leaves_one_file(path):
    """A closed run is one file that can be copied alone."""
    made(path, [trace()])
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_closing_twice_is_harmless_and_use_after_it_is_told(path):
    """A closed run file says so."""
    made(path, [trace()])
    run_file = RunFile.open(path)
    run_file.close()
    run_file.close()
    with pytest.raises(RunFileError, match="was closed"):
        list(run_file.traces())


def test_a_run_file_is_never_made_over_another(path):
    """Making a run file where one is, is refused and harms nothing."""
    made(path, [trace()])
    with pytest.raises(RunFileError, match="there is such a file already"):
        RunFile.create(path, manifest(), TASKS)
    with RunFile.open(path) as run_file:
        assert list(run_file.traces()) == [trace()]


def test_two_tasks_of_one_id_are_refused_and_leave_nothing(path):
    """Two tasks of one id would be one row; no half-made file is left."""
    with pytest.raises(RunFileError, match="two tasks have the id 'water-000'"):
        RunFile.create(path, manifest(), (*TASKS, Task(id=TASKS[0].id, input="another")))
    assert list(path.parent.iterdir()) == []


def test_a_reader_cannot_store(path):
    """Storing needs a file opened for writing, and the error says how."""
    made(path, [trace()])
    with RunFile.open(path) as run_file:
        for store in (
            lambda: run_file.append(trace(1)),
            lambda: run_file.put_grades([grade()]),
            lambda: run_file.replan(manifest(), TASKS),
        ):
            with pytest.raises(RunFileError, match="write=True"):
                store()


def test_a_trial_that_is_missing_is_told_with_the_nearest_name(path):
    """Reading a trial that is not stored names it, and the task that was meant."""
    made(path, [trace()])
    with RunFile.open(path) as run_file:
        with pytest.raises(RunFileError, match=r"no trial 9 of task 'water-000'"):
            run_file.read(TASKS[0].id, 9)
        with pytest.raises(RunFileError, match=r"Did you mean task 'water-00"):
            run_file.read("watr-000", 0)


@pytest.mark.parametrize(
    ("part", "value", "message"),
    [
        ("task", "fire-001", "was not made for that task. Its tasks: water-000"),
        ("contract", "0" * 32, "was run under contract"),
        ("candidate", "other", "is of candidate 'other'"),
        ("candidate_hash", "0" * 32, "is of another version of candidate"),
    ],
)
def test_a_trial_of_another_run_is_refused(path, part, value, message):
    """A file holds one candidate's trials on the tasks that it holds."""
    one = trace()
    with RunFile.create(path, manifest(), TASKS) as run_file:
        with pytest.raises(RunFileError, match=message):
            run_file.append(structs.replace(one, identity=structs.replace(one.identity, **{part: value})))
        assert run_file.finished() == set()


def test_a_trace_that_could_not_be_read_back_is_refused(path):
    """What is stored can be read: broken JSON, lone surrogates and endless numbers are refused with the trial's name."""
    from msgspec import Raw

    from seatrial.records.trace import AgentMessage, ToolCall

    one = trace()
    hostile = [
        structs.replace(one, steps=(ToolCall(1, "look", 1, Raw(b'{"a":')),)),
        structs.replace(one, steps=(AgentMessage(1, "\ud800"),)),
        structs.replace(one, usage=structs.replace(one.usage, seconds=float("nan"))),
        structs.replace(one, steps=(ToolCall(1, "look", 1, Raw(b"[" * 100_000 + b"]" * 100_000)),)),
        structs.replace(one, identity=structs.replace(one.identity, trial=1 << 70)),
    ]
    with RunFile.create(path, manifest(), TASKS) as run_file:
        for trial in hostile:
            with pytest.raises(RunFileError, match="water-000"):
                run_file.append(trial)
        run_file.append(one)
        assert list(run_file.traces()) == [one]


def test_a_wider_plan_resumes_the_run(path):
    """More trials and more tasks may be planned later; the trials that are there stay."""
    more = Task(id="fire-001", input="Smoke in the kitchen.")
    made(path, [trace()])
    with RunFile.open(path, write=True) as run_file:
        run_file.replan(manifest((*TASKS, more), trials=8), (*TASKS, more))
    with RunFile.open(path) as run_file:
        assert run_file.manifest == manifest((*TASKS, more), trials=8)
        assert list(run_file.tasks()) == [*(task.id for task in TASKS), "fire-001"]
        assert run_file.finished() == {(TASKS[0].id, 0)}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": 8}, "another seed"),
        ({"suite": "other"}, "another suite"),
        ({"candidate": Candidate("baseline", version="2")}, "another candidate"),
    ],
)
def test_the_plan_of_another_run_is_refused(path, change, message):
    """A file is never turned into another run."""
    made(path, [trace()])
    with RunFile.open(path, write=True) as run_file:
        with pytest.raises(RunFileError, match=message):
            run_file.replan(structs.replace(manifest(), **change), TASKS)
        assert run_file.manifest == manifest()


def test_a_plan_with_a_changed_task_is_refused(path):
    """Trials under another contract belong to another file."""
    made(path, [trace()])
    with RunFile.open(path, write=True) as run_file, pytest.raises(RunFileError, match="task 'water-000' is stored with another contract"):
        run_file.replan(manifest(), (Task(id="water-000", input="changed"),))
