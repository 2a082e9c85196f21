"""The local engine: one process, one event loop, a bounded number of trials in flight."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator

from seatrial.records.trace import Trace
from seatrial.run._steering import TrialLoop, Watchdog, at_the_helm, stopped_threads_unheard
from seatrial.run.stop import Stop
from seatrial.run.trial import TrialJob, run_trial


def execute(jobs: Iterator[TrialJob], *, on_trace: Callable[[Trace], None], stop: Stop, concurrency: int = 8) -> None:
    """Run trials until the jobs or the reasons to go on run out.

    Args:
        jobs: The trials, taken one by one as places get free.
        on_trace: Called with every finished trace, one at a time; what it raises ends the run.
        stop: Asked before every trial whether to go on.
        concurrency: Trials in flight at once.

    Raises:
        BaseException: What `on_trace` or `jobs` raised; trials in flight are dropped.
    """
    with stopped_threads_unheard(), asyncio.Runner(loop_factory=TrialLoop) as runner:
        runner.run(_execute(jobs, on_trace, stop, max(1, concurrency)))


async def _execute(jobs: Iterator[TrialJob], on_trace: Callable[[Trace], None], stop: Stop, concurrency: int) -> None:
    loop = asyncio.get_running_loop()
    with Watchdog() as watchdog, stop.listening(loop):
        try:
            async with asyncio.TaskGroup() as group:
                stop.kill = _canceller(asyncio.current_task())
                for _ in range(concurrency):
                    group.create_task(_worker(jobs, on_trace, stop, watchdog))
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from None
        except asyncio.CancelledError:
            # The second interrupt: what was in flight is dropped, what was finished is stored.
            return


async def _worker(jobs: Iterator[TrialJob], on_trace: Callable[[Trace], None], stop: Stop, watchdog: Watchdog) -> None:
    while not stop.asked:
        job = next(jobs, None)
        if job is None:
            return
        on_trace(await at_the_helm(lambda job=job: run_trial(job), watchdog, limit=job.timeout))


def _canceller(task: asyncio.Task[None] | None) -> Callable[[], None]:
    """Return a function that cancels a task and all that it waits for."""

    def cancel() -> None:
        if task is not None:
            task.cancel()

    return cancel
