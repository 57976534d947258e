#!/bin/sh
# Stands in for the command line of a test's window: `recorded_weir.sh FOLDER COMMAND ARGUMENTS`. Every window loads the
# catalog, and many windows check and lay out the same projects. FOLDER caches the answers of COMMAND to these three
# requests, unless an answer contains an error. All other requests go to COMMAND. Tools have absolute paths, since some
# tests remove PATH.
folder=$1
shift
case $* in
    *" catalog --json") exec /usr/bin/cat "$folder/catalog.json" ;;
    *" validate - "* | *" layout - "*) ;;
    *) exec "$@" ;;
esac
asked=$(/usr/bin/mktemp "$folder/asked.XXXXXX") || exit
trap '/usr/bin/rm -f "$asked" "$asked.answer" "$asked.complaint"' EXIT
/usr/bin/cat >"$asked"
# Two folders count as equal if their files have equal names and sizes. An answer that contains the folder's path is not
# cached.
key=$({ /usr/bin/ls -l --time-style=+ && echo "$*" && /usr/bin/cat "$asked"; } | /usr/bin/sha256sum)
kept=$folder/${key%% *}.json
if [ ! -e "$kept" ]; then
    # The editor kills this shell when it no longer needs the answer.
    /usr/bin/setpriv --pdeathsig KILL "$@" <"$asked" >"$asked.answer" 2>"$asked.complaint"
    code=$?
    if [ $code -ne 0 ] || [ -s "$asked.complaint" ] || /usr/bin/grep -qF "$PWD" "$asked.answer"; then
        /usr/bin/cat "$asked.complaint" >&2
        /usr/bin/cat "$asked.answer"
        exit $code
    fi
    /usr/bin/mv "$asked.answer" "$kept"
fi
/usr/bin/cat "$kept"
