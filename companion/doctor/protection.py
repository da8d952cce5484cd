"""The overlay over the system's files: whether it is there, and whether the matches lie beside it, on a real disk."""

from __future__ import annotations

from pathlib import Path

from companion.doctor.finding import Finding

ASKED = Path("/etc/overlayroot.local.conf")
MOUNTS = Path("/proc/mounts")
IN_MEMORY = ("overlay", "tmpfs", "ramfs")


def protection(data: Path, asked: Path = ASKED, mounts: Path = MOUNTS) -> list[Finding]:
    """Nothing where nobody asked for it and none is there."""
    try:
        wanted = "overlayroot" in asked.read_text(errors="replace")
    except OSError:
        wanted = False
    try:
        kinds = dict(line.split(" ")[1:3] for line in mounts.read_text(errors="replace").splitlines())
    except OSError:
        return []
    covered = kinds.get("/") == "overlay"
    if not covered:
        if not wanted:
            return []
        text = "The system's files are not protected from power cuts yet."
        return [Finding("overlay", "warn", text, "sudo reboot; if it says so again: sudo ./deploy/install --overlay")]
    place = _mount_of(data, kinds)
    if kinds[place] not in IN_MEMORY:
        text = f"The system's files are protected from power cuts; the matches are kept at {place} ({kinds[place]})."
        return [Finding("overlay", "ok", text)]
    if not wanted and not any(word in kinds for word in ("/media/root-ro", "/lower")):
        return []  # a container, say: what becomes of its files is its owner's affair
    text = "The matches are in memory only, and gone at the next start: the whole system is under an overlay."
    return [Finding("overlay", "bad", text, "Give them a disk of their own: docs/install.md, --overlay.")]


def in_memory(data: Path) -> list[str]:
    """For the page: matches that would be gone at the next start. Nobody looks into the doctor before that."""
    return [found.text for found in protection(data) if found.state == "bad"]


def _mount_of(path: Path, kinds: dict[str, str]) -> str:
    """Where the file system that holds `path` is mounted."""
    for folder in (path.absolute(), *path.absolute().parents):
        # /proc/mounts writes a space as \\040
        if (name := str(folder).replace(" ", "\\040")) in kinds:
            return name
    return "/"
