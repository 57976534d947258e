#!/bin/sh
# record.sh DIR PROGRAM [ARGUMENT]...: runs the program in the folder DIR and records its events to DIR/trace.
set -eu
folder=$(realpath "$1")
shift
session=tracepoints-$$

lttng --no-sessiond list > /dev/null 2>&1 || lttng-sessiond --daemonize --no-kernel
lttng create "$session" --output="$folder/trace"
trap 'lttng destroy "$session"' EXIT
# A burst of up to 229,000 events on a CPU fits into seven of its eight sub-buffers of 1 MiB. LTTng discards the rest.
lttng enable-channel --userspace --session="$session" --discard --subbuf-size=1M --num-subbuf=8 weir
lttng add-context --userspace --session="$session" --channel=weir --type=vtid
lttng enable-event --userspace --session="$session" --channel=weir 'weir:*'
lttng start "$session"
(cd "$folder" && "$@")
lttng stop "$session"
lttng list "$session" | grep -i discarded
