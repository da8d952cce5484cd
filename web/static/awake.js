// Keeps the screen on while a match is under way. Browsers allow that only on this machine itself or over https; where
// they do not, the page says so once in the menu, and the tablet's own setting has to do it.

/** { can, wanted(on) }: `wanted` may be called as often as one likes. */
export function createAwake() {
  let lock = null;
  let asking = false;
  let on = false;
  const can = "wakeLock" in navigator;

  async function hold() {
    if (!can || !on || lock || asking || document.visibilityState !== "visible") return;
    asking = true;
    try {
      const held = await navigator.wakeLock.request("screen");
      held.addEventListener("release", () => {
        if (lock === held) lock = null;
      });
      if (on) lock = held;
      else held.release();
    } catch {
      // a battery that runs low, for one: the next time the page is looked at it is tried again
    } finally {
      asking = false;
    }
  }

  // a hidden page loses it
  document.addEventListener("visibilitychange", hold);

  return {
    can,
    wanted(now) {
      on = now;
      if (on) hold();
      else {
        lock?.release();
        lock = null;
      }
    },
  };
}
