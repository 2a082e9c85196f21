"""Who may speak where: the report has standard output to itself, and a reader who goes away ends nothing."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator
from typing import TextIO

import click

from seatrial.report._plain import plain


def say(text: str | bytes, *, drawn: bool = False) -> None:
    """Print on standard output; when nobody reads it any more, say nothing further and go on.

    Args:
        text: What is said; words from outside in it that a terminal could obey are written out. Bytes are for a program, and stay.
        drawn: Whether a renderer drew it, which has written them out already and may have coloured the rest.

    Raises:
        OSError: It cannot be written, for example because the disk is full.
    """
    try:
        click.echo(text if drawn or isinstance(text, bytes) else plain(text, lines=True))
    except BrokenPipeError:
        hush(sys.stdout)
    except OSError as error:
        hush(sys.stdout)
        raise OSError(error.errno, error.strerror, "standard output") from error


def tell(text: str) -> None:
    """Print on standard error, words from outside written out; when that is not possible, go on without."""
    try:
        click.echo(plain(text, lines=True), err=True)
    except OSError:
        hush(sys.stderr)


def hush(stream: TextIO) -> None:
    """Point a stream to nowhere."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def own_voice() -> TextIO:
    """Return a stream to standard output that keeps leading there while `others_on_stderr` holds; the caller closes it."""
    try:
        return open(os.dup(sys.stdout.fileno()), "w", encoding=sys.stdout.encoding, errors="replace")  # noqa: PTH123 - of a descriptor
    except (OSError, ValueError):
        return io.StringIO()


@contextlib.contextmanager
def others_on_stderr() -> Iterator[None]:
    """Send what agents and tools print to standard error, and give them nothing to read, while the block lasts."""
    with contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.redirect_stdout(sys.stderr))
        stack.enter_context(_moved(1, 2))
        stack.enter_context(_from_nowhere())
        yield


@contextlib.contextmanager
def _moved(descriptor: int, target: int) -> Iterator[None]:
    """Let a file descriptor stand for another one; one that is closed stays closed."""
    try:
        kept = os.dup(descriptor)
    except OSError:
        yield
        return
    try:
        with contextlib.suppress(OSError):
            os.dup2(target, descriptor)
        yield
    finally:
        os.dup2(kept, descriptor)
        os.close(kept)


@contextlib.contextmanager
def _from_nowhere() -> Iterator[None]:
    nowhere = os.open(os.devnull, os.O_RDONLY)
    try:
        with _moved(0, nowhere):
            yield
    finally:
        os.close(nowhere)
