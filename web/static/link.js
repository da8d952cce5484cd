// The one event stream of the page, and how long ago the table was last heard.
// The browser's own reconnecting is not enough: it gives up on a 503, and does not notice a link that died in sleep.

const QUIET_MS = 3000; // silence after which the page says so
const DEAD_MS = 6000; // silence after which the stream is opened anew
const RETRY_MS = [500, 1000, 2000, 4000];
const FRAME_MS = 50; // where nothing is painted, a burst is over after so long

/** handlers: state(state, version), view(view), link({ live, heardAt, busy }). Everything is whole, always.
 *  The promise is kept when state and view have been shown once; without an answer after QUIET_MS all the same. */
export function connect(handlers) {
  const shown = new Set();
  let keep = null;
  const first = new Promise((resolve) => (keep = resolve));
  setTimeout(keep, QUIET_MS);
  let source = null;
  let heardAt = performance.now();
  let openedAt = 0;
  let failures = 0;
  let timer = null;
  let live = false;
  const newest = {}; // the arguments of the handlers that are not called yet
  let due = null;

  /** Of a burst, such as what piled up while the device slept, the newest is shown, and once. */
  const later = (name, ...with_) => {
    newest[name] = with_;
    if (due !== null) return;
    const frame = requestAnimationFrame(show);
    due = { frame, timer: setTimeout(show, FRAME_MS) };
  };

  const show = () => {
    cancelAnimationFrame(due.frame);
    clearTimeout(due.timer);
    due = null;
    for (const name of ["state", "view"]) {
      const with_ = newest[name];
      delete newest[name];
      if (!with_) continue;
      handlers[name](...with_);
      shown.add(name);
    }
    if (shown.size === 2) keep();
  };

  const report = (busy = false) => {
    const silentMs = performance.now() - heardAt;
    live = source !== null && silentMs < QUIET_MS;
    handlers.link({ live, silentMs, busy });
  };

  const heard = () => {
    heardAt = performance.now();
    failures = 0;
    if (!live) report();
  };

  const open = () => {
    clearTimeout(timer);
    timer = null;
    source?.close();
    openedAt = performance.now();
    source = new EventSource("/api/events");
    source.onmessage = (message) => {
      heard();
      later("state", JSON.parse(message.data), Number(message.lastEventId));
    };
    source.addEventListener("table", (message) => {
      heard();
      later("view", JSON.parse(message.data));
    });
    source.addEventListener("beat", heard);
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED) again(true);
    };
  };

  const again = (busy = false) => {
    source?.close();
    source = null;
    report(busy);
    if (timer !== null) return;
    const wait = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)];
    failures += 1;
    timer = setTimeout(open, wait * (0.75 + Math.random() / 2));
  };

  const check = () => {
    const silent = performance.now() - heardAt;
    if (silent >= QUIET_MS) report();
    if (silent >= DEAD_MS && timer === null && performance.now() - openedAt >= DEAD_MS) again();
  };

  const wake = () => {
    if (document.visibilityState === "visible" && performance.now() - heardAt >= QUIET_MS / 2) open();
  };

  document.addEventListener("visibilitychange", wake);
  window.addEventListener("pageshow", (event) => event.persisted && open());
  window.addEventListener("online", wake);
  // a page that is put to sleep hears nothing, and shall not find it all in a heap when it wakes
  document.addEventListener("freeze", () => {
    source?.close();
    source = null;
  });
  document.addEventListener("resume", open);
  setInterval(check, 500);
  open();
  return first;
}
