"""Nested collections, and one tool so that the suite has one."""

from seatrial import Documents, tool

STATE = Documents()


@tool(effect="read")
def get_user_details(state: dict, user_id: str) -> dict:
    """Look up one person."""
    return state["users"][user_id]
