"""The table in `docs/importing.md` is what the program computes."""

from pathlib import Path

import pytest
from docs.importing import PAGE, page, summary, table

RECORDING = Path("../shared/data/tau_airline/gpt-4o-results.json")


def test_the_published_table_is_the_computed_one():
    """Writing the table again changes nothing."""
    if not RECORDING.exists():
        pytest.skip(f"{RECORDING} is not here")
    text = PAGE.read_text(encoding="utf-8")
    assert page(text, table(summary(RECORDING))) == text
