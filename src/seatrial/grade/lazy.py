"""A property that is computed on first use and then kept, without the lock that `functools.cached_property` takes in Python 3.11."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

_Value = TypeVar("_Value")


class lazy(Generic[_Value]):  # noqa: N801 - used like `property`
    """Decorator of a method without arguments: its value is computed once an instance and stored under the method's name.

    A trace is judged by one thread, so there is nothing to lock; the lock would cost more than most of the values.

    Args:
        compute: The method.
    """

    def __init__(self, compute: Callable[[Any], _Value]) -> None:
        self.compute, self.name, self.__doc__ = compute, compute.__name__, compute.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> lazy[_Value]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> _Value: ...
    def __get__(self, instance: object | None, owner: type) -> lazy[_Value] | _Value:
        """Return the value, computing it when it is not there yet."""
        if instance is None:
            return self
        value = instance.__dict__[self.name] = self.compute(instance)
        return value
