# Sourced by deploy/install: the table's own Wi-Fi (--access-point), and the overlay over the system's files with the
# matches on a disk of their own (--overlay). Each has a check before anything is changed, a make and an unmake.
# shellcheck shell=bash

UNITS=/etc/systemd/system
WIFI_UNIT=table-companion-wifi.service
WIFI_SETTINGS=/etc/default/table-companion-wifi
WIFI_PROFILE=/etc/NetworkManager/system-connections/table-companion.nmconnection
MATCHES_UNIT='var-lib-table\x2dcompanion.mount'
OVERLAY_CONF=/etc/overlayroot.local.conf
OVERLAY_JOURNAL=/etc/systemd/journald.conf.d/table-companion-overlay.conf
OVERLAY_SWAP=/etc/rpi/swap.conf.d/table-companion.conf

# -- the table's own Wi-Fi ------------------------------------------------------------------------------

check_access_point() {
    [ -n "$access_point" ] || return 0
    command -v nmcli >/dev/null && [ "$(systemctl is-enabled NetworkManager.service 2>/dev/null)" = enabled ] ||
        give_up "This system's network is not NetworkManager's (Raspberry Pi OS has it since Bookworm), which is to make the table's own Wi-Fi."
    # dnsmasq: who joins gets an address; iw: whether anybody is in it
    NEEDED+=(dnsmasq-base wpasupplicant iw)
}

# before anything is in place: settings that the owner wrote wrong end it here
make_wifi_settings() {
    [ -n "$access_point" ] || return 0
    if [ ! -e "$WIFI_SETTINGS" ]; then
        own_wifi settings >"$WIFI_SETTINGS.new-companion"
        chmod 640 "$WIFI_SETTINGS.new-companion"
        mv -f "$WIFI_SETTINGS.new-companion" "$WIFI_SETTINGS"
    fi
    # the companion tells name and password to who may keep the score
    chown root:"$ACCOUNT" "$WIFI_SETTINGS"
    chmod 640 "$WIFI_SETTINGS"
    own_wifi words >/dev/null || exit 1
}

own_wifi() { PYTHONPATH=$BASE/$NEW "$VENV/bin/python" -P -m companion.own_wifi "$1"; }

put_access_point() {
    [ -n "$access_point" ] || return 0
    put "$WIFI_UNIT" "/etc/systemd/system/$WIFI_UNIT"
    mkdir -p "$(dirname "$WIFI_PROFILE")"
    (umask 077; own_wifi profile >"$WIFI_PROFILE.new-companion")
    if cmp -s "$WIFI_PROFILE.new-companion" "$WIFI_PROFILE"; then rm "$WIFI_PROFILE.new-companion"
    else mv -f "$WIFI_PROFILE.new-companion" "$WIFI_PROFILE"; fi
}

start_access_point() {
    [ -n "$access_point" ] || return 0
    systemctl enable --quiet "$WIFI_UNIT"
    if booted; then
        systemctl daemon-reload
        nmcli connection load "$WIFI_PROFILE" >/dev/null || say "NetworkManager does not take the table's own Wi-Fi now; it will when the system is started again."
        systemctl restart "$WIFI_UNIT"
    fi
    step "Where no network is known, the table makes a Wi-Fi of its own: $(own_wifi words)"
}

unmake_access_point() {
    [ -e "$WIFI_PROFILE" ] || return 0
    rm -f "$WIFI_PROFILE"
    if booted && command -v nmcli >/dev/null; then
        nmcli connection down table-companion >/dev/null 2>&1 || true
        nmcli connection reload >/dev/null 2>&1 || true
    fi
}

# -- the overlay, and the matches beside it ---------------------------------------------------------------

covered() { [ "$(findmnt -n -o FSTYPE /)" = overlay ] && { [ -d /media/root-ro ] || grep -q 'boot=overlay' /proc/cmdline; }; }

check_not_covered() {
    ! covered || give_up "This system's files are under an overlay: what is changed now would be gone at the next start. Open it first: sudo ./deploy/install --no-overlay; then restart, and call this again."
    [ -z "$(matches_folder)" ] || ! booted || mountpoint -q "$STATE" || systemctl start "$MATCHES_UNIT" 2>/dev/null ||
        give_up "The matches are kept at $(matches_folder), which is not there: plug that disk in and try again."
}

