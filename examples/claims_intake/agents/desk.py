"""The desk: the tools as a clerk uses them, with sending again, looking before resending, and knowing what is missing."""

from .habits import Habits

_NEEDED = {
    "policy_lookup": ("policy_id", "holder", "claims"),
    "policy_search": ("matches",),
    "coverage_rules": ("in_force", "covered", "high_value_from", "exclusions"),
    "fraud_flags": ("flags",),
    "ask_claimant": ("about",),
    "route": ("status",),
    "escalate": ("status",),
}


class ServiceDown(Exception):
    """A service did not answer, however often it was asked.

    Args:
        tool: Which.
    """

    def __init__(self, tool):
        super().__init__(f"{tool} does not answer")
        self.tool = tool


class Desk:
    """The tools of one piece of work.

    Args:
        tools: The tools that the harness offers.
        habits: How the clerk works.
        chance: The agent's source of chance.
    """

    def __init__(self, tools, habits: Habits, chance):
        self.tools, self.habits, self.chance = tools, habits, chance

    def read(self, tool, **arguments):
        """Return the answer of a reading tool; `None`: a permanent error. Raises `ServiceDown`."""
        observation = self.tools.call(tool, arguments)
        if self.chance.random() < self.habits.doubles:
            observation = self.tools.call(tool, arguments)
        return self._settled(tool, arguments, observation)

    def read_together(self, calls):
        """Return the answers of independent reading tools that were sent in one message."""
        observations = self.tools.together(calls)
        return [self._settled(tool, arguments, observation) for (tool, arguments), observation in zip(calls, observations, strict=True)]

    def _settled(self, tool, arguments, observation):
        for _ in range(self.habits.retries):
            if _usable(tool, observation) or not _temporary(observation):
                break
            observation = self.tools.call(tool, arguments)
        if _usable(tool, observation):
            return observation.value
        if _temporary(observation):
            raise ServiceDown(tool)
        return None

    def write(self, tool, done, **arguments):
        """Send a write; when its answer does not arrive, send it again only if it was not done.

        Args:
            tool: The tool.
            done: Looks whether it was done all the same.
            arguments: Its arguments.
        """
        observation = self.tools.call(tool, arguments)
        for _ in range(self.habits.retries):
            if _usable(tool, observation) or not _temporary(observation):
                return
            if self.habits.looks_before_resending and done():
                return
            observation = self.tools.call(tool, arguments)


def _usable(tool, observation):
    return observation.ok and isinstance(observation.value, dict) and all(key in observation.value for key in _NEEDED[tool])


def _temporary(observation):
    # An answer that came without its content can be asked for again, like one that did not come.
    return observation.ok or bool(observation.failure and observation.failure.transient)
