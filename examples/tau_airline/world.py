"""What seatrial must know of the airline desk of τ-bench to judge its recordings: the tools, what each does, and their arguments.

The tools' own code is not here, and no record of the benchmark is: nothing can be run on this world, only judged by it.
"""

# ruff: noqa: ARG001 - nothing is done with the arguments here, they are described
from typing import Literal, NoReturn, TypedDict

from seatrial import Documents, ToolError, tool

STATE = Documents()

Cabin = Literal["basic_economy", "economy", "business"]


class Leg(TypedDict):
    """One flight of a journey on one day."""

    flight_number: str
    date: str


class Passenger(TypedDict):
    """Who flies."""

    first_name: str
    last_name: str
    dob: str


class Payment(TypedDict):
    """One share of a price and what it is paid with."""

    payment_id: str
    amount: int


def _recorded() -> NoReturn:
    raise ToolError("this suite judges recordings; the tools of the benchmark are not part of it", status=501)


@tool(effect="read")
def get_user_details(user_id: str) -> dict:
    """Read a customer's profile: name, birthday, ways to pay, saved passengers, membership, reservations.

    Args:
        user_id: The customer.
    """
    _recorded()


@tool(effect="read", normalise={"reservation_id": "identifier"})
def get_reservation_details(reservation_id: str) -> dict:
    """Read a reservation: its customer, journey, legs, passengers, payments, bags, insurance.

    Args:
        reservation_id: The reservation.
    """
    _recorded()


@tool(effect="read")
def list_all_airports() -> dict:
    """List the airports with their cities."""
    _recorded()


@tool(effect="read", normalise={"date": "date"})
def search_direct_flight(origin: str, destination: str, date: str) -> list:
    """Find flights without a stop between two airports on a day.

    Args:
        origin: Code of the airport of departure.
        destination: Code of the airport of arrival.
        date: The day, in the form YYYY-MM-DD.
    """
    _recorded()


@tool(effect="read", normalise={"date": "date"})
def search_onestop_flight(origin: str, destination: str, date: str) -> list:
    """Find pairs of flights with one stop between two airports on a day.

    Args:
        origin: Code of the airport of departure.
        destination: Code of the airport of arrival.
        date: The day of departure, in the form YYYY-MM-DD.
    """
    _recorded()


@tool(effect="read", free=["expression"])
def calculate(expression: str) -> str:
    """Work out a sum.

    Args:
        expression: Numbers and signs.
    """
    _recorded()


@tool(effect="read", free=["thought"])
def think(thought: str) -> str:
    """Note a thought; nothing is looked up and nothing changes.

    Args:
        thought: The thought.
    """
    _recorded()


@tool(effect="write")
def book_reservation(  # noqa: PLR0913, PLR0917 - the benchmark's tool takes that many
    user_id: str,
    origin: str,
    destination: str,
    flight_type: Literal["one_way", "round_trip"],
    cabin: Cabin,
    flights: list[Leg],
    passengers: list[Passenger],
    payment_methods: list[Payment],
    total_baggages: int,
    nonfree_baggages: int,
    insurance: Literal["yes", "no"],
) -> dict:
    """Book a journey and take the payments.

    Args:
        user_id: The customer.
        origin: Code of the first airport.
        destination: Code of the airport that is travelled to.
        flight_type: There, or there and back.
        cabin: The same for every leg.
        flights: The legs in order.
        passengers: Everybody who flies.
        payment_methods: The shares of the price.
        total_baggages: Checked bags in all.
        nonfree_baggages: Checked bags that are paid for.
        insurance: Whether everybody is insured.
    """
    _recorded()


@tool(effect="write", normalise={"reservation_id": "identifier"})
def cancel_reservation(reservation_id: str) -> dict:
    """Cancel a whole reservation.

    Args:
        reservation_id: The reservation.
    """
    _recorded()


@tool(effect="write", normalise={"reservation_id": "identifier"})
def update_reservation_flights(reservation_id: str, cabin: Cabin, flights: list[Leg], payment_id: str) -> dict:
    """Replace the legs or the cabin of a reservation and settle the difference.

    Args:
        reservation_id: The reservation.
        cabin: The cabin afterwards.
        flights: Every leg afterwards, also those that stay.
        payment_id: What the difference is paid with or paid back to.
    """
    _recorded()


@tool(effect="write", normalise={"reservation_id": "identifier"})
def update_reservation_baggages(reservation_id: str, total_baggages: int, nonfree_baggages: int, payment_id: str) -> dict:
    """Set the checked bags of a reservation.

    Args:
        reservation_id: The reservation.
        total_baggages: Checked bags in all afterwards.
        nonfree_baggages: Of these, those that are paid for.
        payment_id: What the new bags are paid with.
    """
    _recorded()


@tool(effect="write", normalise={"reservation_id": "identifier"})
def update_reservation_passengers(reservation_id: str, passengers: list[Passenger]) -> dict:
    """Replace the passengers of a reservation by as many others.

    Args:
        reservation_id: The reservation.
        passengers: Everybody who flies afterwards.
    """
    _recorded()


@tool(effect="write")
def send_certificate(user_id: str, amount: int) -> str:
    """Give a customer a certificate of some worth, as a gesture.

    Args:
        user_id: The customer.
        amount: Its worth in dollars.
    """
    _recorded()


@tool(effect="external", free=["summary"], escalates=True)
def transfer_to_human_agents(summary: str) -> str:
    """Hand the customer to a person.

    Args:
        summary: What that person has to know.
    """
    _recorded()
