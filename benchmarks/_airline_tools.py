"""Small tools of our own over the airline records, for replaying the recorded *access pattern*: who is looked up, searched,
changed. They are not τ-bench's tools: they check no rule and compute no price, so their answers are not compared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Data = Any
"""The three collections, as nested dicts: plain, or ours."""


def find_direct(data: Data, arguments: Mapping[str, Any]) -> list[dict]:
    """Search all flights for one route and day."""
    return _legs(data, arguments["date"], lambda flight: flight["destination"] == arguments["destination"], arguments["origin"])


def find_onestop(data: Data, arguments: Mapping[str, Any]) -> list[list[dict]]:
    """Search all flights for two legs of one day."""
    first = _legs(data, arguments["date"], lambda _flight: True, arguments["origin"])
    second = _legs(data, arguments["date"], lambda flight: flight["destination"] == arguments["destination"], None)
    return [[one, other] for one in first for other in second if one["destination"] == other["origin"]]


def book(data: Data, arguments: Mapping[str, Any]) -> dict:
    """Add a reservation and take its seats."""
    key = arguments["reservation_id"]
    data["reservations"][key] = {**arguments, "payment_history": list(arguments["payment_methods"]), "created_at": "2024-05-15T15:00:00"}
    _take_seats(data, arguments.get("flights", ()), arguments.get("cabin"), len(arguments.get("passengers", ())))
    person = data["users"].get(arguments["user_id"])
    if person is not None:
        person["reservations"].append(key)
    return data["reservations"][key]


def cancel(data: Data, arguments: Mapping[str, Any]) -> dict:
    """Mark a reservation and pay back what was paid."""
    found = data["reservations"][arguments["reservation_id"]]
    found["payment_history"].extend([{**payment, "amount": -payment["amount"]} for payment in list(found["payment_history"])])
    found["status"] = "cancelled"
    return found


def update(data: Data, arguments: Mapping[str, Any]) -> dict:
    """Write the given fields into a reservation and note the payment."""
    found = data["reservations"][arguments["reservation_id"]]
    found.update({name: value for name, value in arguments.items() if name not in {"reservation_id", "payment_id"}})
    if "payment_id" in arguments:
        found["payment_history"].append({"payment_id": arguments["payment_id"], "amount": 0})
    return found


def give_certificate(data: Data, arguments: Mapping[str, Any]) -> dict:
    """Add a means of payment to a person."""
    methods = data["users"][arguments["user_id"]]["payment_methods"]
    methods[f"certificate_{len(methods)}"] = {"source": "certificate", "amount": arguments.get("amount", 0)}
    return methods


def nothing(_data: Data, _arguments: Mapping[str, Any]) -> str:
    """Touch no record."""
    return ""


TOOLS: dict[str, Callable[[Data, Mapping[str, Any]], object]] = {
    "get_user_details": lambda data, arguments: data["users"][arguments["user_id"]],
    "get_reservation_details": lambda data, arguments: data["reservations"][arguments["reservation_id"]],
    "search_direct_flight": find_direct,
    "search_onestop_flight": find_onestop,
    "book_reservation": book,
    "cancel_reservation": cancel,
    "update_reservation_flights": update,
    "update_reservation_baggages": update,
    "update_reservation_passengers": update,
    "send_certificate": give_certificate,
    "calculate": nothing,
    "think": nothing,
    "transfer_to_human_agents": nothing,
    "list_all_airports": lambda data, _arguments: sorted({flight["origin"] for flight in data["flights"].values()}),
}
"""Name of a recorded tool → what touches the same records."""


def _legs(data: Data, date: str, fits: Callable[[Any], bool], origin: str | None) -> list[dict]:
    found = []
    for flight in data["flights"].values():
        if (origin is None or flight["origin"] == origin) and fits(flight):
            day = flight["dates"].get(date)
            if day is not None and day["status"] == "available":
                found.append({**{name: flight[name] for name in flight if name != "dates"}, **day})
    return found


def _take_seats(data: Data, legs: Any, cabin: str | None, seats: int) -> None:
    for leg in legs:
        day = data["flights"].get(leg["flight_number"], {}).get("dates", {}).get(leg["date"], {})
        if "available_seats" in day:
            day["available_seats"][cabin] -= seats
