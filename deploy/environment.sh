# Sourced by run, test and companion: makes the project's own Python environment in .venv, or leaves it alone when it is
# up to date. Needs bash and python3; installs python3-venv by apt when it is missing and it may.
# shellcheck shell=bash

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
VENV=${COMPANION_VENV:-$ROOT/.venv}

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
        "$PYTHON" -c 'import sys, numpy; sys.exit(int(numpy.__version__.split(".")[0]) >= 2)' && LOCK=$ROOT/deploy/lock-pi-bookworm.txt
    fi
}

# make_environment [EXTRA_LOCK...]
make_environment() {
    find_python
    choose_lock
    local want have=""
    want=$(cat "$LOCK" "$@" "${BASH_SOURCE[0]}" | cksum)$("$PYTHON" -V)${SITE[*]}
    [ -f "$VENV/.companion-stamp" ] && have=$(cat "$VENV/.companion-stamp")
    # an environment with the test tools serves ./deploy/run just as well
    case $'\n'$have$'\n' in *$'\n'"$want"$'\n'*) return 0 ;; esac
    mkdir -p "$(dirname "$VENV")"
    exec 9>"$VENV.lock"
    if ! flock -w 900 9; then give_up "Another ./deploy command has been setting up $VENV for 15 minutes; end it and try again."; fi
    [ -f "$VENV/.companion-stamp" ] && have=$(cat "$VENV/.companion-stamp")
    case $'\n'$have$'\n' in *$'\n'"$want"$'\n'*) exec 9>&-; return 0 ;; esac

    say "Setting up the environment in $VENV (once, about a minute) ..."
    local keep=--clear
    # only the test tools are missing: add them, do not begin again
    [ $# -gt 0 ] && [ -n "$have" ] && [ -x "$VENV/bin/python" ] &&
        [ "$(head -n 1 "$VENV/.companion-stamp")" = "$(cat "$LOCK" "${BASH_SOURCE[0]}" | cksum)$("$PYTHON" -V)${SITE[*]}" ] && keep=
    if [ -n "$keep" ]; then
        rm -f "$VENV/.companion-stamp"
        "$PYTHON" -c 'import ensurepip' 2>/dev/null || apt_install python3-venv ||
            give_up "Python's venv module is missing and cannot be installed from here: sudo apt install python3-venv"
        "$PYTHON" -m venv --clear "${SITE[@]}" "$VENV" || give_up "The environment could not be made in $VENV."
    fi
    local locks=(-r "$LOCK") lock
    for lock in "$@"; do locks+=(-r "$lock"); done
    "$VENV/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: "${locks[@]}" ||
        give_up "The packages of ${LOCK#"$ROOT"/} could not be installed; is there a network? (Only this first set-up needs one.)"
    # the checkout itself, so that no build tool is needed
    printf '%s\n' "$ROOT" >"$("$VENV/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/companion.pth"
    {
        printf '%s\n' "$(cat "$LOCK" "${BASH_SOURCE[0]}" | cksum)$("$PYTHON" -V)${SITE[*]}"
        [ $# -eq 0 ] || printf '%s\n' "$want"
    } >"$VENV/.companion-stamp"
    exec 9>&-
}

# -P: never import from the folder the user happens to stand in
companion() { exec "$VENV/bin/python" -P -m companion "$@"; }
