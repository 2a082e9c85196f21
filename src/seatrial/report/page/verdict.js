"use strict";
// The head of the page: the decision, the four questions, outcome by process.

const MATRIX_AXIS = ["pass", "fail", "undetermined", "not_applicable"];
const AXIS_WORDS = { pass: "pass", fail: "fail", undetermined: "undetermined", not_applicable: "not asked" };
const CELL_KINDS = { "pass pass": "good", "pass fail": "wrong-reason", "fail pass": "poor", "fail fail": "bad" };
const CELL_WORDS = {
  "pass pass": "right, by an allowed path",
  "pass fail": "right for the wrong reason",
  "fail pass": "wrong, by an allowed path",
  "fail fail": "wrong, by a wrong path",
};
const MOST_NAMED = 8;

function drawHead(report) {
  const { summary } = report;
  const candidate = [summary.candidate.name, summary.candidate.version].filter(Boolean).join(" ");
  const facts = [
    [summary.suite, summary.suite_version].filter(Boolean).join(" "),
    count(summary.tasks_planned, "task"),
    whole(summary.trials_seen) + " of " + count(summary.trials_planned, "trial"),
    "seed " + report.seed,
    summary.created_at.slice(0, 16).replace("T", " "),
    summary.source === "run" ? "" : "imported: " + summary.source,
  ].filter(Boolean);
  add(
    byId("head"),
    element("p", { class: "overline" }, "Sea trial"),
    element("h1", {}, visible(candidate)),
    element("ul", { class: "facts" }, facts.map((fact) => element("li", {}, visible(fact)))),
    summary.partial ? element("p", {}, tag("warn", "warn"), " Only a part of the suite: ", code(summary.partial)) : null,
  );
}

function drawDecision(report, choose) {
  const decision = report.summary.decision || { value: "inconclusive", sentence: "No gate has looked at this run yet." };
  const lead = decision.value.toUpperCase();
  const sentence = decision.sentence.startsWith(lead + ": ") ? decision.sentence.slice(lead.length + 2) : decision.sentence;
  const banner = element("div", { class: "banner" }, element("b", { class: "lead" }, lead, element("span", { class: "quiet" }, ": ")), element("p", {}, visible(sentence)));
  document.body.dataset.decision = decision.value;
  add(byId("decision"), banner, ruleList(decision.rules || [], choose), transcripts(decision), nextStep(report));
}

/** Return how many transcripts people have read, and who. */
function transcripts(decision) {
  return decision.read ? element("p", { class: "quiet" }, visible(decision.read) + ".") : null;
}

function ruleList(rules, choose) {
  const items = rules.map((rule) => element("li", {}, tag(rule.value), " ", element("b", {}, words(rule.rule)), " – " + visible(rule.reason), rule.need ? element("span", {}, ". " + visible(rule.need.words) + ".") : null, evidenceLinks(rule.evidence || [], choose)));
  return element("ul", { class: "plain rules" }, items);
}

/** Return links to the traces that decide a rule, one a task. */
function evidenceLinks(evidence, choose) {
  const first = new Map();
  for (const place of evidence) {
    const [task, trial] = splitPlace(place);
    if (!first.has(task)) first.set(task, trial);
  }
  const links = [...first].slice(0, MOST_NAMED).map(([task, trial]) => link(task, () => choose({ task, trial }), "open " + task + " trial " + trial));
  const rest = first.size - links.length;
  return links.length ? element("span", { class: "evidence" }, links, rest > 0 ? " and " + count(rest, "more task") : null) : null;
}

function splitPlace(place) {
  const at = place.lastIndexOf("#");
  return at < 0 ? [place, 0] : [place.slice(0, at), Number(place.slice(at + 1))];
}

function nextStep(report) {
  const { decision, next } = report.summary;
  const chosen = ((decision && decision.next) || next || "").replace(" RUN", () => " " + report.run);
  if (!chosen) return null;
  const at = chosen.indexOf(": seatrial ");
  const why = at < 0 ? chosen : chosen.slice(0, at) + ":";
  const command = at < 0 ? null : commandLine(chosen.slice(at + 2));
  return element("div", { class: "next" }, element("p", {}, element("b", {}, "Next"), " " + visible(why)), command);
}

