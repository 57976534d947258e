# Builds the editor, if its sources changed. Sourced by the launcher, which sets root.
# shellcheck shell=sh disable=SC2154

# Waits for a build; to somebody who watches, it tells the steps that its log has.
show_steps() {
    if [ -t 2 ]; then
        while kill -0 "$1" 2>/dev/null; do
            sleep 1
            printf '\r%s ' "$(grep -o '^\[[0-9]*/[0-9]*\]' "$2" | tail -n 1)" >&2
        done
        printf '\r                \r' >&2
    fi
    wait "$1"
}

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
    # One that came or went since would have everything compiled anew; one that is gone must not be asked for.
    if ! command -v ccache >/dev/null; then
        set -- "$@" -DCMAKE_CXX_COMPILER_LAUNCHER=
    elif [ ! -f "$build/CMakeCache.txt" ]; then
        set -- "$@" -DCMAKE_CXX_COMPILER_LAUNCHER=ccache
    fi
    { cmake "$@" && cmake --build "$build"; } >"$log" 2>&1 &
    if ! show_steps $! "$log"; then
        tail -n 40 "$log" | sed 's/^/  /' >&2
        say "the editor could not be built; the whole output is in $log"
        exit 3
    fi
}
