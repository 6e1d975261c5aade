// The few ways in which this page changes the document. Nothing here or elsewhere makes markup from text.

const SVG = "http://www.w3.org/2000/svg";

// el("button.card.big", {type: "button", "aria-label": "…", onclick: f}, "text", child, …)
export function el(spec, props = {}, ...children) {
  const [tag, ...classes] = spec.split(".");
  const node = document.createElement(tag);
  if (classes.length) node.className = classes.join(" ");
  for (const [name, value] of Object.entries(props)) give(node, name, value);
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

// svg("path", {d: "…", fill: "red"}, …)
export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children.flat().filter(Boolean));
  return node;
}

// A picture that is hidden from screen readers: what it shows is said beside it.
export function picture(width, height, ...children) {
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true", focusable: "false" }, ...children);
}

// Set an attribute, a handler (onclick) or a property (value, checked, disabled); null removes an attribute.
export function give(node, name, value) {
  if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
  else if (["value", "checked", "disabled", "selected", "hidden", "open"].includes(name)) node[name] = value;
  else if (value === null || value === false) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

// Write a text, unless it is there already.
export function put(node, text) {
  if (node.textContent !== String(text)) node.textContent = text;
}

// Points as they are shown: with a real minus sign, which screen readers say; `signed` adds a plus.
export const plainNumber = (points) => String(points).replace("-", "−");
export const signed = (points) => (points > 0 ? `+${points}` : plainNumber(points));

export const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);

export function mark(node, name, on) {
  node.classList.toggle(name, Boolean(on));
}

// Put children in this order; nodes that are in place are not touched and keep their focus.
export function arrange(parent, nodes) {
  for (const child of [...parent.childNodes]) if (!nodes.includes(child)) child.remove();
  nodes.forEach((node, i) => {
    if (parent.childNodes[i] !== node) parent.insertBefore(node, parent.childNodes[i] ?? null);
  });
}

// A table. heads: of the columns, "" for a plain cell; rows: lists of cells, each with its heading first, or nodes
// made by tableRow.
export function table(spec, heads, rows) {
  const head = heads.map((words) => (words === "" ? el("td") : el("th", { scope: "col" }, words)));
  return el(`table.${spec}`, {}, [
    heads.length > 0 && el("thead", {}, el("tr", {}, head)),
    el("tbody", {}, rows.map((row) => (Array.isArray(row) ? tableRow(row) : row))),
  ]);
}

export function tableRow([heading, ...cells], spec = "tr") {
  return el(spec, {}, el("th", { scope: "row" }, heading), cells.map((cell) => el("td", {}, cell)));
}

export const button = (text, onclick, spec = "button") => el(spec, { type: "button", onclick }, text);
export const lasting = (node, name, value) => node.style.setProperty(name, value);
