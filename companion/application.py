"""The composition root of `companion run`: data folder, matches, table, camera, beams, page (DESIGN §4)."""

from __future__ import annotations

import contextlib
import socket
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from companion.another import ANSWER_S, Another, PlayAnother
from companion.attached import Devices, Found, game_table, look, words
from companion.backup import packed
from companion.board_words import board_in_words
from companion.boards import load_boards
from companion.config import load_table
from companion.custody import Custody
from companion.doctor.at_work import DoctorAtWork
from companion.doctor.protection import in_memory
from companion.door import Door
from companion.ending import Stop
from companion.errors import DamagedFile, InputError
from companion.filelock import FileLock
from companion.files import set_aside
from companion.games import PLAYED, artists, game, notation
from companion.heartbeat import Heartbeat
from companion.listening import cannot_listen, check_address
from companion.matches import Matches
from companion.pairing import Pairing
from companion.records import Records
from companion.restoring import finish as finish_restore
from companion.rules.core import Game
from companion.service import Service
from companion.shelf import Shelf
from companion.switches import Switches
from companion.table_port import GameTable
from companion.table_setup import TableSetup
from companion.venue.settings import VenueSettings, load_venue
from companion.venue.topics import level
from web.app import create_app
from web.serving import create_server

SIMULATED = "simulated"
SIMULATED_KEPT = 20
"""Nobody looks up simulated matches, and they go on for ever: only the newest logs stay."""


@dataclass(frozen=True)
class Settings:
    """What the command line said. `table` None: the data folder's table.toml, if there is one.

    `simulate_if_bare`: simulate where there is no camera, no sensor and no table file. `new_table`: a simulated table
    that is not set up yet.
    """

    data: Path
    host: str
    port: int
    table: Path | None = None
    simulate: bool = False
    simulate_if_bare: bool = False
    new_table: bool = False
    open: bool = False
    game: str | None = None
    """None: the one that the table file names, else Re;MATCH."""
    camera: str | None = None
    """A recorded clip that stands in for the camera."""

    @property
    def table_file(self) -> Path | None:
        if self.table is not None:
            return self.table
        path = self.data / "table.toml"
        return path if path.exists() else None


def serve(settings: Settings, say: Callable[[str], None] = print) -> int:
    """Run until SIGTERM or SIGINT. Raises InputError when it cannot begin."""
    check_address(settings.host, settings.port)
    notices: list[str] = []
    if settings.table is not None:
        load_table(settings.table)  # one that was named and is none: before anything is written
    heartbeat = Heartbeat()
    with contextlib.ExitStack() as stack:
        stop = Stop()
        stop.on_signals(stack)
        try:
            settings.data.mkdir(parents=True, exist_ok=True)
            lock = FileLock(settings.data / "lock", f"data folder {settings.data}")
        except OSError as error:
            raise InputError(f"data folder {settings.data}: cannot be written: {error.strerror or error}") from None
        stack.callback(lock.release)
        if finish_restore(settings.data):
            say("A restore that was cut off has been ended.")
        switches = Switches(settings.data, notices.append)
        boards = load_boards(settings.data, notices.append)
        notices += in_memory(settings.data)
        chosen = settings.game or (switches.game if switches.game in PLAYED and not settings.simulate else None)
        found, table = _attached(settings, chosen, notices.append)
        name = found.game(chosen)
        if name != "rematch" and settings.simulate:
            raise InputError(f"game {name}: only rematch has a simulated table")
        rules = game(name, boards)
        matches = Matches(settings.data / "matches", rules)
        bare = not found.anything and settings.table_file is None
        may_simulate = settings.simulate_if_bare and bare and settings.game is None and chosen is None
        if settings.simulate or (may_simulate and not _unfinished(matches)):
            service, setup = _simulated(settings, rules, matches, stack, say)
        else:
            service, setup = _real(settings, matches, found, table, name, stack, say)
        known = [{"name": name, "remarks": list(board.remarks)} for name, board in boards.items()]
        service.show(fighters=known, artists=artists(name), games=list(PLAYED))
        service.set_beat(heartbeat.beat)
        venue = _venue(settings.data, notices.append)
        service.set_switches(switches)
        another = Another(name, switches, stop, simulated=settings.simulate)
        service.set_play(another.play)
        pairing = None if settings.open else Pairing(settings.data, notices.append)
        for number, text in enumerate(notices):
            say(text)
            service.say(f"started-{number}", text, "error")
        door = Door(settings.host, pairing)
        records = Records(lambda: _shelf(settings, service, rules), name, rules)
        doctor = DoctorAtWork(
            settings.data, settings.table_file, lambda: door.port or settings.port, lambda: service.snapshot().view
        )
        try:
            told = [board_in_words(board) for board in boards.values()]
            app = create_app(
                service,
                hosts={socket.gethostname().lower()},
                backup=lambda: packed(settings.data),
                pairing=pairing,
                invite=door.invitation,
                records=records,
                boards=lambda: told,
                doctor=doctor,
                wizard=setup,
            )
            server = create_server(app, settings.host, settings.port)
        except OSError as error:
            raise cannot_listen(settings.host, settings.port, error) from None
        custody = Custody(settings.data)
        custody.begin(service)
        stack.callback(custody.end)
        # in a thread of its own: its orderly end would wait for every open event stream
        threading.Thread(target=_run, args=(server.run, stop), name="server", daemon=True).start()
        door.port = server.effective_port
        lines = list(door.words())
        for line in lines:
            say(line)
        if sys.stdout.isatty() and (code := door.code()):
            say(code)
        heartbeat.ready(lines[0])
        if venue is not None:
            # imported late: most tables have no venue
            from companion.venue.teller import Memory, Teller

            memory = Memory(settings.data, level(venue.event))
            teller = Teller(
                venue,
                service,
                rules,
                notation(name),
                lambda: None if service.snapshot().view["simulated"] else _shelf(settings, service, rules),
                memory=memory,
                page=lambda: door.page() or "",
                say=lambda text: service.say("venue", text, "warn"),
            )
            teller.start()
            stack.callback(teller.stop)
        # nor is it closed: requests on their way would stumble over that, and the process ends now
        stop.wait()
        if another.chosen is not None:
            time.sleep(ANSWER_S)  # whoever asked is still being answered
        else:
            heartbeat.stopping()
    if another.chosen is not None:
        raise PlayAnother(another.chosen, door.port)
    return 0


