"""Kill -9 a run at random moments, resume it by the same command, and compare it with an unbroken one.

`python -m tests.resume_after_kill [--kills 10] [--seed 0] [--suite examples/claims_intake] [--agent agents:baseline]` prints what it
did and exits 0 when the resumed run has the same traces and the same grades, and no finished trial was ever run twice.
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from seatrial.app.reporting import traces_with_grades
from seatrial.base.errors import RunFileError
from seatrial.records.grade import encode as encode_grade
from seatrial.records.trace import encode
from seatrial.store import RunFile

Stored = dict[tuple[str, int], tuple[bytes, bytes]]
"""Task and trial → trace and grade as bytes."""


@dataclass(frozen=True)
class Killed:
    """What a broken run came to.

    Args:
        kills: How often it was killed while it ran.
        stored: What it holds in the end.
        rewritten: Trials whose trace changed after they were finished.
        lost: Trials that were there after one kill and missing after a later one.
    """

    kills: int
    stored: Stored
    rewritten: tuple[tuple[str, int], ...]
    lost: tuple[tuple[str, int], ...]


def command(suite: Path, agent: str, output: Path, *words: str) -> list[str]:
    """Return the command that runs, and that resumes."""
    return [sys.executable, "-m", "seatrial", "run", str(suite), "--agent", agent, "-o", str(output), *words]


def unbroken(suite: Path, agent: str, output: Path, *words: str) -> tuple[Stored, float]:
    """Run to the end and return what is stored, and the seconds that it took."""
    started = time.monotonic()
    subprocess.run(command(suite, agent, output, *words), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return stored(output), time.monotonic() - started


def broken(suite: Path, agent: str, output: Path, *words: str, kills: int, seconds: float, chance: random.Random) -> Killed:
    """Run and kill, over and over, then run to the end.

    Args:
        suite: The suite.
        agent: The agent.
        output: The run file.
        words: Further options.
        kills: How often to kill.
        seconds: What an unbroken run takes: the moments lie within.
        chance: Chooses the moments.
    """
    rewritten: list[tuple[str, int]] = []
    lost: list[tuple[str, int]] = []
    before: Stored = {}
    done = 0
    while done < kills:
        wait = chance.uniform(0.1, seconds * 0.6)
        done += _killed(command(suite, agent, output, *words), wait)
        after = stored(output)
        rewritten += [key for key, value in before.items() if after.get(key, value)[0] != value[0]]
        lost += sorted(set(before) - set(after))
        print(f"kill {done} after {wait:.2f} s: {len(after)} trials are stored, {len(set(after) - set(before))} of them new")
        if after and len(after) == len(before):
            seconds *= 1.3  # too early to get anything done
        if _is_complete(output, after):
            output.unlink()
            print("  it was complete; begun again from nothing")
            after = {}
        before = after
    final, _ = unbroken(suite, agent, output, *words)
    rewritten += [key for key, value in before.items() if final.get(key, value)[0] != value[0]]
    return Killed(done, final, tuple(rewritten), tuple(lost))


def stored(path: Path) -> Stored:
    """Return every trial of a run file with its grade; a file that was never made holds none."""
    if not path.exists():
        return {}
    with RunFile.open(path) as file:
        return {
            (trace.identity.task, trace.identity.trial): (encode(trace), encode_grade(grade)) for trace, grade in traces_with_grades(file)
        }


def _killed(words: list[str], seconds: float) -> int:
    """Start a command, kill it after a while, and return 1; 0 when it had ended before."""
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
        return 1
    return 0


def _is_complete(path: Path, found: Stored) -> bool:
    if not path.exists():
        return False
    with RunFile.open(path) as file:
        return len(found) == sum(one.trials for one in file.manifest.plan)


def prove(suite: Path, agent: str, *words: str, kills: int, seed: int) -> list[str]:
    """Return what differs between an unbroken run and one that was killed; nothing: they are equal."""
    with tempfile.TemporaryDirectory() as folder:
        whole, seconds = unbroken(suite, agent, Path(folder) / "unbroken.seatrial", *words)
        print(f"unbroken: {len(whole)} trials in {seconds:.1f} s")
        again = broken(suite, agent, Path(folder) / "broken.seatrial", *words, kills=kills, seconds=seconds, chance=random.Random(seed))
    problems = [f"{task}#{trial} was finished and changed" for task, trial in again.rewritten]
    problems += [f"{task}#{trial} was stored and then missing" for task, trial in again.lost]
    problems += [f"{task}#{trial} is missing" for task, trial in sorted(set(whole) - set(again.stored))]
    for key in sorted(set(whole) & set(again.stored)):
        names = ("trace", "grade")
        problems += [
            f"{key[0]}#{key[1]}: another {name}" for name, a, b in zip(names, whole[key], again.stored[key], strict=True) if a != b
        ]
    if not whole:
        problems.append("the unbroken run stored nothing")
    print(f"killed {again.kills} times and resumed: {len(again.stored)} trials, {len(problems)} differences")
    return problems


def main() -> int:
    """Prove it on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--suite", type=Path, default=Path(__file__).parents[1] / "examples" / "claims_intake")
    parser.add_argument("--agent", default="agents:baseline")
    chosen = parser.parse_args()
    try:
        problems = prove(chosen.suite, chosen.agent, kills=chosen.kills, seed=chosen.seed)
    except RunFileError as error:
        problems = [str(error)]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
