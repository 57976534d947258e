#!/bin/sh
# Offers to install what a deployment's runtime needs: `runtime.sh WHO GROUP...`, of packages.txt. Started by verbs that run
# programs. Nothing is installed without a word of the user's: nobody who has no terminal is taken to have said it.
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
