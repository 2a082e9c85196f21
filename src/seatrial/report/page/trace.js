"use strict";
// One trial: the verdicts, what is missing, the steps, the judgement in full.

const QUESTIONS = ["outcome", "process", "safety", "budget"];
const MOST_EVIDENCE = 6;

function stepLink(step, jump) {
  return known(step) ? element("button", { type: "button", class: "step-link", onclick: () => jump(step), "aria-label": "go to step " + step }, String(step)) : null;
}

/** Return the content of the panel for a trial, and its steps. */
function traceContent(trial, command) {
  const { trace, grade } = trial;
  const steps = new StepList(trace.steps || [], pinsOf(grade));
  const jump = (step) => steps.jump(step);
  const parts = [
    traceFacts(trace, grade, command),
    element("ul", { class: "plain answers" }, QUESTIONS.map((name) => answerLine(name, grade[name], jump))),
    problems(trace, grade, jump),
    element("h3", {}, "Steps"),
    (trace.steps || []).length ? steps.parts() : soft("No step was recorded."),
    abandonedAttempts(trace, grade),
    judgement(trace, grade, jump),
  ];
  return { parts: parts.flat(Infinity).filter(Boolean), steps };
}

function traceFacts(trace, grade, command) {
  const usage = trace.usage || {};
  const facts = [
    words(trace.status) + (trace.status_reason ? ": " + visible(trace.status_reason) : ""),
    count((trace.steps || []).length, "step"),
    usage.counted && !usage.counted.includes("calls") ? "" : count(usage.calls || 0, "call"),
    known(usage.tokens) ? count(usage.tokens, "token") : "",
    known(usage.usd) ? amount(usage.usd, "usd") : "",
    usage.seconds ? amount(usage.seconds, "seconds") + " virtual seconds" : "",
    grade.alternative ? "judged by the alternative " + visible(grade.alternative) : "",
  ];
  return [element("ul", { class: "facts" }, facts.filter(Boolean).map((fact) => element("li", {}, fact))), commandLine(command)];
}

function answerLine(name, answer, jump) {
  const evidence = answer.evidence || [];
  const more = evidence.length > MOST_EVIDENCE ? " …" : null;
  const links = evidence.slice(0, MOST_EVIDENCE).map((step) => stepLink(step, jump));
  return element("li", {}, tag(answer.verdict), element("span", {}, element("b", {}, name), " – " + visible(answer.reason) + " ", links, more));
}

/** Return what belongs to no step that ran: missing calls, broken order, an end state that differs. */
function problems(trace, grade, jump) {
  const missing = (grade.requirements || []).filter((row) => row.status === "missing" || row.status === "undetermined");
  const order = (grade.order || []).filter((row) => row.status === "violated" || row.status === "undetermined");
  const items = [
    ...missing.map((row) => element("li", {}, tag(row.status, row.status === "missing" ? "fail" : row.status), element("span", {}, element("b", {}, visible(row.id)), " ", code(row.call), " " + visible(row.reason || ""), known(row.nearest) ? [" Nearest: step ", stepLink(row.nearest, jump)] : null))),
    ...order.map((row) => element("li", {}, tag(row.status === "violated" ? "order" : row.status, row.status === "violated" ? "fail" : row.status), element("span", {}, code(row.pair), " " + visible(row.reason || "")))),
  ];
  const differences = grade.differences || [];
  const ends = differences.slice(0, 100).map((row) => [code(row.path), code(row.expected), code(row.actual)]);
  if (!items.length && !ends.length) return null;
  const hidden = differences.length > 100 ? soft("and " + whole(differences.length - 100) + " more.") : null;
  const state = ends.length ? [table("End state where it differs", ["path", "expected", "found"].map(textColumn), ends, { label: "End state where it differs in this trial" }), hidden] : null;
  return element("div", { class: "problems" }, element("h3", {}, "What is missing or differs"), items.length ? cutListOf(items) : null, state);
}

const cutListOf = (items) => element("div", { class: "answers-list" }, cutList(items, 30, "row"));

