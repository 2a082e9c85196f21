"""The figures and tables of the statistics page are what the program computes today."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from docs import generate, statistics_figures

SVG = "{http://www.w3.org/2000/svg}"
PAGE = Path(generate.DOCS) / "statistics.md"


@pytest.mark.parametrize("name", sorted(statistics_figures.FIGURES))
def test_a_figure_is_current_and_says_its_numbers_in_words(name: str) -> None:
    """Drawing a figure again changes nothing, it is well-formed, has a title and a description, and the page shows it with a text."""
    text = (statistics_figures.FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    assert text == statistics_figures.FIGURES[name]()
    root = ET.fromstring(text)
    assert root.findtext(f"{SVG}title")
    assert root.findtext(f"{SVG}desc")
    assert f".](figures/{name}.svg)" in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("part", statistics_figures.PARTS, ids=lambda part: part[0].strip("<!-> "))
def test_a_table_is_current(part: tuple) -> None:
    """Computing a table again changes nothing."""
    start, end, make = part
    text = PAGE.read_text(encoding="utf-8")
    assert text == generate.replaced(text, start, end, make())


def test_the_weakest_cell_is_said() -> None:
    """The page names the coverage of the population that is covered least, as it is computed."""
    reports = statistics_figures.coverage()["Dirichlet ends (reports)"]
    assert f"{min(reports.values()):.2%}".replace("%", " %") in PAGE.read_text(encoding="utf-8")
