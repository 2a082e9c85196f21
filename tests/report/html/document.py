"""Take an HTML report apart without a browser."""

from __future__ import annotations

import base64
import gzip
import json
from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass(frozen=True)
class Element:
    """One element of a document.

    Attributes:
        name: Its name.
        attributes: Its attributes.
        text: The text that stands directly in it.
    """

    name: str
    attributes: dict[str, str | None]
    text: list[str] = field(default_factory=list)


class Document(HTMLParser):
    """The elements of a document, in their order.

    Args:
        text: The document.
    """

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[Element] = []
        self._open: list[Element] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.elements.append(Element(tag, dict(attrs)))
        self._open.append(self.elements[-1])

    def handle_endtag(self, tag: str) -> None:
        """Close an element, and those within it that have no end of their own."""
        while self._open and self._open.pop().name != tag:
            pass

    def handle_data(self, data: str) -> None:
        """Note a text."""
        if self._open:
            self._open[-1].text.append(data)

    def text(self, name: str) -> str:
        """Return the text of the only element of a name."""
        return "".join(self.only(name).text)

    def only(self, name: str) -> Element:
        """Return the only element of a name that is not data."""
        [found] = [one for one in self.elements if one.name == name and one.attributes.get("type") != "application/json"]
        return found

    @property
    def data(self) -> dict[str, Element]:
        """The script elements that hold data, by id."""
        return {str(one.attributes["id"]): one for one in self.elements if one.attributes.get("type") == "application/json"}

    def form(self) -> set[str | None]:
        """Return the forms in which data stand in the document."""
        return {one.attributes["data-form"] for one in self.data.values()}

    def read(self, name: str) -> object:
        """Return what a data element holds."""
        one = self.data[name]
        text = "".join(one.text)
        return json.loads(gzip.decompress(base64.b64decode(text)) if one.attributes["data-form"] == "gzip" else text)

    def report(self) -> dict:
        """Return the report: the summary and what of the run is in the document."""
        found = self.read("data")
        assert isinstance(found, dict)
        return found

    def traces(self) -> list[tuple[str, int]]:
        """Return task and trial of every trace in the document."""
        groups = [self.read(name) for name in self.data if name.startswith("traces-")]
        return [(one["grade"]["task"], one["grade"]["trial"]) for group in groups if isinstance(group, list) for one in group]
