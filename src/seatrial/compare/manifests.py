"""What differs between two manifests: a change of the candidate reruns everything, a change of the suite alone only what it touches.

A change of one part of an agent moves its behaviour on every task: nobody can say which tasks a new prompt leaves alone. A contract hash
covers what a task asks and how it is judged (its input, user, fixture, documents, tools, faults and contract, the suite's defaults,
invariants and aliases included), but not the code of the world, the tools' own specifications, the seed, what is redacted, or the program.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from seatrial.base.canonical import content_hash
from seatrial.base.wording import count
from seatrial.records.changes import ManifestChanges, PartChange, Reach
from seatrial.records.contract import ToolSpec
from seatrial.records.manifest import Candidate, Manifest, PlannedTask

_WIDEST_FIRST: tuple[Reach, ...] = ("everything", "tasks", "nothing")
_CANDIDATE = {
    "name": "another candidate",
    "version": "another version of the agent",
    "agent": "the agent is called in another way",
    "code": "the agent's own files changed",
    "model": "another model is asked",
    "prompt": "the prompt changed",
    "tools": "the agent is given other tools",
    "retrieval": "what the agent looks things up in changed",
    "policy": "the policy documents changed",
    "parameters": "the agent's settings changed",
    "built_on": "it starts from another candidate's output",
}
"""Part of a candidate → what its change means; every one of them reruns everything."""
_WHOLE: Mapping[str, str] = {
    "suite": "another suite",
    "world": "the code or the schema of the world changed, and its functions judge every task",
    "seed": "every draw of chance is another",
    "source": "the traces come from elsewhere",
    "redaction": "values have other pseudonyms",
    "redacts": "other values are replaced before anything is written",
    "seatrial": "another version of the program ran the trials",
}
"""Further field of a manifest that reruns everything → why."""
_OPINION: Mapping[str, str] = {
    "suite_hash": "files of the suite changed; what that reaches is listed apart",
    "suite_version": "a name of the suite, which decides nothing",
    "partial": "a run of a part of the suite tells nothing of the rest, and no gate passes it",
    "headline_k": "the same trials are reported with another k",
    "gate": "the same trials are decided by another policy: seatrial gate",
    "risks": "the list of risks is another way to read the same verdicts",
    "business": "the same trials come to other money",
    "proof": "what was known of the suite's checks",
    "baseline": "the same trials are held against another run",
    "stubs_checked": "when the stubs were last held against production",
    "holdout": "another holdout was given; what that reaches is listed apart",
}
"""Field of a manifest whose change needs no trial → why."""


def manifest_changes(before: Manifest, after: Manifest) -> ManifestChanges:
    """Return what differs between two manifests, and which tasks of the later one must run again.

    Args:
        before: Of the earlier run.
        after: Of the later run, or of one that is planned; its tasks are those that may have to run.
    """
    found = [*_of_candidate(before.candidate, after.candidate), *_of_run(before, after), *_of_plan(before.plan, after.plan)]
    changes = tuple(sorted(found, key=lambda change: _WIDEST_FIRST.index(change.reach)))
    reach = changes[0].reach if changes else "nothing"
    touched = {name for change in changes if change.reach == "tasks" for name in change.names}
    rerun = tuple(one.task for one in after.plan if reach == "everything" or one.task in touched)
    return ManifestChanges(changes, reach, rerun, _sentence(reach, changes, rerun, len(after.plan)))


def _of_candidate(before: Candidate, after: Candidate) -> Iterator[PartChange]:
    for field, why in _CANDIDATE.items():
        old, new = _shown(getattr(before, field)), _shown(getattr(after, field))
        if old != new:
            yield PartChange("candidate" if field == "name" else field.replace("_", " "), old, new, "everything", why)


def _of_run(before: Manifest, after: Manifest) -> Iterator[PartChange]:
    tables: tuple[tuple[Mapping[str, str], Reach], ...] = ((_WHOLE, "everything"), (_OPINION, "nothing"))
    for fields, reach in tables:
        for field, why in fields.items():
            old, new = _shown(getattr(before, field)), _shown(getattr(after, field))
            if old != new:
                yield PartChange(field.replace("_", " "), old, new, reach, why)
    yield from _named("tools of the world", _hashes(before.tools), _hashes(after.tools), "the tools that the world offers changed")
    yield from _named("documents", before.documents, after.documents, "the texts that the agent is given changed")


def _named(part: str, before: Mapping[str, str], after: Mapping[str, str], why: str) -> Iterator[PartChange]:
    """Yield one change of a part whose pieces have names."""
    names = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    if names:
        yield PartChange(part, content_hash(dict(before)), content_hash(dict(after)), "everything", why, tuple(names))


def _hashes(tools: Sequence[ToolSpec]) -> dict[str, str]:
    return {tool.name: content_hash(tool) for tool in tools}


def _of_plan(before: Sequence[PlannedTask], after: Sequence[PlannedTask]) -> Iterator[PartChange]:
    old, new = {one.task: one for one in before}, {one.task: one for one in after}
    shared = [task for task in new if task in old]
    other = [task for task in shared if old[task].contract != new[task].contract]
    groups: tuple[tuple[str, list[str], Reach, str], ...] = (
        ("tasks added", [task for task in new if task not in old], "tasks", "the earlier run did not plan them"),
        ("tasks changed", other, "tasks", "they ask, expect or start from something else"),
        ("more trials", [task for task in shared if old[task].trials < new[task].trials], "tasks", "more trials are planned than ran"),
        ("fewer trials", [task for task in shared if old[task].trials > new[task].trials], "nothing", "fewer trials are planned than ran"),
        ("tasks removed", [task for task in old if task not in new], "nothing", "nothing is left to run"),
    )
    for part, names, reach, why in groups:
        if names:
            yield PartChange(part, "", "", reach, why, tuple(names))


def _sentence(reach: Reach, changes: Sequence[PartChange], rerun: Sequence[str], planned: int) -> str:
    """Return what to run again, and why."""
    if not changes:
        return "Nothing differs: the runs were made of the same"
    if reach == "everything":
        parts = ", ".join(change.part for change in changes if change.reach == "everything")
        return f"Run everything again, for no task is known to be left alone by a change of this kind: {parts}"
    if reach == "tasks":
        return f"Only the suite changed: run {len(rerun):,} of {count(planned, 'task')} again"
    return "No trial need run again: what differs decides how the same trials are read"


def _shown(value: object) -> str:
    """Return a value as it is compared and printed: a text or number as it is, anything else as its hash."""
    if value is None or value in ((), "", {}):
        return ""
    return str(value) if isinstance(value, str | int) else content_hash(value)
