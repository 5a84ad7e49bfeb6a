# shellcheck shell=bash disable=SC2154 # sourced, after closing.sh; the caller sets build and here
# Fresh systems made by debootstrap, in which an ordinary user's commands run. Its caller sets `system`, such as debian:13 or
# debian:13/arm64, `archive`, the address of its packages (empty for Debian), and `root`, the folder of the new system.

holds() {
    local what=$1
    shift
    if said=$("$@" 2>&1 </dev/null); then
        echo "ok: $what"
        count_passed
    else
        printf 'not ok: %s\n' "$what"
        tail -n 15 <<<"$said" | sed 's/^/    /'
        count_failed
    fi
}

# can_make_systems NAME: ends the script NAME with a message when this machine cannot make other systems.
can_make_systems() {
    local name=$1
    [ "$(id -u)" = 0 ] || { echo "$name: only root can make another root" >&2; exit 2; }
    [ -n "$archive" ] || [ "${system%%:*}" = debian ] || { echo "$name: ARCHIVE=... says where the packages of $system are" >&2; exit 2; }
    command -v debootstrap >/dev/null || { echo "$name: please install debootstrap" >&2; exit 2; }
    case $system in
    */arm64) [ "$HOSTTYPE" = aarch64 ] || emulated ;;
    */*) echo "$name: ${system#*/} is no machine that can be emulated: arm64 can" >&2; exit 2 ;;
    esac
}

# Lets the kernel start programs for arm64 in an emulator, until this script ends.
emulated() {
    local kinds=/proc/sys/fs/binfmt_misc
    "$here/simt/tests/arm64/setup" "$build/arm64" emulator || exit 2
    [ -e $kinds/register ] || mount -t binfmt_misc binfmt_misc $kinds || exit 2
    [ ! -e $kinds/scan-labs-arm64 ] || echo -1 >$kinds/scan-labs-arm64
    # The first bytes of a program for arm64, and which of their bits count. F: the emulator is opened now, for every root.
    printf ':scan-labs-arm64:M::%s:%s:%s:F' '\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00' \
        '\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff' \
        "$build/arm64/qemu/usr/bin/qemu-aarch64" >$kinds/register || exit 2
    trap 'echo -1 >/proc/sys/fs/binfmt_misc/scan-labs-arm64' EXIT
}

# inside USER COMMAND: runs a shell command in the new system, in $folder, as that user. Its child processes end with it.
folder=/
environment=()
inside() {
    # shellcheck disable=SC2016 # the inner shell's words
    unshare --mount --pid --fork --kill-child bash -c '
        set -eu
        mount --make-rprivate /
        mount --bind "$1" "$1"
        cd "$1"
        mkdir -p old
        mount --rbind /dev dev
        mount --rbind /sys sys
        pivot_root . old
        mount -t proc proc /proc
        umount -l /old
        cd "$3"
        exec setpriv --reuid "$2" --regid "$2" --init-groups env -i PATH="$PATH" HOME="$(getent passwd "$2" | cut -d: -f6)" "${@:5}" bash -c "$4"
    ' _ "$root" "$1" "$folder" "$2" "${network[@]}" "${environment[@]}"
}
# The proxies and certificates that this machine uses for the network.
trusted=/etc/ssl/certs/ca-certificates.crt
mapfile -t network < <(env | grep -iE '^(https?_proxy|no_proxy)=')
network+=(PIP_CERT=/etc/trusted.crt SSL_CERT_FILE=/etc/trusted.crt PIP_DEFAULT_TIMEOUT=180)

# Makes the system that an image of this name would contain. The output of debootstrap is kept for the next run.
fresh() {
    local base=${system//[:\/]/-} name=${system%%:*} suite=${system#*:} machine=() like=sid parts=main
    base=$build/container/$base
    case $system in
    */*) machine=("--arch=${system#*/}") ;;
    esac
    case ${system%/*} in
    debian:12) suite=bookworm ;;
    debian:13) suite=trixie ;;
    ubuntu:22.04) suite=jammy ;;
    ubuntu:24.04) suite=noble ;;
    ubuntu:26.04) suite=resolute ;;
    esac
    [ "$name" = debian ] || { like=gutsy parts=main,universe; }
    [ -d "$base/usr" ] || { rm -rf "$base.new" && debootstrap "${machine[@]}" --variant=minbase --components="$parts" "$suite" "$base.new" "$archive" \
        "/usr/share/debootstrap/scripts/$like" && mv "$base.new" "$base"; } || return
    rm -rf "$root" && cp -a --reflink=auto "$base" "$root" && cp /etc/resolv.conf "$root/etc/" && cp -L "$trusted" "$root/etc/trusted.crt" || return
    [ "$name" = debian ] || echo "deb $archive $suite-updates ${parts/,/ }" >>"$root/etc/apt/sources.list"
    cp -n /etc/apt/apt.conf.d/99* "$root/etc/apt/apt.conf.d/" 2>/dev/null || true
}

# Copies the files that git tracks into $folder of the new system, as a mounted course would have them.
course() {
    mkdir -p "$root$folder"
    git -C "$here" ls-files -z | tar -C "$here" --null -T - -c | tar -xC "$root$folder"
}
