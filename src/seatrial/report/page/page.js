"use strict";
// What the reader looks at: kept in the address after `#`, so that a link leads back to it.

const KEYS = [
  ["/", "search tasks"],
  ["j, k", "next, previous step; in the list: next, previous task"],
  ["n, p", "next, previous trial"],
  ["f, F", "next, previous step with a fault pinned to it"],
  ["Enter", "open the trial that has the focus"],
  ["Esc", "close the trace, leave the search"],
  ["?", "this help"],
];
const NOTHING = { filter: "all", text: "", cell: "", task: "", trial: 0, step: null };

/** Return what an address asks for; what it does not say, or says wrongly, is as at the start. */
function viewOf(hash) {
  const asked = new URLSearchParams(hash.slice(1));
  const number = (name) => (/^\d{1,9}$/.test(asked.get(name) || "") ? Number(asked.get(name)) : null);
  const cell = (asked.get("cell") || "").split(" ");
  return {
    filter: Object.hasOwn(FILTERS, asked.get("filter") || "") ? asked.get("filter") : "all",
    text: asked.get("text") || "",
    cell: cell.length === 2 && cell.every((verdict) => MATRIX_AXIS.includes(verdict)) ? cell.join(" ") : "",
    task: asked.get("task") || "",
    trial: number("trial") || 0,
    step: number("step"),
  };
}

function hashOf(view) {
  const place = view.task ? { task: view.task, trial: view.trial, step: view.step } : {};
  const parts = { filter: view.filter === "all" ? "" : view.filter, text: view.text, cell: view.cell, ...place };
  return "#" + new URLSearchParams(Object.entries(parts).filter(([, value]) => known(value) && value !== "")).toString();
}

/** The page: one view at a time, changed by buttons, keys and the address. */
class Page {
  constructor(report) {
    this.report = report;
    this.view = { ...NOTHING };
    this.find = traceFinder(report.chunks);
    this.choose = (change) => this.change(change);
    this.list = new TaskList(report.summary.tasks, (task, trial) => this.change({ task, trial }));
    this.panel = new TracePanel(byId("trace"), { move: (by) => this.moveTrial(by), closed: () => this.closed() });
    this.search = element("input", { type: "search", "aria-label": "Search tasks, slices and reasons", placeholder: "search tasks  /" });
    this.search.addEventListener("input", () => this.change({ text: this.search.value, stay: true }));
  }

  draw() {
    const { report, choose } = this;
    drawHead(report);
    drawDecision(report, choose);
    drawMatrix(report.summary, choose);
    drawQuestions(report.summary);
    drawKinds(report.summary, choose);
    const worst = worstSection(report.summary, (task, trial, step) => choose({ task, trial, step }));
    add(byId("list"), ...[worst, tasksSection(report.summary, this.list, this.search, choose), leftOut(report)].filter(Boolean));
    drawFacts(report, choose);
    drawNavigation();
    drawHelp();
  }

  /** Take up a change of the view: filter, text, cell, or the trial to open. */
  change({ stay, ...change }) {
    const opens = change.task !== undefined;
    if (!opens && change.cell !== undefined && change.cell === this.view.cell) change.cell = "";
    const filters = opens ? {} : { filter: "all", cell: "", text: change.text ?? (change.filter ? this.view.text : "") };
    const kept = stay ? {} : filters;
    const next = { ...this.view, ...kept, step: null, ...change };
    const address = hashOf(next);
    if (address !== (location.hash || "#")) history[opens && !this.panel.open ? "pushState" : "replaceState"](null, "", address);
    this.apply(next);
    if (!opens && !stay) this.goToTasks();
  }

  goToTasks() {
    byId("tasks").focus({ preventScroll: true });
    byId("tasks").scrollIntoView();
  }

  /** Make the page show a view. */
  apply(view) {
    const before = this.view;
    this.view = view;
    if (!this.started || ["filter", "text", "cell"].some((name) => view[name] !== before[name])) this.applyFilters();
    this.started = true;
    if (view.task) this.openTrial();
    else if (this.panel.open) byId("trace").close();
  }

  applyFilters() {
    const { filter, text, cell } = this.view;
    if (this.search.value !== text) this.search.value = text;
    this.list.show({ filter, text, cell });
    for (const one of document.querySelectorAll("[data-filter]")) one.setAttribute("aria-pressed", String(one.dataset.filter === filter && !cell));
    for (const one of document.querySelectorAll("[data-cell]")) one.setAttribute("aria-pressed", String(one.dataset.cell === cell));
    const chip = byId("cell-chip");
    const [outcome, process] = cell.split(" ");
    chip.hidden = !cell;
    chip.textContent = cell ? "outcome " + AXIS_WORDS[outcome] + ", process " + AXIS_WORDS[process] + "  ✕" : "";
    chip.setAttribute("aria-label", cell ? "remove the filter: " + chip.textContent.slice(0, -3) : "");
  }