/** Return a command on one line that is never broken. */
function commandLine(command) {
  return element("div", { class: "command", tabindex: "0", role: "group", "aria-label": "Command" }, code(command));
}

function drawMatrix(summary, choose) {
  const cells = new Map(summary.matrix.map((cell) => [cell.outcome + " " + cell.process, cell]));
  const trials = (outcome, process) => (cells.get(outcome + " " + process) || { trials: 0 }).trials;
  const asked = (one) => one === "pass" || one === "fail";
  const rows = MATRIX_AXIS.filter((row) => asked(row) || MATRIX_AXIS.some((column) => trials(row, column)));
  const columns = MATRIX_AXIS.filter((column) => asked(column) || MATRIX_AXIS.some((row) => trials(row, column)));
  const head = columns.map((column) => element("th", { scope: "col" }, "process ", element("b", {}, AXIS_WORDS[column])));
  const body = rows.map((row) => element("tr", {}, element("th", { scope: "row" }, "outcome ", element("b", {}, AXIS_WORDS[row])), columns.map((column) => element("td", {}, matrixCell(row + " " + column, cells.get(row + " " + column), summary, choose)))));
  const grid = element("table", { class: "matrix" }, element("caption", {}, "Trials; choose a cell to see its tasks"), element("thead", {}, element("tr", {}, element("td", {}), head)), element("tbody", {}, body));
  add(byId("verdict"), section("matrix", "Outcome × process", element("div", { class: "split" }, element("div", { class: "scroll" }, grid), wrongReasons(summary, choose))));
}

/** Return a cell with its trials; capability and regression stand apart where the run has both. */
function matrixCell(key, cell, summary, choose) {
  const name = CELL_WORDS[key] || "not determined";
  const trials = cell ? cell.trials : 0;
  const numbers = summary.kinds.map((kind) => whole(cell ? cell[kind.kind] : 0) + " " + kind.kind);
  const parts = [element("b", {}, whole(trials)), element("span", {}, name), summary.kinds.length > 1 ? numbers.map((words) => element("small", {}, words)) : element("small", {}, trials && summary.trials_seen ? percent(trials / summary.trials_seen) : NONE)];
  return element("button", { type: "button", class: "cell " + (CELL_KINDS[key] || ""), disabled: !trials, "aria-pressed": "false", "data-cell": key, onclick: () => choose({ cell: key }) }, parts);
}

/** Return the tasks that were right for the wrong reason, by name. */
function wrongReasons(summary, choose) {
  const rows = summary.wrong_reasons;
  if (!rows.length) return soft("No trial reached the right outcome for the wrong reason.");
  const trials = rows.reduce((sum, row) => sum + row.count, 0);
  const items = rows.map((row) => element("li", {}, link(row.task, () => choose({ task: row.task, trial: row.trials[0], step: row.step })), " ", element("span", { class: "soft" }, row.count + " of " + count(row.scored, "trial") + ", " + row.question + (summary.kinds.length > 1 ? ", " + row.kind : "")), element("br"), visible(row.reason)));
  const title = "Right answer, wrong reason: " + count(trials, "trial") + " of " + count(rows.length, "task");
  return element("div", { class: "wrong-list" }, element("h3", {}, title), cutList(items, MOST_NAMED, "task"));
}

function drawQuestions(summary) {
  const columns = [textColumn("question"), ...["pass", "fail", "undetermined", "not asked", "error", "not run"].map(numberColumn)];
  const keys = ["passed", "failed", "undetermined", "not_applicable", "error", "not_run"];
  const tables = summary.kinds.map((kind) => {
    const rows = kind.questions.map((row) => [row.question === "strict" ? "strict (all four)" : row.question, ...keys.map((key) => quietZero(row[key] || 0))]);
    const of = summary.kinds.length > 1 ? " of " + kind.kind + " tasks" : "";
    return table("Trials" + of + " by verdict; the questions are never averaged into one another", columns, rows);
  });
  add(byId("verdict"), section("questions", "The four questions", tables));
}

const quietZero = (number) => (number ? whole(number) : element("span", { class: "soft" }, "0"));
