"""The outcome of a contract: the right end state, the right answer, the right probes."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase

from msgspec import UNSET, Raw

from seatrial.records.contract import Outcome
from seatrial.records.paths import OUTBOX, split_path
from seatrial.suite.matchers import check_expected, matcher_of
from seatrial.suite.normal import check_normal_forms
from seatrial.suite.part import Part, listed, shown
from seatrial.suite.scope import Scope

KEYS = {
    "changes": "Path (collection/key, collection/+ for a created record) to the changed fields, or null: deleted. Exactly these.",
    "ignore": "Globs of path/field that are left out of the comparison.",
    "as_set": "Globs of path/field whose lists are compared without order.",
    "normalise": "Glob of path/field to normaliser.",
    "answer": "A value, or a list of values, that the user must have been told.",
    "probes": "Probe to the value that it must have returned.",
    "reported": "Foreign evidence to the value it must have (imported runs).",
}
"""Keys of an outcome and what they mean."""


def read_outcome(part: Part, scope: Scope) -> Outcome:
    """Read an outcome.

    Args:
        part: The mapping.
        scope: The names that may be used.

    Returns:
        The outcome; without `changes` it is what the reference path does.

    Raises:
        SuiteError: A key, collection, probe, normaliser or path is wrong, or an expected value has no normal form.
    """
    part.mapping(KEYS)
    outcome = Outcome(
        changes=part.read("changes", lambda each: _changes(each, scope), None),
        ignore=part.read("ignore", _globs, ()),
        as_set=part.read("as_set", _globs, ()),
        normalise=part.read("normalise", lambda each: _normalise(each, scope), {}),
        answer=part.read("answer", _expected, UNSET),
        probes=part.read("probes", lambda each: _probes(each, scope), {}),
        reported=part.read("reported", lambda each: {name: _expected(value) for name, value in sorted(each.entries(), key=_name)}, {}),
    )
    for path, value in _fields(part.get("changes")):
        for glob, normaliser in outcome.normalise.items():
            if fnmatchcase(path, glob):
                check_normal_forms(value, normaliser)
    return outcome


def _name(entry: tuple[str, Part]) -> str:
    return entry[0]


def _expected(part: Part) -> Raw:
    check_expected(part)
    return part.raw()


def _changes(part: Part, scope: Scope) -> dict[str, Raw]:
    return {path: _change(path, value, scope) for path, value in sorted(part.entries(), key=_name)}


def _change(path: str, value: Part, scope: Scope) -> Raw:
    found = split_path(path)
    if found is None:
        value.fail(f"{shown(path)} is not the path of a change; write collection/key, or collection/+ for a created record")
    known = scope.definition.collections
    if known is not None and found[0] not in known | {OUTBOX}:
        value.fail(f"there is no collection {found[0]!r}; known: {listed(known)}.", close_to=found[0], among=known)
    if value.value is None and found[1].startswith("+"):
        value.fail("a created record cannot be null, which means deleted")
    if value.value is not None and (not isinstance(value.value, dict) or matcher_of(value)):
        value.fail(f"expected the changed fields of the record, or null for a deleted one, got {shown(value.value)}")
    if value.value == {} and not found[1].startswith("+"):
        value.fail("expected at least one changed field; leave the path out when the record does not change")
    return _expected(value)


def _globs(part: Part) -> tuple[str, ...]:
    globs = part.texts()
    for position, glob in enumerate(globs):
        if "/" not in glob:
            part[position].fail(f"{shown(glob)} is not a glob of path/field, for example */updated_at or claims/*/notes")
    return globs


def _normalise(part: Part, scope: Scope) -> dict[str, str]:
    _globs(Part(list(part.mapping().value), part.place, part.path))
    return {glob: scope.normaliser(value) for glob, value in sorted(part.entries(), key=_name)}


def _probes(part: Part, scope: Scope) -> dict[str, Raw]:
    for name, value in part.entries():
        if name not in scope.definition.probes:
            known = scope.definition.probes
            value.fail(f"there is no probe {name!r}; known: {listed(known)}.", close_to=name, among=known)
    return {name: _expected(value) for name, value in sorted(part.entries(), key=_name)}


def _fields(part: Part | None) -> Iterator[tuple[str, Part]]:
    for path, record in part.entries() if part is not None else ():
        for field, value in record.entries() if record.value is not None else ():
            yield f"{path}/{field}", value
