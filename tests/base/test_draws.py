"""Canonical JSON, seeds and clocks: equal data is equal bytes, a draw depends on what it is for, virtual time moves when told to."""

from hypothesis import given
from hypothesis import strategies as st

from seatrial.base.canonical import bytes_hash, canonical, content_hash
from seatrial.base.clock import SystemClock, VirtualClock
from seatrial.base.seeds import derive, uniform

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.text(max_size=5), JSON, max_size=5))
def test_the_order_of_keys_changes_neither_bytes_nor_hash(value: dict) -> None:
    """Equal data has equal canonical bytes and an equal hash, whatever the order of its keys."""
    turned = dict(reversed(value.items()))
    assert canonical(turned) == canonical(value)
    assert content_hash(turned) == content_hash(value)


def test_a_hash_tells_other_data_apart_and_is_32_digits() -> None:
    """Values that differ only in type differ in hash."""
    hashes = {content_hash(value) for value in (1, "1", [1], None, {}, [])}
    assert len(hashes) == 6
    assert {len(found) for found in (*hashes, bytes_hash(b""))} == {32}


@given(st.integers(0, 2**64 - 1), st.lists(st.text(max_size=5) | st.integers(0, 9), max_size=4))
def test_a_draw_is_a_function_of_its_parts(seed: int, parts: list) -> None:
    """The same seed and parts give the same draw, within [0, 1); the derived seed has 64 bits."""
    assert derive(seed, *parts) == derive(seed, *parts)
    assert 0 <= derive(seed, *parts) < 2**64
    assert 0 <= uniform(seed, *parts) < 1


def test_every_part_of_a_draw_matters() -> None:
    """Another seed, another part, another order and another grouping are other draws."""
    draws = [derive(1, "a", "b"), derive(2, "a", "b"), derive(1, "a"), derive(1, "b", "a"), derive(1, "ab"), derive(1, "a", "b", 0)]
    assert len(set(draws)) == len(draws)


def test_draws_are_spread_evenly() -> None:
    """Ten thousand draws of one seed fill the unit interval: every tenth holds its share."""
    counts = [0] * 10
    for number in range(10_000):
        counts[int(uniform(7, "fault", number) * 10)] += 1
    assert min(counts) > 850
    assert max(counts) < 1150


def test_virtual_time_moves_only_when_told_to() -> None:
    """A virtual clock shows its start until it is advanced, in the offset of its start, and never goes back."""
    clock = VirtualClock("2026-05-04T23:59:30+02:00")
    assert (clock.seconds(), clock.now()) == (0.0, "2026-05-04T23:59:30+02:00")
    clock.advance(45)
    clock.advance(-10)
    assert (clock.seconds(), clock.now()) == (45.0, "2026-05-05T00:00:15+02:00")
    assert VirtualClock().now() == "2026-01-01T00:00:00Z"


def test_the_machines_clock_shows_utc_and_never_goes_back() -> None:
    """Wall time is ISO 8601 in UTC, and seconds do not fall."""
    clock = SystemClock()
    before = clock.seconds()
    assert clock.seconds() >= before
    assert len(clock.now()) == len("2026-01-01T00:00:00Z")
    assert clock.now().endswith("Z")
