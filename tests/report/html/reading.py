"""Documents in a browser, and what goes wrong there."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Browser, ConsoleMessage, Dialog, Error, Page, Request, expect

PATIENCE = 20_000
"""Milliseconds after which a page that does nothing has failed; no measure of speed."""
STRAY = r"\bnull\b|\bundefined\b|\bNaN\b|\[object|\bfunction\b|=>"
"""What a script writes when it does not know what to write."""
HIDDEN = r"(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029]"
"""Characters that hide a word or turn the reading."""

expect.set_options(timeout=PATIENCE)


class Reading:
    """Opens documents one after another, in one window for each kind of reader, and keeps every fault.

    Args:
        browser: The browser.
        folder: Where documents are written.
    """

    def __init__(self, browser: Browser, folder: Path) -> None:
        self.browser, self.folder = browser, folder
        self.faults: list[str] = []
        self.asked_for: set[str] = set()
        self.written: set[str] = set()
        self._opened = 0
        self._windows: dict[tuple[int, bool, str], Page] = {}

    def begin(self) -> None:
        """Forget what was opened before."""
        self.faults, self.asked_for, self.written = [], set(), set()

    def open(self, document: str, address: str = "", *, width: int = 1240, scripts: bool = True, scheme: str = "light") -> Page:
        """Write a document to a file and open it; `address` is what stands after `#`."""
        self._opened += 1
        path = self.folder / f"report-{self._opened}.html"
        path.write_text(document, encoding="utf-8")
        self.written.add(path.as_uri())
        page = self._window(width, scripts, scheme)
        page.emulate_media(media="screen")
        page.goto(path.as_uri() + ("#" + address if address else ""))
        if scripts:
            page.wait_for_selector("body[data-ready]", state="attached")
        if re.search("task=[^&]", address):
            page.wait_for_selector("#trace[open]")
        return page

    def _window(self, width: int, scripts: bool, scheme: str) -> Page:
        kind = (width, scripts, scheme)
        if kind not in self._windows:
            size, colours = {"width": width, "height": 900}, "dark" if scheme == "dark" else "light"
            page = self.browser.new_context(viewport=size, java_script_enabled=scripts, color_scheme=colours).new_page()
            page.set_default_timeout(PATIENCE)
            self._listen(page)
            self._windows[kind] = page
        return self._windows[kind]

    def _listen(self, page: Page) -> None:
        page.on("pageerror", self._error)
        page.on("console", self._console)
        page.on("dialog", self._dialog)
        page.on("request", self._request)

    def _error(self, error: Error) -> None:
        self.faults.append(str(error))

    def _console(self, message: ConsoleMessage) -> None:
        self.faults.append(message.text)

    def _dialog(self, box: Dialog) -> None:
        self.faults.append(box.message)
        box.dismiss()

    def _request(self, request: Request) -> None:
        self.asked_for.add(request.url.partition("#")[0])


def matching(page: Page, pattern: str, *, values: bool = True) -> list[str]:
    """Return every text and attribute of a page that a pattern matches; `values`: also those that are the run's own JSON."""
    return page.evaluate(
        """([pattern, values]) => {
          const wanted = new RegExp(pattern, "u");
          const found = [];
          for (const node of document.querySelectorAll("body, body *:not(script, style, noscript)")) {
            if (!values && node.closest("code, pre")) continue;
            for (const child of node.childNodes) if (child.nodeType === Node.TEXT_NODE) found.push(child.data);
            for (const one of node.attributes) found.push(one.value);
          }
          return found.filter((text) => wanted.test(text));
        }""",
        [pattern, values],
    )


def stray_words(page: Page, *, values: bool = True) -> list[str]:
    """Return every text and attribute of a page that holds a word which only a script would write."""
    return matching(page, STRAY, values=values)


def unfold(page: Page) -> None:
    """Open every fold of the open trace, and every `show more` of the page."""
    page.evaluate("() => { for (const one of document.querySelectorAll('details')) one.open = true; }")
    page.wait_for_function("() => [...document.querySelectorAll('details')].every((one) => one.children.length > 1)")
    page.evaluate("() => { for (const one of document.querySelectorAll('button.more:not([hidden])')) one.click(); }")


def pins(page: Page) -> dict[int, list[str]]:
    """Return what is pinned to each step of the open trace."""
    found = page.evaluate(
        """() => [...document.querySelectorAll("#trace ol.steps > li")].map((item) =>
          [Number(item.dataset.step), [...item.querySelectorAll(".pin")].map((pin) => pin.textContent)])"""
    )
    return {step: texts for step, texts in found if texts}


def shown_tasks(page: Page) -> list[str]:
    """Return the names in the list of tasks."""
    return page.locator("#tasks ol.tasks > li > .id").all_inner_texts()


def expect_focus(page: Page, label: str) -> None:
    """Wait until what has the focus is called so, by its label or its text."""
    name = "document.activeElement.getAttribute('aria-label') || document.activeElement.textContent"
    page.wait_for_function(f"(label) => ({name}).startsWith(label)", arg=label)


def change_address(page: Page, address: str) -> None:
    """Change what stands after `#`, and wait until the page has heard of it."""
    page.evaluate(
        """(address) => new Promise((done) => {
          addEventListener("hashchange", () => done(), { once: true });
          location.hash = address;
        })""",
        address,
    )
