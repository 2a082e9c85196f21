"use strict";
// Tools, faults, safety, and what the run was made of.

const TOOL_COUNTS = ["calls", "argument_errors", "failures", "faults", "retries", "repeats", "near_misses", "refused"];
const REACTIONS = ["recovered", "lost", "doubled", "failed_closed", "escalated", "went_on", "invented", "unaffected"];

function drawFacts(report, choose) {
  const { summary } = report;
  add(byId("facts"), ...[toolsSection(summary), reactionsSection(summary), safetySection(summary, choose), risksSection(summary), reviewSection(report, choose), runSection(report), remarksSection(summary)].filter(Boolean));
}

function toolsSection(summary) {
  if (!summary.tools.length) return null;
  const keys = TOOL_COUNTS.filter((key) => key !== "refused" || summary.tools.some((row) => row.refused));
  const columns = [textColumn("tool"), ...keys.map((key) => numberColumn(words(key))), wideColumn("called where another was expected")];
  const rows = summary.tools.map((row) => [code(row.tool), ...keys.map((key) => quietZero(row[key])), confusedWords(row)]);
  const drawn = table("How the tools were used, all trials", columns, rows);
  summary.tools.forEach((row, index) => row.advice && drawn.querySelectorAll("tbody tr")[index].classList.add("worst"));
  const advice = summary.tools.filter((row) => row.advice).map((row) => element("p", { class: "advice" }, code(row.tool), ": " + visible(row.advice) + "."));
  return section("tools", "Tools", advice, drawn);
}

function confusedWords(row) {
  return row.confused.map((pair) => visible(pair.expected) + " " + count(pair.times, "time")).join(", ");
}

function reactionsSection(summary) {
  if (!summary.reactions.length) return null;
  const seen = REACTIONS.filter((key) => summary.reactions.some((row) => row[key]));
  const columns = [textColumn("tool"), textColumn("fault"), numberColumn("fired"), ...seen.map((key) => numberColumn(words(key)))];
  const rows = summary.reactions.map((row) => [code(row.tool), words(row.fault), whole(row.fired), ...seen.map((key) => quietZero(row[key] || 0))]);
  return section("reactions", "Reactions to faults", table("What the agent did about each fault that fired", columns, rows));
}

function safetySection(summary, choose) {
  const { safety } = summary;
  if (!safety.violations) return section("safety", "Safety", element("p", {}, noViolation(safety)), unknownSafety(safety));
  const where = count(safety.violated_trials, "trial") + " of " + count(safety.violated_tasks, "task");
  const columns = [textColumn("rule"), textColumn("trial"), numberColumn("step"), wideColumn("why")];
  const rows = safety.shown.map((row) => [words(row.rule), link(row.task + "#" + row.trial, () => choose({ task: row.task, trial: row.trial, step: row.step })), String(row.step) + (known(row.attempt) ? " of abandoned attempt " + row.attempt : ""), visible(row.reason)]);
  const hidden = safety.violations - safety.shown.length;
  const lead = element("p", {}, tag("fail"), " " + count(safety.violations, "violation") + " in " + where + "; every one fails the run.");
  return section("safety", "Safety", lead, table("Violations", columns, rows), hidden > 0 ? soft("and " + whole(hidden) + " more.") : null, unknownSafety(safety));
}

function noViolation(safety) {
  if (!known(safety.allowed_rate)) return "No trial answers whether a safety rule was kept.";
  const rate = "the true rate is below " + percent(safety.allowed_rate) + " of trials with 95 % confidence, counting tasks";
  return "No violation in " + count(safety.trials, "trial") + " of " + count(safety.tasks, "task") + ": " + rate + ".";
}

const unknownSafety = (safety) => (safety.undetermined ? element("p", {}, "Not known on " + count(safety.undetermined, "trial") + ".") : null);

function runSection(report) {
  const { summary } = report;
  const statuses = summary.statuses.map((row) => [words(row.status), whole(row.trials), row.unknown ? "unknown" : "known"]);
  const budgets = summary.budgets.map((row) => [row.ceiling, whole(row.not_set), whole(row.tasks)]);
  const ended = table("How trials ended", [textColumn("status"), numberColumn("trials"), textColumn("success")], statuses);
  const ceilings = table("Ceilings that are not set", [textColumn("ceiling"), numberColumn("tasks without"), numberColumn("of tasks")], budgets);
  return section("run", "This run", element("div", { class: "split" }, element("div", {}, runFacts(report)), element("div", {}, ended, ceilings)));
}

function runFacts(report) {
  const { summary } = report;
  const { candidate } = summary;
  const parts = ["version", "agent", "model", "code", "prompt", "tools", "retrieval", "policy"].filter((name) => candidate[name]);
  const facts = [
    ["suite", summary.suite + " " + summary.suite_version],
    ["suite hash", summary.suite_hash],
    ["candidate", candidate.name],
    ["candidate hash", summary.candidate_hash],
    ...parts.map((name) => [["version", "agent", "model"].includes(name) ? name : name + " hash", candidate[name]]),
    ["seed", report.seed],
    ["made", summary.created_at],
    ["seatrial", summary.seatrial],
    ["source", summary.source],
    ...(summary.proof || summary.source === "run" ? [["proof of the suite", proofWords(summary.proof)]] : []),
    ["models seen", summary.models.join(", ") || "no model call was seen"],
    ["retried by the harness", count(summary.retried_trials, "trial")],
  ];
  return element("dl", { class: "pairs" }, facts.map(([name, value]) => [element("dt", {}, name), element("dd", {}, visible(value))]));
}

function proofWords(proof) {
  if (!proof) return "not proven, run: seatrial prove SUITE";
  if (proof.older) return "of an older suite, run: seatrial prove SUITE";
  const others = (proof.faults || 0) - (proof.errors || 0);
  const parts = [...(proof.errors ? [count(proof.errors, "error") + " of the suite"] : []), whole(proof.caught) + " of " + count(proof.mutants, "mutant") + " caught", count(proof.holes || 0, "hole")];
  if (proof.undetermined) parts.push(whole(proof.undetermined) + " undetermined");
  if (proof.explained) parts.push(whole(proof.explained) + " explained");
  if (others) parts.push(whole(others) + (proof.errors ? " other" : "") + " not as it should be");
  return parts.join(", ");
}

function remarksSection(summary) {
  const warnings = [...new Set([...((summary.decision || {}).warnings || []), ...summary.warnings])];
  const groups = [["Not measured", summary.not_measured], ["Warnings", warnings], ["Notes", summary.notes]];
  const parts = groups.filter(([, lines]) => lines.length).map(([title, lines]) => element("div", {}, element("h3", {}, title), cutList(lines.map((line) => element("li", {}, visible(line))), 20, "line")));
  return parts.length ? section("remarks", "What to keep in mind", parts) : null;
}
