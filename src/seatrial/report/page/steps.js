"use strict";
// The steps of a trace, each with what the grade pins to it.

const INLINE = { arguments: 600, other: 240 }; // characters that are shown on one line
const OPEN_AT_ONCE = 20000; // characters of a long text that are drawn at once
const SAID_AT_ONCE = 4000;

/** Return JSON on one line, with a blank after every colon and comma. */
function compactJson(value) {
  const lines = JSON.stringify(value, null, 1);
  // Line breaks within texts are escaped, so every bare one is the layout's.
  return lines.replace(/([{[])\n\s*/g, "$1").replace(/\n\s*([}\]])/g, "$1").replace(/\n\s*/g, " ");
}

/** Return a named value: on one line when it is short, folded and laid out when it is long. */
function payload(name, value) {
  if (value === undefined) return null;
  const text = compactJson(value);
  const head = element("span", { class: "label" }, visible(name) + " ");
  if (text.length <= (INLINE[name] || INLINE.other)) return element("div", { class: "payload" }, head, code(text));
  const summary = element("summary", {}, head, code(text.slice(0, 72) + "…"), element("small", {}, " " + count(text.length, "character")));
  return folded(summary, () => longText(typeof value === "string" ? value : JSON.stringify(value, null, 2), name));
}

/** Return a fold whose content is made when it is first opened. */
function folded(summary, content) {
  const fold = element("details", { class: "payload" }, summary);
  fold.addEventListener("toggle", () => fold.children.length === 1 && add(fold, ...[content()].flat(Infinity)));
  return fold;
}

function longText(text, name) {
  const shown = element("pre", { tabindex: "0", role: "group", "aria-label": visible(name) }, visible(text.slice(0, OPEN_AT_ONCE)));
  if (text.length <= OPEN_AT_ONCE) return [shown];
  return [shown, moreButton("show all " + count(text.length, "character"), () => { shown.textContent = visible(text); })];
}

function said(text) {
  const shown = element("div", { class: "said" }, visible(text.slice(0, SAID_AT_ONCE)));
  if (text.length <= SAID_AT_ONCE) return shown;
  return [shown, moreButton("show all " + count(text.length, "character"), () => { shown.textContent = visible(text); })];
}

/** Return what a grade pins to each step: sequence number → list of [mood, text]. */
function pinsOf(grade, attempt = null) {
  const pins = new Map();
  const pin = (step, mood, text) => {
    if (!known(step)) return;
    if (!pins.has(step)) pins.set(step, []);
    pins.get(step).push([mood, text]);
  };
  for (const row of grade.violations || []) if ((row.attempt ?? null) === attempt) pin(row.step, "bad", "violates " + words(row.rule) + ": " + row.reason);
  if (attempt !== null) return pins;
  for (const call of grade.calls || []) pin(call.step, ...classWords(call));
  for (const row of grade.requirements || []) pinRequirement(row, pin);
  for (const row of grade.reactions || []) pin(row.step, "warn", "fault " + words(row.fault) + ": " + words(row.reaction));
  for (const row of grade.sources || []) if (row.source === "none" || row.source === "agent") pin(row.step, "bad", row.argument + " has no source" + (row.where ? ": " + row.where : ""));
  return pins;
}

function classWords(call) {
  const near = call.near_miss_of ? ", near miss of " + call.near_miss_of : "";
  if (call.fault) return ["bad", words(call.kind) + near + ": " + call.fault];
  if (call.kind === "met") return ["good", "meets " + call.requirement + near];
  return [near ? "warn" : "quiet", words(call.kind) + near];
}

function pinRequirement(row, pin) {
  if (row.status === "met" || row.status === "optional_unmet") return;
  const step = row.status === "out_of_order" ? row.step : row.nearest;
  const name = row.status === "missing" ? "nearest to the missing " + row.id : words(row.status) + ": " + row.id;
  pin(step, "bad", name + (row.reason ? ": " + row.reason : ""));
  for (const one of row.differences || []) pin(step, "bad", one.path + ": expected " + one.expected + ", found " + one.actual);
}

const STEP_WORDS = {
  user: (step) => [who("user", step.actor), said(step.text)],
  agent: (step) => [who("agent", step.actor), step.delivered === false ? element("small", {}, " not delivered") : null, said(step.text)],
  model: (step) => [who("model"), visible(step.model), element("small", {}, " " + modelUse(step))],
  permission: (step) => [who("permission"), (step.allowed ? "allowed" : "refused") + " the call of step " + step.call + reasonAfter(step)],
  approval: (step) => [who("approval"), (step.approved ? "yes" : "no") + " to the call of step " + step.call + reasonAfter(step)],
  handoff: (step) => [who("handoff"), visible(step.source + " → " + step.target)],
  probe: (step) => [who("probe"), code(step.name), step.error ? " " + visible(step.error) : payload("value", step.value === undefined ? null : step.value)],
  call: (step) => callParts(step),
};

const who = (name, actor) => element("span", { class: "who" }, actor && actor !== name ? visible(name + " " + actor) : name);
const reasonAfter = (step) => (step.reason ? ": " + visible(step.reason) : "");

function modelUse(step) {
  const usage = step.usage || {};
  const [input, output] = [usage.input, usage.output].map((tokens) => (known(tokens) ? whole(tokens) : "?"));
  return input + "/" + output + " tokens in/out, " + (known(step.usd) ? amount(step.usd, "usd") : "price not known");
}

