"""Mutants of reference paths: ways that are wrong by one thing, so that a contract can show that it notices.

Start with `subject` (the right way that is spoiled) and `mutant` (what comes of it); `mutants/` holds one way to spoil a file. Nothing
here judges: `app.proving` plays the mutants in the real world and lets the graders have their say.
"""

from seatrial.prove.mutant import Mutant
from seatrial.prove.player import PathPlayer
from seatrial.prove.subject import Subject, subject_of
from seatrial.prove.transcript import written_into

__all__ = ["Mutant", "PathPlayer", "Subject", "subject_of", "written_into"]
