"use strict";
// How the data come out of the file, and how numbers are written: as in every other report of seatrial.

const NONE = "–";
const known = (value) => value !== null && value !== undefined;
const whole = (number) => number.toLocaleString("en-US");
const count = (number, noun) => whole(number) + " " + noun + (number === 1 ? "" : "s");
const share = (value) => (known(value) ? withPlaces(value, 3) : NONE);
const percent = (value) => (known(value) ? withPlaces(100 * value, 1) + " %" : NONE);

function amount(value, unit) {
  if (!known(value)) return "not known";
  if (unit === "usd") return "$" + withPlaces(value, value < 1 ? 4 : 2);
  return withPlaces(value, unit === "tokens" ? 0 : 2);
}

/** Return a number with so many decimals; what lies right between two of them goes to the even one, as in the terminal: 0.3125 is 0.312. */
function withPlaces(value, places) {
  const exact = value.toFixed(places + 50);
  const [cut, rest] = [exact.slice(0, -50).replace(/\.$/, ""), exact.slice(-50)];
  const down = /^50*$/.test(rest) && /[02468]$/.test(cut);
  const [head, tail] = (down ? cut : value.toFixed(places)).split(".");
  return head.replace(/\d(?=(\d{3})+$)/g, "$&,") + (tail === undefined ? "" : "." + tail);
}

/** Return a share with its interval, or the bounds when it cannot be computed. */
function shareWithInterval(estimate) {
  if (!estimate) return NONE;
  if (!known(estimate.value) && known(estimate.bound_low) && known(estimate.bound_high))
    return element("small", { class: "between" }, "between " + share(estimate.bound_low) + " and " + share(estimate.bound_high));
  return [share(estimate.value), interval(estimate)];
}

function interval(estimate) {
  if (!known(estimate.lower) || !known(estimate.upper)) return null;
  return element("small", { class: "interval" }, " [" + share(estimate.lower) + ", " + share(estimate.upper) + "]");
}

/** Return a cost with its interval; an upper limit that the trials cannot give is said to be open. */
function amountWithInterval(estimate) {
  const text = amount(estimate.value, estimate.unit);
  if (!known(estimate.value) || !known(estimate.lower)) return text;
  const upper = known(estimate.upper) ? amount(estimate.upper, estimate.unit) : "open";
  return [text, element("small", { class: "interval" }, " [" + amount(estimate.lower, estimate.unit) + ", " + upper + "]")];
}

/** Return the text that an embedded script element holds, unpacked. */
async function unpacked(node) {
  if (node.dataset.form === "json") return node.textContent;
  const bytes = Uint8Array.from(atob(node.textContent), (mark) => mark.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

/** Keep whole numbers that are too large for a double as they were written, where the browser can. */
function exactNumber(name, value, place) {
  const inexact = typeof value === "number" && !Number.isSafeInteger(value) && place && /^-?\d+$/.test(place.source || "");
  return inexact && JSON.rawJSON ? JSON.rawJSON(place.source) : value;
}

/** Return a function that finds a trial in the file: traces are unpacked a chunk at a time, when one is opened. */
function traceFinder(chunks) {
  const places = new Map(chunks.flatMap((keys, chunk) => keys.map(([task, trial], index) => [task + "\n" + trial, [chunk, index]])));
  const opened = new Map();
  const read = async (chunk) => JSON.parse(await unpacked(byId("traces-" + chunk)), exactNumber);
  return async (task, trial) => {
    const place = places.get(task + "\n" + trial);
    if (!place) return null;
    const [chunk, index] = place;
    if (!opened.has(chunk)) opened.set(chunk, read(chunk));
    return (await opened.get(chunk))[index];
  };
}

/** Return the words of a command with a task's name safely quoted for a shell. */
function showCommand(run, task, trial) {
  const quoted = /^[\w./:@%+=,-]+$/.test(task) ? task : "'" + task.replaceAll("'", "'\\''") + "'";
  return "seatrial show " + run + " " + quoted + " --trial " + trial;
}
