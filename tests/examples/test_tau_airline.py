"""The airline suite on the 200 recorded trials: fabricated ids have no source, sums and dates are derived, random amounts are not."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from examples.tau_airline.data import SUITE, data_in
from examples.tau_airline.draws import drawn
from examples.tau_airline.findings import findings_in

from seatrial.app.importing import import_run
from seatrial.app.loading import load
from seatrial.app.show import trial_of
from seatrial.base.errors import UsageError

DATA = Path("../shared/data/tau_airline")
FABRICATED = {"20.1": "credit_card_5634230", "20.3": "credit_card_5634230", "26.0": "credit_card_7334", "26.2": "credit_card_7334"}
"""Trial → the payment id that its agent made up."""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return the recording, imported under the suite."""
    if not DATA.is_dir():
        pytest.skip(f"{DATA} is not here")
    path = tmp_path_factory.mktemp("airline") / "airline.seatrial"
    found = data_in(DATA)
    import_run("tau-bench", found.recording, path, fixture=found.records, suite=SUITE)
    return path


@pytest.fixture(scope="module")
def found(run):
    """Return what the suite finds."""
    return findings_in(run)


def sources(run, task, trial):
    """Return argument → kind and place of its source, of the last call that has it."""
    return {row.argument: (row.source, row.where) for row in trial_of(run, task, trial, sources=True).sources}


def test_the_suite_loads_and_holds_no_data_of_the_benchmark():
    """The folder describes tools and rules only: no task, no record, no policy of the benchmark."""
    loaded = load(SUITE, recorded=True)
    assert (loaded.suite.tasks, loaded.suite.documents) == ((), {})
    assert {path.suffix for path in SUITE.rglob("*") if path.is_file() and "__pycache__" not in path.parts} == {".md", ".py", ".yaml"}


def test_every_successful_write_is_counted_once(found):
    """177 writes succeeded, whatever is said of each."""
    assert found.writes.total() == 177


@pytest.mark.parametrize(("trial", "payment"), FABRICATED.items())
def test_a_fabricated_payment_id_has_no_source(found, trial, payment):
    """The four ids that agents put together from the last digits of a card stand nowhere."""
    assert any(text.startswith(f"{trial}, ") and f'payment_id = "{payment}": nowhere' in text for text in found.unsourced)


def test_the_readme_names_what_has_no_source(found):
    """The README's last table names every trial with a value that has no source, and no other."""
    table = (SUITE / "README.md").read_text(encoding="utf-8").partition("## What has no source")[2]
    named = {trial for row in re.findall(r"(?m)^\| ([\d., ]+) \|", table) for trial in row.split(", ")}
    assert named == {text.partition(",")[0] for text in found.unsourced}


def test_only_payment_ids_that_were_made_up_have_no_source(found):
    """No other payment id is without a source."""
    assert sum("payment_id" in text for text in found.unsourced) == len(FABRICATED)


@pytest.mark.parametrize(
    ("task", "trial", "argument", "kind", "where"),
    [
        ("6", 0, "search_onestop_flight.date", "derived", "date_offset: get_reservation_details.flights[*].date"),
        ("6", 0, "update_reservation_flights.flights[0].date", "call", "search_onestop_flight.date of step 15 ← derived: date_offset"),
        ("0", 1, "book_reservation.payment_methods[1].amount", "derived", "total: fares × passengers"),
        ("32", 3, "book_reservation.payment_methods[1].amount", "derived", "less the other payment_methods[*].amount"),
        ("11", 0, "book_reservation.payment_methods[1].amount", "derived", "stated"),
        ("37", 0, "send_certificate.amount", "derived", "total: 50 × passengers"),
        ("0", 1, "search_direct_flight.origin", "derived", "lookup: 'New York'"),
    ],
)
def test_what_was_worked_out_names_its_rule_and_operands(run, task, trial, argument, kind, where):
    """Date arithmetic, payment sums, remainders and codes of cities are derived, and an earlier argument is traced through."""
    source, place = sources(run, task, trial)[argument]
    assert source == kind
    assert where in place


def test_random_amounts_in_place_of_payments_are_not_derived(run):
    """At most 5 % of random amounts would count as derived."""
    classes = drawn(run, draws=120, seed=1)
    assert classes["derived"] <= 0.05 * classes.total()


def test_no_record_of_another_customer_is_touched(found):
    """With the records at hand every reservation is known to be the caller's."""
    assert [found.breaches["only_callers_resources", kind] for kind in ("violation", "doubt")] == [0, 0]


def test_a_folder_without_the_recording_is_refused_plainly(tmp_path):
    """The command says that the benchmark's data are not part of the project and how to name a checkout."""
    with pytest.raises(UsageError, match="--data DIR"):
        data_in(tmp_path)
    command = [sys.executable, "-m", "examples.tau_airline", "--data", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert "not part of this project" in done.stderr


def test_a_checkout_of_the_benchmark_is_found(tmp_path):
    """The recording and the records are found where the benchmark keeps them."""
    recording = tmp_path / "historical_trajectories" / "gpt-4o-airline.json"
    records = tmp_path / "tau_bench" / "envs" / "airline" / "data"
    for folder in (recording.parent, records):
        folder.mkdir(parents=True)
    recording.write_text("[]")
    assert data_in(tmp_path).records is None
    (records / "users.json").write_text("{}")
    assert (data_in(tmp_path).recording, data_in(tmp_path).records) == (recording, records)
