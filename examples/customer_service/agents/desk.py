"""The desk: the tools as an agent uses them, with sending again what failed for the moment."""

RETRIES = 2


class ServiceDown(Exception):
    """A service did not answer, however often it was asked.

    Args:
        tool: Which.
    """

    def __init__(self, tool):
        super().__init__(f"{tool} does not answer")
        self.tool = tool


class Desk:
    """The tools of one conversation.

    Args:
        tools: The tools that the harness offers.
    """

    def __init__(self, tools):
        self.tools = tools

    def read(self, tool, **arguments):
        """Return the answer of a reading tool; `None`: an error for good. Raises `ServiceDown`."""
        for _ in range(1 + RETRIES):
            observation = self.tools.call(tool, arguments)
            if observation.ok:
                return observation.value
            if not observation.failure.transient:
                return None
        raise ServiceDown(tool)

    def write(self, tool, arguments, is_made):
        """Send a write, and return whether it was made; `None`: it was turned down.

        Args:
            tool: The tool.
            arguments: Its arguments.
            is_made: Looks whether it was made although no answer came.
        """
        for _ in range(1 + RETRIES):
            observation = self.tools.call(tool, arguments)
            if observation.ok:
                return True
            if not observation.failure.transient:
                return None
            if is_made():
                return True
        return False