# where the matches are kept when they have a disk of their own; a move that was ended on its way counts as none
matches_folder() { ! systemctl is-enabled --quiet "$MATCHES_UNIT" 2>/dev/null || sed -n 's/^What=//p' "$UNITS/$MATCHES_UNIT"; }

# The folder that was asked for, or the one of last time: on a disk of its own that is there at every start.
check_overlay() {
    local mount kind
    [ -n "$overlay" ] || return 0
    booted || give_up "--overlay needs the system running that it is to protect."
    if [ -z "$overlay_folder" ]; then
        overlay_folder=$(matches_folder)
        overlay_folder=${overlay_folder%/table-companion}
        [ -n "$overlay_folder" ] || bad_call "--overlay must say where the matches are kept: --overlay=FOLDER, on a disk or partition of its own"
    fi
    [ -d "$overlay_folder" ] || give_up "There is no folder $overlay_folder for the matches."
    overlay_folder=$(realpath -e "$overlay_folder")
    case $overlay_folder in *[!A-Za-z0-9/._-]*) give_up "The folder $overlay_folder must have plain letters and digits only." ;; esac
    [ "$(stat -c %d "$overlay_folder")" != "$(stat -c %d /)" ] ||
        give_up "$overlay_folder lies on the system's own disk, which is to be protected: the matches need a disk or partition of their own (docs/install.md)."
    mount=$(findmnt -n -o TARGET --target "$overlay_folder")
    kind=$(findmnt -n -o FSTYPE --target "$overlay_folder")
    case $kind in
        ext4 | ext3 | btrfs | xfs | f2fs) ;;
        *) give_up "$mount is $kind; the matches need ext4 (or btrfs, xfs, f2fs), which keeps its files whole and its owners." ;;
    esac
    [ -n "$(systemctl show -P FragmentPath "$(systemd-escape -p --suffix=mount "$mount")")" ] ||
        give_up "$mount is not mounted at every start: it needs a line in /etc/fstab (docs/install.md; after that sudo systemctl daemon-reload)."
    [ -z "$(matches_folder)" ] || [ "$(matches_folder)" = "$overlay_folder/table-companion" ] ||
        give_up "The matches are kept at $(matches_folder) already; to move them: --uninstall first."
    [ -n "$(matches_folder)" ] || [ ! -e "$overlay_folder/table-companion/matches" ] || [ ! -e "$STATE/matches" ] ||
        grep -qsx "What=$overlay_folder/table-companion" "$UNITS/$MATCHES_UNIT" ||
        give_up "Both $STATE and $overlay_folder/table-companion hold matches; move one of them away first."
    [ ! -e "$OVERLAY_CONF" ] || grep -q deploy/install "$OVERLAY_CONF" ||
        give_up "This system has an overlay of somebody's own making ($OVERLAY_CONF)."
    # on a Pi the firmware must load it as well
    [ ! -e /boot/firmware/config.txt ] || grep -q '^auto_initramfs=1' /boot/firmware/config.txt || grep -q '^initramfs ' /boot/firmware/config.txt ||
        give_up "This Pi starts without an initramfs, which lays the overlay: add the line auto_initramfs=1 to /boot/firmware/config.txt."
    [ -e "/boot/initrd.img-$(uname -r)" ] ||
        give_up "This system starts without an initramfs (/boot/initrd.img-$(uname -r)), which lays the overlay."
    NEEDED+=(overlayroot)
}

# what was installed must really be in what the system starts with
check_initramfs() {
    [ -n "$overlay" ] || return 0
    lsinitramfs "/boot/initrd.img-$(uname -r)" 2>/dev/null | grep scripts/init-bottom/overlayroot >/dev/null ||
        give_up "The overlay is not in the initramfs (/boot/initrd.img-$(uname -r)): sudo update-initramfs -u, then call this again."
}

