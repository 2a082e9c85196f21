"""A suite's own normalisers and invariants: handed to the grader, and what stands in for them when the suite is not at hand.

Whatever an own normaliser makes of a value is remembered in the manifest, so that a stored run is judged again without the suite. An own
invariant looks at a whole trace and cannot be remembered: without the suite its answer is undetermined, and says what to do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

import msgspec
from msgspec import UNSET, Raw, UnsetType

from seatrial.base.canonical import canonical
from seatrial.grade.safety import Findings, WatchedTrial
from seatrial.records.contract import ToolSpec
from seatrial.records.manifest import NormalForm
from seatrial.records.task import Task
from seatrial.suite.scope import plug_ins

NEEDS_SUITE = "needs the suite: seatrial regrade RUN --suite FOLDER"
"""Why a question stays open when a suite's own function is not at hand."""
Function = Callable[[object], object]


class FunctionMissingError(Exception):
    """A suite's own normaliser is not at hand, and what it makes of a value is not remembered."""


class NormalForms:
    """Normal forms by a suite's own normalisers: made by its functions, or remembered from when they were at hand.

    Args:
        functions: Name → function, as far as they are at hand.
        known: What they made of values before.
    """

    def __init__(self, functions: Mapping[str, Function], known: Iterable[NormalForm] = ()) -> None:
        self._functions = functions
        self._known: dict[tuple[str, bytes], Raw | UnsetType] = {}
        self.missing = False
        """Whether a form was asked for that is neither remembered nor can be made."""
        self.learn(known)

    def __len__(self) -> int:
        """How many are known."""
        return len(self._known)

    def learn(self, known: Iterable[NormalForm]) -> None:
        """Remember further forms."""
        self._known.update({(one.normaliser, bytes(one.value)): one.form for one in known})

    def all(self) -> tuple[NormalForm, ...]:
        """Return all that are known, sorted, as a manifest holds them."""
        return tuple(NormalForm(name, Raw(value), form) for (name, value), form in sorted(self._known.items(), key=lambda item: item[0]))

    def of(self, name: str, value: object) -> object:
        """Return the normal form of a value.

        Args:
            name: Name of the normaliser.
            value: JSON data.

        Raises:
            ValueError: The normaliser cannot read the value.
            FunctionMissingError: It is not at hand.
        """
        key = (name, canonical(value))
        if key not in self._known:
            self._known[key] = self._made(name, value)
        form = self._known[key]
        if form is UNSET:
            raise ValueError(f"the suite's own normaliser {name!r} cannot read {str(value)[:80]!r}")
        return msgspec.json.decode(form)

    def functions(self, names: Iterable[str]) -> dict[str, Function]:
        """Return name → function for some normalisers, at hand or not."""
        return {name: partial(self.of, name) for name in names}

    def unanswered(self, trial: WatchedTrial, **_: object) -> Findings:  # noqa: ARG002 - every rule is called alike
        """Stand in for an own invariant whose suite is not at hand: nothing is known, and no reviewer can settle what no rule has said.

        Raises:
            FunctionMissingError: Always.
        """
        self.missing = True
        raise FunctionMissingError(NEEDS_SUITE)

    def _made(self, name: str, value: object) -> Raw | UnsetType:
        if name not in self._functions:
            self.missing = True
            raise FunctionMissingError(NEEDS_SUITE)
        try:
            return Raw(canonical(self._functions[name](value)))
        except (Exception, SystemExit):  # noqa: BLE001 - a suite's own function meets whatever an agent wrote
            return UNSET


def own_normalisers(tasks: Iterable[Task], tools: Iterable[ToolSpec]) -> frozenset[str]:
    """Return the names of the normalisers that tasks and tools use and that only their suite has."""
    named = {name for tool in tools for name in tool.normalisers.values()}
    return frozenset(named.union(*(_named_by(task) for task in tasks))) - plug_ins("normaliser")


def own_invariants(tasks: Iterable[Task]) -> frozenset[str]:
    """Return the names of the invariants that tasks name and that only their suite has."""
    return frozenset(spec.rule for task in tasks for spec in task.contract.invariants) - plug_ins("invariant")


def _named_by(task: Task) -> Iterator[str]:
    for way in task.contract.ways:
        for required in way.process.required if way.process is not None else ():
            yield from required.normalise.values()
        yield from way.outcome.normalise.values() if way.outcome is not None else ()
