"""Running: the plan, the one-screen trial loop, the engines. Yields traces and never judges.

Start with `trial`.
"""

from seatrial.run._steering import deaf_to_stopped_threads
from seatrial.run.plan import PlannedTrial, Selection, plan_trials, select
from seatrial.run.stop import Stop
from seatrial.run.trial import Follower, TrialJob, as_attempt, run_trial

__all__ = [
    "Follower",
    "PlannedTrial",
    "Selection",
    "Stop",
    "TrialJob",
    "as_attempt",
    "deaf_to_stopped_threads",
    "plan_trials",
    "run_trial",
    "select",
]
