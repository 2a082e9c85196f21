"""Fixtures: SQL, JSON and CSV become one thing, with a hash of their content."""

from __future__ import annotations

from pathlib import Path

import pytest

from seatrial.base.errors import SuiteError
from seatrial.suite import read_fixture
from tests.suite.samples import TASK, folder_of, load


def written(folder: Path, files: dict[str, str]) -> Path:
    """A suite folder with these fixture files."""
    for name, text in files.items():
        path = folder / "fixtures" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def test_a_fixture_has_three_forms(tmp_path: Path) -> None:
    """A fixture is SQL, JSON of lists or of records by key, or a folder with a file a collection."""
    files = {
        "a.sql": "INSERT INTO claims VALUES (1);",
        "b.json": '{"claims": [{"id": "1"}], "users": {"ann": {"age": 3}}}',
        "c/claims.csv": "id,note\n1,\n2,hello\n",
        "c/users.json": '{"ann": {"age": 3}}',
    }
    written(tmp_path, files)
    assert read_fixture(tmp_path, "a").sql == files["a.sql"]
    assert read_fixture(tmp_path, "b").records == {"claims": [{"id": "1"}], "users": {"ann": {"age": 3}}}
    assert read_fixture(tmp_path, "c").records == {"claims": [{"id": "1"}, {"id": "2", "note": "hello"}], "users": {"ann": {"age": 3}}}


def test_the_hash_is_of_the_content(tmp_path: Path) -> None:
    """White space and the order of keys in JSON do not change a fixture's hash; values do."""
    texts = ['{"claims": [{"id": "1", "n": 2}]}', '{ "claims": [ {"n": 2,\n "id": "1"} ] }', '{"claims": [{"id": "1", "n": 3}]}']
    hashes = [read_fixture(written(tmp_path, {"base.json": text}), "base").hash for text in texts]
    assert hashes[0] == hashes[1] != hashes[2]


def test_base_may_be_missing_and_others_may_not(tmp_path: Path) -> None:
    """A suite without fixtures starts from nothing; a fixture that is named must be there."""
    assert read_fixture(tmp_path, "base").records == {}
    written(tmp_path, {"winter.json": "{}"})
    with pytest.raises(SuiteError, match=r"no fixture 'wintr'; known: winter\. Did you mean 'winter'\?"):
        read_fixture(tmp_path, "wintr")


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"base.json": "[1]"}, "expected a mapping of collections"),
        ({"base.json": '{"claims": 3}'}, "expected a list of records"),
        ({"base.json": '{"claims": [3]}'}, "expected a record with fields"),
        ({"base.json": '{"a/b": []}'}, "cannot be the name of a collection"),
        ({"base.json": '{"claims": {"1": {}, "1": {}}}'}, "the key '1' stands in one object twice"),
        ({"base.json": '{\n"claims": [}'}, r"base\.json:2: this is not JSON"),
        ({"base.json": "{}", "base.sql": ""}, "is there twice"),
        ({"base/claims.csv": "id,note\n1\n"}, r"claims\.csv:2: the line has another number of values"),
        ({"base/claims.csv": "id\n1\n", "base/claims.json": "[]"}, "is there as .csv and as .json"),
    ],
)
def test_a_wrong_fixture_is_refused(files: dict[str, str], message: str, tmp_path: Path) -> None:
    """A fixture of another shape, or that is there twice, is refused with its file."""
    with pytest.raises(SuiteError, match=message):
        read_fixture(written(tmp_path, files), "base")


def test_a_fixture_of_an_unknown_collection_is_refused(tmp_path: Path) -> None:
    """A fixture that fills a collection the world does not have is refused, with the nearest right name."""
    with pytest.raises(SuiteError, match=r"base\.json: there is no collection 'claim' in the world\. Did you mean 'claims'\?"):
        load(folder_of(tmp_path, fixture={"claim": []}))


def test_the_fixture_is_part_of_the_task(tmp_path: Path) -> None:
    """A task holds the hash of its fixture, so that another fixture is another contract."""
    first = load(folder_of(tmp_path, fixture={"claims": []})).tasks[0]
    second = load(folder_of(tmp_path, TASK, fixture={"claims": [{"claim_id": "C-7"}]})).tasks[0]
    assert first.fixture_hash
    assert first.contract_hash != second.contract_hash
