# Builds the editor, if its sources changed. Sourced by the launcher, which sets root.
# shellcheck shell=sh disable=SC2154

build_editor() {
    build=$root/build/editor
    log=$root/build/editor.log
    if ! mkdir -p -- "$build" 2>/dev/null; then
        say "cannot write to $root/build, where the editor is built."
        exit 3
    fi
    [ -x "$build/weir-editor" ] || say 'building the editor; the first time takes some minutes.'

    set -- -S "$root/editor" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DWEIR_EDITOR_TESTS=OFF
    # A tree that was copied or moved brings a cache that names its old place, which CMake refuses.
    if [ -f "$build/CMakeCache.txt" ] &&
        ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root/editor" "$build/CMakeCache.txt"; then
        set -- --fresh "$@"
    fi
    if command -v ccache >/dev/null; then
        set -- "$@" -DCMAKE_CXX_COMPILER_LAUNCHER=ccache
    fi
    if ! { cmake "$@" && cmake --build "$build"; } >"$log" 2>&1; then
        tail -n 40 "$log" | sed 's/^/  /' >&2
        say "the editor could not be built; the whole output is in $log"
        exit 3
    fi
}
