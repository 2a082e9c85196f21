"""The report as a file: closed in itself, the same for the same run, and safe whatever a trace holds."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from importlib.resources import files
from pathlib import Path

import pytest
from msgspec import Raw, structs

from seatrial.app.rendering import rendered
from seatrial.app.reporting import summary_of
from seatrial.records.decision import Decision
from seatrial.records.trace import AgentMessage, ToolCall, UserTurn
from seatrial.report import comparison_html, html
from tests.report import summaries
from tests.report.html import voyages
from tests.report.html.document import Document

BREAKOUT = "</script><script>alert(1)</script><!-- <img src=x onerror=alert(1)> {{data}} \u2028\u2029\u202e & ]]>"
HOSTILE_STEPS = (
    UserTurn(1, BREAKOUT),
    ToolCall(2, BREAKOUT, 2, proposed=Raw(json.dumps({BREAKOUT: BREAKOUT}).encode()), raw=BREAKOUT, foreign_id=BREAKOUT),
    AgentMessage(3, BREAKOUT),
)
NAMESPACE = "http://www.w3.org/2000/svg"
RUNS = [summaries.perfect, summaries.everything, summaries.reviewed, summaries.hostile]


def sources() -> str:
    """Return the page's own script and style."""
    return "\n".join(files("seatrial.report.page").joinpath(name).read_text("utf-8") for name in SOURCES[:-1])


SOURCES = (*(f"{name}.js" for name in html.SCRIPTS), "page.css", "page.html")


def test_every_source_of_the_page_is_part_of_the_report():
    """A script that is added to the page's folder is joined into the report of a run, or into that of a comparison."""
    found = {one.name for one in files("seatrial.report.page").iterdir() if one.name.endswith((".js", ".css", ".html"))}
    assert found == {*SOURCES, *(f"{name}.js" for name in comparison_html.SCRIPTS), "compare.html", "frame.html"}


def test_data_cannot_end_their_element():
    """No mark that could end or open an element, or a line of a script, stands in embedded data."""
    document = Document(voyages.page([(voyages.trace(steps=HOSTILE_STEPS), voyages.grade())]))
    assert document.form() == {"json"}
    texts = ["".join(one.text) for one in document.data.values()]
    assert all(texts)
    assert not re.search("[<>&\u2028\u2029]", "".join(texts))


def test_hostile_texts_add_no_element():
    """The elements of a report of hostile texts are those of any other report."""
    hostile = voyages.page([(voyages.trace(BREAKOUT, steps=HOSTILE_STEPS), voyages.grade(BREAKOUT))], run=BREAKOUT)
    tame = voyages.page(voyages.trials("pppp"))
    assert [(one.name, list(one.attributes)) for one in Document(hostile).elements] == [
        (one.name, list(one.attributes)) for one in Document(tame).elements
    ]


def test_title_and_sentence_are_escaped():
    """Candidate and decision stand in the document as text, and what would hide or turn the reading is written out."""
    summary = structs.replace(summaries.hostile(), decision=Decision("fail", f"FAIL: {BREAKOUT}", (), (), ""))
    document = Document(html.render(summary))
    title, sentence = document.text("title"), "".join(one.text[0] for one in document.elements if one.name == "p" and one.text)
    assert title.startswith("\\e[2J\\x07\\u202e\\x9b31m<script>|`*")
    assert sentence.startswith(
        "FAIL: </script><script>alert(1)</script><!-- <img src=x onerror=alert(1)> {{data}} \\u2028\\u2029\\u202e & ]]>"
    )
    assert [one.name for one in document.elements].count("img") == 0


def test_embedded_data_are_the_run():
    """What the document holds is the summary and the traces, unchanged by the way they are written."""
    voyage = [voyages.everything(), (voyages.trace("t-2", steps=HOSTILE_STEPS), voyages.grade("t-2"))]
    document = Document(voyages.page(voyage))
    assert document.report()["chunks"] == [[["t-1", 0], ["t-2", 0]]]
    assert document.traces() == [("t-1", 0), ("t-2", 0)]
    second = document.read("traces-0")[1]["trace"]["steps"]
    assert [second[0]["text"], second[1]["proposed"], second[2]["text"]] == [BREAKOUT, {BREAKOUT: BREAKOUT}, BREAKOUT]


def test_the_policy_names_the_script_and_the_style():
    """The page's policy allows the one script and the one style by the hashes of exactly what stands there, and nothing else."""
    document = Document(voyages.page(voyages.trials("pppp")))
    [policy] = [one for one in document.elements if one.attributes.get("http-equiv") == "Content-Security-Policy"]
    rules = dict(rule.split(" ", 1) for rule in str(policy.attributes["content"]).split("; "))
    for kind, name in (("script-src", "script"), ("style-src", "style")):
        digest = base64.b64encode(hashlib.sha256(document.text(name).encode()).digest()).decode()
        assert rules[kind] == f"'sha256-{digest}'"
    assert {rules[name] for name in ("default-src", "base-uri", "form-action")} == {"'none'"}


