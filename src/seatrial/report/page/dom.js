"use strict";
// Text of a run is hostile: it reaches the page only as text nodes and attribute values, never as markup.

const byId = (id) => document.getElementById(id);

/** Make an HTML element; children may be nested lists, and `null`, `undefined` and `false` among them are left out. */
function element(name, attributes, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** Make an element of a drawing. */
function shape(name, attributes, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) setAttribute(node, name, value);
  return add(node, ...children);
}

/** Append children to a node, those that are not there left out. */
function add(node, ...children) {
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

const READ_OUT = new Set(["aria-label", "title"]);

function setAttribute(node, name, value) {
  if (name === "onclick") node.addEventListener("click", value);
  else if (READ_OUT.has(name) && known(value)) node.setAttribute(name, visible(value));
  else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
}

const HIDDEN_MARKS = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\u2028\u2029]/gu;

/** Return a text in which every control, format and surrogate character is written out as an escape. */
function visible(text) {
  return String(text).replace(HIDDEN_MARKS, (mark) => {
    const code = mark.codePointAt(0);
    if (code === 13) return "\\r";
    if (code < 0x100) return "\\x" + code.toString(16).padStart(2, "0");
    return code < 0x10000 ? "\\u" + code.toString(16).padStart(4, "0") : "\\U" + code.toString(16).padStart(8, "0");
  });
}

const words = (name) => visible(name).replaceAll("_", " ");
const tag = (word, kind) => element("span", { class: "tag " + (kind || word) }, words(word));
const code = (text) => element("code", {}, visible(text));
const soft = (...children) => element("p", { class: "soft" }, children);

/** Return a button that is a word in a sentence or in a table. */
function link(text, onclick, label) {
  return element("button", { class: "link", type: "button", onclick, "aria-label": label }, visible(text));
}

function section(id, title, ...children) {
  const heading = element("h2", { id: id + "-title" }, title);
  return element("section", { id, "aria-labelledby": id + "-title", tabindex: "-1" }, heading, children);
}

const textColumn = (title) => ({ title, kind: "text" });
const numberColumn = (title) => ({ title, kind: "number" });
const wideColumn = (title) => ({ title, kind: "wide" });

/** Return a table in a region of its own that scrolls sideways when the screen is too narrow. */
function table(caption, columns, rows, more = {}) {
  const head = columns.map((column) => element("th", { scope: "col", class: column.kind }, column.title));
  const body = element("tbody", {}, rows.map((cells) => tableRow(columns, cells)));
  const parts = [element("caption", {}, caption), element("thead", {}, element("tr", {}, head)), body];
  const grid = element("table", { class: more.kind }, parts);
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": more.label || caption }, grid);
}

function tableRow(columns, cells) {
  const drawn = cells.map((cell, index) =>
    index === 0
      ? element("th", { scope: "row", class: columns[index].kind }, cell)
      : element("td", { class: columns[index].kind }, cell),
  );
  return element("tr", {}, drawn);
}

/** Return a list whose later items appear on demand. */
function cutList(items, most, noun) {
  const list = element("ul", { class: "plain" }, items.slice(0, most));
  if (items.length <= most) return list;
  const rest = items.slice(most);
  return element("div", {}, list, moreButton("show " + count(rest.length, "more " + noun), () => list.append(...rest)));
}

/** Return a button that does its work once and disappears. */
function moreButton(text, act) {
  const button = element("button", { type: "button", class: "more", onclick: () => { act(); button.remove(); } }, text);
  return button;
}
