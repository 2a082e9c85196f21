"use strict";
const SHOWN_TASKS = 300; // rows drawn at once; a search reaches the rest
const FILTERS = { all: "all", failed: "not strict", wrong: "wrong reason", flaky: "flaky", unknown: "unknown" };
const state = { filter: "all", text: "", cell: "", task: "", trial: -1 };

const cellOf = (row) => fold(row.outcome) + " " + fold(row.process);
const isWrong = (row) => row.outcome === "pass" && (row.process === "fail" || row.safety === "fail");
const stripClass = (row) => (isWrong(row) ? "wrong" : row.strict === "pass" || row.strict === "not_applicable" ? "pass" : row.strict === "fail" ? "fail" : "undetermined");
const stripMark = { wrong: "≠", pass: "✓", fail: "✗", undetermined: "?" };
const stripWord = { wrong: "right for the wrong reason", pass: "strict", fail: "failed", undetermined: "unknown" };

function fits(task) {
  const { filter, text, cell } = state;
  if (cell && !task.trials.some((row) => cellOf(row) === cell)) return false;
  if (filter === "failed" && task.passed === task.planned) return false;
  if (filter === "wrong" && !task.wrong_reason) return false;
  if (filter === "flaky" && !(task.passed > 0 && task.passed < task.scored)) return false;
  if (filter === "unknown" && !task.unknown) return false;
  const words = [task.task, task.kind, task.split, task.stakes, task.reason, ...Object.entries(task.slices).map(([name, value]) => name + "=" + value)].join(" ").toLowerCase();
  return words.includes(text.toLowerCase());
}

