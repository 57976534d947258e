#!/bin/sh
# The command line of a test's window: `recorded_weir.sh FOLDER COMMAND ARGUMENTS`. Every window asks for the catalog, and
# many check and lay out the same projects. FOLDER keeps what COMMAND answered to that in these tests, if it had nothing
# to complain of. All else is asked of COMMAND. Its tools have paths, since some tests take PATH away.
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
# Two folders are alike if their files have the same names and sizes, unless the answer names the folder.
key=$({ /usr/bin/ls -l --time-style=+ && echo "$*" && /usr/bin/cat "$asked"; } | /usr/bin/sha256sum)
kept=$folder/${key%% *}.json
if [ ! -e "$kept" ]; then
    # The editor kills this shell where it needs no answer any more.
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
