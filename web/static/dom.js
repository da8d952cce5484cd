// Building and patching the page. Text always goes in as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(
    ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

export const h = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
export const s = (tag, attributes = {}, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

/** Replaces the children of `element`, but only when `key` is another than last time: what did not change stays
 *  touched, focused and quiet for screen readers. */
export function redraw(element, key, make) {
  const text = JSON.stringify(key);
  if (element.drawnFor === text) return false;
  element.drawnFor = text;
  element.replaceChildren(...[make()].flat(Infinity).filter(Boolean));
  return true;
}

export function attribute(element, name, value) {
  const text = value === true ? "" : value;
  if (value === null || value === undefined || value === false) {
    if (element.hasAttribute(name)) element.removeAttribute(name);
  } else if (element.getAttribute(name) !== String(text)) element.setAttribute(name, text);
}
