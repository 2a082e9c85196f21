"""The statistics against a file of right values, and the program that checks them."""

import json
from pathlib import Path

import pytest

from tests.cases import statistics

GOLDEN = Path("../shared/data/stats_golden.json")


def test_every_group_of_the_golden_file_is_covered_and_right(capsys):
    """Every case of every group has its right value."""
    if not GOLDEN.exists():
        pytest.skip("the golden file is not here")
    assert statistics.main(str(GOLDEN)) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[-1].endswith(" right, 0 wrong")
    assert not any(line.startswith("not yet covered") for line in printed)


@pytest.mark.parametrize(
    ("golden", "code", "last"),
    [
        ({"pass_k_items": {"cases": [{"n": 4, "c": 3, "k": 2, "pass_hat_k": 0.5, "pass_at_k": 1.0}]}}, 0, "2 right, 0 wrong"),
        ({"pass_k_items": {"cases": [{"n": 4, "c": 3, "k": 2, "pass_hat_k": 0.5625, "pass_at_k": 1.0}]}}, 1, "1 right, 1 wrong"),
        ({"pass_k_items": {"undefined": [{"n": 3, "c": 3, "k": 4, "expect": "undefined"}]}}, 0, "2 right, 0 wrong"),
        ({"binomial_ci95": "no list"}, 1, "0 right, 1 wrong"),
        ({"another_group": {}}, 1, "0 right, 0 wrong"),
        ({"another_group": {}, "verdicts_bar": [{"lower": 0.9, "upper": 1, "bar": 0.9, "verdict": "pass"}]}, 1, "1 right, 0 wrong"),
    ],
)
def test_the_program_counts_and_its_exit_code_says_whether_all_are_right(tmp_path, capsys, golden, code, last):
    """One wrong, unreadable or missing case, or a group that is not known, is enough for exit code 1."""
    file = tmp_path / "golden.json"
    file.write_text(json.dumps(golden))
    assert statistics.main(str(file)) == code
    printed = capsys.readouterr().out.splitlines()
    assert printed[-1] == last
    assert (printed[-2] == "not covered: another_group") is ("another_group" in golden)


@pytest.mark.parametrize(("ours", "right"), [(True, 1.5), (None, 0), ("undefined", "error"), ([1, 2], [1]), (float("nan"), 0.0)])
def test_values_that_differ_in_kind_never_agree(ours, right):
    """An undefined value is not 0, and a shorter list is not equal."""
    assert not statistics.agree(ours, right, 1e-9)


@pytest.mark.parametrize(
    "golden",
    [
        {"pass_k_items": {"cases": [{"n": 4, "c": 3, "k": 2, "pass_hat_k": {"frac": "1/2"}}]}},
        {"pass_k_items": {"cases": [{"n": 3, "c": 3, "k": 4, "pass_hat_k": None, "pass_at_k": None}]}},
        {"g_pass_at_k_tau": [{"n": 8, "c": 6, "k": 4, "tau": "3/4", "value": "11/14"}]},
        {"agreement_2raters": [{"table_rows_judge_cols_human": [[40, 10], [10, 40]], "cohen_kappa": 0.6}]},
        {"mcnemar": [{"b_only_A": 5, "c_only_B": 0, "exact": 0.0626, "tolerance": 0.001}]},
        {"variance_components": {"trials": [[1, 0, None], [1, 1, 1]], "mean": 0.75}},
        {"simpson_slices": [{"old": {"a": [1, 2], "b": [0, 0]}, "new": {"a": [1, 4]}, "old_rate": 0.5, "new_rate": 0.25}]},
        {"runs_0110": {"runs": [0, 1, 1, 0], "pass_hat": {"2": "1/6"}}},
        {"suite_other_2x3": {"items_c_n": [[3, 3], [1, 3]], "pass_hat": {"3": 0.5}}},
    ],
    ids=lambda golden: next(iter(golden)),
)
def test_a_case_may_give_some_of_its_right_values_and_write_them_in_any_way(tmp_path, golden):
    """Fractions, plain numbers, no value, a tolerance, empty parts and missing trials are read; what is not given is not asked."""
    file = tmp_path / "golden.json"
    file.write_text(json.dumps(golden))
    assert statistics.main(str(file)) == 0


