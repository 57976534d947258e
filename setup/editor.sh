# Finds the editor of an installed Weir, else builds it if its sources changed. Sourced by the launcher, which sets root
# and python.
# shellcheck shell=sh disable=SC2154

# provide_editor: sets editor, the program.
provide_editor() {
    if [ ! -f "$root/installed" ]; then
        build_editor
        editor=$build/weir-editor
        return
    fi
    read -r bin <"$root/installed"
    editor=$root/$bin/weir-editor
    if [ ! -x "$editor" ]; then
        say 'this Weir was installed without the editor; configure it with -DWEIR_BUILD_EDITOR=ON.'
        exit 3
    fi
}

# work_done STEPS LOG BUILD OBJECTS: prints "[3/12]" for the files to compile. These take nearly all the time, and come
# after hundreds of small steps. If more files are compiled than objects (OBJECTS) were missing, it prints STEPS.
work_done() {
    files=$(($(grep -c ': CXX_COMPILER__' "$3/build.ninja") - $4))
    compiled=$(grep -c '] Building CXX' "$2")
    if [ "$files" -gt 0 ] && [ "$compiled" -le "$files" ]; then echo "[$compiled/$files]"; else echo "$1"; fi
}

# left_of STEPS SECONDS: prints an estimate of the time left, from "[3/12]" and the time so far.
left_of() {
    step=${1#?}
    all=${step#*/}
    all=${all%?}
    step=${step%/*}
    # Before a tenth is done, the estimate would be mostly chance.
    if [ "$((step * 10))" -ge "$all" ]; then
        left=$(($2 * (all - step) / step))
        if [ "$left" -ge 90 ]; then printf 'about %d min left' "$(((left + 30) / 60))"; else printf 'about %d s left' "$left"; fi
    fi
}

# show_steps PROCESS LOG BUILD: waits for a build. On a terminal, it shows the steps from the log and the time left. It
# is written in shell, because no Python package needs to be installed yet.
show_steps() {
    if [ -t 2 ]; then
        objects=$(find "$3" -name '*.o' -o -name '*.gch' | wc -l)
        began=$(date +%s)
        while kill -0 "$1" 2>/dev/null; do
            sleep 1
            steps=$(grep -o '^\[[0-9]*/[0-9]*\]' "$2" | tail -n 1)
            [ -n "$steps" ] || continue
            seconds=$(($(date +%s) - began))
            printf '\r%s %-20s' "$steps" "$(left_of "$(work_done "$steps" "$2" "$3" "$objects")" "$seconds")" >&2
        done
        printf '\r%40s\r' '' >&2
    fi
    wait "$1"
}

# choose_build: sets build and log. Both are in the tree, or in the user's cache if the tree is not writable.
choose_build() {
    build=$root/build/editor
    log=$build.log
    # Empty the log, so that an earlier one is not taken for that of this build.
    if mkdir -p -- "$build" 2>/dev/null && [ -w "$build" ] && { true >"$log"; } 2>/dev/null; then return; fi
    find_folder='
import sys
sys.path.insert(0, sys.argv[1])
from weir.engine.generation.host import editor_folder
try:
    print(editor_folder(sys.argv[2]))
except OSError as error:
    sys.exit(f"weir: {sys.argv[2]} cannot be written to, and no place for the editor can be had: "
             f"{error.strerror or error}")
'
    build=$("$python" -I -c "$find_folder" "$root/codegen" "$root") || exit 3
    log=$build.log
    true >"$log"
}

build_editor() {
    choose_build
    [ -x "$build/weir-editor" ] || say 'building the editor; the first build takes some minutes.'

    set -- -S "$root/editor" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DWEIR_EDITOR_TESTS=OFF
    # CMake refuses the cache of a tree that was copied or moved, because the cache names the old place.
    if [ -f "$build/CMakeCache.txt" ] &&
        ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root/editor" "$build/CMakeCache.txt"; then
        set -- --fresh "$@"
    fi
    # Use ccache only from the first build on, because a later change of the launcher recompiles everything. Stop using
    # it if it is gone.
    if ! command -v ccache >/dev/null; then
        set -- "$@" -DCMAKE_CXX_COMPILER_LAUNCHER=
    elif [ ! -f "$build/CMakeCache.txt" ]; then
        set -- "$@" -DCMAKE_CXX_COMPILER_LAUNCHER=ccache
    fi
    # The build ends when this process ends, however it ends.
    # shellcheck disable=SC2016  # the other shell expands it
    build=$build "$python" -I -S "$root/codegen/weir/compilers.py" \
        sh -c 'cmake "$@" && cmake --build "$build"' sh "$@" >"$log" 2>&1 &
    if ! show_steps $! "$log" "$build"; then
        tail -n 40 "$log" | sed 's/^/  /' >&2
        say "the build of the editor failed; the full output is in $log"
        exit 3
    fi
}
