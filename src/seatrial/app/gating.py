"""Decide whether a run may ship: gather the evidence, ask the policy, seal what comes out."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from msgspec import Raw, structs

from seatrial.app import holdout as ledgers
from seatrial.app.baselines import baseline_warnings, find_baseline
from seatrial.app.cross_checks import check_gate
from seatrial.app.reporting import evidence_of
from seatrial.app.sealing import hashes_of, seal
from seatrial.app.signing import counting
from seatrial.base.clock import Clock, SystemClock
from seatrial.base.errors import SuiteError
from seatrial.compare import compare
from seatrial.gate import Evidence, decide, read_policy
from seatrial.records.comparison import Comparison
from seatrial.records.decision import Decision, SealedDecision
from seatrial.records.manifest import Manifest
from seatrial.records.summary import RunSummary
from seatrial.store import RunFile
from seatrial.suite.header import read_gate
from seatrial.suite.yaml_source import read_yaml


@dataclass(frozen=True)
class GateOptions:
    """What a decision is asked for with.

    Args:
        baseline: The run that the candidate is held against; `None`: the one that was pinned when the run was planned.
        policy: File of the policy; `None`: the policy of the run's own suite.
        holdout: Folder of the holdout, in whose ledger the look is entered; `None`: none is entered.
        by: Who looks at the holdout; empty: the name that the system knows the user by.
        reveal: Whether the holdout's tasks are named.
    """

    baseline: Path | None = None
    policy: Path | None = None
    holdout: Path | None = None
    by: str = ""
    reveal: bool = False


@dataclass(frozen=True)
class Gated:
    """A decision with what it rests on.

    Args:
        sealed: The decision with the hashes of everything that it was computed from.
        summary: The run's summary, the decision in it.
        comparison: The run held against its baseline; `None`: there is none.
    """

    sealed: SealedDecision
    summary: RunSummary
    comparison: Comparison | None

    @property
    def decision(self) -> Decision:
        """The decision."""
        return self.sealed.decision


def gate(run: Path, options: GateOptions | None = None, *, clock: Clock | None = None) -> Gated:
    """Decide on a run, enter the look at its holdout, and seal the decision.

    Args:
        run: The run file.
        options: Baseline, policy and holdout; `None`: those that the run's own manifest names.
        clock: Says which day it is; `None`: the machine's.

    Raises:
        RunFileError: A run file cannot be read.
        UsageError: The policy names a rule that is not installed, or the holdout is not the run's.
        SuiteError: The policy file cannot be read.
        LedgerError: The holdout's ledger was changed or cannot be written: nothing was decided.
    """
    options, now = options or GateOptions(), (clock or SystemClock()).now()
    if options.holdout is not None:
        ledgers.ready(options.holdout, run)
    manifest = _manifest(run)
    policy = manifest.gate if options.policy is None else policy_of_file(options.policy)
    baseline = options.baseline or _pinned(manifest, run)
    evidence = _evidence(run, baseline, today=now[:10], looked_up=options.holdout is not None, reveal=options.reveal)
    decision = decide(evidence, read_policy(policy))
    ledger = _entered(options, run, now, decision)
    decision = structs.replace(decision, warnings=(*decision.warnings, *ledger))
    sealed = seal(
        decision,
        run,
        policy=policy,
        today=now[:10],
        baseline=baseline,
        looked_up=options.holdout is not None,
        ledger=ledger,
        revealed=options.reveal,
    )
    return Gated(sealed, structs.replace(evidence.summary, decision=decision), evidence.comparison)


def decide_again(sealed: SealedDecision, run: Path, baseline: Path | None) -> Decision:
    """Return the decision that comes out of files now, by the policy and on the day of a sealed one.

    Args:
        sealed: The sealed decision.
        run: The run file.
        baseline: The baseline's run file; `None`: there was none.

    Raises:
        RunFileError: A run file cannot be read.
        UsageError: The policy names a rule that is not installed.
    """
    evidence = _evidence(run, baseline, today=sealed.today, looked_up=sealed.looked_up, reveal=sealed.revealed)
    decision = decide(evidence, read_policy(sealed.policy))
    return structs.replace(decision, warnings=(*decision.warnings, *sealed.ledger))


def policy_of_file(path: Path) -> Raw:
    """Return the policy that a YAML file holds, as canonical JSON.

    Args:
        path: A mapping of rules to their arguments, as `gate:` of a suite.

    Raises:
        SuiteError: It cannot be read, is no such mapping, or names a rule or an argument that there is not; file and line are in its text.
    """
    documents = read_yaml(path)
    if len(documents) != 1:
        what = "nothing" if not documents else f"{len(documents)} documents"
        raise SuiteError(f"a policy is one mapping of rules to their arguments, and the file holds {what}", file=str(path))
    policy = read_gate(documents[0])
    check_gate(documents[0])
    return policy


def _manifest(run: Path) -> Manifest:
    with RunFile.open(run) as file:
        return file.manifest


def _pinned(manifest: Manifest, run: Path) -> Path | None:
    """Return the file of the baseline that was pinned when the run was planned; `None`: none was, or it is not there."""
    return None if manifest.baseline is None else find_baseline(manifest.baseline, run)


def _evidence(run: Path, baseline: Path | None, *, today: str, looked_up: bool, reveal: bool = False) -> Evidence:
    """Return everything that the rules may read of a run and its baseline."""
    with RunFile.open(run) as file:
        evidence = structs.replace(evidence_of(file, reveal=reveal), today=today, looked_up=looked_up)
        manifest, signatures, hashes = file.manifest, file.signatures(), file.content_hashes()
    warnings = [ledgers.standing_open(evidence.summary)]
    if baseline is not None:
        against = hashes_of(baseline).content
        evidence = _against(evidence, run, baseline, reveal=reveal)
        evidence = structs.replace(evidence, baseline_hash=against, signatures=counting(signatures, hashes, against))
        warnings += _of_baseline(evidence, manifest)
    elif manifest.baseline is not None:
        warnings.append(f"The pinned baseline {manifest.baseline.run} is not there: say where it is with --baseline RUN.")
    return structs.replace(evidence, warnings=tuple(dict.fromkeys(filter(None, warnings))))


def _against(evidence: Evidence, run: Path, baseline: Path, *, reveal: bool) -> Evidence:
    """Return evidence with a baseline: its summaries, and the comparison of all shared tasks."""
    with RunFile.open(baseline) as file:
        before = evidence_of(file, reveal=reveal)
    found = compare(before.summary, evidence.summary, runs=(str(baseline), str(run)))
    return structs.replace(evidence, baseline=before.summary, holdout_baseline=before.holdout, dev_baseline=before.dev, comparison=found)


def _of_baseline(evidence: Evidence, manifest: Manifest) -> tuple[str, ...]:
    """Return what is odd about the baseline and the comparison with it, one sentence each."""
    comparison = evidence.comparison.warnings if evidence.comparison is not None else ()
    if manifest.baseline is None or evidence.baseline is None:
        return comparison
    pinned = baseline_warnings(
        manifest.baseline,
        baseline_hash=evidence.baseline_hash,
        baseline_models=evidence.baseline.models,
        models=evidence.summary.models,
        today=evidence.today,
    )
    return (*pinned, *comparison)


def _entered(options: GateOptions, run: Path, now: str, decision: Decision) -> tuple[str, ...]:
    """Enter the look at the holdout, and return what its ledger warns of."""
    if options.holdout is None:
        return ()
    return ledgers.look(options.holdout, run, door="gate", by=options.by, at=now, decision=decision.value).warnings