DESIGNS = {
    "stop_at_first_success_max3": {"1": [(1, 1, 1), (2, 1, 0), (3, 1, 0), (3, 0, 0)]},
    "go_on_only_after_two_passes": {"2": [(1, 0, 0), (2, 1, 0), (3, 2, 1), (3, 3, 1)], "1": [(1, 0, 0), (2, 1, 1), (3, 2, 1), (3, 3, 1)]},
}


@pytest.mark.parametrize("name", DESIGNS)
def test_a_stopped_design_of_another_rule_is_known_by_its_stops(tmp_path, name):
    """The file may name any rule: where its tasks stop is enough to count the paths."""
    by_k = {
        k: {"unbiased_by_enumeration": True, "estimates": [{"n": n, "c": c, "est": est} for n, c, est in stops]}
        for k, stops in DESIGNS[name].items()
    }
    file = tmp_path / "golden.json"
    file.write_text(json.dumps({"stopped_designs_path_count": {"designs": {name: by_k}}}))
    assert statistics.main(str(file)) == 0


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "cannot be read"),
        ("[1]", "expected an object"),
        ('{"pass_k_items": null}', "group cannot be read"),
        ('{"pass_k_items": {"cases": [5, {"n": 2, "c": 1, "k": 1, "pass_hat_k": 0.5}]}}', "case 0 cannot be read"),
        ('{"mcnemar": [{"b_only_A": 5, "c_only_B": 0, "exakt": 0.5}]}', "mcnemar/0/exakt: not looked at"),
        ('{"mcnemar": [{"b_only_A": 5, "c_only_B": 0, "exakt": 0.5}]}', "no right value under a key that is known"),
        ('{"mcnemar": [{"b_only_A": 5, "c_only_B": 0, "exact": {"frac": "1/16", "value": 0.5}}]}', "1/16 is not 0.5"),
        ('{"stopped_designs_path_count": {"designs": {"odd": {"1": {"estimates": [{"n": 2, "c": 2, "est": 1}]}}}}}', "cannot be read"),
    ],
)
def test_what_cannot_be_read_is_said_and_nothing_passes_by_being_skipped(tmp_path, capsys, text, says):
    """A file, a group, a case or a key that the program cannot read ends in a line that names it and in exit code 1."""
    file = tmp_path / "golden.json"
    file.write_text(text)
    assert statistics.main(str(file)) == 1
    assert says in capsys.readouterr().out


def _numbers(node, place=()):
    """Yield the place and the value of every number that is a right value, not an input."""
    for key, value in node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ():
        if isinstance(value, dict | list):
            yield from _numbers(value, (*place, key))
        elif isinstance(value, float) and (key in RIGHT or (place[-1:] and place[-1] in RIGHT)):
            yield (*place, key), value


RIGHT = {
    "value",
    "se",
    "exact",
    "wilson",
    "clopper_pearson",
    "ci95",
    "holm",
    "bh",
    "by",
    "n_eff",
    "linear",
    "harrell_davis",
    "path",
    "final",
}


def test_every_right_value_that_is_made_wrong_is_found_wrong():
    """The program cannot pass by not looking: of each kind of right value, one that is off by a little turns a check wrong."""
    if not GOLDEN.exists():
        pytest.skip("the golden file is not here")
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    tried = 0
    for name in golden:
        for place, value in list(_numbers({name: golden[name]}))[:8]:
            changed = json.loads(json.dumps({name: golden[name]} | {key: golden[key] for key in golden if key == "suite_seed_4x8"}))
            node = changed
            for key in place[:-1]:
                node = node[key]
            node[place[-1]] = value + 0.011
            tried += 1
            found = [check for group, check in statistics.checks(changed) if group == name]
            assert any(statistics.agree(check.ours, check.right, check.tolerance) is check.differs for check in found), place
    assert tried > 100
