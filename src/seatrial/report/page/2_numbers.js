"use strict";
const MATRIX_ROWS = [["pass", "right outcome"], ["fail", "wrong outcome"], ["undetermined", "outcome unknown"]];
const MATRIX_COLUMNS = [["pass", "allowed path"], ["fail", "path not allowed"], ["undetermined", "path unknown"]];
const CELL_WORDS = { "pass pass": ["good", "right for the right reason"], "pass fail": ["wrong-reason", "right for the wrong reason"], "fail pass": ["", "wrong by an allowed path"], "fail fail": ["bad", "wrong by a wrong path"] };
const fold = (verdict) => (verdict === "error" ? "undetermined" : verdict === "not_applicable" ? "pass" : verdict);

function drawHead(summary) {
  const facts = [summary.suite + " " + summary.suite_version, plural(summary.tasks_planned, "task"), plural(summary.trials_seen, "trial") + " of " + summary.trials_planned, "seed " + summary.seed, summary.created_at.slice(0, 10), "seatrial " + summary.seatrial];
  if (summary.source !== "run") facts.push("imported: " + summary.source);
  byId("head").append(element("h1", {}, summary.candidate.name), element("p", { class: "soft" }, facts.join(" · ")), element("p", { class: "soft" }, "candidate " + summary.candidate_hash.slice(0, 12) + " · suite " + summary.suite_hash.slice(0, 12)));
}

function drawDecision(summary) {
  const decision = summary.decision;
  if (!decision) return;
  const rules = (decision.rules || []).map((rule) => element("li", {}, tag(rule.value), " ", element("b", {}, rule.rule.replaceAll("_", " ")), ": " + visible(rule.reason)));
  const warnings = (decision.warnings || []).map((text) => element("li", {}, tag("warn"), " " + visible(text)));
  byId("decision").append(element("div", { class: "decision " + decision.value, role: "status" }, visible(decision.sentence)), element("ul", { class: "plain" }, rules, warnings), decision.next ? element("p", {}, element("b", {}, "Next: "), visible(decision.next)) : null);
}

function drawMatrix(summary, choose) {
  const counts = {};
  for (const cell of summary.matrix) {
    const key = fold(cell.outcome) + " " + fold(cell.process);
    counts[key] = (counts[key] || 0) + cell.trials;
  }
  const cell = ([outcome], [process]) => {
    const key = outcome + " " + process;
    const [kind, words] = CELL_WORDS[key] || ["", "not determined"];
    return element("button", { class: "cell " + kind, disabled: !counts[key], "aria-pressed": "false", "data-cell": key, onclick: () => choose({ cell: key }) }, element("b", {}, String(counts[key] || 0)), element("small", {}, words));
  };
  const rows = MATRIX_ROWS.flatMap((row) => [element("div", { class: "side" }, row[1]), ...MATRIX_COLUMNS.map((column) => cell(row, column))]);
  byId("matrix").append(element("h2", { id: "matrix-title" }, "Outcome and process, in trials"), element("div", { class: "grid" }, element("div", {}), MATRIX_COLUMNS.map((column) => element("div", { class: "head" }, column[1])), rows), element("p", { class: "soft" }, "A cell filters the tasks below. A question that a task does not ask counts as kept."));
  const named = summary.wrong_reasons.slice(0, 8).map((row) => element("li", {}, element("button", { onclick: () => choose({ open: [row.task, row.trials[0]] }) }, row.task), " " + row.count + " of " + row.scored + ": " + visible(row.reason)));
  if (named.length) byId("matrix").append(element("h3", {}, "Right answer, wrong reason"), element("ul", { class: "plain" }, named));
}

function curveOf(kind) {
  const width = 420, height = 220, left = 46, bottom = 30, top = 10;
  const count = Math.max(kind.strict.pass_k.length, 1);
  const x = (index) => left + (count === 1 ? 0.5 : index / (count - 1)) * (width - left - 14);
  const y = (value) => top + (1 - value) * (height - top - bottom);
  const points = (curve) => curve.map((one, index) => [index, one.value]).filter(([, value]) => value !== null && value !== undefined);
  const line = (curve, name) => element("polyline", { class: name, points: points(curve).map(([index, value]) => x(index) + "," + y(value)).join(" ") });
  const dots = (curve, name) => points(curve).map(([index, value]) => element("circle", { class: "dot-" + name, cx: x(index), cy: y(value), r: 3.5 }));
  const banded = kind.strict.pass_k.map((one, index) => [index, one]).filter(([, one]) => one.lower !== null && one.lower !== undefined && one.upper !== null && one.upper !== undefined);
  const band = [...banded.map(([index, one]) => x(index) + "," + y(one.upper)), ...banded.reverse().map(([index, one]) => x(index) + "," + y(one.lower))].join(" ");
  const grid = [0, 0.5, 1].flatMap((value) => [element("line", { class: "axis", x1: left, x2: width - 10, y1: y(value), y2: y(value) }), element("text", { x: left - 6, y: y(value) + 4, "text-anchor": "end" }, 100 * value + " %")]);
  const ticks = kind.strict.pass_k.map((one, index) => element("text", { x: x(index), y: height - 8, "text-anchor": "middle" }, "k=" + (index + 1)));
  return element("svg", { viewBox: "0 0 " + width + " " + height, role: "img", "aria-label": "pass^k of the " + kind.kind + " tasks; the table below holds the numbers" }, grid, ticks, element("polygon", { class: "band", points: band }), line(kind.outcome.pass_k, "outcome"), dots(kind.outcome.pass_k, "outcome"), line(kind.strict.pass_k, "strict"), dots(kind.strict.pass_k, "strict"));
}

