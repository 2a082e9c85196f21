"use strict";
// The page of a comparison: its text stands in the file; the script opens the traces of a task side by side.

/** Return one side of a pair: its heading, and the trace or why there is none. */
function pairSide(mark, trial, side) {
  const name = (side ? "After: " : "Before: ") + visible(mark.name);
  const heading = element("h3", { class: "side" }, name);
  if (!trial) return element("section", { class: "side" }, heading, soft("No trace of this side is part of this file."));
  const { trace } = trial;
  const command = showCommand(mark.run, trace.identity.task, trace.identity.trial);
  const number = soft("trial " + trace.identity.trial + ", seed " + compactJson(trace.identity.seed));
  const shown = element("section", { class: "side", tabindex: "-1" }, heading, number, traceContent(trial, command).parts);
  // Both sides have regions of one name, between which a reader who hears the page could not tell.
  for (const one of shown.querySelectorAll("[role=region]")) one.setAttribute("aria-label", name + ": " + one.getAttribute("aria-label"));
  return shown;
}

/** Opens pairs one at a time, and steps through them. */
class Pairs {
  constructor(report) {
    this.report = report;
    this.at = -1;
    this.panel = new TracePanel(byId("trace"), { move: (by) => this.open(this.at + by), closed: () => this.buttons[this.at]?.focus() });
    this.buttons = [...document.querySelectorAll("button[data-pair]")];
    this.buttons.forEach((button, index) => { button.disabled = false; button.addEventListener("click", () => this.open(index)); });
  }

  async open(index) {
    if (index < 0 || index >= this.buttons.length) return;
    this.at = index;
    const pair = this.report.pairs[Number(this.buttons[index].dataset.pair)];
    const read = async (node) => (node ? JSON.parse(await unpacked(node), exactNumber) : [null, null]);
    const trials = await read(byId("pair-" + this.buttons[index].dataset.pair));
    const sides = trials.map((trial, side) => pairSide(this.report.marks[side], trial, side));
    const place = whole(index + 1) + " of " + whole(this.buttons.length);
    this.panel.show(visible(pair), place, [element("div", { class: "sides" }, sides)], null);
  }
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !pairs || !pairs.panel.open) return;
  if (event.key === "n") pairs.open(pairs.at + 1);
  if (event.key === "p") pairs.open(pairs.at - 1);
});

const pairs = new Pairs(JSON.parse(byId("data").textContent));
document.body.dataset.ready = "yes";
