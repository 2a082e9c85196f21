"""Fixtures: SQL, JSON and CSV become one thing, with a hash of their content."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from seatrial.base.errors import SuiteError
from seatrial.suite import read_fixture
from seatrial.suite.fixtures import SMALL
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
        ({"base/claims.csv": "id,note,note\n1,a,b\n"}, r"claims\.csv:1: the header names the column 'note' twice"),
        ({"base/claims.yaml": "[]"}, r"claims\.yaml: a fixture's folder holds only files that end in \.json or \.csv"),
        ({"base/old/claims.json": "[]"}, r"old: a fixture's folder holds only files"),
        ({"base.json/claims.csv": "id\n1\n"}, r"base\.json: the fixture is no plain file"),
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


def test_a_fixture_that_is_no_plain_file_is_refused(tmp_path: Path) -> None:
    """A link that leads nowhere, or in a circle, and a pipe are refused instead of read as an empty fixture or waited for."""
    folder = written(tmp_path, {"pipes/readme.md": ""})
    (folder / "fixtures" / "base.json").symlink_to("gone.json")
    (folder / "fixtures" / "circle.json").symlink_to("circle.json")
    (folder / "fixtures" / "pipes" / "gone.json").symlink_to("nowhere.json")
    os.mkfifo(folder / "fixtures" / "pipe.json")
    for name in ("base", "circle", "pipe"):
        with pytest.raises(SuiteError, match=rf"{name}\.json: the fixture is no plain file"):
            read_fixture(folder, name)
    with pytest.raises(SuiteError, match=r"gone\.json: a fixture's folder holds only files"):
        read_fixture(folder, "pipes")


def test_fixtures_in_place_of_the_folder_are_refused(tmp_path: Path) -> None:
    """A file where the folder of fixtures should be is not an empty fixture."""
    (tmp_path / "fixtures").write_text("{}", encoding="utf-8")
    with pytest.raises(SuiteError, match="fixtures must be a folder"):
        read_fixture(tmp_path, "base")


def test_a_large_fixture_is_checked_like_a_small_one(tmp_path: Path) -> None:
    """A number that no record can hold is refused in a fixture of any size."""
    text = json.dumps({"claims": [{"claim_id": "C-1", "amount": 10**30, "note": "x" * SMALL}]})
    with pytest.raises(SuiteError, match=r"claims\[0\]\.amount: a whole number of more than 64 bits"):
        read_fixture(written(tmp_path, {"base.json": text}), "base")


@pytest.mark.parametrize(
    ("claims", "message"),
    [
        ([{"claim_id": "C-1", "n": 1}, {"claim_id": "C-1", "n": 2}], r"base\.json: claims\[1\]: two records have the key 'C-1'"),
        ({"C-1": {"claim_id": "C-2"}}, r"base\.json: claims\.C-1: the record stands under the key 'C-1' and names the key 'C-2'"),
    ],
)
def test_no_record_of_a_fixture_is_lost(claims: object, message: str, tmp_path: Path) -> None:
    """Two records of one key, or a record under another key than its own, are refused: one of two would be lost without a word."""
    with pytest.raises(SuiteError, match=message):
        load(folder_of(tmp_path, fixture={"claims": claims}))


def test_no_record_of_a_task_is_lost(tmp_path: Path) -> None:
    """Two records of one key that a task lays over its fixture are refused, in the line of the second."""
    rows = "fixture:\n  use: base\n  with:\n    claims:\n      - {claim_id: C-1, n: 1}\n      - {claim_id: C-1, n: 2}\n"
    line = TASK.count("\n") + 6
    with pytest.raises(SuiteError, match=rf"a\.yaml:{line}: fixture\.with\.claims\[1\]: two records have the key"):
        load(folder_of(tmp_path, TASK + rows))
