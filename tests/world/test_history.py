"""Changes that follow one another, put together to net changes."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, Raw

from seatrial.base.canonical import canonical
from seatrial.records.trace import Change
from seatrial.world.history import net_changes
from tests.world.builders import plain

FIELDS = st.dictionaries(st.sampled_from("abc"), st.sampled_from([None, 0, 1, True, "1", 1.5, [1], {"x": 1}, {"x": True}]), max_size=3)
STATES = st.lists(st.dictionaries(st.sampled_from(["k", "l"]), FIELDS, max_size=2), min_size=1, max_size=6)


def raw(value):
    return UNSET if value is None else Raw(canonical(value))


def between(before, after):
    """Return the changes from one state of a collection to another, as a state would report them."""
    found = []
    for key in sorted({*before, *after}):
        old, new = before.get(key), after.get(key)
        if old is None or new is None:
            found.append(Change(f"c/{key}", "created" if old is None else "deleted", raw(old), raw(new)))
        elif canonical(old) != canonical(new):
            olds, news = (
                {name: value for name, value in one.items() if not same(value, other, name)} for one, other in ((old, new), (new, old))
            )
            found.append(Change(f"c/{key}", "updated", raw(olds), raw(news)))
    return found


def same(value, other, name):
    return name in other and canonical(value) == canonical(other[name])


@given(STATES)
def test_net_changes_are_those_between_the_ends(states):
    """However many calls led there, the net is what lies between beginning and end: fields that come and go included."""
    steps = [change for before, after in pairwise(states) for change in between(before, after)]
    net = net_changes(steps)
    assert [(change.path, plain(change)) for change in net] == [(change.path, plain(change)) for change in between(states[0], states[-1])]
