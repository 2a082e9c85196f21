"""The page says what was proven of the suite."""

import pytest
from msgspec import structs
from playwright.sync_api import expect

from seatrial.records.proof import proof_line
from seatrial.report import html
from tests.report import summaries
from tests.report.test_proof_line import NOTES


@pytest.mark.parametrize("line", NOTES)
def test_the_page_says_it_in_the_words_of_the_other_reports(read, line):
    """The facts of the run hold the line, word for word."""
    page = read(html.render(structs.replace(summaries.perfect(), proof=NOTES[line])))
    facts = page.locator("dl.pairs div, dl.pairs dd")
    assert proof_line(NOTES[line]).removeprefix("proof: ") in facts.all_inner_texts()
    expect(page.locator("dt", has_text="proof of the suite")).to_have_count(1)