# Copied whole beside what will be used, then turned over: an end at any moment leaves the one or the other.
move_matches() {
    local there=$overlay_folder/table-companion
    [ -n "$overlay" ] || return 0
    ! mountpoint -q "$STATE" || return 0
    systemctl stop "$UNIT" 2>/dev/null || true
    # from here on the folder is ours, and a further call goes on
    cat >"$UNITS/$MATCHES_UNIT.new-companion" <<UNIT_FILE
# Made by deploy/install --overlay: the matches lie on a disk of their own. Without it the companion does not start.
[Unit]
Description=The table companion's matches
RequiresMountsFor=$overlay_folder
# a disk that is plugged in late starts it
Wants=$UNIT

[Mount]
What=$there
Where=$STATE
Type=none
Options=bind

[Install]
WantedBy=multi-user.target $(systemd-escape -p --suffix=mount "$(findmnt -n -o TARGET --target "$overlay_folder")")
UNIT_FILE
    mv -f "$UNITS/$MATCHES_UNIT.new-companion" "$UNITS/$MATCHES_UNIT"
    if [ -n "$(ls -A "$STATE")" ]; then
        rm -rf "$there.new"
        if ! cp -a "$STATE" "$there.new"; then
            rm -rf "$there.new" "$UNITS/$MATCHES_UNIT"
            systemctl start "$UNIT" 2>/dev/null || true
            give_up "The matches could not be copied to $there; they stay where they are."
        fi
        sync
        rm -rf "$there"
        mv -T "$there.new" "$there"
    fi
    mkdir -p "$there"
    chown "$ACCOUNT:$ACCOUNT" "$there"
    chmod 750 "$there"
    systemctl daemon-reload
    systemctl enable --quiet "$MATCHES_UNIT"
    sync
    find "$STATE" -mindepth 1 -delete
    systemctl start "$MATCHES_UNIT" || give_up "The matches are kept at $there, but it could not be mounted at $STATE."
    step "The matches are kept at $there"
}

put_overlay() {
    local before
    [ -n "$overlay" ] || return 0
    mkdir -p "$(dirname "$OVERLAY_JOURNAL")"
    printf '# Made by deploy/install --overlay: the log is in memory, and small.\n[Journal]\nStorage=volatile\n' >"$OVERLAY_JOURNAL"
    # a swap file would lie in the memory that it is to help out
    before=""
    if [ -d /etc/rpi ]; then
        mkdir -p "$(dirname "$OVERLAY_SWAP")"
        printf '# Made by deploy/install --overlay.\n[Main]\nMechanism=zram\n' >"$OVERLAY_SWAP"
    fi
    if [ "$(systemctl is-enabled dphys-swapfile.service 2>/dev/null)" = enabled ]; then
        systemctl disable --quiet dphys-swapfile.service
        before="# dphys-swapfile was on"
    elif grep -qs 'dphys-swapfile was on' "$OVERLAY_CONF"; then before="# dphys-swapfile was on"; fi
    # recurse=0: the overlay is over the system's own disk and over no other
    printf '# Made by deploy/install --overlay; %s\noverlayroot="tmpfs:recurse=0"\n' "--no-overlay takes it away. $before" >"$OVERLAY_CONF.new-companion"
    sync
    mv -f "$OVERLAY_CONF.new-companion" "$OVERLAY_CONF"
    sync
    step "From the next start on the system's files are protected: sudo reboot. Before a change of the system: sudo ./deploy/install --no-overlay"
}

# under the overlay: in the real files beneath it
unmake_overlay() {
    [ -e "$OVERLAY_CONF" ] && grep -q deploy/install "$OVERLAY_CONF" || return 1
    # shellcheck disable=SC2016  # the shell in there expands it
    local line='! grep -q "dphys-swapfile was on" "$1" || systemctl enable --quiet dphys-swapfile.service; rm -f "$1" "$2" "$3"; sync'
    if covered; then overlayroot-chroot sh -c "$line" sh "$OVERLAY_CONF" "$OVERLAY_JOURNAL" "$OVERLAY_SWAP" >/dev/null
    else sh -c "$line" sh "$OVERLAY_CONF" "$OVERLAY_JOURNAL" "$OVERLAY_SWAP"; fi
}

# back to the system's own disk
bring_matches_back() {
    local there
    there=$(matches_folder)
    [ -n "$there" ] || { rm -f "$UNITS/$MATCHES_UNIT"; return 0; }
    if mountpoint -q "$STATE" && booted; then
        systemctl disable --now --quiet "$MATCHES_UNIT" 2>/dev/null || true
        ! mountpoint -q "$STATE" || umount "$STATE"
        rm -rf "$STATE.new"
        cp -a "$there" "$STATE.new" || give_up "The matches at $there do not fit on the system's own disk; they stay there."
        sync
        rmdir "$STATE"
        mv -T "$STATE.new" "$STATE"
        sync
        rm -rf "$there"
    else
        systemctl disable --quiet "$MATCHES_UNIT" 2>/dev/null || true
        step "The matches stay at $there."
    fi
    rm -f "$UNITS/$MATCHES_UNIT"
}
