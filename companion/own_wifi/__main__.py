"""`python -m companion.own_wifi watch` is the service; `settings` and `profile` are the installer's."""

from __future__ import annotations

import sys
import time

from companion.errors import InputError
from companion.own_wifi.network import Network
from companion.own_wifi.settings import SETTINGS, new_settings, read_settings
from companion.own_wifi.watch import EVERY_S, Watch


def main(what: str) -> int:
    if what == "settings":
        print(new_settings(), end="")
        return 0
    try:
        wifi = read_settings()
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    if what == "watch":
        watch = Watch(Network())
        while True:
            if (news := watch.look(time.monotonic())) is not None:
                print(news, flush=True)
            time.sleep(EVERY_S)
    if wifi is None:
        print(f"{SETTINGS} is missing", file=sys.stderr)
        return 2
    print(wifi.profile() if what == "profile" else f"{wifi.name}, password {wifi.password}", end="")
    return 0


sys.exit(main(sys.argv[1]))
