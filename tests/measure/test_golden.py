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