function callParts(step) {
  const proposed = step.validity === "unparseable" ? step.raw : step.proposed;
  return [
    element("span", { class: "tool" }, visible(step.tool)),
    callBadges(step),
    payload("arguments", proposed === undefined ? {} : proposed),
    callAnswer(step),
    (step.changes || []).map((change) => changeParts(change)),
  ];
}

function callBadges(step) {
  const badges = [];
  if (step.effect && step.effect !== "read") badges.push(tag(step.effect, "write"));
  if (step.validity && step.validity !== "valid") badges.push(tag(step.validity + " arguments", "fail"));
  if (step.fault) badges.push(tag("fault " + step.fault.kind + (known(step.fault.status) ? " " + step.fault.status : ""), "warn"));
  if (known(step.retry_of)) badges.push(tag("retry of " + step.retry_of, "mute"));
  if (step.by && step.by !== "agent") badges.push(tag("by " + step.by, "mute"));
  if (step.actor && step.actor !== "agent") badges.push(tag(step.actor, "mute"));
  if (known(step.beside)) badges.push(tag("beside " + step.beside, "mute"));
  return badges.map((badge) => [" ", badge]);
}

function callAnswer(step) {
  if (!step.failure) return step.observation === undefined ? soft("no answer") : payload("answer", step.observation);
  const { kind, status, transient, message } = step.failure;
  const again = transient === true ? ", transient" : transient === false ? ", permanent" : "";
  const parts = [element("span", { class: "label" }, "answer "), tag(kind + (known(status) ? " " + status : "") + again, "fail"), message ? " " + visible(message) : null];
  return element("div", { class: "payload" }, parts);
}

function changeParts(change) {
  const name = change.kind + " " + change.path;
  const sides = change.before !== undefined && change.after !== undefined ? { before: change.before, after: change.after } : change.after ?? change.before;
  return element("div", { class: "change" }, payload(name, sides === undefined ? null : sides));
}

/** Note at each call which other call of the same message it stands beside. */
function withNeighbours(steps) {
  const first = new Map();
  return steps.map((step) => {
    if (step.step !== "call" || !known(step.message)) return step;
    const beside = first.get(step.message);
    if (beside === undefined) first.set(step.message, step.sequence);
    return beside === undefined ? step : { ...step, beside };
  });
}

function stepItem(step, pins) {
  const mine = pins.get(step.sequence) || [];
  const flagged = mine.some(([mood]) => mood === "bad");
  const draw = STEP_WORDS[step.step] || (() => [who(step.step)]);
  const body = element("div", { class: "body" }, draw(step), mine.map(([mood, text]) => element("div", { class: "pin " + mood }, visible(text))));
  return element("li", { class: step.step + (flagged ? " flagged" : ""), "data-step": step.sequence, tabindex: "-1" }, element("span", { class: "sequence" }, String(step.sequence)), body);
}

/** Draws the steps around a place: a trace of many thousand steps is never drawn whole. */
class StepList {
  constructor(steps, pins) {
    this.steps = withNeighbours(steps);
    this.pins = pins;
    this.at = -1;
    this.items = element("ol", { class: "steps" });
    this.earlier = element("button", { type: "button", class: "more", onclick: () => this.draw(this.first - StepList.PAGE, this.last) });
    this.later = element("button", { type: "button", class: "more", onclick: () => this.draw(this.first, this.last + StepList.PAGE) });
    this.draw(0, StepList.PAGE);
  }

  parts() {
    return [this.earlier, this.items, this.later];
  }

  draw(first, last) {
    this.first = Math.max(0, first);
    this.last = Math.min(this.steps.length, last);
    this.items.replaceChildren(...this.steps.slice(this.first, this.last).map((step) => stepItem(step, this.pins)));
    this.label(this.earlier, this.first, "earlier");
    this.label(this.later, this.steps.length - this.last, "later");
  }

  label(button, left, name) {
    button.hidden = left <= 0;
    button.textContent = "show " + whole(Math.min(left, StepList.PAGE)) + " of " + count(left, name + " step");
  }

  /** Select a step by its place in the trace. */
  select(at) {
    if (at < 0 || at >= this.steps.length) return;
    this.at = at;
    if (at < this.first || at >= this.last) this.draw(at - StepList.PAGE / 2, at + StepList.PAGE / 2);
    for (const item of this.items.querySelectorAll("[aria-current]")) item.removeAttribute("aria-current");
    const item = this.items.children[at - this.first];
    item.setAttribute("aria-current", "step");
    item.focus({ preventScroll: true });
    item.scrollIntoView({ block: "center" });
  }

  jump(sequence) {
    this.select(this.steps.findIndex((step) => step.sequence === sequence));
  }

  move(by) {
    this.select(this.at < 0 ? (by > 0 ? 0 : this.steps.length - 1) : Math.min(this.steps.length - 1, Math.max(0, this.at + by)));
  }

  /** Select the next step, or the one before, that has a fault pinned to it. */
  moveToFlagged(by) {
    const flagged = (step) => (this.pins.get(step.sequence) || []).some(([mood]) => mood === "bad");
    const from = this.at < 0 && by < 0 ? this.steps.length : this.at;
    for (let index = from + by; index >= 0 && index < this.steps.length; index += by) if (flagged(this.steps[index])) return this.select(index);
    return undefined;
  }
}
StepList.PAGE = 200;
