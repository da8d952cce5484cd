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
  const name = element.contains(document.activeElement) ? nameOf(document.activeElement) : null;
  element.replaceChildren(...[make()].flat(Infinity).filter(Boolean));
  if (name) element.querySelector(name)?.focus({ preventScroll: true });
  return true;
}

/** By what the same thing is found again once it is drawn anew: whoever uses the keyboard stays where they were. */
function nameOf(element) {
  if (element.id) return `#${CSS.escape(element.id)}`;
  const [key, value] = Object.entries(element.dataset)[0] ?? [];
  return key ? `[data-${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}="${CSS.escape(value)}"]` : null;
}

export function attribute(element, name, value) {
  const text = value === true ? "" : value;
  if (value === null || value === undefined || value === false) {
    if (element.hasAttribute(name)) element.removeAttribute(name);
  } else if (element.getAttribute(name) !== String(text)) element.setAttribute(name, text);
}
