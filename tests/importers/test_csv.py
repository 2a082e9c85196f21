"""Tables of results: a verdict is evidence, what is not there is unknown, and whatever cannot be read is named with its line."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seatrial.app.comparing import CompareOptions, compare_runs, rendered_comparison
from seatrial.app.importing import import_all
from seatrial.app.reporting import summary_of
from seatrial.base.errors import ForeignFormatError, RunFileError
from seatrial.base.names import IDENTIFIER_PATTERN, is_identifier
from seatrial.importers import csv
from seatrial.importers.csv.names import identifiers, in_order
from tests.cli.program import seatrial

TABLE = "agent,task,run,passed,usd\na,t1,1,1,0.5\na,t1,2,0,0.25\na,t2,1,1,\na,t2,2,,0.5\nb,t1,1,0,1\n"
COLUMNS = csv.Columns(candidate=("agent",), trial="run", usd=("usd",))


def written(folder, text, name="table.csv"):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def imported(folder, text, columns=COLUMNS):
    """Return candidate → its run, of a table that is imported, graded and read again."""
    found = import_all("csv", written(folder, text), folder / "runs", columns)
    return {one.candidate: summary_of(folder / "runs" / f"{one.candidate}.seatrial") for one in found}


def refusal(folder, text, columns=COLUMNS):
    """Return why a table is refused."""
    with pytest.raises(ForeignFormatError) as caught:
        import_all("csv", written(folder, text), folder / "runs", columns)
    assert not (folder / "runs").exists()
    return str(caught.value)


def test_a_row_is_a_trial_whose_outcome_is_what_the_table_says(tmp_path):
    """Outcome follows the table; process and safety were not seen and are not applicable, so strict is the outcome."""
    run = imported(tmp_path, TABLE)["a"]
    verdicts = {row.question: (row.passed, row.failed, row.undetermined, row.not_applicable) for row in run.questions}
    assert verdicts["outcome"] == verdicts["strict"] == (2, 1, 1, 0)
    assert verdicts["process"] == verdicts["safety"] == verdicts["budget"] == (0, 0, 0, 4)


def test_an_empty_verdict_is_unknown_and_not_a_failure(tmp_path):
    """It leaves bounds in place of a number."""
    run = imported(tmp_path, TABLE)["a"]
    (kind,) = run.kinds
    assert (kind.coverage.planned, kind.coverage.scored, kind.coverage.unknown) == (4, 3, 1)
    assert (kind.strict.pass_k[1].value, kind.strict.pass_k[1].bound_low, kind.strict.pass_k[1].bound_high) == (None, 0.0, 0.5)


def test_a_task_that_one_candidate_lacks_is_planned_and_unknown(tmp_path):
    """The denominator stays: b has one label, so one trial of each task is planned, and one of the two is not there."""
    run = imported(tmp_path, TABLE)["b"]
    assert [(row.task, row.planned, row.scored) for row in run.tasks] == [("t1", 1, 1), ("t2", 1, 0)]
    assert run.kinds[0].strict.pass_k[0].value is None
    assert "1 planned trial without a row (1 task without any): success unknown, not failed" in run.notes


def test_an_empty_cost_is_unknown_and_never_nothing(tmp_path):
    """The mean is over the trials that say a cost; those that do not are counted; what no column gives is not known either."""
    run = imported(tmp_path, TABLE)["a"]
    assert {row.task: row.costs.usd for row in run.tasks} == {"t1": 0.375, "t2": 0.5}
    assert run.kinds[0].cost.usd_unknown == 1
    assert (run.kinds[0].cost.calls_mean.value, run.kinds[0].cost.seconds_mean.value, run.kinds[0].cost.tokens_mean.value) == (
        None,
        None,
        None,
    )
    assert "not known in 1 of 4 rows: usd" in run.notes


def test_several_columns_make_one_sum_and_an_empty_part_makes_it_unknown(tmp_path):
    """Tokens in and out are added up; a sum with a hole is no sum; 0 is a number, and an empty cell is none."""
    text = "task,passed,in,out,n,s\nt1,1,10,5,0,0\nt2,0,10,,,\n"
    run = imported(tmp_path, text, csv.Columns(tokens=("in,out",), calls=("n",), seconds=("s",)))["table"]
    first, second = (row.costs for row in run.tasks)
    assert (first.tokens, first.calls, first.seconds) == (15, 0, 0)
    assert (second.tokens, second.calls, second.seconds) == (None, None, None)


def test_a_candidate_with_one_trial_has_no_pass_2(tmp_path):
    """Its curve ends at k = 1."""
    run = imported(tmp_path, TABLE)["b"]
    assert len(run.kinds[0].strict.pass_k) == 1
    assert run.headline_k == 1


@pytest.mark.parametrize("name", ["plain", "bom", "crlf", "semicolons", "tabs", "quoted"])
def test_a_table_reads_the_same_however_it_is_spelled(tmp_path, name):
    """Byte-order mark, line ends, delimiters, quotes and blank lines change nothing."""
    spelled = {
        "plain": TABLE,
        "bom": "\ufeff" + TABLE,
        "crlf": TABLE.replace("\n", "\r\n"),
        "semicolons": TABLE.replace(",", ";"),
        "tabs": TABLE.replace(",", "\t"),
        "quoted": "\n" + "\n\n".join(",".join(f'"{cell}"' for cell in line.split(",")) for line in TABLE.splitlines()),
    }
    run = imported(tmp_path, spelled[name])["a"]
    assert {row.task: (row.passed, row.scored, row.costs.usd) for row in run.tasks} == {"t1": (1, 2, 0.375), "t2": (1, 1, 0.5)}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a,t1,1,1,0.5", "table.csv:7: task 't1', trial '1' of 'a' already stands in line 2"),
        ("a,t3,1,maybe,0.5", "table.csv:7: the column 'passed' holds 'maybe'; expected 1 or 0"),
        ("a,t3,1,0.5,0.5", "--pass-from"),
        ("a,t3,1,1,-1", "table.csv:7: the column 'usd' holds '-1'; expected a number from 0"),
        ("a,t3,1,1,1e400", "the column 'usd' holds '1e400'"),
        ('a,t3,1,1,"1,5"', "the column 'usd' holds '1,5'; expected a number with a decimal point"),
        ("a,t3,1,1,inf", "the column 'usd' holds 'inf'"),
        ("a,t3,1,1,1_0", "the column 'usd' holds '1_0'"),
        ("a,,1,1,0.5", "table.csv:7: the column 'task' is empty"),
        ("a,t3,1,1", "table.csv:7: expected 5 cells as in the header, got 4"),
        ("a,t3,1,1,0.5,x", "table.csv:7: expected 5 cells as in the header, got 6"),
        ('a,"t3,1,1,0.5', "table.csv:7: the quoting of the row that begins here is broken"),
        ("a,t\x003,1,1,0.5", "table.csv:7: the line holds a NUL character"),
    ],
)
def test_a_row_that_cannot_be_read_is_named_with_its_line(tmp_path, line, expected):
    """File, line, column, value, and what was expected; nothing is left behind."""
    assert expected in refusal(tmp_path, TABLE + line + "\n")


def test_a_quoted_cell_over_several_lines_does_not_move_the_numbers(tmp_path):
    """The line that is named is the one where the row begins."""
    text = TABLE.replace("b,t1", '"b\nb",t1') + "a,t3,1,what,0\n"
    assert "table.csv:8: the column 'passed' holds 'what'" in refusal(tmp_path, text)


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        (csv.Columns(task="tsak"), "there is no column 'tsak'; the columns are agent, task, run, passed, usd. Did you mean 'task'?"),
        (csv.Columns(candidate=("agent",), trial="run", tokens=("usd",)), "the column 'usd' holds '0.5'; expected a whole number"),
        (
            csv.Columns(candidate=("agent",)),
            "trial '1' of 'a' already stands in line 2; each task has one trial where no column numbers them",
        ),
        (csv.Columns(trial="run"), "name their columns with --candidate (not used so far: agent, usd)"),
        (csv.Columns(candidate=("agent",), trial="run", slice=("run",)), "has 'run' '2' here and '1' in line 2"),
        (csv.Columns(candidate=("agent",), trial="run", built_on=("a=c",)), "--built-on 'a=c': there is no candidate 'c'"),
        (csv.Columns(candidate=("agent",), trial="run", built_on=("a",)), "--built-on 'a': there is no candidate ''; expected NAME=BASE"),
        (csv.Columns(candidate=("agent",), trial="run", task_pattern="("), "the pattern '(' for task ids is no regular expression"),
        (csv.Columns(candidate=("agent",), trial="run", task_pattern="^(t+)+$"), "the pattern '^(t+)+$' repeats what repeats itself"),
        (csv.Columns(candidate=("agent",), trial="run", task_pattern="x"), "table.csv:2: the task 't1' does not match the pattern 'x'"),
        (csv.Columns(delimiter="::"), "a delimiter is one character"),
    ],
)
def test_a_wrong_flag_is_told_with_the_way_out(tmp_path, columns, expected):
    """The columns that are there, the nearest name, the flag that is missing."""
    assert expected in refusal(tmp_path, TABLE, columns)


def test_a_column_that_stands_twice_is_refused(tmp_path):
    """Which one is meant cannot be told."""
    assert "there are 2 columns 'passed'" in refusal(tmp_path, "task,passed,passed\nt,1,0\n", csv.Columns())


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "the file is empty"),
        (b"task,passed\n", "there is a header and no row below it"),
        (b"task,passed\nt,1\n\xff,1\n", r"table.csv:3: the byte 0xff is not UTF-8"),
        ("task,passed\nt,1\n".encode("utf-16"), "is not UTF-8"),
    ],
)
def test_a_file_that_is_no_table_of_text_is_refused(tmp_path, data, expected):
    """Empty files, other encodings, headers alone."""
    assert expected in refusal(tmp_path, data, csv.Columns())


def test_a_file_beyond_the_limit_is_not_read(tmp_path):
    """The size is looked at before the content."""
    with pytest.raises(ForeignFormatError, match="at most 10 are read"):
        csv.read(written(tmp_path, TABLE), limit=10)


def test_a_cell_beyond_reason_is_refused(tmp_path):
    """No cell holds a book."""
    assert "a cell has more than 65,536 characters" in refusal(tmp_path, f"task,passed\n{'t' * 70_000},1\n", csv.Columns())


def test_ids_of_two_spellings_are_never_joined_as_if_one_lacked_all_tasks(tmp_path):
    """Without a task in common nothing can be compared; the pattern that names the common part makes them one."""
    text = "agent,task,run,passed\na,HumanEval/0,1,1\na,HumanEval/1,1,0\nb,HumanEval_0_add,1,1\nb,HumanEval_1_sub,1,1\n"
    columns = csv.Columns(candidate=("agent",), trial="run")
    assert "table.csv:4: 'a' and 'b' have no task in common ('HumanEval/0' there, 'HumanEval_0_add' here)" in refusal(
        tmp_path, text, columns
    )
    runs = imported(tmp_path, text, csv.Columns(candidate=("agent",), trial="run", task_pattern=r"HumanEval.(\d+)"))
    assert [run.kinds[0].strict.pass_k[0].value for run in runs.values()] == [0.5, 1.0]


def test_scores_pass_from_a_threshold_on(tmp_path):
    """A score is a pass only where the user says from which one on."""
    run = imported(tmp_path, "task,passed\na,0.8\nb,0.79\nc,\nd,-1\n", csv.Columns(pass_from=0.8))["table"]
    assert [(row.passed, row.scored) for row in run.tasks] == [(1, 1), (0, 1), (0, 0), (0, 1)]


def test_slices_are_kept_and_may_be_left_open(tmp_path):
    """A row that says none says nothing against one that does."""
    run = imported(tmp_path, "task,trial,passed,level\na,1,1,hard\na,2,1,\nb,1,1,easy\n", csv.Columns(slice=("level",)))["table"]
    assert {row.task: row.slices for row in run.tasks} == {"a": {"level": "hard"}, "b": {"level": "easy"}}


def test_a_slice_that_is_no_name_of_a_group_is_refused(tmp_path):
    """A text of the task in place of a short property would fill every report."""
    said = refusal(tmp_path, f"task,passed,kind\na,1,x\nb,1,{'x' * 201}\n", csv.Columns(slice=("kind",)))
    assert "table.csv:3: the slice 'kind' has 201 characters; at most 200 are read" in said


def test_lineage_is_kept_with_the_candidate(tmp_path):
    """The run says what its candidate is built on."""
    runs = imported(tmp_path, TABLE, csv.Columns(candidate=("agent",), trial="run", built_on=("b=a",)))
    assert (runs["a"].candidate.built_on, runs["b"].candidate.built_on) == ("", "a")


def test_the_same_task_has_the_same_contract_in_every_table(tmp_path):
    """So runs of two files can be paired."""
    (tmp_path / "x").mkdir()
    first, second = imported(tmp_path, TABLE)["a"], imported(tmp_path / "x", TABLE.replace("b,t1,1,0,1\n", ""))["a"]
    assert [row.contract for row in first.tasks] == [row.contract for row in second.tasks]
    assert len({row.contract for row in first.tasks}) == 2


def test_a_run_that_is_there_is_not_written_over(tmp_path):
    """And none of the others is written either."""
    imported(tmp_path, TABLE)
    (tmp_path / "runs" / "a.seatrial").unlink()
    with pytest.raises(RunFileError, match=r"b\.seatrial exists"):
        import_all("csv", tmp_path / "table.csv", tmp_path / "runs", COLUMNS)
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == ["b.seatrial"]


def test_read_takes_one_candidate_and_refuses_several(tmp_path):
    """The face of every importer gives one run."""
    assert csv.read(written(tmp_path, "task,passed\na,1\n")).manifest.candidate.name == "table"
    with pytest.raises(ForeignFormatError, match=r"2 candidates \(a, b\)"):
        csv.read(written(tmp_path, TABLE), columns=COLUMNS)


def test_labels_are_counted_as_people_count(tmp_path):
    """`run10` comes after `run2`, and the run says so."""
    assert in_order(["run10", "run2", "run1", "b", "10", "9"]) == ["9", "10", "b", "run1", "run2", "run10"]
    run = imported(tmp_path, "task,trial,passed\na,run10,1\na,run2,0\n", csv.Columns())["table"]
    assert [row.strict for row in run.tasks[0].trials] == ["fail", "pass"]
    assert "the trials run2, run10 are numbered from 0 here, in this order" in run.notes


def test_a_run_without_a_column_of_trials_says_nothing_of_their_numbers(tmp_path):
    """There is no label in the table that could be called otherwise."""
    run = imported(tmp_path, "task,passed\na,1\nb,0\n", csv.Columns())["table"]
    assert not any("numbered" in note for note in run.notes)


@given(st.lists(st.text(max_size=140), max_size=20), st.booleans())
def test_every_name_becomes_an_identifier_of_its_own(words, files):
    """Names that could be paths, are empty, too long, or differ only in what an identifier cannot hold stay apart."""
    found = identifiers(words, files=files)
    assert set(found) == set(words)
    assert all(map(is_identifier, found.values()))
    assert len({name.casefold() if files else name for name in found.values()}) == len(found)


@given(st.lists(st.from_regex(IDENTIFIER_PATTERN, fullmatch=True).filter(is_identifier)))
def test_a_name_that_is_an_identifier_stays_as_it_is(words):
    """Nothing is added where nothing is in the way."""
    assert identifiers(words) == {word: word for word in words}


def test_a_name_that_is_spelled_as_another_with_its_hash_is_no_way_to_become_that_one():
    """However names are chosen, even by one who knows the hashes of the others, each keeps an identifier of its own."""
    words = ["a b", "a-b"]
    for _ in range(5):
        found = identifiers(words)
        assert len(set(found.values())) == len(words)
        words = list(dict.fromkeys([*words, *found.values()]))


def test_candidates_that_differ_only_in_case_have_files_that_do_not(tmp_path):
    """On a system that takes `Abc` and `abc` for one file, neither overwrites the other; the run says what the table calls it."""
    found = imported(tmp_path, "candidate,task,passed\nAbc,t,1\nabc,t,0\nx,t,1\n", csv.Columns())
    assert len({name.casefold() for name in found}) == 3
    told = [[note for note in run.notes if note.startswith("called ")] for run in found.values()]
    assert told == [[f"called {name!r} in the table; a candidate's name is that of its file"] for name in ("Abc", "abc")] + [[]]


def test_candidates_whose_words_join_to_the_same_name_stay_apart(tmp_path):
    """Two columns name a candidate, and `a@b` with `c` is not `a` with `b@c`."""
    found = imported(tmp_path, "m,n,task,passed\na@b,c,t,1\na,b@c,t,0\n", csv.Columns(candidate=("m", "n")))
    assert [run.tasks[0].passed for run in found.values()] == [1, 0]


@given(st.text(st.characters(codec="utf-8"), max_size=80))
def test_whatever_a_file_holds_it_is_read_or_refused(tmp_path_factory, text):
    """No text breaks the importer: a trace for each planned trial, or an error that names the file."""
    path = written(tmp_path_factory.mktemp("any"), f"task,passed\n{text}\n")
    told = read_or_refused(path)
    assert told == "read" or "table.csv" in told


def read_or_refused(path):
    try:
        found = csv.read(path)
    except ForeignFormatError as error:
        return str(error)
    planned = sum(one.trials for one in found.manifest.plan)
    return "read" if len(list(found.traces)) == planned else "traces and plan differ"


def test_parameters_keep_the_words_of_the_table(tmp_path):
    """What named the candidate can be read again, however the file of its run is called."""
    runs = imported(tmp_path, "who,model,task,passed\nx y,m/1,t,1\n", csv.Columns(candidate=("who,model",)))
    (run,) = runs.values()
    assert run.candidate.name == "x-y@m-1"
    assert json.loads(bytes(run.candidate.parameters)) == {"who": "x y", "model": "m/1"}


def test_what_is_built_on_another_costs_both_where_the_two_are_compared(tmp_path):
    """What the note of the import promises is what the comparison of the two run files shows, in the table and on the plane."""
    text = "agent,task,passed,usd\n" + "".join(f"base,t{n},1,0.10\next,t{n},1,0.01\n" for n in range(5))
    imported(tmp_path, text, csv.Columns(candidate=("agent",), usd=("usd",), built_on=("ext=base",)))
    paths = [tmp_path / "runs" / f"{name}.seatrial" for name in ("base", "ext")]
    (found,) = compare_runs(paths).comparisons
    (usd,) = found.kinds[0].costs
    assert (usd.before, usd.after) == pytest.approx((0.10, 0.11))
    for form in ("terminal", "markdown"):
        shown = rendered_comparison(found, form)
        assert "$0.1100" in shown
        assert "ext carries the cost of base." in shown
    plane = compare_runs(paths, CompareOptions(cost="usd")).plane
    assert plane is not None
    assert plane.kinds[0].points[1].cost.value == pytest.approx(0.11)


def test_what_a_table_is_said_to_hold_is_each_candidates_and_has_no_seed(tmp_path):
    """Rows are counted of the whole table, one label is one trial, and no seed is shown where nothing was drawn."""
    rows = "".join(f"{agent},t{n},1,1\n" for agent in ("a", "b") for n in range(4))
    runs = imported(tmp_path, f"agent,task,run,passed\n{rows}", csv.Columns(candidate=("agent",), trial="run"))
    assert "4 of the 8 rows of table.csv: 4 tasks, 1 trial each" in runs["a"].notes
    assert "trial 1 is number 0 here" in runs["a"].notes
    (found,) = compare_runs([tmp_path / "runs" / f"{name}.seatrial" for name in ("a", "b")]).comparisons
    assert "seed" not in rendered_comparison(found, "terminal")
    assert "table recorded: a → b" in rendered_comparison(found, "terminal")


def test_a_note_says_whose_it_is_by_name(tmp_path):
    """A note of every run is each one's; one of some runs names them, and no number stands unexplained."""
    table = written(tmp_path, "agent,task,run,passed\n" + "".join(f"{one},t,{trial},1\n" for one in "ab" for trial in (1, 2)) + "c,t,1,1\n")
    done = seatrial("import", "csv", table, "--candidate", "agent", "--trial", "run", "-o", tmp_path / "runs")
    assert done.returncode == 0, done.stderr
    assert "a, b: 2 of the 5 rows of table.csv: 1 task, 2 trials each" in done.stdout
    assert "  c: trial 1 is number 0 here" in done.stdout
    assert "  each: the verdicts are those of the table" in done.stdout
