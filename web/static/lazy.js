// What is seldom wanted is loaded when it is first asked for, with its style sheet: the first load stays small.

let styled = null;

const style = () =>
  (styled ??= new Promise((resolve) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = "/static/later.css";
    link.onload = resolve;
    link.onerror = () => {
      styled = null; // it is plain this time, and asked for again the next
      resolve();
    };
    document.head.append(link);
  }));

/** `load`: () => import(…). Gives the module, or null when the companion did not answer. */
export async function later(load) {
  try {
    return (await Promise.all([load(), style()]))[0];
  } catch {
    return null;
  }
}
