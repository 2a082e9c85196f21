"""Generated pages are what the program says today."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs import generate

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("page", sorted(generate.PAGES))
def test_a_reference_page_is_current(page: str) -> None:
    """`make docs` would change nothing in a reference page."""
    assert (ROOT / "docs" / page).read_text(encoding="utf-8") == generate.PAGES[page]()


@pytest.mark.parametrize("part", generate.PARTS, ids=lambda part: part[1].strip("<!-> "))
def test_a_generated_part_is_current(part: tuple) -> None:
    """`make docs` would change nothing in a table or a screen within a page."""
    page, start, end, make = part
    text = (ROOT / page).read_text(encoding="utf-8")
    assert text == generate.replaced(text, start, end, make())


def test_every_verb_has_a_page_section_and_help() -> None:
    """A verb that nobody can find in the docs does not exist for a user."""
    text = (ROOT / "docs/reference/cli.md").read_text(encoding="utf-8")
    for name in generate.program.list_commands(generate.click.Context(generate.program)):
        assert f"## seatrial {name}\n" in text
