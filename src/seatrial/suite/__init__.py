"""Suites: folders of tasks, read, checked and written. Start with `load`; `contract` reads what a task expects."""

from seatrial.suite.contract import load_contract
from seatrial.suite.definition import Place, SuiteDefinition
from seatrial.suite.fixtures import FixtureData, read_fixture
from seatrial.suite.load import load_suite
from seatrial.suite.suite import Defaults, Redact, Risk, Suite, Traffic, Trials

__all__ = [
    "Defaults",
    "FixtureData",
    "Place",
    "Redact",
    "Risk",
    "Suite",
    "SuiteDefinition",
    "Traffic",
    "Trials",
    "load_contract",
    "load_suite",
    "read_fixture",
]