function abandonedAttempts(trace, grade) {
  return (trace.attempts || []).map((attempt, index) => {
    const steps = attempt.steps || [];
    const summary = element("summary", {}, tag(attempt.status, "warn"), " attempt " + index + " was abandoned by the harness (its violations and costs count): " + visible(attempt.reason) + " · " + count(steps.length, "step"));
    return folded(summary, () => new StepList(steps, pinsOf(grade, index)).parts());
  });
}

function judgement(trace, grade, jump) {
  const parts = [requirementTable(grade, jump), orderTable(grade), changesOf(trace), sourceTable(grade, jump), reportedTable(trace), countsLine(grade)];
  return element("details", { class: "judgement" }, element("summary", {}, "The judgement in full"), parts);
}

function requirementTable(grade, jump) {
  const rows = (grade.requirements || []).map((row) => [visible(row.id), code(row.call), words(row.status), stepLink(row.step, jump) || "", visible(row.reason || "")]);
  const columns = [textColumn("id"), textColumn("call"), textColumn("status"), textColumn("step"), wideColumn("because")];
  return rows.length ? table("Required calls", columns, rows) : null;
}

function orderTable(grade) {
  const rows = (grade.order || []).map((row) => [code(row.pair), words(row.status), visible(row.reason || "")]);
  return rows.length ? table("Order", [textColumn("pair"), textColumn("status"), wideColumn("because")], rows) : null;
}

function changesOf(trace) {
  const changes = trace.changes || [];
  const head = element("h4", {}, "Changes of the world");
  if (trace.changes_unknown) return [head, element("p", {}, tag("undetermined"), " " + visible(trace.changes_unknown))];
  return [head, changes.length ? cutList(changes.map((change) => element("li", {}, changeParts(change))), 50, "change") : soft("Nothing was changed.")];
}

function sourceTable(grade, jump) {
  const rows = (grade.sources || []).slice(0, 100).map((row) => [code(row.argument), stepLink(row.step, jump), words(row.source), visible(row.where || "")]);
  return rows.length ? table("Where values came from: those without a source and those exempt, or all", [textColumn("value"), textColumn("step"), textColumn("source"), wideColumn("where")], rows) : null;
}

function reportedTable(trace) {
  const rows = (trace.reported || []).map((row) => [visible(row.name), code(compactJson(row.value ?? null)), visible(row.source || "")]);
  return rows.length ? table("Reported by others", [textColumn("name"), textColumn("value"), wideColumn("source")], rows) : null;
}

function countsLine(grade) {
  const counts = Object.entries(grade.counts || {}).filter(([, number]) => number).map(([name, number]) => words(name) + " " + whole(number));
  const credit = known(grade.credit) ? " Share of the expected arguments that were right, for diagnosis only: " + percent(grade.credit) + "." : "";
  return counts.length || credit ? soft("Calls: " + (counts.join(", ") || "none") + "." + credit) : null;
}

/** The panel that shows one trial at a time over the page. */
class TracePanel {
  constructor(dialog, handlers) {
    this.dialog = dialog;
    this.steps = null;
    this.title = element("h2", { id: "trace-title", tabindex: "-1" });
    this.place = element("span", { class: "soft" });
    this.content = element("div", { class: "content" });
    const button = (name, key, act) => element("button", { type: "button", onclick: act, "aria-keyshortcuts": key }, name);
    const buttons = [button("previous", "p", () => handlers.move(-1)), button("next", "n", () => handlers.move(1)), button("close", "Escape", () => dialog.close())];
    add(dialog, element("div", { class: "top" }, element("div", { class: "name" }, this.title, this.place), element("div", { class: "buttons" }, buttons)), this.content);
    dialog.addEventListener("close", handlers.closed);
  }

  get open() {
    return this.dialog.open;
  }

  show(heading, place, content, steps) {
    this.title.replaceChildren(heading);
    this.place.textContent = place;
    this.content.replaceChildren(...content);
    this.steps = steps;
    if (!this.dialog.open) this.dialog.showModal();
    this.dialog.scrollTop = 0;
    if (!this.dialog.querySelector(".buttons").contains(document.activeElement)) this.title.focus();
  }
}
