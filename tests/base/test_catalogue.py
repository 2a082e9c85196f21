"""The catalogue: a plug-in is a file in the folder of its kind."""

import importlib

import pytest

from seatrial.base.catalogue import KINDS, built_in, load
from seatrial.base.errors import UsageError


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_the_folder_of_a_kind_says_what_lives_there(kind: str) -> None:
    """Every kind has a folder with a docstring, at least one plug-in, sorted names, and no helper among them."""
    names = built_in(kind)
    assert importlib.import_module(KINDS[kind]).__doc__
    assert names
    assert list(names) == sorted(names)
    assert not any(name.startswith("_") for name in names)


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in sorted(KINDS) for name in built_in(kind)])
def test_every_plug_in_is_imported_by_its_name_and_documented(kind: str, name: str) -> None:
    """A plug-in's module is found by the file's name, and says in its docstring what it is."""
    module = load(kind, name)
    assert module.__name__ == f"{KINDS[kind]}.{name}"
    assert module.__doc__


def test_a_wrong_name_is_answered_with_the_right_ones() -> None:
    """An unknown plug-in is a usage error that lists the known ones and offers the nearest."""
    with pytest.raises(UsageError, match=r"no fault named 'eror'; known: .*timeout.*Did you mean 'error'\?"):
        load("fault", "eror")
