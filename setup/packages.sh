# Finds and installs the packages of a verb. Sourced by the launcher, which sets root, assume_yes and may_install.
# shellcheck shell=sh disable=SC2154

# groups_of WORD...: the groups of packages.txt that a command needs.
groups_of() {
    while IFS=: read -r old new; do
        if [ "${old%% *}" = "${1:-}" ]; then
            shift
            # shellcheck disable=SC2086  # a word each
            set -- $new "$@"
            break
        fi
    done <"$root/setup/former.txt"
    needed=base
    while read -r row groups; do
        [ "${row%%/*}" = "${1:-}" ] || continue
        case $row in
            */!*) ! has_word "${row#*/!}" "$@" || continue ;;
            */*) has_word "${row#*/}" "$@" || continue ;;
        esac
        needed="$needed $groups"
    done <"$root/setup/verbs.txt"
    printf '%s' "$needed"
}

# has_word PATTERN VERB WORD...: tests whether a word after the verb matches. An output file counts as the word -o=FILE,
# with a dot at the end if its name has none.
has_word() {
    pattern=$1 previous=
    shift 2
    for word; do
        case $previous,$word in
            -o,* | --output,*) word=-o=$word ;;
            *,--output=*) word=-o=${word#*=} ;;
            *,-o?*) word=-o=${word#-o} ;;
        esac
        previous=$word
        case $word in
            -o=*) case ${word##*/} in *.*) ;; *) word=$word. ;; esac ;;
        esac
        # shellcheck disable=SC2254  # it is a pattern
        case $word in $pattern) return 0 ;; esac
    done
    return 1
}

# packages_of GROUP...: the rows "package|alternative why" of these groups, each package once.
packages_of() {
    seen=' '
    while read -r group package why; do
        case " $* " in *" $group "*) ;; *) continue ;; esac
        [ "$group" != editor ] || [ ! -f "$root/installed" ] || continue # the editor is already built
        # Any cargo is enough. Debian's would replace other packages of cargo, and might not be the first on the PATH.
        [ "$group" != rust ] || ! command -v cargo >/dev/null || continue
        case $seen in *" $package "*) continue ;; esac
        seen="$seen$package "
        printf '%s %s\n' "$package" "$why"
    done <"$root/setup/packages.txt"
}

# missing_of ROWS: prints the rows without an installed alternative.
missing_of() {
    names=$(printf '%s\n' "$1" | while read -r package _; do printf '%s|' "$package"; done)
    IFS='|'
    # shellcheck disable=SC2086  # one word for each name
    installed=$(dpkg-query --show --showformat='|${Package} ${db:Status-Status}|' $names 2>/dev/null) || true
    unset IFS
    printf '%s\n' "$1" | while read -r package why; do
        rest=$package
        while [ -n "$rest" ]; do
            case $installed in *"|${rest%%|*} installed|"*) continue 2 ;; esac
            case $rest in *'|'*) rest=${rest#*|} ;; *) rest= ;; esac
        done
        printf '%s %s\n' "$package" "$why"
    done
}

# chosen_of ALTERNATIVES: prints the first one that the release has. If apt has no lists yet, it prints the first one,
# with exit status 1. Call it in $(), because it changes IFS.
chosen_of() {
    case $1 in
        *'|'*)
            IFS='|'
            for name in $1; do
                if LC_ALL=C apt-cache policy "$name" 2>/dev/null | grep -q 'Candidate: [^(]'; then
                    printf '%s' "$name"
                    return
                fi
            done
            printf '%s' "${1%%|*}"
            return 1 ;;
        *) printf '%s' "$1" ;;
    esac
}

# provide_packages HELP WORD...: returns when all packages of the command are installed; exits 3 if that fails.
provide_packages() {
    groups=base help=$1
    shift
    [ -n "$help" ] || groups=$(groups_of "$@")
    # shellcheck disable=SC2086  # one word for each group
    provide_groups "\`weir${1:+ $1}\`" $groups
}

