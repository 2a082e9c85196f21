"""seatrial puts agents to sea: right end state, by an allowed path, without breaking a rule, within budget – every time."""

__version__ = "0.1.0"
