"""The pinned baseline: who approved which run, how it travels, and what a decision says of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs

from seatrial.app.baselines import BASELINE_FILE, baseline_warnings, find_baseline, read_pin, set_baseline
from seatrial.app.loading import load
from seatrial.app.regrade import regrade
from seatrial.app.sealing import hashes_of
from seatrial.app.signing import counting, sign
from seatrial.base.errors import RunFileError, SuiteError, UsageError
from seatrial.records.decision import BaselinePin
from seatrial.run import Selection
from seatrial.store import RunFile
from tests._suites import desk
from tests._suites.sailing import StillClock, sail

PIN = BaselinePin("base.seatrial", "a" * 32, "good", "Ann", "2026-01-01T00:00:00Z", models=("model-1",))
FINE = {"baseline_hash": "a" * 32, "baseline_models": ("model-1",), "models": ("model-1",), "today": "2026-01-01"}


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    return desk.write(tmp_path / "suite")


@pytest.fixture
def base(suite: Path, tmp_path: Path) -> Path:
    """A whole run of the suite."""
    sail(suite, "agents:good", output=tmp_path / "base.seatrial")
    return tmp_path / "base.seatrial"


def pinned(suite: Path, run: Path, by: str = "Ann", why: str = "") -> BaselinePin:
    """Pin a run and return the pin."""
    return set_baseline(suite, run, by=by, why=why, clock=StillClock())[0]


def test_a_pin_says_run_day_and_approver_and_is_read_back(suite: Path, base: Path) -> None:
    """The file beside the suite holds what was pinned; a later pin takes its place."""
    assert read_pin(suite) is None
    pin = pinned(suite, base, by=" Ann  Example ", why="first release")
    assert (pin.run, pin.candidate, pin.by, pin.on, pin.why) == (str(base), "good", "Ann Example", StillClock().now(), "first release")
    assert pin.hash == hashes_of(base).content
    assert read_pin(suite) == pin
    assert read_pin(suite) != pinned(suite, base, by="Bo") == read_pin(suite)


def test_a_pin_changes_neither_suite_nor_contracts(suite: Path, base: Path, tmp_path: Path) -> None:
    """To pin a baseline makes no other suite: the same run goes on."""
    pinned(suite, base)
    assert sail(suite, "agents:good", output=base).ran == 0


def test_a_run_carries_the_pin_that_held_when_it_was_planned(suite: Path, base: Path, tmp_path: Path) -> None:
    """A later pin does not change what an earlier run is held against."""
    pin = pinned(suite, base)
    sail(suite, "agents:bad", output=tmp_path / "r.seatrial")
    pinned(suite, base, by="Bo")
    sail(suite, "agents:bad", output=tmp_path / "r.seatrial", trials=3)
    with RunFile.open(tmp_path / "r.seatrial") as file:
        assert file.manifest.baseline == pin


@pytest.mark.parametrize("by", ["", "  ", "\u200b", "!", "x" * 201])
def test_nobody_is_no_approver(suite: Path, base: Path, by: str) -> None:
    """A pin needs a name that can be seen, and one that fits a line."""
    with pytest.raises(UsageError, match="name"):
        pinned(suite, base, by=by)
    assert not (suite / BASELINE_FILE).exists()


def test_a_part_or_a_run_of_another_suite_is_no_baseline(suite: Path, tmp_path: Path) -> None:
    """Only a whole run of the very suite can be pinned."""
    sail(suite, "agents:good", output=tmp_path / "part.seatrial", selection=Selection(tasks=("a-1",)))
    with pytest.raises(UsageError, match="only a part of its suite"):
        pinned(suite, tmp_path / "part.seatrial")
    other = desk.write(tmp_path / "other", suite=desk.SUITE.replace("name: desk", "name: counter"))
    sail(other, "agents:good", output=tmp_path / "other.seatrial")
    with pytest.raises(UsageError, match="a run of the suite 'counter'"):
        pinned(suite, tmp_path / "other.seatrial")
    with pytest.raises(RunFileError, match="no such file"):
        pinned(suite, tmp_path / "none.seatrial")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"run": 1}', '{"run": "r", "more": 1}', "\x00"])
def test_a_pin_that_cannot_be_read_stops_the_run(suite: Path, base: Path, tmp_path: Path, text: str) -> None:
    """A broken pin is told, with its file: a run must not lose its baseline unnoticed."""
    (suite / BASELINE_FILE).write_text(text, encoding="utf-8")
    with pytest.raises(SuiteError, match=r"baseline\.json: it is no pinned baseline"):
        sail(suite, "agents:good", output=tmp_path / "r.seatrial")


def test_a_pin_that_leads_out_of_the_suite_is_refused(suite: Path, base: Path, tmp_path: Path) -> None:
    """A link to a file elsewhere is no pin of this suite."""
    pinned(suite, base)
    (suite / BASELINE_FILE).rename(tmp_path / "elsewhere.json")
    (suite / BASELINE_FILE).symlink_to(tmp_path / "elsewhere.json")
    with pytest.raises(SuiteError, match="a place outside of the suite"):
        read_pin(suite)


def test_the_baseline_is_found_where_it_was_or_beside_the_run(suite: Path, base: Path, tmp_path: Path) -> None:
    """Runs that were moved together still find each other; one that is gone is told as such."""
    pin = pinned(suite, base)
    moved = tmp_path / "moved"
    moved.mkdir()
    assert find_baseline(pin, moved / "r.seatrial") == base
    base.rename(moved / base.name)
    assert find_baseline(pin, moved / "r.seatrial") == moved / base.name
    (moved / base.name).unlink()
    assert find_baseline(pin, moved / "r.seatrial") is None


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({}, []),
        ({"today": "2026-04-01"}, []),
        ({"today": "2026-04-02"}, ["pinned 91 days ago, by Ann"]),
        ({"today": "2026-01-09", "oldest_days": 7}, ["pinned 8 days ago"]),
        ({"today": ""}, []),
        ({"baseline_hash": "b" * 32}, ["not the one that Ann approved"]),
        ({"models": ("model-2",)}, ["another model than for the baseline: model-2 now, model-1 then"]),
        ({"models": ()}, []),
        ({"baseline_models": ()}, []),
        ({"models": ("model-1", "model-2"), "baseline_hash": "b" * 32, "today": "2027-01-01"}, ["365 days", "approved", "another model"]),
    ],
)
def test_a_decision_says_what_is_odd_about_its_baseline(change: dict, told: list[str]) -> None:
    """Too old, changed since, another model: each is one warning, in this order; models that nobody named are no warning."""
    warnings = baseline_warnings(PIN, **(FINE | change))
    assert len(warnings) == len(told)
    assert all(text in warning for text, warning in zip(told, warnings, strict=True))


def test_a_day_that_is_none_leaves_the_age_unknown_and_says_so() -> None:
    """A pin that was edited by hand has no age: that is a warning, not an error and not a young baseline."""
    (warning,) = baseline_warnings(structs.replace(PIN, on="spring"), **FINE)
    assert warning == "Nobody can tell how old the baseline is: it was pinned on 'spring'."


def test_a_signature_names_the_traces_and_the_baseline(suite: Path, base: Path, tmp_path: Path) -> None:
    """It counts for the run as it was read against that baseline, and no more when either is another."""
    pinned(suite, base)
    run = tmp_path / "r.seatrial"
    sail(suite, "agents:bad", output=run)
    given = sign(run, "size=small", by=" Ann  Example", reason=" read them ", clock=StillClock()).signature
    assert (given.slice, given.by, given.reason, given.at) == ("size=small", "Ann Example", "read them", StillClock().now())
    before, baseline = hashes_of(run), hashes_of(base).content
    with RunFile.open(run) as file:
        signed = file.signatures()
    assert signed == counting(signed, before, baseline) == (given,)
    assert counting(signed, before, "b" * 32) == counting(signed, before, "") == ()
    sail(suite, "agents:bad", output=run, trials=3)
    assert counting(signed, hashes_of(run), baseline) == ()


def test_a_signature_does_not_outlive_other_grades(suite: Path, base: Path, tmp_path: Path) -> None:
    """Judged again by the same contracts it counts; where the rules say something else of the same traces, others have flipped."""
    pinned(suite, base)
    run = tmp_path / "r.seatrial"
    sail(suite, "agents:good", output=run)
    signed, baseline = (sign(run, "size=small", by="Ann", reason="read").signature,), hashes_of(base).content
    regrade(run, loaded=load(suite))
    assert counting(signed, hashes_of(run), baseline) == signed
    traces = hashes_of(run).traces
    text = (suite / "tasks" / "a-1.yaml").read_text(encoding="utf-8")
    (suite / "tasks" / "a-1.yaml").write_text(
        text.replace("call: look, with: {ticket_id: T-1}", "call: look, with: {ticket_id: T-2}"), "utf-8"
    )
    assert regrade(run, loaded=load(suite)).changed == ("a-1#0: pass → fail", "a-1#1: pass → fail")
    assert hashes_of(run).traces == traces
    assert counting(signed, hashes_of(run), baseline) == ()


def test_a_pin_is_not_written_through_a_link_that_leads_out(suite: Path, base: Path, tmp_path: Path) -> None:
    """What lies outside of the suite stays as it is, whatever a link in the suite's folder names."""
    (tmp_path / "other.json").write_text("precious", encoding="utf-8")
    (suite / BASELINE_FILE).symlink_to(tmp_path / "other.json")
    with pytest.raises(SuiteError, match="a link to a place outside of the suite"):
        pinned(suite, base)
    assert (tmp_path / "other.json").read_text(encoding="utf-8") == "precious"


