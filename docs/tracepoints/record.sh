#!/bin/sh
# record.sh DIR PROGRAM [ARGUMENT]...: runs the program in the folder DIR and records its events to DIR/trace.
set -eu
folder=$(realpath "$1")
shift
session=tracepoints-$$

lttng --no-sessiond list > /dev/null 2>&1 || lttng-sessiond --daemonize --no-kernel
lttng create "$session" --output="$folder/trace"
trap 'lttng destroy "$session"' EXIT
# Eight sub-buffers of 1 MiB on each CPU hold a burst of about 250,000 events. LTTng discards events that do not fit.
lttng enable-channel --userspace --session="$session" --discard --subbuf-size=1M --num-subbuf=8 weir
lttng add-context --userspace --session="$session" --channel=weir --type=vtid
lttng enable-event --userspace --session="$session" --channel=weir 'weir:*'
lttng start "$session"
(cd "$folder" && "$@")
lttng stop "$session"
lttng list "$session" | grep -i discarded
