"use strict";
// The list of tasks: one row a task, one mark a trial.

const PAGE_OF_TASKS = 100; // rows drawn at a time; the search reaches all of them
const MOST_MARKS = 40; // marks drawn in one row
const FILTERS = {
  all: ["all", () => true],
  failed: ["not strict", (task) => task.passed < task.planned],
  wrong: ["wrong reason", (task) => task.wrong_reason > 0],
  flaky: ["sometimes", (task) => task.passed > 0 && task.passed < task.scored],
  never: ["never", (task) => task.scored > 0 && task.passed === 0],
  violated: ["violated", (task) => task.violated > 0],
  unknown: ["unknown", (task) => task.unknown > 0],
};
const MARKS = {
  wrong: ["≠", "right for the wrong reason"],
  pass: ["✓", "strict"],
  fail: ["✗", "failed"],
  undetermined: ["?", "undetermined"],
  not_applicable: ["·", "not asked"],
};

const cellOf = (row) => [row.outcome, row.process].map((verdict) => (verdict === "error" ? "undetermined" : verdict)).join(" ");
const isWrongReason = (row) => row.outcome === "pass" && (row.process === "fail" || row.safety === "fail");
const markOf = (row) => (isWrongReason(row) ? "wrong" : row.strict === "error" ? "undetermined" : row.strict);

function searchedWords(task) {
  const slices = Object.entries(task.slices).map(([name, value]) => name + "=" + value);
  const critical = task.critical ? "critical" : "";
  return [task.task, task.kind, task.split, task.stakes, critical, task.reason, ...slices].join(" ").toLowerCase();
}

/** Keeps which tasks are shown, and draws them. */
class TaskList {
  constructor(tasks, open) {
    this.open = open;
    this.entries = tasks.map((task) => ({ task, words: searchedWords(task) }));
    this.rows = element("ol", { class: "tasks" });
    this.count = element("p", { class: "soft", role: "status" });
    this.more = element("button", { type: "button", class: "more", onclick: () => this.drawMore() }, "show more tasks");
    this.view = { filter: "all", text: "", cell: "" };
    this.shown = tasks;
  }

  /** Show the tasks that a view lets through. */
  show(view) {
    this.view = view;
    const wanted = view.text.trim().toLowerCase();
    const passes = FILTERS[view.filter][1];
    const kept = ({ task, words: found }) => passes(task) && found.includes(wanted) && (!view.cell || task.trials.some((row) => this.inView(row)));
    this.shown = this.entries.filter(kept).map((entry) => entry.task);
    this.drawn = 0;
    this.rows.replaceChildren();
    this.drawMore();
  }

  /** Tell whether a trial itself is what the view asks for, and not only its task. */
  inView(row) {
    return (!this.view.cell || cellOf(row) === this.view.cell) && (this.view.filter !== "wrong" || isWrongReason(row));
  }

  drawMore() {
    const next = this.shown.slice(this.drawn, this.drawn + PAGE_OF_TASKS);
    const first = this.drawn;
    add(this.rows, ...next.map((task) => taskRow(task, this.open, (row) => this.inView(row))));
    this.drawn += next.length;
    this.more.hidden = this.drawn >= this.shown.length;
    this.count.textContent = this.counted();
    if (first) this.rows.children[first].querySelector("button").focus();
  }

  counted() {
    const part = this.drawn < this.shown.length ? ", " + whole(this.drawn) + " drawn" : "";
    return count(this.shown.length, "task") + " of " + whole(this.entries.length) + part;
  }

  /** Return every trial of the shown tasks in their order. */
  sequence() {
    return this.shown.flatMap((task) => task.trials.filter((row) => this.inView(row)).map((row) => [task.task, row.trial]));
  }

  /** Move the focus to the next row's first mark, or the one before. */
  step(by) {
    const rows = [...this.rows.children];
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    const next = rows[Math.min(rows.length - 1, Math.max(0, at < 0 ? 0 : at + by))];
    const mark = next && next.querySelector("button");
    if (mark) mark.focus();
  }
}

function taskRow(task, open, inView) {
  const about = [task.kind, task.split, task.stakes, task.critical ? "critical" : ""].filter(Boolean).join(" · ");
  const slices = Object.values(task.slices).join(" · ");
  const parts = [
    element("b", { class: task.task.length > 28 ? "id long" : "id" }, visible(task.task)),
    markStrip(task, open, inView),
    element("span", { class: "passed", title: "strict trials of scored ones" }, task.passed + "/" + task.scored),
    element("span", { class: "about" }, about, slices ? element("small", {}, " " + visible(slices)) : null),
    element("span", { class: "reason" }, visible(task.reason), unmetWords(task)),
  ];
  return element("li", {}, parts);
}

/** Say which required calls were not met, and in how many trials they never ran. */
function unmetWords(task) {
  const lines = task.unmet.slice(0, 3).map((row) => row.requirement + " (" + row.call + ") not met in " + count(row.trials, "trial") + (row.never_ran ? ", never ran in " + whole(row.never_ran) : ""));
  return lines.length ? element("small", {}, visible(lines.join("; "))) : null;
}

function markStrip(task, open, inView) {
  const rows = task.trials.slice(0, MOST_MARKS);
  const marks = rows.map((row) => trialMark(task.task, row, open, inView(row)));
  const hidden = task.trials.length - rows.length;
  return element("span", { class: "strip" }, marks, hidden > 0 ? element("small", {}, "+" + whole(hidden)) : null, notRun(task));
}

function notRun(task) {
  const missing = task.trials.length < MOST_MARKS ? Math.min(8, Math.max(0, task.planned - task.trials.length)) : 0;
  return Array.from({ length: missing }, () => element("span", { class: "mark none", title: "not run" }, "_"));
}

function trialMark(task, row, open, wanted) {
  const kind = markOf(row);
  const [sign, meaning] = MARKS[kind];
  const title = meaning + (row.reason ? ": " + visible(row.reason) : "");
  const label = visible(task) + " trial " + row.trial + ": " + meaning;
  return element("button", { type: "button", class: "mark " + kind + (wanted ? "" : " aside"), title, "aria-label": label, onclick: () => open(task, row.trial, row.step) }, sign);
}

/** Return the ten worst tasks. */
function worstSection(summary, open) {
  const tasks = new Map(summary.tasks.map((task) => [task.task, task]));
  const rows = summary.worst.filter((name) => tasks.has(name)).map((name) => taskRow(tasks.get(name), open, () => true));
  return rows.length ? section("worst", "Worst tasks", element("ol", { class: "tasks" }, rows)) : null;
}

function tasksSection(summary, list, search, choose) {
  const buttons = Object.entries(FILTERS).map(([name, [title, passes]]) => {
    const tasks = summary.tasks.filter(passes).length;
    return tasks || name === "all" ? filterButton(name, title, tasks, choose) : null;
  });
  const chip = element("button", { type: "button", id: "cell-chip", hidden: true, onclick: () => choose({ cell: "" }) });
  const controls = element("div", { class: "filters", role: "group", "aria-label": "Filter tasks" }, buttons, chip, search);
  const legend = soft("✓ strict, ✗ failed, ≠ right for the wrong reason, ? undetermined, · not asked, _ not run. A mark opens its trace; ", element("kbd", {}, "?"), " lists the keys.");
  return section("tasks", "Tasks", controls, legend, list.count, list.rows, list.more);
}

function filterButton(name, title, tasks, choose) {
  const parts = [title + " ", element("small", {}, whole(tasks))];
  return element("button", { type: "button", "data-filter": name, "aria-pressed": "false", onclick: () => choose({ filter: name }) }, parts);
}
