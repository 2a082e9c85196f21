"""The line on the proof of the suite stands in every report."""

import msgspec
import pytest
from msgspec import structs

from seatrial.base.catalogue import load
from seatrial.records.proof import ProofNote, proof_line
from tests.report import summaries

PROVEN = ProofNote(mutants=420, caught=412, holes=2, explained=6)
NOTES = {
    "proof: 412 of 420 mutants caught, 2 holes, 6 explained": PROVEN,
    "proof: 7 of 8 mutants caught, 1 hole, 3 not as it should be": ProofNote(mutants=8, caught=7, holes=1, faults=3),
    "proof: 2 errors of the suite, 8 of 8 mutants caught, 0 holes": ProofNote(mutants=8, caught=8, faults=2, errors=2),
    "proof: 1 error of the suite, 1 of 2 mutants caught, 0 holes, 1 undetermined, 2 other not as it should be": ProofNote(
        mutants=2, caught=1, faults=3, errors=1, undetermined=1
    ),
    "proof: of an older suite, run: seatrial prove SUITE": structs.replace(PROVEN, older=True),
    "proof: not proven, run: seatrial prove SUITE": None,
}


@pytest.mark.parametrize("form", ["terminal", "markdown", "junit"])
@pytest.mark.parametrize("line", NOTES)
def test_every_report_has_the_line(form, line):
    """What is known of the proof is one line of the text, whatever it is."""
    text = load("renderer", form).render(structs.replace(summaries.perfect(), proof=NOTES[line]), run="run.seatrial")
    assert proof_line(NOTES[line]) == line
    assert line in " ".join(text.replace("\\", "").split())


def test_json_has_the_numbers():
    """The JSON report holds the numbers of the proof."""
    text = load("renderer", "json").render(structs.replace(summaries.perfect(), proof=PROVEN), run="run.seatrial")
    assert msgspec.json.decode(text)["proof"] == {"mutants": 420, "caught": 412, "holes": 2, "explained": 6}


@pytest.mark.parametrize("form", ["terminal", "markdown"])
def test_an_imported_run_has_no_suite_to_prove(form):
    """Nobody is told to prove the suite of a foreign recording."""
    text = load("renderer", form).render(structs.replace(summaries.perfect(), source="tau_bench"), run="run.seatrial")
    assert "seatrial prove" not in text
