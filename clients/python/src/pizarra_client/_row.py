"""The base of the rows of the contract."""

from __future__ import annotations

from typing import Any, ClassVar, Dict, Mapping, Tuple, Type, TypeVar

R = TypeVar("R", bound="Row")


class Row:
    """A row of a response. Rows are immutable."""

    FIELDS: ClassVar[Tuple[str, ...]] = ()
    """The names of the fields, in the order of the contract."""

    @classmethod
    def from_json(cls: Type[R], values: Mapping[str, Any]) -> R:
        """Builds a row. Fields that this version of the client does not know are left out.

        Raises TypeError when a field that is always present is missing.
        """
        return cls(**{name: values[name] for name in cls.FIELDS if name in values})

    def to_json(self) -> Dict[str, Any]:
        """The fields that have a value."""
        values = {name: getattr(self, name) for name in self.FIELDS}
        return {name: _plain(value) for name, value in values.items() if value is not None}


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return value.to_json() if isinstance(value, Row) else value
