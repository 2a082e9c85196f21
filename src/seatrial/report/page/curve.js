"use strict";
// pass^k as a drawing: one line for each level of stakes, up to the number of trials that its tasks have.

const CHART = { height: 260, left: 42, right: 124, top: 14, bottom: 36, labelGap: 16, mostTicks: 8 };

const knownPoints = (curve) => curve.pass_k.map((one, index) => ({ ...one, k: index + 1 })).filter((one) => known(one.value));

/** Return the lines of a kind, those of strict on top of those of outcome alone. */
function linesOf(kind) {
  const criteria = ["outcome", "strict"];
  const lines = criteria.flatMap((criterion) => kind.stakes.map((group) => ({ stakes: group.stakes, criterion, points: knownPoints(group[criterion]) })));
  return lines.filter((line) => line.points.length);
}

function scaleOf(lines, width) {
  const longest = Math.max(...lines.map((line) => line.points.at(-1).k));
  const least = Math.min(...lines.flatMap((line) => line.points.flatMap((one) => [one.value, one.lower ?? one.value])));
  const floor = Math.min(0.75, Math.floor(least * 4) / 4);
  const right = width - CHART.right;
  const x = (k) => CHART.left + (longest === 1 ? 0.5 : (k - 1) / (longest - 1)) * (right - CHART.left - 8) + 4;
  const y = (value) => CHART.top + ((1 - value) / (1 - floor)) * (CHART.height - CHART.top - CHART.bottom);
  return { longest, floor, right, width, x, y };
}

function drawnCurve(kind, width) {
  const lines = linesOf(kind);
  const scale = scaleOf(lines, width);
  const name = "pass^k of the " + kind.kind + " tasks by stakes; the table below holds the numbers";
  const size = { viewBox: "0 0 " + width + " " + CHART.height, width, height: CHART.height };
  const bands = lines.filter((line) => line.criterion === "strict").map((line) => bandOf(line, scale));
  return shape("svg", { ...size, role: "img", "aria-label": name, class: "curve" }, axes(scale), bands, lines.map((line) => lineOf(line, scale)), endLabels(lines, scale));
}

function axes(scale) {
  const step = scale.floor >= 0.5 ? 0.125 : 0.25;
  const values = [];
  for (let value = scale.floor; value <= 1.0001; value += step) values.push(value);
  const every = Math.ceil(scale.longest / CHART.mostTicks);
  const ks = Array.from({ length: scale.longest }, (_, index) => index + 1).filter((k) => (k - 1) % every === 0);
  return [
    values.map((value) => shape("line", { class: "axis", x1: CHART.left, x2: scale.right, y1: scale.y(value), y2: scale.y(value) })),
    values.map((value) => shape("text", { x: CHART.left - 8, y: scale.y(value) + 4, "text-anchor": "end" }, value.toFixed(step < 0.25 ? 3 : 2))),
    ks.map((k) => shape("text", { x: scale.x(k), y: CHART.height - 12, "text-anchor": "middle" }, "k = " + k)),
  ];
}

function bandOf(line, scale) {
  const points = line.points.filter((one) => known(one.lower) && known(one.upper));
  const upper = points.map((one) => scale.x(one.k) + "," + scale.y(one.upper));
  const lower = points.map((one) => scale.x(one.k) + "," + scale.y(one.lower)).reverse();
  return shape("polygon", { class: "band " + line.stakes, points: [...upper, ...lower].join(" ") });
}

function lineOf(line, scale) {
  const points = line.points.map((one) => scale.x(one.k) + "," + scale.y(one.value)).join(" ");
  const dots = line.points.map((one) => shape("circle", { cx: scale.x(one.k), cy: scale.y(one.value), r: line.criterion === "strict" ? 3.5 : 2.5 }));
  return shape("g", { class: "series " + line.criterion + " " + line.stakes }, shape("polyline", { points }), dots);
}

/** Return a label beside each line's end; labels that would meet are pushed apart. */
function endLabels(lines, scale) {
  const places = lines.map((line) => ({ line, x: scale.x(line.points.at(-1).k), y: scale.y(line.points.at(-1).value) }));
  places.sort((one, other) => one.y - other.y || one.line.stakes.localeCompare(other.line.stakes) || other.line.criterion.localeCompare(one.line.criterion));
  const rows = spread(places.map((place) => place.y));
  return places.map((place, index) => endLabel(place, rows[index], scale));
}

function endLabel({ line, x, y }, row, scale) {
  const left = scale.right + 14;
  const name = line.stakes + (line.criterion === "strict" ? " strict" : " outcome");
  const leader = shape("polyline", { class: "leader " + line.stakes, points: x + 6 + "," + y + " " + scale.right + "," + y + " " + (left - 3) + "," + row });
  return [leader, shape("text", { class: "label " + line.stakes + " " + line.criterion, x: left, y: row + 4 }, name)];
}

/** Return heights at least one label apart, as near to the wanted ones as the drawing allows. */
function spread(wanted) {
  const rows = [];
  for (const y of wanted) rows.push(rows.length ? Math.max(y, rows.at(-1) + CHART.labelGap) : y);
  let limit = CHART.height - CHART.bottom + 6;
  for (let index = rows.length - 1; index >= 0; index -= 1) {
    rows[index] = Math.min(rows[index], limit);
    limit = rows[index] - CHART.labelGap;
  }
  return rows;
}

/** Return a drawing that is drawn anew, as wide as its place, whenever that changes. */
function curveOf(kind) {
  const place = element("div", { class: "chart" });
  let drawn = 0;
  const draw = () => {
    const width = Math.round(Math.min(760, Math.max(300, place.clientWidth)));
    if (width === drawn) return;
    drawn = width;
    place.replaceChildren(drawnCurve(kind, width));
  };
  new ResizeObserver(draw).observe(place);
  return place;
}
