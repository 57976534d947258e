#!/bin/sh
# Measures a project at two commits in turns, compares them, and writes what CI systems show. docs/how-to has the page.
set -eu

usage() {
    cat <<'TEXT'
usage: ci/compare-commits.sh PROJECT BASE [OPTION...]

Run it in the repository of PROJECT, a path from its root. It measures the commit BASE and the checked-out files, and
writes comparison.md, comparison.json, junit.xml and bencher.json to the folder of --out.

  --deployment D   deployment to measure (default: the first)
  --rounds N       runs of each commit, in turns (default: 16)
  --threshold PCT  smallest difference that counts, in percent (default: 5)
  --metric M       metric that decides (default: throughput, or latency if all sources are paced)
  --out DIR        folder for the runs and the files, new or empty (default: weir-comparison)
  --weir COMMAND   how to start Weir (default: weir)

Exit codes: 0 nothing is worse, 1 the checked-out files are worse, 4 no verdict; other codes are those of Weir.
TEXT
}

say() {
    printf 'compare-commits: %s\n' "$*" >&2
}

project='' base='' deployment='' metric='' rounds=16 threshold=5 out=weir-comparison weir=weir
while [ $# -gt 0 ]; do
    case $1 in
        -h | --help) usage; exit 0 ;;
        --deployment | --rounds | --threshold | --metric | --out | --weir)
            [ $# -gt 1 ] || { say "$1 needs a value"; exit 2; }
            case $1 in
                --deployment) deployment=$2 ;;
                --rounds) rounds=$2 ;;
                --threshold) threshold=$2 ;;
                --metric) metric=$2 ;;
                --out) out=$2 ;;
                --weir) weir=$2 ;;
            esac
            shift 2 ;;
        -*) say "unknown option $1"; usage >&2; exit 2 ;;
        *)
            if [ -z "$project" ]; then project=$1
            elif [ -z "$base" ]; then base=$1
            else say "unexpected $1"; exit 2; fi
            shift ;;
    esac
done
if [ -z "$project" ] || [ -z "$base" ]; then usage >&2; exit 2; fi
root=$(git rev-parse --show-toplevel)
commit=$(git rev-parse --verify --quiet "$base^{commit}") || { say "there is no commit $base"; exit 2; }
git cat-file -e "$commit:$project" 2>/dev/null || { say "$base has no $project; nothing to compare with"; exit 4; }
if [ -d "$out" ] && [ -n "$(ls -A "$out")" ]; then say "$out is not empty"; exit 2; fi
mkdir -p -- "$out"
out=$(cd -- "$out" && pwd)

before=$(mktemp -d)
trap 'git worktree remove --force "$before/tree" 2>/dev/null; rm -rf -- "$before"' EXIT
trap 'exit 130' INT TERM
git worktree add --quiet --detach "$before/tree" "$commit"

# measure TREE FOLDER: makes one run of a tree; the runs that are compared repeat it.
measure() {
    (cd -- "$1" && $weir run "$project" ${deployment:+--deployment "$deployment"} --repeat 1 --out "$2") >&2
}
measure "$before/tree" "$out/a"
measure "$root" "$out/b"
$weir reproduce "$out"/a/* "$out"/b/* --repeat "$rounds" --trust --out "$out/both" >&2

# answer FILE FORM: writes the comparison in a form. Each is of the same runs.
answer() {
    code=0
    $weir compare "$out/both/a" "$out/both/b" --threshold "$threshold" ${metric:+--metric "$metric"} "$2" \
        -o "$out/$1" || code=$?
}
answer comparison.json --json
answer junit.xml --junit
answer bencher.json --bencher
answer comparison.md --markdown
{
    printf '\n<sub>A is %s, B is %s on %s.</sub>\n' "$(git rev-parse --short "$commit")" \
        "$(git rev-parse --short HEAD)$(git diff --quiet HEAD -- . || printf ' with changes')" "$(uname -n)"
} >>"$out/comparison.md"
exit "$code"