function drawCurve(summary) {
  byId("curve").append(element("h2", { id: "curve-title" }, "Every time? pass^k"), element("p", { class: "soft" }, "Solid: all four questions, with its 95 % interval. Dashed: outcome alone." + (summary.because ? " k = " + summary.headline_k + " because " + visible(summary.because) + "." : "")));
  for (const kind of summary.kinds) {
    const rows = kind.stakes.flatMap((group) => [[group.stakes, "strict", group.strict], [group.stakes, "outcome alone", group.outcome]].map(([stakes, bar, curve]) => [stakes, bar, String(group.tasks), ...[...Array(longest(kind)).keys()].map((index) => (curve.pass_k[index] ? percent(curve.pass_k[index].value) : "–"))]));
    byId("curve").append(element("h3", {}, kind.kind + ": " + plural(kind.coverage.tasks, "task")), curveOf(kind), table("pass^k by stakes, " + kind.kind, ["stakes", "bar", "#tasks", ...[...Array(longest(kind)).keys()].map((index) => "#k=" + (index + 1))], rows));
  }
}
const longest = (kind) => Math.max(1, ...kind.stakes.map((group) => group.strict.pass_k.length));

function bar(one) {
  if (!one || one.value === null || one.value === undefined) return element("span", { class: "soft" }, "–");
  // The place is set through the style object: inline style attributes are closed by the page's own policy.
  const range = element("i", {}), point = element("b", {});
  const low = one.lower ?? one.value, high = one.upper ?? one.value;
  range.style.left = 100 * low + "%"; range.style.width = 100 * (high - low) + "%"; point.style.left = "calc(" + 100 * one.value + "% - 1px)";
  return element("span", { class: "bar", "aria-hidden": "true" }, range, point);
}

function drawNumbers(summary) {
  const section = byId("numbers");
  const questions = summary.questions.map((row) => [row.question, String(row.passed || 0), String(row.failed || 0), String(row.undetermined || 0), String(row.not_applicable || 0), String(row.error || 0), String(row.not_run || 0)]);
  section.append(element("h2", { id: "numbers-title" }, "The four questions"), table("Trials by verdict; never averaged into one another", ["question", "#pass", "#fail", "#undetermined", "#not applicable", "#grader error", "#not run"], questions));
  for (const kind of summary.kinds) {
    const cover = kind.coverage;
    section.append(element("h3", {}, kind.kind), element("p", {}, "Strict: " + estimate(kind.strict.pass_k[0]) + " of trials; outcome alone: " + estimate(kind.outcome.pass_k[0]) + ". " + plural(kind.always, "task") + " always, " + kind.flaky + " sometimes, " + kind.never + " never. Passed " + cover.passed + " of " + cover.planned + " planned (" + percent(cover.of_planned) + "), of " + cover.scored + " scored (" + percent(cover.of_scored) + ")."));
    const groups = [...kind.splits, ...kind.slices].map((row) => [row.name, row.value, String(row.tasks), String(row.trials), bar(row.strict), estimate(row.strict), percent(row.outcome.value), String(row.wrong_reason)]);
    section.append(table("Splits and slices of the " + kind.kind + " tasks; slices overlap", ["name", "value", "#tasks", "#trials", "strict", "pass^1 strict", "#outcome alone", "#wrong reason"], groups));
    section.append(element("p", { class: "soft" }, "Calls a trial: mean " + estimate(kind.cost.calls_mean) + ", p95 " + estimate(kind.cost.calls_p95) + ". Cost a trial: mean " + estimate(kind.cost.usd_mean) + ", p95 " + estimate(kind.cost.usd_p95) + "."));
  }
}

function drawTables(summary) {
  const section = byId("tables");
  if (summary.safety.shown.length) section.append(element("h2", {}, "Safety violations"), table("Every one fails the run", ["rule", "task", "#trial", "#step", "why"], summary.safety.shown.map((row) => [row.rule, row.task, String(row.trial), String(row.step), visible(row.reason)])));
  section.append(element("h2", {}, "Tools"), table("How the tools were used, all trials", ["tool", "#calls", "#argument errors", "#failures", "#faults", "#retries", "#repeats", "#refused", "#near misses", "mistaken for", ""], summary.tools.map((row) => [row.tool, ...["calls", "argument_errors", "failures", "faults", "retries", "repeats", "refused", "near_misses"].map((key) => String(row[key])), row.confused.map((pair) => pair.expected + " ×" + pair.times).join(", "), row.advice])));
  const reactions = ["fired", "recovered", "lost", "failed_closed", "escalated", "went_on", "invented", "unaffected"];
  if (summary.reactions.length) section.append(element("h2", {}, "Faults, and what the agent did"), table("Reactions to injected faults", ["tool", "fault", ...reactions.map((name) => "#" + name.replaceAll("_", " "))], summary.reactions.map((row) => [row.tool, row.fault, ...reactions.map((name) => String(row[name] || 0))])));
  section.append(element("h2", {}, "How the trials ended"), table("Statuses", ["status", "#trials", ""], summary.statuses.map((row) => [row.status.replaceAll("_", " "), String(row.trials), row.unknown ? "leaves success unknown" : ""])));
  const missing = [...summary.budgets.filter((row) => row.not_set).map((row) => "Ceiling for " + row.ceiling + ": not set in " + row.not_set + " of " + plural(row.tasks, "task") + "."), ...summary.not_measured, ...summary.notes];
  if (missing.length) section.append(element("h2", {}, "What this run does not tell"), element("ul", {}, missing.map((text) => element("li", {}, visible(text)))));
}
