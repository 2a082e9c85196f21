"use strict";
// Trace text is hostile: everything from the data becomes a text node or an attribute, never markup.
const byId = (id) => document.getElementById(id);

function element(name, attributes, ...children) {
  const node = name === "svg" || svgNames.has(name) ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key === "onclick") node.addEventListener("click", value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}
const svgNames = new Set(["path", "line", "circle", "text", "g", "polyline", "polygon"]);

const visible = (text) => String(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g, (mark) => "\\u" + mark.charCodeAt(0).toString(16).padStart(4, "0"));
const percent = (value) => (value === null || value === undefined ? "–" : (100 * value).toFixed(1) + " %");
const plural = (count, word) => count + " " + word + (count === 1 ? "" : "s");
const pretty = (value) => visible(typeof value === "string" ? value : JSON.stringify(value, null, 1));
const tag = (word) => element("span", { class: "tag " + word }, String(word).replaceAll("_", " "));

function estimate(one) {
  if (!one || one.value === null || one.value === undefined) return one && one.note ? one.note : "not known";
  const form = { share: percent, usd: (v) => "$" + v.toFixed(4), calls: (v) => v.toFixed(1), tokens: (v) => v.toFixed(0), seconds: (v) => v.toFixed(1) + " s" }[one.unit] || percent;
  const known = (v) => v !== null && v !== undefined;
  const interval = known(one.lower) && known(one.upper) ? " (" + form(one.lower) + " to " + form(one.upper) + ")" : "";
  const bounds = known(one.bound_low) ? "; unknown trials: " + form(one.bound_low) + " to " + form(one.bound_high) : "";
  return form(one.value) + interval + bounds;
}

function table(caption, heads, rows) {
  const head = element("tr", {}, heads.map((name) => element("th", { scope: "col", class: numeric(name) }, name.replace("#", ""))));
  const body = rows.map((cells) => element("tr", {}, cells.map((cell, index) => element("td", { class: numeric(heads[index]) }, cell))));
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption }, element("table", {}, element("caption", {}, caption), element("thead", {}, head), element("tbody", {}, body)));
}
const numeric = (name) => (name.startsWith("#") ? "number" : null);

async function readData() {
  const node = byId("data");
  if (node.dataset.form === "json") return JSON.parse(node.textContent);
  const bytes = Uint8Array.from(atob(node.textContent), (mark) => mark.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}
