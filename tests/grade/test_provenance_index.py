"""Where many values are looked for an index is made; what it finds is what comparing text by text finds."""

from hypothesis import given, settings
from hypothesis import strategies as st

from seatrial.grade.provenance import compile_provenance, judge_provenance, sources
from seatrial.grade.view import TraceView
from tests.grade._builders import Story, task, tool

VALUES = st.sampled_from(
    [
        "HL-00418-C", "hl 00418 c", "HL00418C", "Ada Brandt", "ada", "brandt, Ada", "12", "1,250.00", "1250", "2026-05-03", "3 May 2026",
        "May 3", "03/05/2026", "+44 20 7946 0018", "442079460018", "$327", "straße 7", "STRASSE 7", "C-1", "C-10", "_C-1_", "a\nb", "???",
        "x@y.org", "ab 12 cd", "AB12-CD", "ab12cd", "\u202e12", "С-1",
    ]
)  # fmt: skip
LEAVES = VALUES | st.integers(0, 2000) | st.just(1250.5) | st.text(max_size=6)
TOOLS = (
    tool("look"),
    tool("pay", schema={name: {} for name in "abcd"}, normalisers={"a": "phone", "b": "identifier", "c": "own", "d": "date"}),
)


def own(value):
    """A suite's own normal form: the letters, sorted."""
    return "".join(sorted(str(value).lower()))


@st.composite
def stories(draw):
    story = Story(draw(st.lists(VALUES, max_size=3).map(" and ".join)))
    for _ in range(draw(st.integers(1, 6))):
        told = draw(st.lists(LEAVES, max_size=3))
        context = draw(st.sampled_from(["agent", "agent", "agent/b"]))
        if draw(st.booleans()):
            story.agent(str(told))
        if draw(st.booleans()):
            story.call("look", {"q": draw(LEAVES)}, {"rows": told}, delivered=draw(st.booleans()), context=context)
        else:
            arguments = {name: draw(LEAVES) for name in draw(st.sets(st.sampled_from("abcd")))}
            story.call("pay", arguments, {"echo": arguments, "more": told}, context=context)
        if draw(st.integers(0, 4)) == 0:
            story.handoff("agent", "agent/b")
    return story


@settings(max_examples=150)
@given(stories(), st.text(max_size=20) | VALUES)
def test_the_index_finds_what_comparing_text_by_text_finds(story, document):
    """Every row and every reason is the same, whatever the spelling, the echo and the context."""
    compiled = compile_provenance(
        task(provenance="all").contract, TOOLS, documents={"d": document}, normalisers={"own": own}, now="2026-05-04"
    )
    view = TraceView(story.trace())
    found, usual = judge_provenance(compiled, view), sources.PATIENCE
    try:
        sources.PATIENCE = 0
        assert judge_provenance(compiled, TraceView(story.trace())) == found
    finally:
        sources.PATIENCE = usual


def test_thousands_of_values_are_each_judged_as_one_is():
    """Invented ones have no source, copied and respelled ones have, echoed ones have not."""
    compiled = compile_provenance(task(provenance="all").contract, TOOLS, documents={})
    story, wanted = Story("go"), set()
    for number in range(1500):
        story.call("look", {}, {"id": f"AB-{number:05}", "note": "x" * 20})
        story.call("pay", {"b": f"ab {number:05}"}, {"ref": f"ZZ-{number:05}"})
        wanted.add(story.call("pay", {"b": f"ZZ-{number + 1:05}"}, {"ok": True}))
    assert {finding.call.sequence for finding in judge_provenance(compiled, TraceView(story.trace())).findings} == wanted