# provide_groups WHO GROUP...: does the same for these groups.
provide_groups() {
    who=$1
    shift
    rows=$(packages_of "$@")
    [ -n "$rows" ] || return 0
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        say 'this is not a Debian system, so Weir cannot check the packages (WEIR_SKIP_SETUP=1 silences this).'
        say "$who needs these packages, by Debian's names:$(names_of "$rows")"
        return
    fi
    missing=$(missing_of "$rows")
    [ -n "$missing" ] || return 0

    say "$who needs packages that are missing:"
    printf '%s\n' "$missing" | while read -r package why; do
        printf '  %-29s %s\n' "$(chosen_of "$package")" "$why" >&2
    done
    as_root=$(words_to_become_root)
    if [ -z "$may_install" ]; then
        refuse '--no-install was given.'
    elif [ "$as_root" = cannot ]; then
        refuse 'installing them needs root, or sudo without a password when there is no terminal.'
    elif [ -z "$assume_yes" ] && has_terminal; then
        printf 'weir: install them now? [y/N] ' >&2
        read -r answer || answer=
        case $answer in y | Y | yes | Yes) ;; *) refuse 'nothing was installed.' ;; esac
    fi
    install_packages "$missing"
    left=$(missing_of "$rows")
    [ -z "$left" ] || refuse "still not installed after apt-get:$(names_of "$left")."
}

# names_of ROWS: prints the packages to install, in one line.
names_of() {
    printf '%s\n' "$1" | while read -r package _; do printf ' %s' "$(chosen_of "$package")"; done
}

has_terminal() {
    [ -t 0 ] && [ -t 2 ]
}

# words_to_become_root: prints the prefix that makes a command run as root, or "cannot".
words_to_become_root() {
    if [ "$(id -u)" -eq 0 ]; then
        return
    elif ! command -v sudo >/dev/null; then
        printf 'cannot'
    elif has_terminal; then
        printf 'sudo'
    elif sudo -n true 2>/dev/null; then
        printf 'sudo -n'
    else
        printf 'cannot'
    fi
}

# refuse WHY: says how to install by hand, and exits.
refuse() {
    say "$1"
    sudo=
    [ "$(id -u)" -eq 0 ] || sudo='sudo '
    say "to install them: ${sudo}apt-get update && ${sudo}apt-get install --no-install-recommends$(names_of "$missing")"
    printf '%s\n' "$missing" | while read -r package _; do
        first=$(chosen_of "$package") || say "releases without $first have ${package#*|} instead."
    done
    exit 3
}

# install_packages ROWS: installs packages with apt, and shows its output only on failure.
install_packages() {
    log=$(mktemp "${TMPDIR:-/tmp}/weir-setup.XXXXXX")
    say 'installing them with apt-get; with a slow connection this takes minutes.'
    # A package source that does not answer is no reason to stop: the installation reports any real problem.
    apt_when_free update || say 'apt-get update reported errors; continuing with the old package lists.'
    wanted=$(names_of "$1")
    # shellcheck disable=SC2086  # one word for each package
    if ! apt_when_free install --no-install-recommends $wanted; then
        tail -n 15 "$log" | sed 's/^/  /' >&2
        say "$(explain_apt "$log")"
        say "the full output of apt-get is in $log"
        exit 3
    fi
    rm -f -- "$log"
    say 'installed.'
}

# apt_when_free ARGUMENT...: runs apt-get and appends its output to $log. While another package manager is at work, it
# waits and tries again, for five minutes. (DPkg::Lock::Timeout applies only to dpkg's lock, and prints nothing.)
apt_when_free() {
    tries=0
    while :; do
        code=0
        output=$(apt_get "$@" 2>&1) || code=$?
        case $code:$output in
            0:*) break ;;
            *'Could not get lock'* | *'is held by process'*) ;;
            *) break ;;
        esac
        [ "$tries" -gt 0 ] || say 'waiting for another package manager to end.'
        [ "$tries" -lt 150 ] || break
        tries=$((tries + 1))
        sleep 2
    done
    printf '%s\n' "$output" >>"$log"
    return "$code"
}

apt_get() {
    # In English, because explain_apt and apt_when_free parse the output.
    # shellcheck disable=SC2086  # none, one or two words
    $as_root env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get -q -y "$@" </dev/null
}

# explain_apt LOG: prints the likely cause of a failure in one sentence.
explain_apt() {
    if grep -q 'Unable to locate package\|has no installation candidate' "$1"; then
        printf 'this release has no such package; Weir knows the packages of Debian 13 and 12 and of Ubuntu 24.04.'
    elif grep -q 'Could not get lock\|is held by process' "$1"; then
        printf 'another package manager did not end within five minutes; try again when it has ended.'
    elif grep -q 'Temporary failure resolving\|Could not resolve\|Could not connect\|Failed to fetch' "$1"; then
        printf 'apt-get cannot reach the package mirror; check the network connection.'
    elif grep -q 'enough free space\|No space left' "$1"; then
        printf 'the disk is full.'
    else
        printf 'apt-get failed; its last lines are above.'
    fi
}
