"""The public face of the package and of its rooms: what is promised is there, sorted, and nothing else is."""

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import seatrial

FACES = ["seatrial", *(f"seatrial.{room}" for room in ("agents", "gate", "grade", "run", "store", "suite", "world"))]
HEAVY = ("apsw", "click", "msgspec", "numpy", "rich", "scipy", "yaml")


@pytest.mark.parametrize("name", FACES)
def test_every_promised_name_can_be_imported_and_they_are_sorted(name: str) -> None:
    """`__all__` is sorted, and each of its names is there."""
    package = importlib.import_module(name)
    assert list(package.__all__) == sorted(package.__all__)
    assert [each for each in package.__all__ if not hasattr(package, each)] == []


@pytest.mark.parametrize("name", FACES)
def test_a_name_that_is_not_promised_is_an_attribute_error(name: str) -> None:
    """A slip of the pen says that the attribute is missing, as any module does."""
    with pytest.raises(AttributeError, match="bogus"):
        importlib.import_module(name).bogus  # noqa: B018 - reading it is the test


def test_what_type_checkers_are_told_is_what_is_promised() -> None:
    """The stub imports exactly the names of `__all__`."""
    stub = ast.parse((Path(seatrial.__file__).parent / "__init__.pyi").read_text(encoding="utf-8"))
    told = {alias.asname or alias.name for node in stub.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    told |= {node.target.id for node in stub.body if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)}
    assert set(seatrial.__all__) <= told
    assert {name for name in told if not name.startswith("_")} == {name for name in seatrial.__all__ if not name.startswith("_")}


def test_importing_the_package_imports_nothing_heavy() -> None:
    """`import seatrial` loads no room and no large library."""
    code = f"import sys, seatrial; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
