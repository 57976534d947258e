#!/bin/sh
# Tries the committed tree in a fresh system of a Debian release. All steps run in separate namespaces: however this
# script ends, no mount and no process is left behind.
set -eu

say() {
    printf 'try-release: %s\n' "$*" >&2
}

usage() {
    cat <<'TEXT'
usage: sudo setup/try-release.sh RELEASE FOLDER [STEP...]

Makes an empty system of a Debian release (trixie, bookworm) with a clone of HEAD in FOLDER/system, and does the steps
in it: run, edit, test; without any, all three. FOLDER is made, or is empty, and stays: FOLDER/logs has the whole output
of each step and the table, FOLDER/system takes some 6 GB. Needs root and mmdebstrap. MIRROR names a mirror of Debian,
by default the one that apt uses here.
TEXT
}

# mirror_of_apt: prints apt's mirror of Debian; nothing on another distribution.
mirror_of_apt() {
    # shellcheck disable=SC2016  # apt fills these in
    apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' | head -n 1
}

# make_system: makes the release's smallest system with apt, and clones the tree into it.
make_system() {
    proxy=
    eval "$(apt-config shell proxy Acquire::http::Proxy)"
    set -- "$release" "$system"
    mirror=${MIRROR:-$(mirror_of_apt)}
    [ -z "$mirror" ] || set -- "$@" "$mirror"
    [ -z "$proxy" ] || set -- "--aptopt=Acquire::http::Proxy \"$proxy\"" "$@"
    mmdebstrap --variant=minbase "$@" &&
        git clone --quiet --no-hardlinks "$root" "$system/root/weir"
}

mount_system() {
    mount --bind "$system" "$system"
    mount -t proc proc "$system/proc"
    mount --rbind /sys "$system/sys"
    mount --bind /dev "$system/dev"
    mount -t devpts -o newinstance,mode=0620,ptmxmode=0666,gid=5 devpts "$system/dev/pts"
    mount -t tmpfs -o mode=1777 tmpfs "$system/dev/shm"
    cp -L /etc/resolv.conf /etc/hosts "$system/etc/"
}

# inside COMMAND...: runs a command in the clone. Background jobs of a shell ignore SIGINT, which tests send, so the
# command gets the default signals.
inside() {
    # shellcheck disable=SC2016  # the shell inside fills it in
    env -i --default-signal HOME=/root LANG=C.UTF-8 TERM=dumb \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        ${http_proxy:+"http_proxy=$http_proxy"} chroot "$system" sh -c 'cd /root/weir && exec "$@"' inside "$@"
}

# step NAME COMMAND...: runs a command, writes its output to the log, prints the end of the log, and adds a row to the
# table.
step() {
    name=$1
    shift
    say "$name … (log: $logs/$name.log)"
    printf '$ %s\n' "$*" >"$logs/$name.log"
    started=$(date +%s)
    code=0
    "$@" >>"$logs/$name.log" 2>&1 </dev/null || code=$?
    tail -n 30 "$logs/$name.log" | sed 's/^/  /'
    verdict=ok
    [ "$code" -eq 0 ] || verdict="FAILED, exit code $code"
    [ "$code" -eq 0 ] || failed=yes
    printf '%-10s %-8s %6s s  %s\n' "$release" "$name" "$(($(date +%s) - started))" "$verdict" >>"$logs/table"
    return "$code"
}

# try STEP: runs a step by its name on the command line.
try() {
    case $1 in
        run) step run inside ./weir run examples/quickstart.weir.json ;;
        edit) step edit inside ./weir edit examples/quickstart.weir.json --screenshot /root/editor.png &&
            cp "$system/root/editor.png" "$logs/" ;;
        test) step test inside ./weir test ;;
    esac
}

case ${1:-} in
    -h | --help) usage; exit ;;
    --inside) shift ;;
    *)
        if [ $# -lt 2 ]; then
            usage >&2
            exit 2
        elif [ "$(id -u)" -ne 0 ]; then
            say 'this needs root: sudo setup/try-release.sh …'
            exit 3
        elif ! command -v mmdebstrap >/dev/null; then
            say 'mmdebstrap is missing: apt-get install mmdebstrap'
            exit 3
        elif [ -n "$(ls -A -- "$2" 2>/dev/null)" ]; then
            say "$2 is not empty; name another folder."
            exit 2
        fi
        for name in $(shift 2; printf '%s ' "$@"); do
            case $name in run | edit | test) ;; *) say "unknown step $name"; exit 2 ;; esac
        done
        mkdir -p -- "$2"
        unshare --mount --pid --fork --kill-child --mount-proc -- "$0" --inside "$@" &
        trap 'kill -KILL $!; wait; say interrupted; exit 130' INT TERM HUP
        wait $!
        exit ;;
esac

# From here on, this is the first process of the namespaces. When it ends, the kernel kills the others and removes the
# mounts.
root=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
release=$1
folder=$(readlink -f -- "$2")
shift 2
[ $# -gt 0 ] || set -- run edit test
system=$folder/system
logs=$folder/logs
failed=
mkdir -p -- "$logs"
[ -z "$(git -C "$root" status --porcelain)" ] || say 'uncommitted changes are not tested.'

if step system make_system; then
    mount_system
    for name in "$@"; do
        try "$name" || true
    done
fi
cat "$logs/table"
[ -z "$failed" ]
