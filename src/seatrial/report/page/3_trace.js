"use strict";
const OPEN_FIRST = 600; // characters of a payload that are shown without unfolding

function payload(name, value) {
  if (value === undefined) return null;
  const text = pretty(value);
  if (text.length <= OPEN_FIRST && !text.includes("\n")) return element("div", {}, element("small", {}, name + " "), element("span", { class: "code" }, text));
  return element("details", {}, element("summary", {}, name + " ", element("small", {}, plural(text.length, "character"))), element("pre", { tabindex: "0" }, text));
}

function pinsOf(grade) {
  const pins = new Map();
  const pin = (step, kind, text) => step !== null && step !== undefined && (pins.has(step) ? pins : pins.set(step, [])).get(step).push([kind, text]);
  for (const row of grade.requirements || []) {
    if (row.step !== undefined && row.step !== null) pin(row.step, row.status === "met" ? "good" : "bad", "required " + row.id + ": " + row.status.replaceAll("_", " ") + (row.status !== "met" && row.reason ? " – " + row.reason : ""));
    else if (row.nearest !== undefined && row.nearest !== null) pin(row.nearest, "bad", "nearest to the missing " + row.id + ": " + differencesIn(row.differences));
  }
  for (const call of grade.calls || []) {
    if (call.fault) pin(call.step, "bad", call.kind + ": " + call.fault);
    else if (call.kind !== "met") pin(call.step, "warn", call.kind);
    if (call.near_miss_of) pin(call.step, "warn", "near miss of " + call.near_miss_of);
  }
  for (const row of grade.violations || []) pin(row.step, "bad", "violates " + row.rule + ": " + row.reason);
  for (const row of grade.reactions || []) pin(row.step, "warn", "fault " + row.fault + ": " + row.reaction.replaceAll("_", " "));
  for (const row of grade.sources || []) if (row.source === "none") pin(row.step, "bad", row.argument + " has no source");
  return pins;
}
const differencesIn = (rows) => (rows || []).map((row) => row.path + " expected " + row.expected + ", was " + row.actual).join("; ") || "other arguments";

const STEPS = {
  user: (step) => [element("span", { class: "who" }, "user "), element("span", { class: "said" }, visible(step.text))],
  agent: (step) => [element("span", { class: "who" }, "agent "), element("span", { class: "said" }, visible(step.text))],
  model: (step) => [element("span", { class: "who" }, "model "), step.model],
  permission: (step) => [element("span", { class: "who" }, "permission "), (step.allowed ? "allowed" : "refused") + " call " + step.call + (step.reason ? ": " + visible(step.reason) : "")],
  approval: (step) => [element("span", { class: "who" }, "approval "), (step.approved ? "yes" : "no") + " to call " + step.call],
  handoff: (step) => [element("span", { class: "who" }, "handoff "), visible(step.source + " → " + step.target)],
  probe: (step) => [element("span", { class: "who" }, "probe "), visible(step.name), payload("value", step.value)],
  call: (step) => [
    element("span", { class: "who code" }, visible(step.tool)), " ", step.effect && step.effect !== "read" ? tag(step.effect) : null, step.fault ? tag("warn") : null, step.fault ? " fault " + step.fault.kind : null,
    step.message !== undefined ? element("small", {}, " message " + step.message) : null,
    payload("arguments", step.proposed === undefined ? {} : step.proposed), step.failure ? element("div", {}, tag("fail"), " " + visible(step.failure.kind + (step.failure.status ? " " + step.failure.status : "") + ": " + (step.failure.message || ""))) : payload("answer", step.observation),
    (step.changes || []).map((change) => payload(change.kind + " " + change.path, change.after === undefined ? null : change.after)),
  ],
};

function stepItem(step, pins) {
  const mine = pins.get(step.sequence) || [];
  const flagged = mine.some(([kind]) => kind === "bad");
  const kind = step.step;
  return element("li", { class: kind + (flagged ? " flagged" : ""), "data-step": step.sequence, tabindex: "-1" }, element("small", {}, step.sequence + " "), (STEPS[kind] || (() => [kind]))(step), mine.map(([mood, text]) => element("span", { class: "pin " + mood }, visible(text))));
}

function questionList(grade, jump) {
  return ["outcome", "process", "safety", "budget"].map((name) => element("li", {}, tag(grade[name].verdict), " ", element("b", {}, name), ": " + visible(grade[name].reason) + " ", (grade[name].evidence || []).slice(0, 6).map((step) => element("button", { onclick: () => jump(step), "aria-label": "go to step " + step }, String(step)))));
}

function drawTrace(trial, move, close) {
  const { trace, grade } = trial;
  const panel = byId("trace");
  const steps = trace.steps || [];
  const pins = pinsOf(grade);
  const jump = (step) => { const item = panel.querySelector('[data-step="' + step + '"]'); if (item) { panel.querySelectorAll("li.at").forEach((one) => one.classList.remove("at")); item.classList.add("at"); item.focus(); item.scrollIntoView({ block: "center" }); } };
  const missing = (grade.requirements || []).filter((row) => row.status === "missing").map((row) => element("li", {}, tag("fail"), " " + visible(row.id + " (" + row.call + ") never ran as required. " + (row.reason || ""))));
  const order = (grade.order || []).filter((row) => row.status === "violated" || row.status === "undetermined").map((row) => element("li", {}, tag(row.status === "violated" ? "fail" : "undetermined"), " " + visible(row.pair + ". " + (row.reason || ""))));
  const ends = (grade.differences || []).map((row) => [visible(row.path), visible(row.expected), visible(row.actual)]);
  panel.replaceChildren(
    element("div", { class: "bar-top" }, element("h2", {}, trace.identity.task + " · trial " + trace.identity.trial), element("button", { onclick: () => move(-1) }, "previous"), element("button", { onclick: () => move(1) }, "next"), element("button", { onclick: close }, "close")),
    element("p", { class: "soft" }, trace.status.replaceAll("_", " ") + (trace.status_reason ? ": " + visible(trace.status_reason) : "") + " · " + plural(steps.length, "step") + (grade.alternative ? " · judged as " + grade.alternative : "")),
    element("ul", { class: "plain" }, questionList(grade, jump), missing, order),
    ends.length ? table("End state: expected and actual", ["path", "expected", "actual"], ends) : element("span", {}),
    (trace.attempts || []).length ? element("p", {}, tag("warn"), " " + plural(trace.attempts.length, "attempt") + " spoiled by the machinery: " + visible(trace.attempts.map((one) => one.status + " " + one.reason).join("; "))) : element("span", {}),
    element("ol", { class: "steps" }, steps.map((step) => stepItem(step, pins))),
    element("h3", {}, "Changes of the world"), trace.changes_unknown ? element("p", {}, tag("undetermined"), " " + visible(trace.changes_unknown)) : element("span", {}),
    ...((trace.changes || []).length ? trace.changes.map((change) => element("div", {}, payload(change.kind + " " + change.path, { before: change.before, after: change.after }))) : [element("p", { class: "soft" }, "none")]),
  );
  panel.hidden = false;
  panel.scrollTop = 0;
  return jump;
}