  async openTrial() {
    const { task, trial, step } = this.view;
    const heading = element("span", {}, visible(task), element("span", { class: "soft" }, " trial " + trial));
    const command = showCommand(this.report.run, task, trial);
    let drawn;
    try {
      const found = await this.find(task, trial);
      drawn = found ? traceContent(found, command) : { parts: notEmbedded(this.report, task, trial, command), steps: null };
    } catch (error) {
      drawn = { parts: [element("p", {}, tag("error"), " This trace cannot be read: " + visible(error.message)), commandLine(command)], steps: null };
    }
    if (task !== this.view.task || trial !== this.view.trial) return;
    this.panel.show(heading, this.placeOf(task, trial), drawn.parts, drawn.steps);
    document.title = visible(task + "#" + trial + " · " + this.report.summary.candidate.name);
    if (step !== null && drawn.steps) drawn.steps.jump(step);
  }

  placeOf(task, trial) {
    const sequence = this.list.sequence();
    const at = sequence.findIndex(([name, index]) => name === task && index === trial);
    return at < 0 ? "" : whole(at + 1) + " of " + count(sequence.length, "shown trial");
  }

  closed() {
    document.title = this.report.title;
    if (!this.view.task) return;
    this.view = { ...this.view, task: "", trial: 0, step: null };
    history.replaceState(null, "", hashOf(this.view));
  }

  moveTrial(by) {
    const sequence = this.list.sequence();
    const at = sequence.findIndex(([task, trial]) => task === this.view.task && trial === this.view.trial);
    const next = sequence[at < 0 ? 0 : at + by];
    if (next) this.change({ task: next[0], trial: next[1] });
  }

  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
    if (event.target === this.search) {
      if (event.key === "Escape") this.search.blur();
      return;
    }
    const act = this.keys()[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** Return what each key does now. */
  keys() {
    const help = { "?": () => byId("help").showModal() };
    if (!this.panel.open) return { ...help, "/": () => this.search.focus(), j: () => this.list.step(1), k: () => this.list.step(-1) };
    const trials = { n: () => this.moveTrial(1), p: () => this.moveTrial(-1), "/": () => this.searchFromTrace() };
    const { steps } = this.panel;
    if (!steps) return { ...help, ...trials };
    return { ...help, ...trials, j: () => steps.move(1), k: () => steps.move(-1), f: () => steps.moveToFlagged(1), F: () => steps.moveToFlagged(-1) };
  }

  searchFromTrace() {
    byId("trace").close();
    this.search.focus();
  }
}

/** Say plainly which traces are not in the file, and how to see them. */
function leftOut(report) {
  const missing = report.left_out;
  const parts = [];
  if (missing) parts.push(element("p", {}, tag("warn"), " " + count(missing, "trace") + " of " + whole(missing + report.embedded) + (missing === 1 ? " is" : " are") + " not part of this file, which would grow too large; failed trials were taken first. One of them is shown by"), commandLine("seatrial show " + report.run + " TASK --trial N"));
  if (report.summary.trials_cut) parts.push(element("p", {}, tag("warn"), " " + count(report.summary.trials_cut, "trial") + " beyond the first of each task have no mark in this list; every number counts them."));
  return parts.length ? element("div", { class: "left-out", id: "left-out" }, parts) : null;
}

function notEmbedded(report, task, trial, command) {
  const row = (report.summary.tasks.find((one) => one.task === task) || { trials: [] }).trials.find((one) => one.trial === trial);
  if (!row) return [element("p", {}, "This report has no such trial.")];
  const answers = QUESTIONS.map((name) => element("li", {}, tag(row[name]), element("b", {}, name)));
  return [element("p", {}, "The trace of this trial is not part of this file. It is shown by"), commandLine(command), element("ul", { class: "plain answers" }, answers), row.reason ? element("p", {}, visible(row.reason)) : null].filter(Boolean);
}

function drawNavigation() {
  const sections = [...document.querySelectorAll("main section")];
  const go = (target) => (event) => {
    event.preventDefault();
    target.focus({ preventScroll: true });
    target.scrollIntoView();
  };
  const links = sections.map((target) => element("a", { href: "#" + target.id, onclick: go(target) }, target.querySelector("h2").textContent.replace(": every time?", "")));
  add(byId("navigation"), element("ul", {}, links.map((one) => element("li", {}, one))));
}

function drawHelp() {
  const rows = KEYS.map(([keys, does]) => [keys.split(", ").map((key, index) => [index ? ", " : null, element("kbd", {}, key)]), does]);
  const close = element("button", { type: "button", onclick: () => byId("help").close() }, "close");
  add(byId("help"), element("h2", { id: "help-title" }, "Keyboard"), table("Keys and what they do", [textColumn("key"), wideColumn("does")], rows), close);
}

async function start() {
  const report = JSON.parse(await unpacked(byId("data")));
  report.title = document.title;
  const page = new Page(report);
  page.draw();
  page.apply(viewOf(location.hash));
  document.addEventListener("keydown", (event) => page.pressed(event));
  // An address without `=` names a place of the page and changes no view.
  window.addEventListener("hashchange", () => (location.hash === "" || location.hash.includes("=")) && page.apply(viewOf(location.hash)));
  document.body.dataset.ready = "yes";
}

start().catch((error) => {
  add(byId("decision"), element("p", {}, "This report cannot be drawn: " + visible(error.message)));
});
