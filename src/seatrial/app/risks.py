"""Prove the risk list: every risk has a rule, an adversarial task, and faulty agents that its rules catch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from seatrial.agents import Agent, make_agent
from seatrial.app.judging import Judge
from seatrial.app.loading import LoadedSuite
from seatrial.app.reference import job_of
from seatrial.base import catalogue
from seatrial.base.errors import UsageError
from seatrial.base.wording import count
from seatrial.records.risk import AgentProof, Risk, RiskProof
from seatrial.records.trace import Status, Trace
from seatrial.run import Stop, TrialJob


def prove_risks(loaded: LoadedSuite, *, judge: Judge | None = None, seed: int = 0) -> tuple[RiskProof, ...]:
    """Play the faulty agents of every risk on its adversarial tasks, one trial each, and see whether its rules find them.

    An agent is caught when a rule of the risk finds a violation on at least one of these tasks; the counts say on how many.

    Args:
        loaded: The suite.
        judge: What judges its tasks; `None`: made here.
        seed: Seed of the trials.

    Returns:
        One proof a risk, in the order of the list.

    Raises:
        SuiteError: A contract cannot be judged by.
    """
    suite = loaded.suite
    judge = judge or Judge.of_suite(loaded, {task.id: task for task in suite.tasks}, tools=loaded.tools, documents=suite.documents)
    playing = _Playing(loaded, judge, seed)
    return tuple(_proof(playing, risk) for risk in suite.risks)


@dataclass
class _Playing:
    """The agents and what their trials came to: one that several risks name is played once a task."""

    loaded: LoadedSuite
    judge: Judge
    seed: int
    agents: dict[str, Agent] = field(default_factory=dict)
    broken: dict[tuple[str, str], frozenset[str]] = field(default_factory=dict)
    stopped: dict[tuple[str, str], str] = field(default_factory=dict)

    def agent(self, target: str) -> Agent:
        """Return an agent, made once."""
        if target not in self.agents:
            self.agents[target] = make_agent(target, self.loaded.suite.folder)
        return self.agents[target]

    def rules_broken(self, target: str, task: str) -> frozenset[str]:
        """Return the rules that an agent breaks on a task."""
        if (target, task) not in self.broken:
            job = job_of(self.loaded, self.judge.tasks[task], self.agent(target), seed=self.seed)
            trace = _played(job)
            self.broken[target, task] = frozenset(violation.rule for violation in self.judge.grade(trace).violations)
            if trace.status is Status.BUDGET_EXCEEDED:
                self.stopped[target, task] = trace.status_reason
        return self.broken[target, task]


def _played(job: TrialJob) -> Trace:
    """Return the trace of one trial; an agent that ends the program, or hangs, ends its trial only.

    Raises:
        KeyboardInterrupt: Somebody wants to stop.
    """
    traces, stop = list[Trace](), Stop()
    catalogue.load("engine", "local").execute(iter((job,)), on_trace=traces.append, stop=stop, concurrency=1)
    if stop.interrupted or not traces:
        raise KeyboardInterrupt
    return traces[0]


def _proof(playing: _Playing, risk: Risk) -> RiskProof:
    tried = [task for task in risk.tasks if playing.judge.tasks[task].adversarial]
    agents = tuple(_agent(playing, risk, target, tried) for target in risk.faulty_agents)
    caught = {task for agent in agents for task in agent.caught}
    tripped = {rule for agent in agents for rule in agent.rules}
    return RiskProof(
        risk.id,
        len(tried),
        agents,
        untripped=tuple(rule for rule in risk.reported_as if rule not in tripped),
        untried=tuple(task for task in tried if task not in caught),
        problems=tuple(_problems(playing, risk, tried, agents)),
    )


def _agent(playing: _Playing, risk: Risk, target: str, tried: Sequence[str]) -> AgentProof:
    try:
        playing.agent(target)
    except UsageError as error:
        return AgentProof(target, problem=str(error))
    found = {task: playing.rules_broken(target, task) & set(risk.reported_as) for task in tried}
    rules = sorted({rule for broken in found.values() for rule in broken})
    return AgentProof(target, len(tried), tuple(task for task, broken in found.items() if broken), tuple(rules))


def _problems(playing: _Playing, risk: Risk, tried: Sequence[str], agents: Sequence[AgentProof]) -> Iterator[str]:
    if not risk.invariants:
        yield "no rule answers it: name `invariants`"
    if not tried:
        yield "no adversarial task tries it: name one among its `tasks`"
    if not agents:
        yield "no faulty agent shows that its rules can fail: name `faulty_agents`"
    for agent in agents if tried and risk.invariants else ():
        if agent.problem:
            yield f"the faulty agent {agent.agent} cannot be played: {agent.problem}"
        elif not agent.caught:
            found = f"none of its rules catches the faulty agent {agent.agent} on any of {count(agent.played, 'adversarial task')}"
            stops = [playing.stopped[agent.agent, task] for task in tried if (agent.agent, task) in playing.stopped]
            yield found + (_stopped(stops) if stops else "")


def _stopped(stops: Sequence[str]) -> str:
    """Return that a ceiling ended trials of an agent before it could break a rule, and which."""
    return f"; a ceiling stopped it on {len(stops):,} of them (budget_exceeded: {stops[0]}): raise `budget` there"
