"""Regular expressions of a suite meet texts of agents: one that a text can make run for ever is refused."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seatrial.base.errors import SuiteError
from seatrial.suite.backtracking import explodes
from tests.suite.samples import SUITE, TASK, changed, folder_of, load


@pytest.mark.parametrize(
    "source",
    [
        "(a+)+$",
        "(a*)*",
        "((a+))+x",
        r"(\w+\s?)*$",
        r"(?:\s*\w+)+!",
        "(a|b+)+c",
        "(a{1,3})+$",
        "(?i:(a+))*x",
        "(?=(a+)+b)",
        "(a+?)+?b",
        "(a*b*)*c",
    ],
)
def test_a_repeat_of_a_repeat_is_found(source: str) -> None:
    """What a group matches may be cut anywhere, and the group repeats: every cut is tried."""
    assert explodes(source)


@pytest.mark.parametrize(
    "source",
    [
        "a+",
        r"(\d+,)*\d+",
        r"\w+(\s\w+)*",
        "(ab)+",
        "(a|b)*",
        "(a{3})+",
        "(?:x+y+)+",
        "(a+){2}",
        "(?>a+)+",
        r"HL-\d{5}-[A-Z]",
        "(.*\n)*",
        "(?!a+)+",
    ],
)
def test_what_marks_its_pieces_is_left_alone(source: str) -> None:
    """A repeat whose pieces have a beginning or an end of their own is cut in one way only."""
    assert not explodes(source)


@given(
    st.recursive(
        st.sampled_from(["a", "b", r"\s"]),
        lambda inner: st.builds(
            lambda one, other, mark: f"(?:{one}{other}){mark}", inner, inner, st.sampled_from(["", "?", "{2}", "{1,2}"])
        ),
        max_leaves=8,
    )
)
def test_without_endless_repeats_nothing_explodes(source: str) -> None:
    """Groups that repeat a few times are no danger, however they are nested; the structure of any of them is read."""
    re.compile(source)
    assert not explodes(source)


@pytest.mark.parametrize(
    ("tasks", "suite"),
    [
        (changed("{$one_of: [water_high]}", '{$regex: "(a+)+"}'), ""),
        (TASK + 'user: {script: [{said: "(a+)+", say: x}]}\n', ""),
        (TASK.replace("rate: 0.02", 'when: {policy_id: {$regex: "(a+)+"}}'), ""),
        (TASK, "redact: {patterns: ['(a+)+']}\n"),
    ],
)
def test_every_door_refuses_it(tasks: str, suite: str, tmp_path) -> None:
    """Matchers, scripted users, faults and redaction take no expression that an agent's text can make run for ever."""
    with pytest.raises(SuiteError, match="repeats what repeats itself"):
        load(folder_of(tmp_path, tasks, suite=SUITE + suite))
