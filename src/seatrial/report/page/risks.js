"use strict";
// The risk list, and what waits for reviewers.

function risksSection(summary) {
  if (!summary.risks.length) return null;
  const columns = [textColumn("risk"), textColumn("severity"), textColumn("owner"), numberColumn("tasks"), numberColumn("trials"), numberColumn("not known"), numberColumn("violations"), numberColumn("on other tasks"), numberColumn("allowed of tasks"), numberColumn("allowed of trials"), wideColumn("what may go wrong")];
  const drawn = table("Risks: trials, violations, and the highest rate that is still possible at 95 % confidence", columns, summary.risks.map(riskRow));
  const legend = soft("Counting tasks holds whatever the trials of a task have in common; counting trials holds only if they are independent.");
  return section("risks", "Risks", drawn, legend, riskRemarks(summary));
}

function riskRow(row) {
  const numbers = [row.trials, row.unknown, row.violations, row.elsewhere].map(quietZero);
  const rates = [row.allowed_per_task, row.allowed_per_trial].map((rate) => (known(rate) ? percent(rate) : NONE));
  return [code(row.risk), words(row.severity), visible(row.owner), whole(row.tasks) + " of " + whole(row.listed), ...numbers, ...rates, visible(row.sentence)];
}

function riskRemarks(summary) {
  const without = summary.risks.filter((row) => !row.rules.length).map((row) => row.risk);
  const silent = summary.risks.filter((row) => row.rules.length && !row.trials).map((row) => row.risk);
  const unnamed = summary.unnamed_rules.map((row) => row.rule + " (" + count(row.violations, "violation") + ")");
  const lines = [
    without.length ? "No rule answers " + without.join(", ") + ": nothing is measured." : "",
    silent.length ? "No trial tells anything of " + silent.join(", ") + "." : "",
    unnamed.length ? "No risk names " + unnamed.join(", ") + "." : "",
  ];
  return lines.filter(Boolean).map((line) => element("p", {}, tag("warn"), " " + visible(line)));
}

function reviewSection(report, choose) {
  const { review } = report.summary;
  if (!review.shown.length) return null;
  const columns = [textColumn("trial"), wideColumn("doubts"), wideColumn("labels"), textColumn("what is open")];
  const rows = review.shown.map((row) => [link(row.task + "#" + row.trial, () => choose({ task: row.task, trial: row.trial })), doubtItems(row, choose), labelItems(row), openWords(row)]);
  const waiting = review.waiting ? [element("p", {}, tag("undetermined"), " " + count(review.waiting, "trial") + " cannot be decided by rules; two reviewers must read each."), commandLine("seatrial label " + report.run)] : [];
  const hidden = review.waiting - review.shown.filter((row) => row.way_out === "label").length;
  return section("review", "Review", waiting, table("Doubts and labels", columns, rows), hidden > 0 ? soft("and " + whole(hidden) + " more that wait.") : null, reviewRemarks(review));
}

function doubtItems(row, choose) {
  if (!row.doubts.length) return visible(row.reason);
  return element("ul", { class: "plain" }, row.doubts.map((doubt) => {
    const abandoned = known(doubt.attempt) ? " of abandoned attempt " + (doubt.attempt + 1) : "";
    const place = link("step " + doubt.step + abandoned, () => choose({ task: row.task, trial: row.trial, step: doubt.step }));
    return element("li", {}, place, " " + words(doubt.rule) + ": " + visible(doubt.reason));
  }));
}

const STANDING = {
  counts: "",
  superseded: "superseded by a later label of the same reviewer",
  "other trace": "counts no more: the trial ran again since",
  "other doubt": "counts no more: the rules doubt something else now",
  "no doubt": "settles nothing: no rule has a doubt here",
  "lifts nothing": "lifts nothing: no label takes a violation away",
};

function labelItems(row) {
  return element("ul", { class: "plain" }, row.labels.map((label) => {
    const worth = STANDING[label.standing] ? element("span", { class: "soft" }, " (" + STANDING[label.standing] + ")") : null;
    const rule = label.rule ? " of " + words(label.rule) : "";
    return element("li", {}, tag(label.verdict, label.verdict === "violation" ? "fail" : label.verdict === "safe" ? "pass" : "undetermined"), rule + " " + visible(label.by) + ", " + visible(label.at) + ": " + visible(label.note), worth);
  }));
}

function openWords(row) {
  if (row.violated_by.length) return "a violation by the word of " + visible(row.violated_by.join(", "));
  return { label: "two different reviewers must say safe", regrade: "judge again with the suite", "run again": "run it again", "": "nothing" }[row.way_out];
}

function reviewRemarks(review) {
  const lines = [
    review.settled_doubts ? count(review.settled_doubts, "doubt") + " on " + count(review.settled_trials, "trial") + " settled by labels of " + review.reviewers.join(", ") + "." : "",
    review.violated_trials ? count(review.violated_trials, "trial") + " labelled a violation by " + review.violated_by.join(", ") + ": the run fails." : "",
    review.stale ? count(review.stale, "label") + " count no more." : "",
    review.unjudged ? "No label settles " + count(review.unjudged, "trial") + ": judge again with the suite, or run again." : "",
  ];
  return lines.filter(Boolean).map((line) => element("p", {}, visible(line)));
}