def test_nothing_points_outside():
    """A report holds no address but the name of the drawing language, and no element or rule that would load anything."""
    text = voyages.page([voyages.everything()])
    assert set(re.findall(r"[a-zA-Z][a-zA-Z0-9+.-]*://[^\s\"'<>]*", text)) == {NAMESPACE}
    document = Document(text)
    links = {(name, value) for one in document.elements for name, value in one.attributes.items() if name in {"src", "href", "srcset"}}
    assert links == {("href", "#tasks")}
    assert not re.search(r"url\(|@import|@font-face", document.text("style"))


def test_scripts_make_no_markup_and_reach_no_network():
    """The page's script has no door through which text becomes markup or code, or leaves the page."""
    doors = (
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|\beval\b|Function\(|setTimeout\(['\"]"
    )
    ways_out = (
        r"\bfetch\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon|\bimport\(|importScripts|new Worker|new Image|localStorage|cookie"
    )
    assert not re.search(doors, sources())
    assert not re.search(ways_out, sources())


def test_scripts_cannot_end_their_element():
    """Neither script nor style holds what would end its element early or hide the rest of it."""
    assert not re.search(r"</(script|style)|<!--|<script", sources(), re.IGNORECASE)


@pytest.mark.parametrize("run", RUNS)
def test_the_same_run_is_the_same_file(run):
    """Two reports of one run have equal bytes, plain or compressed."""
    voyage = [voyages.everything()]
    first, second = (html.render(run(), run="run.seatrial", trials=voyage).encode() for _ in range(2))
    assert first == second


def test_large_data_are_compressed_alike():
    """Data above the limit are compressed, give the same bytes each time, and hold the same."""
    long = voyages.trace(steps=[AgentMessage(1, "water " * 200_000)])
    first, second = (voyages.page([(long, voyages.grade())]) for _ in range(2))
    assert first == second
    assert len(first) < 200_000
    document = Document(first)
    assert document.form() == {"gzip"}
    moment = slice(4, 8)  # where the format notes when it was made
    assert {base64.b64decode("".join(one.text))[moment] for one in document.data.values()} == {bytes(4)}
    assert document.report()["summary"]["candidate"]["name"] == "baseline"
    assert document.read("traces-0")[0]["trace"]["steps"][0]["text"] == "water " * 200_000


def test_a_real_run_is_drawn_from_its_file_twice_alike(claims):
    """A report depends on the run file alone."""
    assert rendered(summary_of(claims.path), claims.path, "html") == claims.page


def test_folders_stay_home(claims):
    """A report is handed on, so the run file's name is in it and no folder of the machine that made it."""
    report = Document(claims.page).report()
    assert report["run"] == "claims.seatrial"
    for folder in (claims.path.parent, Path(__file__).parents[3], Path.home(), Path.cwd()):
        assert str(folder) + "/" not in claims.page


@pytest.mark.parametrize(
    ("run", "shown"),
    [("/folder/of/ann/my run.seatrial", "'my run.seatrial'"), ("runs/$(rm).seatrial", "'$(rm).seatrial'"), ("", "RUN")],
)
def test_the_run_is_named_for_a_shell(run, shown):
    """A run's name can be pasted into a shell, and without one the word stands for it."""
    assert Document(html.render(summaries.perfect(), run=run)).report()["run"] == shown


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(rb'"\ud800 lone"', id="an escaped half of a pair"),
        pytest.param(b'"\xed\xa0\x80 lone"', id="a half of a pair in bytes"),
        pytest.param(b'"\xff\xfe"', id="bytes that are not UTF-8"),
        pytest.param(rb'"\u0000\u001b[2J\u0007\u009b31m\u202e"', id="control characters"),
        pytest.param('"\U0010ffff\ufdd0\ue000"'.encode(), id="no characters"),
    ],
)
@pytest.mark.parametrize("length", [1, 1_100_000], ids=["plain", "compressed"])
def test_broken_text_makes_no_broken_report(value, length):
    """Halves of surrogate pairs, control characters and broken bytes in a stored value are drawn, plain or compressed."""
    steps = [UserTurn(1, "x" * length), ToolCall(2, "look", 2, proposed=Raw(value), executed=Raw(b"{}"), observation=Raw(value))]
    text = voyages.page([(voyages.trace(steps=steps), voyages.grade())])
    text.encode("utf-8")
    assert set(Document(text).data) == {"data", "traces-0"}


def test_a_run_without_a_trace_is_a_report():
    """A summary alone is drawn, and nothing is said to be left out."""
    report = Document(html.render(summaries.perfect())).report()
    assert (report["chunks"], report["embedded"], report["left_out"]) == ([], 0, 0)


def test_a_large_seed_is_kept_exactly():
    """A seed above what a script's numbers hold is written as text."""
    summary = structs.replace(summaries.perfect(), seed=2**63 + 1)
    assert Document(html.render(summary)).report()["seed"] == "9223372036854775809"
