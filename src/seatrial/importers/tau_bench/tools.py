"""The tools of τ-bench and what each of them does: the recordings do not say it.

Source: the public tool classes of sierra-research/tau-bench (domains airline and retail): a tool that mutates the data is a
write; `transfer_to_human_agents` reaches a person and changes no record.
"""

from __future__ import annotations

from collections.abc import Iterable

from seatrial.records.contract import ToolSpec
from seatrial.records.trace import Effect

TRANSFER = "transfer_to_human_agents"
"""The tool that ends a conversation by handing it to a person."""
_READS = {
    "airline": "calculate get_reservation_details get_user_details list_all_airports search_direct_flight search_onestop_flight think",
    "retail": (
        "calculate find_user_id_by_email find_user_id_by_name_zip get_order_details get_product_details get_user_details "
        "list_all_product_types think"
    ),
}
_WRITES = {
    "airline": (
        "book_reservation cancel_reservation send_certificate update_reservation_baggages update_reservation_flights "
        "update_reservation_passengers"
    ),
    "retail": (
        "cancel_pending_order exchange_delivered_order_items modify_pending_order_address modify_pending_order_items "
        "modify_pending_order_payment modify_user_address return_delivered_order_items"
    ),
}
_WRITING_VERBS = ("book_", "cancel_", "exchange_", "modify_", "return_", "send_", "update_")


def domain_of(names: Iterable[str]) -> str:
    """Return the domain whose tools occur among the names of called tools: `airline`, `retail`, or empty when it is neither."""
    called = set(names)
    for domain, writes in _WRITES.items():
        own = {*writes.split(), *_READS[domain].split()}
        others = {name for other in _READS if other != domain for name in (*_READS[other].split(), *_WRITES[other].split())}
        if called & (own - others):
            return domain
    return ""


def effect_of(name: str) -> Effect:
    """Return what a tool does; a tool of an unknown domain is judged by the verb that its name begins with."""
    if name == TRANSFER:
        return "external"
    return "write" if name.startswith(_WRITING_VERBS) else "read"


def tools_of(domain: str, names: Iterable[str]) -> tuple[ToolSpec, ...]:
    """Return the tools of a domain, whether called or not; of an unknown domain those that the recording names."""
    known = (*_READS[domain].split(), *_WRITES[domain].split(), TRANSFER) if domain else tuple(names)
    return tuple(ToolSpec(name=name, effect=effect_of(name), escalates=name == TRANSFER) for name in sorted(set(known)))
