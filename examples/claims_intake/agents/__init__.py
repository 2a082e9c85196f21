"""Six intake agents for Harbourline. They are programs, not tables: each reads the notice, works with the tools, and can be wrong.

| agent | what it is |
|---|---|
| `baseline` | in production today: keeps every rule, reads plain notices well and long-winded ones less well |
| `candidate` | the next release: reads better – and has got used to the terms of burst-pipe claims, so that it no longer looks them up |
| `restored` | the candidate with the coverage check put back: reads as well, and looks up the terms of every claim |
| `careful` | what a good clerk does |
| `hasty` | searches where it should look up, asks twice, believes what it reads, fills in what is missing |
| `flaky` | a good clerk nine times in ten |

Run one with `seatrial run examples/claims_intake --agent agents:baseline`.
"""

from .clerk import Clerk
from .habits import BASELINE, CANDIDATE, CAREFUL, FLAKY, HASTY, RESTORED

__all__ = ["baseline", "candidate", "careful", "flaky", "hasty", "restored"]


def baseline(task, tools, _user):
    """Handle one notice as the agent in production does."""
    return Clerk(task, tools, BASELINE).work()


def candidate(task, tools, _user):
    """Handle one notice as the release candidate does."""
    return Clerk(task, tools, CANDIDATE).work()


def restored(task, tools, _user):
    """Handle one notice as the release candidate does that looks up the terms of every claim again."""
    return Clerk(task, tools, RESTORED).work()


def careful(task, tools, _user):
    """Handle one notice as a careful clerk does."""
    return Clerk(task, tools, CAREFUL).work()


def hasty(task, tools, _user):
    """Handle one notice in a hurry."""
    return Clerk(task, tools, HASTY).work()


def flaky(task, tools, _user):
    """Handle one notice well, most of the time."""
    return Clerk(task, tools, FLAKY).work()
