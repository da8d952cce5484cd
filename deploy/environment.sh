# Sourced by run, test and companion: makes the project's own Python environment in .venv, or leaves it alone when it is
# up to date. Needs bash and python3; installs python3-venv by apt when it is missing and it may.
# shellcheck shell=bash

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
VENV=${COMPANION_VENV:-$ROOT/.venv}
# where the code will lie when the environment is used; deploy/install builds one for another place
PLACE=$ROOT

say() { printf '%s\n' "$*" >&2; }
give_up() { say "$*"; exit 1; }

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"
    elif command -v sudo >/dev/null 2>&1; then sudo "$@"
    else return 1; fi
}

# apt_install PACKAGE...: quietly; the log is shown only when it fails
apt_install() {
    command -v apt-get >/dev/null 2>&1 || return 1
    local log; log=$(mktemp)
    say "Installing $* (apt) ..."
    if { as_root apt-get update && as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"; } >"$log" 2>&1; then
        rm -f "$log"
    else
        tail -n 5 "$log" >&2; rm -f "$log"; return 1
    fi
}

find_python() {
    PYTHON=${COMPANION_PYTHON:-}
    # the one the environment was made with, or a shell with another PATH would have it made anew under a running match
    [ -n "$PYTHON" ] || PYTHON=$(sed -n 's/^executable = //p' "$VENV/pyvenv.cfg" 2>/dev/null || true)
    [ -x "$PYTHON" ] || PYTHON=${COMPANION_PYTHON:-}
    [ -n "$PYTHON" ] || PYTHON=$(command -v python3) || give_up "python3 is missing: sudo apt install python3"
    "$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        give_up "$PYTHON is $("$PYTHON" -V 2>&1), but Python 3.11 or newer is needed."
}

# On Raspberry Pi OS picamera2, libcamera, lgpio and NumPy are apt's, built for each other: the environment must see them
# and pip must not put another NumPy in front of them.
choose_lock() {
    SITE=()
    LOCK=$ROOT/deploy/lock.txt
    if [ "${COMPANION_SYSTEM_PACKAGES:-}" = 1 ] ||
        { [ "${COMPANION_SYSTEM_PACKAGES:-}" != 0 ] && "$PYTHON" -c 'import importlib.util as u, sys; sys.exit(not (u.find_spec("picamera2") and u.find_spec("numpy")))' 2>/dev/null; }; then
        SITE=(--system-site-packages)
        LOCK=$ROOT/deploy/lock-pi.txt
        # Bookworm's NumPy is 1.24, which OpenCV from 4.12 on refuses
        if "$PYTHON" -c 'import sys, numpy; sys.exit(int(numpy.__version__.split(".")[0]) >= 2)'; then
            LOCK=$ROOT/deploy/lock-pi-bookworm.txt
        fi
    fi
}

stamp() { printf '%s %s' "$(cksum <"$1")" "$(python_stamp)"; }
# the checkout's own place is in it: an environment does not survive being moved
python_stamp() { printf '%s %s %s' "$("$PYTHON" -V)" "${SITE[*]}" "$PLACE"; }
is_ready() { [ "$(cat "$VENV/.ready-$(basename "$1")" 2>/dev/null)" = "$(stamp "$1")" ]; }

install_lock() {
    local words
    words=$("$VENV/bin/python" -m pip install -qq --disable-pip-version-check --no-deps --only-binary :all: -r "$1" 2>&1) ||
        give_up "The packages of deploy/$(basename "$1") could not be installed; is there a network? (Only the first set-up needs one. pip: ${words##*$'\n'})"
    # last, so that an interrupted set-up is done again
    stamp "$1" >"$VENV/.ready-$(basename "$1")"
}

new_environment() {
    "$PYTHON" -c 'import ensurepip' 2>/dev/null || apt_install python3-venv ||
        give_up "Python's venv module is missing and cannot be installed from here: sudo apt install python3-venv"
    "$PYTHON" -m venv --clear "${SITE[@]}" "$VENV" || give_up "The environment could not be made in $VENV."
    # the checkout itself, so that no build tool is needed
    printf '%s\n' "$PLACE" >"$("$VENV/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/companion.pth"
    python_stamp >"$VENV/.ready-python"
}

# make_environment [EXTRA_LOCK...]
make_environment() {
    local lock missing=""
    find_python
    choose_lock
    for lock in "$LOCK" "$@"; do is_ready "$lock" || missing=1; done
    [ -n "$missing" ] || return 0
    say "Setting up the environment in $VENV (once, about a minute) ..."
    mkdir -p "$(dirname "$VENV")" 2>/dev/null
    [ -w "$(dirname "$VENV")" ] || give_up "The environment cannot be made in $(dirname "$VENV"): you may not write there. (COMPANION_VENV=folder names another place.)"
    # two commands at once: the second waits and finds it done
    exec 9>"$VENV.lock"
    flock -w 900 9 || give_up "Another ./deploy command has been setting up $VENV for 15 minutes; end it and try again."
    # another lock file is installed over the old one; only another Python needs a new environment
    [ "$(cat "$VENV/.ready-python" 2>/dev/null)" = "$(python_stamp)" ] || new_environment
    for lock in "$LOCK" "$@"; do is_ready "$lock" || install_lock "$lock"; done
    exec 9>&-
}

# -P: never import from the folder the user happens to stand in
companion() { exec "$VENV/bin/python" -P -m companion "$@"; }
