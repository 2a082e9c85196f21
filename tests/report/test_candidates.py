"""Several candidates side by side: the answer got better, and it must not ship."""

from msgspec import structs

from seatrial.compare.losses import losses
from seatrial.records.summary import RunSummary
from seatrial.report import candidates
from tests.report import summaries


def story(first: RunSummary, other: RunSummary) -> str:
    """The sentence on one candidate against another."""
    return candidates.story(first, other, losses(first, other))


def test_the_story_is_told_in_one_sentence():
    """Outcome went up, the decision is no, the tasks are named, and so is the step that never ran."""
    told = story(summaries.baseline(), summaries.shortcut())
    assert told.startswith(
        "Right outcomes went up from 87.5 % to 96.9 % on capability tasks, went up from 92.2 % to 93.8 % on regression tasks, "
        "and candidate must not ship: "
    )
    assert "water-005" in told
    assert told.endswith("the required step coverage (coverage_rules) never ran in 20 more trials.")


def test_a_better_candidate_without_a_loss_may_ship():
    """Nothing lost is nothing named."""
    assert story(summaries.baseline(), summaries.perfect()).endswith("and careful may ship.")


def test_the_table_fits_80_columns_and_pools_no_kinds():
    """One table a kind, at most 80 wide, the commands at the end."""
    both = [summaries.baseline(), summaries.shortcut()]
    text = candidates.render(both, [losses(*both)], runs=["a.seatrial", "b.seatrial"], width=80, colour=False)
    assert max(map(len, text.splitlines())) <= 80
    assert "Capability: 8 tasks" in text
    assert "Regression: 16 tasks" in text
    assert text.rstrip().splitlines()[-1].strip() == "seatrial show b.seatrial water-005"


def test_the_column_of_the_headline_says_which_k_it_is():
    """Where kinds or candidates have other k, the legend names each: `pass^2/3` would read as a power of two thirds."""

    def with_k(summary: RunSummary, *ks: int) -> RunSummary:
        return structs.replace(summary, kinds=tuple(structs.replace(kind, headline_k=k) for kind, k in zip(summary.kinds, ks, strict=True)))

    def legend(*ks: tuple[int, int]) -> str:
        both = [with_k(summary, *each) for summary, each in zip((summaries.baseline(), summaries.shortcut()), ks, strict=True)]
        text = " ".join(candidates.render(both, [losses(*both)], width=120, colour=False).split())
        return text.partition("strict ^k is ")[2].partition(";")[0]

    assert legend((2, 2), (2, 2)) == "pass^2"
    assert legend((2, 3), (2, 3)) == "pass^2 on capability tasks and pass^3 on regression tasks"
    assert legend((2, 2), (3, 3)) == "pass^2 or pass^3"
