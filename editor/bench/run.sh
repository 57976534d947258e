#!/bin/sh
# Measures the canvas: editor/bench/run.sh [build folder]. By default it builds like `./weir edit`, in
# build/editor-bench.
set -e
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${1:-$root/build/editor-bench}
if [ ! -f "$build/CMakeCache.txt" ]; then
  cmake -S "$root/editor" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DWEIR_EDITOR_TESTS=ON >/dev/null
fi
cmake --build "$build" --target canvas_bench >/dev/null
echo "$(uname -sr), $(nproc) CPUs: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1); $(date -u +%F)"
echo "load before: $(cut -d ' ' -f 1-3 /proc/loadavg)"
for blocks in 1000 2000; do
  QT_QPA_PLATFORM=offscreen "$build/bench/canvas_bench" --blocks "$blocks"
  if command -v xvfb-run >/dev/null; then
    xvfb-run -a -s "-screen 0 1600x1000x24" "$build/bench/canvas_bench" --blocks "$blocks"
  fi
done
echo
echo "load after: $(cut -d ' ' -f 1-3 /proc/loadavg)"