function startTasks(data) {
  const trials = new Map(data.trials.map((one) => [one.trace.identity.task + "\n" + one.trace.identity.trial, one]));
  const tasks = data.summary.tasks;
  const count = element("span", { class: "soft", role: "status" });
  const body = element("tbody", {});
  const search = element("input", { type: "search", "aria-label": "Search tasks, slices and reasons", placeholder: "search (/)" });
  let jump = () => {}, shown = [], before = null;

  const sequence = () => shown.flatMap((task) => task.trials.map((row) => [task.task, row.trial]));
  const strip = (task) => element("div", { class: "strip" }, task.trials.map((row) => element("button", { class: stripClass(row), title: row.reason ? visible(row.reason) : null, "aria-label": task.task + " trial " + row.trial + ": " + stripWord[stripClass(row)], onclick: () => open(task.task, row.trial) }, stripMark[stripClass(row)])));
  const line = (task) => element("tr", {}, element("th", { scope: "row" }, task.task), element("td", {}, strip(task)), element("td", { class: "number" }, task.passed + "/" + task.scored), element("td", { class: "hide-small" }, task.kind + " · " + task.split + " · " + task.stakes + (task.critical ? " · critical" : "")), element("td", { class: "hide-small" }, Object.values(task.slices).join(" · ")), element("td", {}, visible(task.reason)));

  function draw() {
    shown = tasks.filter(fits);
    count.textContent = plural(shown.length, "task") + (shown.length > SHOWN_TASKS ? ", the first " + SHOWN_TASKS + " shown" : "") + (state.cell ? " with a trial in the chosen cell" : "");
    body.replaceChildren(...shown.slice(0, SHOWN_TASKS).map(line));
    document.querySelectorAll("[data-filter]").forEach((one) => one.setAttribute("aria-pressed", String(one.dataset.filter === state.filter && !state.cell)));
    document.querySelectorAll("[data-cell]").forEach((one) => one.setAttribute("aria-pressed", String(one.dataset.cell === state.cell)));
  }
  function remember() {
    const parts = Object.entries({ filter: state.filter === "all" ? "" : state.filter, text: state.text, cell: state.cell, task: state.task, trial: state.task ? String(state.trial) : "" }).filter(([, value]) => value);
    history.replaceState(null, "", "#" + new URLSearchParams(parts).toString());
  }
  function choose(change) {
    if (change.open) { open(...change.open); return; }
    Object.assign(state, { filter: "all", cell: "" }, change, change.cell && change.cell === state.cell ? { cell: "" } : {});
    draw(); remember(); byId("tasks").scrollIntoView();
  }
  function open(task, trial) {
    const found = trials.get(task + "\n" + trial);
    if (!found) return;
    if (byId("trace").hidden) before = document.activeElement;
    Object.assign(state, { task, trial });
    jump = drawTrace(found, move, close);
    byId("trace").querySelector("button:last-of-type").focus();
    remember();
  }
  function close() { byId("trace").hidden = true; state.task = ""; remember(); if (before && before.isConnected) before.focus(); }
  function move(by) {
    const list = sequence(), at = list.findIndex(([task, trial]) => task === state.task && trial === state.trial), next = list[at + by];
    if (next) open(...next);
  }
  function stepBy(by) {
    const items = [...byId("trace").querySelectorAll("ol.steps > li")], at = items.findIndex((one) => one.classList.contains("at")), next = items[Math.min(items.length - 1, Math.max(0, at + by))];
    if (next) jump(next.dataset.step);
  }
  function flagBy(by) {
    const items = [...byId("trace").querySelectorAll("ol.steps > li")], at = items.findIndex((one) => one.classList.contains("at"));
    const flagged = items.map((one, index) => [one, index]).filter(([one]) => one.classList.contains("flagged"));
    const next = by > 0 ? flagged.find(([, index]) => index > at) : flagged.reverse().find(([, index]) => index < at);
    if (next) jump(next[0].dataset.step);
  }
  const keys = { j: () => stepBy(1), k: () => stepBy(-1), f: () => flagBy(1), F: () => flagBy(-1), n: () => move(1), p: () => move(-1), Escape: close };
  document.addEventListener("keydown", (event) => {
    if (event.target === search || event.ctrlKey || event.metaKey || event.altKey) { if (event.key === "Escape") search.blur(); return; }
    if (event.key === "/") { event.preventDefault(); search.focus(); return; }
    if (event.key === "?") { byId("help").showModal(); return; }
    if (!byId("trace").hidden && keys[event.key]) { event.preventDefault(); keys[event.key](); }
  });
  search.addEventListener("input", () => { state.text = search.value; draw(); remember(); });

  const buttons = Object.entries(FILTERS).map(([name, words]) => element("button", { "data-filter": name, "aria-pressed": "false", onclick: () => choose({ filter: name }) }, words));
  const head = element("tr", {}, ["task", "trials", "strict", "kind", "slices", "first reason"].map((name) => element("th", { scope: "col", class: name === "kind" || name === "slices" ? "hide-small" : name === "strict" ? "number" : null }, name)));
  byId("tasks").append(element("h2", { id: "tasks-title" }, "Tasks"), element("div", { class: "filters" }, buttons, search, count, element("button", { onclick: () => byId("help").showModal(), "aria-label": "Keyboard help" }, "?")), element("p", { class: "soft" }, "✓ strict · ✗ failed · ≠ right for the wrong reason · ? unknown. A mark opens its trace."), element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Tasks" }, element("table", {}, element("thead", {}, head), body)));
  byId("help").append(element("h2", {}, "Keyboard"), table("Keys", ["key", "does"], [["/", "search tasks"], ["n, p", "next, previous trial"], ["j, k", "next, previous step"], ["f, F", "next, previous step with a fault in it"], ["Esc", "close the trace"]]), element("form", { method: "dialog" }, element("button", {}, "close")));
  const wanted = new URLSearchParams(location.hash.slice(1));
  Object.assign(state, { filter: wanted.get("filter") in FILTERS ? wanted.get("filter") : "all", text: wanted.get("text") || "", cell: wanted.get("cell") || "" });
  search.value = state.text;
  draw();
  if (wanted.get("task")) open(wanted.get("task"), Number(wanted.get("trial")));
  return choose;
}

readData().then((data) => {
  let choose = () => {};
  drawHead(data.summary); drawDecision(data.summary); drawMatrix(data.summary, (change) => choose(change)); drawCurve(data.summary); drawNumbers(data.summary);
  choose = startTasks(data);
  drawTables(data.summary);
  document.body.dataset.ready = "yes";
});