def _attached(settings: Settings, chosen: str | None, tell: Callable[[str], None]) -> tuple[Found, GameTable | None]:
    """What is attached, and the table joined from it for the game that was chosen (None: the table file's).

    Raises InputError for a table file or clip that was named. The data folder's own table file is told and left out
    instead: a service that refuses to start shows its reason to nobody.
    """
    if settings.simulate:
        found = Found(None, None if settings.table is None else load_table(settings.table))
        return found, game_table(found, chosen)
    try:
        found = look(settings.table_file, clip=settings.camera, chosen=chosen)
        return found, game_table(found, chosen)
    except InputError as error:
        if settings.table is not None or settings.camera is not None:
            raise
        if isinstance(error, DamagedFile) and settings.table_file is not None:
            kept = set_aside(settings.table_file)
            error = InputError(f"{error}; it was set aside as {kept.name}")
        tell(f"{error}. Until that is put right the score is kept by taps (companion doctor looks at it again).")
    return look(None), None


def _venue(data: Path, tell: Callable[[str], None]) -> VenueSettings | None:
    """Whom this table tells how it stands; a venue file that is wrong is told here and stops no match."""
    try:
        return load_venue(data)
    except InputError as error:
        tell(f"{error}. Until that is put right the venue is not told of this table.")
        return None


def _shelf(settings: Settings, service: Service, rules: Game) -> Shelf:
    folder = SIMULATED if service.snapshot().view["simulated"] else "matches"
    return Shelf(settings.data / folder, rules, notation(rules.name))


def _run(server: Callable[[], None], stop: Stop) -> None:
    try:
        server()
    finally:
        stop.set()  # a companion without its page is none


def _unfinished(matches: Matches) -> bool:
    """A real match is waiting to be played on: that goes before any simulation."""
    session = matches.resume(lambda text: None, put_aside=False)
    state = session.state_json
    session.close()
    return state is not None and state.get("over") is None


def _real(
    settings: Settings,
    matches: Matches,
    found: Found,
    table: GameTable | None,
    name: str,
    stack: contextlib.ExitStack,
    say: Callable[[str], None],
) -> tuple[Service, TableSetup]:
    """The service for what is attached, started, and what sets the table up; the stack stops them."""
    notices: list[str] = []
    service = Service(matches.resume(notices.append), table)
    service.start()
    stack.callback(service.stop)
    for number, text in enumerate(notices):
        service.say(f"matches-{number}", text, "error")
    devices = Devices(found, service)
    devices.start()
    stack.callback(devices.stop)
    for text in (*notices, words(found, name)):
        say(text)
    if table is None or found.open_camera is None:
        # with a table file somebody meant to have a camera: a loose cable, not a choice
        service.say("found", words(found, name), "info" if found.table is None else "warn")
    setup = TableSetup(devices.station, settings.table or settings.data / "table.toml")
    stack.callback(setup.stop)
    return service, setup


def _simulated(
    settings: Settings, rules: Game, matches: Matches, stack: contextlib.ExitStack, say: Callable[[str], None]
) -> tuple[Service, TableSetup]:
    # imported late: a real table needs none of it
    from companion.simulation import Simulation

    notices: list[str] = []
    kept = Matches(settings.data / SIMULATED, rules, keep=SIMULATED_KEPT)
    simulation = Simulation(kept.resume(notices.append), matches.fresh, new=settings.new_table)
    stack.callback(simulation.stop)
    for text in notices:
        say(text)
    simulation.start()
    if settings.new_table:
        say("This is a simulated table that nobody has set up yet: the page does it.")
    else:
        say("This is a simulated table: two scripted players play by themselves.")
    setup = TableSetup(simulation.station, None)
    stack.callback(setup.stop)
    return simulation.service, setup
