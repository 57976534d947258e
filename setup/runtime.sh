#!/bin/sh
# Offers to install the packages of a deployment's runtime: `runtime.sh WHO GROUP...`, with groups of packages.txt.
# Verbs that run programs start it. It installs nothing without the user's consent, which it cannot ask for without a
# terminal.
set -eu
root=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
assume_yes=${WEIR_YES:-}
may_install=${WEIR_MAY_INSTALL-yes}

. "$root/setup/packages.sh"

say() {
    printf 'weir: %s\n' "$*" >&2
}

if [ -z "$assume_yes" ] && ! has_terminal; then
    exit 3
fi
provide_groups "$@"