@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir], ids=["pipe", "folder"])
def test_what_is_no_plain_file_is_no_pin(suite: Path, make: Callable[[Path], None]) -> None:
    """A pipe, which would be read for ever, and a folder are refused at once."""
    make(suite / BASELINE_FILE)
    with pytest.raises(SuiteError, match="no plain file, so it is no pinned baseline"):
        read_pin(suite)


@pytest.mark.parametrize(
    ("more", "told"),
    [('"run": "other.seatrial"', "'run'"), ('"version": 9', "it has version 9; this seatrial reads 1")],
    ids=["twice", "later"],
)
def test_a_pin_that_cannot_be_told_for_sure_is_refused(suite: Path, base: Path, more: str, told: str) -> None:
    """Of two runs under one key nobody can tell which was approved, and what a later seatrial wrote is not read as if it were today's."""
    pinned(suite, base)
    text = (suite / BASELINE_FILE).read_text(encoding="utf-8")
    (suite / BASELINE_FILE).write_text(text.replace("{", f"{{{more},", 1), encoding="utf-8")
    with pytest.raises(SuiteError, match=told):
        read_pin(suite)


def test_to_sign_does_not_make_the_run_another(suite: Path, base: Path, tmp_path: Path) -> None:
    """The content hash by which a run is known is the same before and after it was signed."""
    pinned(suite, base)
    run = tmp_path / "r.seatrial"
    sail(suite, "agents:bad", output=run)
    before = hashes_of(run).content
    sign(run, "size=small", by="Ann", reason="read")
    assert hashes_of(run).content == before


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ({"slice_": "size=smal"}, r"has no slice 'size=smal'; it has size=small\. Did you mean 'size=small'\?"),
        ({"by": " "}, "needs the name of who answers for it: --name NAME"),
        ({"reason": " "}, "needs a reason that another reader can follow: --reason TEXT"),
        ({"reason": "\u200b…"}, "needs a reason that another reader can follow: --reason TEXT"),
        ({"reason": "x" * 10_001}, "a reason of 10,001 characters is too long"),
        ({}, "none was pinned when this run was planned: give it with --baseline RUN"),
    ],
)
def test_a_signature_that_says_too_little_is_refused(suite: Path, base: Path, words: dict, told: str) -> None:
    """An unknown slice, no name, no reason, no baseline: nothing is stored."""
    asked = {"slice_": "size=small", "by": "Ann", "reason": "read", **words}
    with pytest.raises(UsageError, match=told):
        sign(base, asked.pop("slice_"), **asked)
    with RunFile.open(base) as file:
        assert file.signatures() == ()


