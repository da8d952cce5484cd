"""The table of Re;MATCH for the service: what the pipeline sees becomes acts, and what is accepted becomes its context.

The tray is observed, the score is kept: they may differ (after an illegal clear, an undo, a question). While they do,
the table is *out of step*: nothing is scored, the cells that differ are shown, and there are two ways out: the marbles
are put as expected, or the tray is taken as it is (DESIGN §4, field report C5).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion import rematch_acts as acts
from companion.beam_words import BeamWords
from companion.pipeline import Pipeline
from companion.rematch_look import Kept, keep
from companion.rules.core import Reason
from companion.rules.rematch import watch
from companion.session import Reply
from companion.table_port import Act, Command, Say, Submit, Withdraw
from companion.view import sensors
from hardware.camera import Frame
from hardware.edges import Edge
from vision.calibration import VisionError
from vision.gaze import Change, Gaze

PATIENCE_NS = 2_000_000_000
"""A still tray that is not the expected one and that nothing explained for so long is out of step as well."""

_OLD_VERDICT = frozenset({"setup", "undo", "redo", "amend", "end_turn", "correct", "concede", "clear"})
_OLD_QUESTION = frozenset({"setup", "undo", "redo", "amend", "concede", "clear", "destroy"})
"""After these, given by a tap, what is said of the last pull is of the past."""


class RematchTable:
    """Implements companion.table_port.GameTable."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._state: acts.State | None = None
        self._last: Command = {}  # the last accepted command
        self._own: list[Command] = []  # what is being submitted for what was seen
        self._out_of_step = False
        self._asked: watch.ClearSeen | watch.Question | None = None  # what the open question is about
        self._seen: str | None = None  # the tray as it last lay still
        self._still = False  # it lies still in the newest frame
        self._differs_since: int | None = None
        self._fans = ("", 0)  # how they differ from the score, and since when
        self._fans_said = ""
        self._hangs = False
        self._beams = BeamWords()
        self._kept: Kept | None = None  # the newest picture, for those who look on

    @property
    def gaze(self) -> Gaze | None:
        return self._pipeline.gaze

    def look_through(self, gaze: Gaze) -> None:
        """The camera was aimed anew: the match and the turn under way go on where they were."""
        self._pipeline.look_through(gaze)
        self._kept, self._still = None, False
        self._differs_since = None
        self._fans = ("", 0)

    # -- what comes in -----------------------------------------------------------------------------

    def see(self, frame: Frame) -> Sequence[Act]:
        try:
            happenings = self._pipeline.frame(frame)
        except VisionError as error:  # the camera gives another size than the calibration's
            return [Say("vision", f"The camera cannot be used: {error}.", "error")]
        gaze, sight = self._pipeline.gaze, self._pipeline.sight
        if gaze is not None and sight is not None:
            self._kept = keep(frame, sight, gaze, self._kept)
        result: list[Act] = []
        for happening in happenings:
            if isinstance(happening, Change):
                result += self._changed(happening)
            else:
                result += self._happened(happening)
        return [*result, *self._fallen(), *self._look(frame.t_ns), *self._look_at_fans(frame.t_ns)]

    def edge(self, edge: Edge) -> Sequence[Act]:
        self._pipeline.edge(edge)
        return []

    def tick(self, t_ns: int) -> Sequence[Act]:
        self._pipeline.tick(t_ns)
        counter = self._pipeline.counter
        return [] if counter is None else self._beams.news(counter)

    def follow(self, reply: Reply) -> Sequence[Act]:
        before, self._state, self._last = self._state, reply.body["state"], reply.command
        if self._state is None:
            return []
        self._pipeline.watcher.turn = acts.turn(self._state)
        own = reply.command in self._own
        if before is None or before["tray"] != self._state["tray"]:
            # whoever changed what is expected: does it lie there?
            self._out_of_step = not own and self._differing() != ()
            settled = "tray" in reply.command or reply.command.get("overrule") is True
            if settled and self._seen is not None and not self._out_of_step:
                self._pipeline.watcher.expect(self._seen)  # what lay before can no longer be put back
        if own:
            return []
        name = reply.command.get("do")
        stale = [Say("table", ""), Say("fan", "")] if name == "setup" else []
        asked, self._asked = self._asked, None
        if name == "end_turn" and asked is not None and asked.player == self._state["turn"]:
            # the opponent was quicker than the tap: what had to be asked is now simply the next clear
            self._out_of_step = False
            return self._happened(asked)
        question = name in _OLD_QUESTION or "tray" in reply.command
        self._asked = None if question else asked
        return [Withdraw(verdict=name in _OLD_VERDICT, question=question), *stale]

    def answered(self) -> None:
        self._asked = None

    def take_tray(self) -> Command | Reason:
        if self._state is None:
            return Reason("not_now", "There is no match yet: set one up first.")
        if self._seen is None or not self._still:
            return Reason("not_now", "Wait until the tray lies still and no hand is over it.")
        # what cannot be seen is taken to be as expected
        pairs = zip(self._state["tray"], self._seen, strict=True)
        return {"do": "correct", "tray": "".join(old if new == "?" else new for old, new in pairs)}

    # -- what goes out -----------------------------------------------------------------------------

    def view(self) -> dict[str, Any]:
        view: dict[str, Any] = {"seen": self._seen, "differs": list(self._differing() if self._out_of_step else ())}
        sight = self._pipeline.sight
        if sight is not None:
            shift = sight.aim.shift_px
            view |= {
                "hand": sight.hand,
                "moving": bool(sight.moving),
                # rounded, and only while it matters: every change of the view goes to every page
                "aim": {"ok": sight.aim.ok, "shift_px": None if shift is None or sight.aim.ok else round(shift)},
                "fans_seen": dict(sight.fans),
            }
        if self._pipeline.counter is not None:
            view["sensors"] = sensors(self._pipeline.counter, self._pipeline.watcher.since_ns)
        return view

    def look(self) -> Kept | None:
        return self._kept

    def _differing(self) -> tuple[str, ...]:
        if self._state is None or self._seen is None:
            return ()
        return acts.differing(self._state["tray"], self._seen)

    # -- in and out of step --------------------------------------------------------------------------

    def _look(self, t_ns: int) -> list[Act]:
        """Whether the tray that lies still is the expected one."""
        sight = self._pipeline.sight
        self._still = sight is not None and sight.settled and not sight.hand and sight.aim.ok
        if sight is None or not self._still:
            self._differs_since = None
            return []
        self._seen = sight.tray
        if self._state is None:
            return []
        if sight.hanging and not self._out_of_step:
            self._differs_since = None  # a marble on its way down: the watcher waits for it, and asks if it must
            return []
        if self._differing():
            self._differs_since = self._differs_since or t_ns
            if t_ns - self._differs_since > PATIENCE_NS:
                self._out_of_step = True
            return []
        self._differs_since = None
        if not self._out_of_step:
            return []
        self._out_of_step, self._asked = False, None
        self._pipeline.watcher.expect(sight.tray)
        return [Withdraw(), Say("table", "")]

    def _fallen(self) -> list[Act]:
        """A marble that hung halfway has come down."""
        sight = self._pipeline.sight
        if not self._hangs or sight is None or not sight.settled or sight.hanging:
            return []
        self._hangs = False
        return [Say("hanging", "")]

    def _look_at_fans(self, t_ns: int) -> list[Act]:
        """What is seen to differ from the score for a while is said; which of the two is right, players know."""
        sight, state = self._pipeline.sight, self._state
        if sight is None or state is None or not self._still:
            return []
        text = "" if state["phase"] == "over" else acts.fans_differ(state, sight.fans)
        if text != self._fans[0]:
            self._fans = (text, t_ns)
        if text == self._fans_said or (text and t_ns - self._fans[1] < PATIENCE_NS):
            return []
        self._fans_said = text
        return [Say("fans", text, "warn")]

    def _happened(self, outcome: watch.Outcome) -> list[Act]:
        state = self._state
        if state is None or state["phase"] == "over":
            return []
        if isinstance(outcome, watch.PutBack):
            said = acts.put_back(outcome.cells)
            return [Withdraw(), said] if self._out_of_step else [said]
        if isinstance(outcome, watch.Hanging):
            self._hangs = True
            return [acts.hanging(outcome.cells)]
        if isinstance(outcome, watch.Settled):
            self._seen = outcome.tray
            command = acts.fill_in(state, outcome.tray) if "." in state["tray"] else None
            return [] if command is None or self._out_of_step else [self._submit(Submit(command))]
        if self._out_of_step and not self._goes_on(outcome):
            return [Say("table", "The tray is not as expected: put it as shown, or take it as it is.", "warn")]
        self._seen = outcome.after
        if isinstance(outcome, watch.ClearSeen):
            wanted = acts.on_clear(state, outcome)
        else:
            wanted = acts.on_question(state, outcome, self._last)
        self._asked = outcome if state["phase"] == "resolve" else None
        # whatever is not accepted leaves the table out of step until it is put right; if it lies right, what is asked
        # stays until it is answered
        self._out_of_step = not any(isinstance(act, Submit) for act in wanted) and self._differing() != ()
        return [Withdraw(), Say("table", ""), *(self._submit(a) if isinstance(a, Submit) else a for a in wanted)]

    def _goes_on(self, outcome: watch.ClearSeen | watch.Question) -> bool:
        """What was none, or was asked about, has been gone on with: told anew from the tray that the score expects."""
        if self._state is None or outcome.before is None:
            return False
        return acts.differing(self._state["tray"], outcome.before) == ()

    def _submit(self, act: Submit) -> Submit:
        self._own.append(act.command)

        def then(reply: Reply) -> Sequence[Act]:
            self._own.remove(act.command)
            self._out_of_step = not reply.accepted
            return act.then(reply)

        return Submit(act.command, then)

    def _changed(self, change: Change) -> list[Act]:
        if change.what in ("aim_lost", "aim_found"):
            return [acts.aim(change.what == "aim_found", change.detail.get("shift_px"))]
        if self._state is None or change.what != "fan":
            return []
        command = acts.on_fan(self._state, change.detail["fan"], change.detail["to"])
        if command is None:
            return []
        return [Submit(command, lambda reply: [acts.fan_moved(change.detail["fan"], change.detail["to"], reply)])]
