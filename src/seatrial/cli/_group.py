"""The group of verbs: a verb is a file in this folder, imported when it is used; errors become exit codes here."""

from __future__ import annotations

import contextlib
import importlib
import pkgutil
import sys
from pathlib import Path
from typing import TextIO

import click

from seatrial import __version__
from seatrial.base.errors import InfrastructureError, NothingSelected, SeatrialError
from seatrial.cli._exit import INFRASTRUCTURE, INTERRUPTED, NOTHING_SELECTED, PASS, USAGE
from seatrial.cli._speech import hush, tell

EPILOG = "Exit codes: 0 pass, 1 failed, 2 usage, 3 infrastructure, 4 inconclusive, 5 nothing selected, 130 interrupted."


class Verbs(click.Group):
    """A group whose commands are the public files of this folder."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the verbs in alphabetical order."""
        folder = str(Path(__file__).parent)
        return sorted(_verb(module.name) for module in pkgutil.iter_modules([folder]) if not module.name.startswith("_"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a verb's file and return its command."""
        if cmd_name not in self.list_commands(ctx):
            return None
        name = "import_" if cmd_name == "import" else cmd_name.replace("-", "_")
        return importlib.import_module(f"seatrial.cli.{name}").command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """Name the nearest verb when a verb is unknown."""
        if args and not args[0].startswith("-") and args[0] not in self.list_commands(ctx):
            from seatrial.base.wording import did_you_mean

            ctx.fail(f"there is no verb {args[0]!r}.{did_you_mean(args[0], self.list_commands(ctx))}")
        return super().resolve_command(ctx, args)


def _verb(module: str) -> str:
    """Return how a verb is typed whose file has this name: `import_` is `import`, `diff_manifest` is `diff-manifest`."""
    return module.rstrip("_").replace("_", "-")


@click.command(cls=Verbs, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="seatrial")
def program() -> None:
    """Put agents to sea: right end state, by an allowed path, without breaking a rule, within budget - every time."""


def run(arguments: list[str] | None) -> int:
    """Run the program and return its exit code."""
    try:
        result = program.main(args=arguments, prog_name="seatrial", standalone_mode=False)
    except (click.ClickException, click.Abort, click.exceptions.Exit, KeyboardInterrupt, SeatrialError, OSError) as error:
        return _told(error)
    except SystemExit:
        # Only the code of a suite or an agent leaves like that; whatever code it chose, the verb has not come to its end.
        return _told(InfrastructureError("code of the suite, or of an agent, ended the program (SystemExit)"))
    finally:
        _finish()
    return result if isinstance(result, int) else PASS


def _told(error: BaseException) -> int:
    """Tell a person what went wrong, in one line, and return the exit code."""
    match error:
        case click.exceptions.Exit():
            return error.exit_code
        case click.ClickException():
            with contextlib.suppress(OSError):
                error.show()
            return USAGE
        case SeatrialError():
            tell(f"seatrial: {str(error).replace(chr(10), ' ')}")
            return _code(error)
        case BrokenPipeError():
            return PASS  # the reader went away, for example `| head`; nothing is left to say
        case OSError():
            tell(f"seatrial: {error.filename or 'a file'}: {error.strerror or error}")
            return USAGE
    return INTERRUPTED


def _finish() -> None:
    """Write out what is still held back, so that the interpreter has nothing to complain about."""
    out: TextIO | None = sys.stdout
    if out is None:
        return  # whoever started the program closed it
    try:
        out.flush()
    except (OSError, ValueError):
        hush(out)


def _code(error: SeatrialError) -> int:
    if isinstance(error, NothingSelected):
        return NOTHING_SELECTED
    return INFRASTRUCTURE if isinstance(error, InfrastructureError) else USAGE