CALM = desk.GOOD.replace("def bad", "def calm").replace(
    'tools.close(ticket_id="T-1")\n    return "Closed."',
    "if 'Please close' in task.input:\n        return good(task, tools, user)\n    return bad(task, tools, user)",
)
"""An agent that is right where it is asked in one way, and looks up nothing where it is asked in another."""


@pytest.fixture
def fallen(tmp_path: Path) -> tuple[Path, Path]:
    """A candidate and its baseline: many large tickets fell, which is no chance, and two middling ones, which may be."""
    rude = {name: desk.task(name, size="large").replace("Please close", "Close") for name in (f"l-{number:02}" for number in range(12))}
    few = {name: desk.task(name, size="middling").replace("Please close", "Close") for name in ("m-1", "m-2")}
    suite = desk.write(tmp_path / "fallen", CALM, tasks={**rude, **few, "s-1": desk.task("s-1")})
    for agent in ("good", "calm"):
        sail(suite, f"agents:{agent}", output=tmp_path / f"{agent}.seatrial")
    return tmp_path / "calm.seatrial", tmp_path / "good.seatrial"


def test_a_confirmed_drop_is_not_signed(fallen: tuple[Path, Path]) -> None:
    """It is refused, with the slices that can be signed, and nothing is stored; those say whether a signature lifts anything."""
    run, baseline = fallen
    with pytest.raises(UsageError, match=r"size=large fell .* cannot be signed away\. Suspect, and to be signed: size=middling$"):
        sign(run, "size=large", by="Ann", reason="read", baseline=baseline)
    with RunFile.open(run) as file:
        assert file.signatures() == ()
    signed = [sign(run, f"size={size}", by="Ann", reason="read", baseline=baseline) for size in ("middling", "small")]
    assert [one.alarm for one in signed] == ["suspect", ""]


def test_against_a_baseline_that_is_gone_nobody_can_tell_what_is_suspect(suite: Path, base: Path, tmp_path: Path) -> None:
    """The signature is stored against the pinned hash, and says that it may lift nothing."""
    pin = pinned(suite, base)
    sail(suite, "agents:bad", output=tmp_path / "r.seatrial")
    base.unlink()
    signed = sign(tmp_path / "r.seatrial", "size=small", by="Ann", reason="read")
    assert (signed.alarm, signed.signature.baseline) == (None, pin.hash)
