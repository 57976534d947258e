#!/bin/sh
# record.sh DIR PROGRAM [ARGUMENT]...: runs the program in the new folder DIR and records its events to DIR/trace.
set -eu
[ $# -ge 2 ] || { echo "usage: $0 DIR PROGRAM [ARGUMENT]..." >&2; exit 2; }
[ ! -e "$1/trace" ] || { echo "$0: $1/trace exists: choose another folder" >&2; exit 2; }
mkdir -p "$1"
folder=$(realpath "$1")
shift
case $1 in */*) program=$(realpath -s "$1"); shift; set -- "$program" "$@" ;; esac
session=tracepoints-$$

lttng --no-sessiond list > /dev/null 2>&1 || lttng-sessiond --daemonize --no-kernel
lttng create "$session" --output="$folder/trace"
trap 'lttng destroy "$session"' EXIT
# A burst of up to 229,000 events on a CPU fits into seven of its eight sub-buffers of 1 MiB. LTTng discards the rest.
lttng enable-channel --userspace --session="$session" --discard --subbuf-size=1M --num-subbuf=8 weir
lttng add-context --userspace --session="$session" --channel=weir --type=vtid
lttng enable-event --userspace --session="$session" --channel=weir 'weir:*'
# Other programs have the provider, too. The shell names itself to LTTng, and then becomes the program.
lttng untrack --userspace --session="$session" --all --vpid
lttng start "$session"
(cd "$folder" && exec sh -c 'lttng track --userspace --session="$0" --vpid=$$ && exec "$@"' "$session" "$@")
lttng stop "$session"
lttng list "$session" | grep -i discarded
