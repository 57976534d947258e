#!/bin/sh
# The command line of a test's window: `recorded_weir.sh CATALOG COMMAND ARGUMENTS`. Every window asks for the catalog,
# which is the same each time: CATALOG has what COMMAND said of it when the tests began. The rest is asked of COMMAND.
catalog=$1
shift
case $* in
    *" catalog --json") exec /bin/cat "$catalog" ;;
esac
exec "$@"
