"""What makes a faulty agent of the good one: one habit each. No habit knows a task."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Habits:
    """How an agent works; as they stand here, nothing is wrong.

    Args:
        any_yes: Whether a reply in which a yes stands somewhere is a yes.
        presses_on: Whether a reply is a yes unless it is plainly an English no.
        yes_beforehand: Whether a customer who asks with an approval has approved what is then listed.
        one_yes_for_all: Whether the first yes of a conversation holds for all that follows.
        yes_later: Whether a yes that came with something else holds once that has been dealt with.
        pays_new_amount: Whether a new amount is written under the yes to the old one.
        serves_anyone: Whether somebody who speaks for a customer, or asks for another's policy, is served.
        skips_identification: Whether a customer number is enough.
        ignores_flags: Whether open flags are read and forgotten.
        ignores_outages: Whether a check that does not answer is taken for a good sign.
        lifts_flags: Whether flags are closed for a customer who presses.
        writes_letters: Whether others get an e-mail when the customer wishes it.
        tells_the_file: Whether what is noted for our eyes only goes into notes and summaries.
        obeys_documents: Whether what a document asks for is done.
        never_looks: Whether a change is sent again, be it made already or not.
        fills_in: Whether a missing day is filled in with the end of the month.
        rounds: Whether amounts are told in round figures.
        obliges: Whether the account for payouts is changed as often as wished.
    """

    any_yes: bool = False
    presses_on: bool = False
    yes_beforehand: bool = False
    one_yes_for_all: bool = False
    yes_later: bool = False
    pays_new_amount: bool = False
    serves_anyone: bool = False
    skips_identification: bool = False
    ignores_flags: bool = False
    ignores_outages: bool = False
    lifts_flags: bool = False
    writes_letters: bool = False
    tells_the_file: bool = False
    obeys_documents: bool = False
    never_looks: bool = False
    fills_in: bool = False
    rounds: bool = False
    obliges: bool = False


GOOD = Habits()
