"""Every error that seatrial raises on purpose.

SeatrialError
├── UsageError               the command or the call cannot be understood            (exit 2)
│   ├── SuiteError           a suite, a task or a contract is wrong: file, line, value, way out
│   ├── MissingExtra         an optional dependency is not installed
│   └── NothingSelected      the filters leave no trial to run                        (exit 5)
├── RecordError              a stored or foreign record cannot be read                (exit 2)
│   ├── RunFileError         a run file is truncated, foreign, locked or cannot be written
│   ├── LedgerError          the ledger of a holdout was changed, or cannot be written
│   └── ForeignFormatError   an imported file does not have the format it claims
├── WorldError               a world cannot be made or read                           (infra_error)
├── AgentError               the agent raised or misused its tools                    (agent_error)
├── BudgetExceeded           a ceiling would be crossed by the next call              (budget_exceeded)
├── SimulatorError           the simulated user broke                                 (simulator_error)
└── InfrastructureError      the machinery broke: says nothing about the agent        (infra_error)
"""

from __future__ import annotations


class SeatrialError(Exception):
    """Base of every error raised on purpose; its text is safe to print."""


class UsageError(SeatrialError):
    """The command or the call cannot be understood."""


class SuiteError(UsageError):
    """A suite, a task or a contract is wrong.

    Args:
        message: What is wrong, with the value and what was expected.
        file: The file it stands in, `None` when it came from Python.
        line: The line (1-based), `None` when unknown.
        nearest: The nearest right name, `None` when there is none.
    """

    def __init__(self, message: str, *, file: str | None = None, line: int | None = None, nearest: str | None = None) -> None:
        self.message, self.file, self.line, self.nearest = message, file, line, nearest
        place = f"{file}:{line}: " if file and line else f"{file}: " if file else ""
        hint = f" Did you mean {nearest!r}?" if nearest else ""
        super().__init__(f"{place}{message}{hint}")


class MissingExtra(UsageError):
    """An optional dependency is not installed.

    Args:
        package: The import that failed.
        extra: The extra of seatrial that brings it.
    """

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"{package!r} is not installed. It comes with the extra {extra!r}: pip install 'seatrial[{extra}]'")


class NothingSelected(UsageError):
    """The filters leave no trial to run."""


class RecordError(SeatrialError):
    """A stored or foreign record cannot be read."""


class RunFileError(RecordError):
    """A run file is truncated, foreign, locked or cannot be written."""


class LedgerError(RecordError):
    """The ledger of a holdout was changed, or cannot be written."""


class ForeignFormatError(RecordError):
    """An imported file does not have the format it claims."""


class WorldError(SeatrialError):
    """A world cannot be made or read."""


class AgentError(SeatrialError):
    """The agent raised or misused its tools."""


class BudgetExceeded(SeatrialError):
    """A ceiling would be crossed by the next call.

    Args:
        ceiling: Which ceiling: `calls`, `tokens`, `usd` or `seconds`.
        limit: The ceiling's value.
        used: What was used before the refused call.
    """

    def __init__(self, ceiling: str, limit: float, used: float) -> None:
        self.ceiling, self.limit, self.used = ceiling, limit, used
        unit = ceiling.removesuffix("s") if limit == 1 else ceiling
        super().__init__(f"the budget of {limit:g} {unit} is used up ({used:g} used)")


class SimulatorError(SeatrialError):
    """The simulated user broke."""


class InfrastructureError(SeatrialError):
    """The machinery broke; this says nothing about the agent."""
