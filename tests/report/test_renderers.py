"""Every renderer of a run has one shape."""

import inspect

import pytest

from seatrial.base.catalogue import built_in, load
from tests.report import summaries

OF_A_RUN = [name for name in built_in("renderer") if next(iter(inspect.signature(load("renderer", name).render).parameters)) == "summary"]


@pytest.mark.parametrize("name", built_in("renderer"))
def test_every_renderer_has_a_documented_render(name):
    """A renderer is a module with `render`, and both say what they do."""
    module = load("renderer", name)
    assert module.__doc__
    assert module.render.__doc__


@pytest.mark.parametrize("name", OF_A_RUN)
@pytest.mark.parametrize("run", [summaries.perfect, summaries.everything, summaries.reviewed, summaries.hostile])
def test_a_run_is_drawn_twice_alike_and_can_be_written(name, run):
    """The text depends on the summary alone, is not empty, and is valid UTF-8."""
    render = load("renderer", name).render
    text = render(run(), run="run.seatrial")
    assert text
    assert text == render(run(), run="run.seatrial")
    text.encode("utf-8")
