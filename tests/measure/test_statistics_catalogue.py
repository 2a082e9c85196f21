"""Every statistic names its source and stands in the documentation."""

from pathlib import Path

import pytest

from seatrial.base.catalogue import built_in, load


@pytest.mark.parametrize("name", built_in("statistic"))
def test_a_statistic_cites_its_source_and_is_documented(name):
    """The module's docstring has a source, and docs/statistics.md names the statistic."""
    assert "Source:" in (load("statistic", name).__doc__ or "")
    assert f"`{name}`" in Path("docs/statistics.md").read_text(encoding="utf-8")
