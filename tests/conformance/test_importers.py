"""What every importer must do, whatever its format; a new importer is picked up by its file."""

import inspect

import pytest

from seatrial.base import catalogue
from seatrial.base.errors import ForeignFormatError

IMPORTERS = [pytest.param(catalogue.load("importer", name), id=name) for name in catalogue.built_in("importer")]
HOSTILE = {
    "empty": b"",
    "cut": b'[{"a": ',
    "two documents": b"[1] [2]",
    "number": b"7",
    "binary": bytes(range(256)),
    "deep": b"[" * 100_000,
    "list of null": b"[null]",
}


@pytest.mark.parametrize("importer", IMPORTERS)
def test_an_importer_documents_its_format_and_reads_a_path(importer):
    """An importer says where its format is defined and offers `read(path, fixture_folder=None)`."""
    assert "Source:" in importer.__doc__
    assert list(inspect.signature(importer.read).parameters)[:2] == ["path", "fixture_folder"]
    assert inspect.getdoc(importer.read)


@pytest.mark.parametrize("importer", IMPORTERS)
@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE.keys())
def test_an_importer_refuses_what_is_not_its_format(importer, data, tmp_path):
    """A file that is not of the format is refused by a ForeignFormatError that names the file, before any trace is handed out."""
    path = tmp_path / "foreign.json"
    path.write_bytes(data)
    with pytest.raises(ForeignFormatError, match=r"foreign\.json"):
        importer.read(path)


@pytest.mark.parametrize("importer", IMPORTERS)
def test_an_importer_refuses_a_missing_file(importer, tmp_path):
    """A missing file is an error of the foreign file, not of the machine."""
    with pytest.raises(ForeignFormatError, match=r"none\.json"):
        importer.read(tmp_path / "none.json")
