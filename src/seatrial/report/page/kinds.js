"use strict";
// The numbers of one kind of tasks; capability and regression tasks are never pooled.

const MOST_GROUPS = 12;
const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);
const reach = (kind) => Math.max(1, ...kind.stakes.map((group) => group.strict.pass_k.length));

function drawKinds(summary, choose) {
  for (const kind of summary.kinds) {
    const title = capital(kind.kind) + ": every time?";
    const lead = element("div", {}, headline(kind), sentences(kind, summary));
    const curve = linesOf(kind).length ? element("div", {}, curveOf(kind), curveLegend(kind)) : null;
    const parts = [element("div", { class: "split" }, lead, curve), stakesTable(kind), groupsTable(kind, choose), costTable(kind)];
    add(byId("kinds"), section(kind.kind, title, parts));
  }
}

function headline(kind) {
  const k = Math.max(1, kind.headline_k);
  const ks = k > 1 ? [1, k] : [1];
  const columns = [textColumn("criterion"), ...ks.map((one) => numberColumn("pass^" + one)), numberColumn("pass@" + k)];
  const row = (curve, name) => [name, ...ks.map((one) => shareWithInterval(curve.pass_k[one - 1])), share((curve.pass_at_k[k - 1] || {}).value)];
  const caption = count(kind.coverage.tasks, kind.kind + " task") + " with 95 % intervals";
  return table(caption, columns, [row(kind.strict, "strict"), row(kind.outcome, "outcome alone")], { kind: "figures" });
}

function sentences(kind, summary) {
  const { coverage } = kind;
  const both = percent(coverage.of_planned) + " of " + whole(coverage.planned) + " planned, " + percent(coverage.of_scored) + " of " + whole(coverage.scored) + " scored";
  const lines = [
    count(coverage.passed, "trial") + " passed strict: " + both + ".",
    "Tasks: " + whole(kind.always) + " always pass, " + whole(kind.flaky) + " sometimes, " + whole(kind.never) + " never.",
    ...unknownBounds(kind),
    because(kind, summary),
  ];
  return lines.filter(Boolean).map((line) => element("p", {}, line));
}

/** Say why the suite looks at its k, where a line reaches it. */
function because(kind, summary) {
  const k = summary.headline_k;
  const reached = kind.stakes.some((group) => group.strict.pass_k[k - 1] && known(group.strict.pass_k[k - 1].value));
  return reached && k > 1 && summary.because ? "k = " + k + " because " + visible(summary.because) + "." : "";
}

/** Say what unknown trials leave open. */
function unknownBounds(kind) {
  const firsts = [["strict", kind.strict.pass_k[0]], ["outcome", kind.outcome.pass_k[0]]];
  const open = firsts.filter(([, one]) => one && one.unknown && known(one.bound_low));
  return open.map(([criterion, one]) => criterion + " pass^1 lies between " + share(one.bound_low) + " (all failed) and " + share(one.bound_high) + " (all passed) for " + count(one.unknown, "unknown trial") + ".");
}

function curveLegend(kind) {
  const floor = scaleOf(linesOf(kind), 600).floor;
  const text = "pass^k: the chance that k fresh trials of a task all pass. Solid lines: strict, all four questions, with the 95 % interval as a band. Dashed lines: outcome alone. Each line ends at the trials that its tasks have.";
  return soft(text + (floor > 0 ? " The axis starts at " + floor.toFixed(2) + "." : ""));
}

function stakesTable(kind) {
  const longest = reach(kind);
  const ks = Array.from({ length: longest }, (_, index) => index);
  const columns = [textColumn("stakes"), textColumn("criterion"), numberColumn("tasks"), ...ks.map((index) => numberColumn("k = " + (index + 1)))];
  const row = (group, curve, name) => [group.stakes, name, whole(group.tasks), ...ks.map((index) => (curve.pass_k[index] ? shareWithInterval(curve.pass_k[index]) : ""))];
  const rows = kind.stakes.flatMap((group) => [row(group, group.strict, "strict"), row(group, group.outcome, "outcome alone")]);
  const short = kind.stakes.some((group) => group.strict.pass_k.some((one) => !known(one.value)));
  const note = short ? soft(NONE + ": a task of the group has fewer than k scored trials.") : null;
  return rows.length ? [table(capital(kind.kind) + ": pass^k by stakes", columns, rows), note] : null;
}

function groupsTable(kind, choose) {
  const low = (row) => (known(row.strict.value) ? row.strict.value : 2);
  const slices = [...kind.slices].sort((one, other) => low(one) - low(other));
  const rows = [...kind.splits, ...slices].map((row) => groupRow(row, choose));
  if (!rows.length) return null;
  const columns = [textColumn("group"), numberColumn("tasks"), numberColumn("trials"), textColumn("strict, 95 %"), numberColumn("strict pass^1"), numberColumn("outcome"), numberColumn("wrong reason")];
  const most = kind.splits.length + MOST_GROUPS;
  const drawn = table(capital(kind.kind) + " by split and slice, lowest first", columns, rows.slice(0, most));
  const rest = rows.slice(most).map((cells) => tableRow(columns, cells));
  const more = rest.length ? moreButton("show " + count(rest.length, "more slice"), () => drawn.querySelector("tbody").append(...rest)) : null;
  const note = slices.length ? soft("Slices overlap and are not corrected for their number: a low one is a reason to look, not a finding.") : null;
  return [drawn, more, note];
}

function groupRow(row, choose) {
  const name = row.name === "split" ? row.value : row.name + "=" + row.value;
  const cells = [whole(row.tasks), whole(row.trials), intervalBar(row.strict), shareWithInterval(row.strict), share(row.outcome.value), quietZero(row.wrong_reason)];
  return [link(name, () => choose({ text: name }), "filter tasks by " + name), ...cells];
}

/** Return a share with its interval as a small drawing; the numbers stand beside it. */
function intervalBar(estimate) {
  if (!estimate || !known(estimate.value)) return NONE;
  const low = estimate.lower ?? estimate.value, high = estimate.upper ?? estimate.value;
  const parts = [
    shape("line", { class: "bar-track", x1: 0, x2: 100, y1: 6, y2: 6 }),
    shape("line", { class: "bar-range", x1: 100 * low, x2: 100 * high, y1: 6, y2: 6 }),
    shape("circle", { class: "bar-point", cx: 4 + 92 * estimate.value, cy: 6, r: 4 }),
  ];
  return shape("svg", { class: "bar", viewBox: "0 0 100 12", width: 100, height: 12, "aria-hidden": "true" }, parts);
}

function costTable(kind) {
  const { cost } = kind;
  const rows = [
    ["price", amountWithInterval(cost.usd_mean), amountWithInterval(cost.usd_p95)],
    ["calls", amountWithInterval(cost.calls_mean), amountWithInterval(cost.calls_p95)],
    ["virtual seconds", amountWithInterval(cost.seconds_mean), amountWithInterval(cost.seconds_p95)],
    ["tokens", amountWithInterval(cost.tokens_mean), NONE],
  ];
  const columns = [textColumn("a trial"), numberColumn("mean [95 %]"), numberColumn("p95 [95 %]")];
  const missing = cost.usd_unknown ? " Price not known: " + count(cost.usd_unknown, "trial") + "." : "";
  const total = known(cost.usd_total) ? soft("Total price of the trials with a known one: " + amount(cost.usd_total, "usd") + "." + missing) : null;
  return [table(capital(kind.kind) + ": cost of a trial", columns, rows), total];
}
