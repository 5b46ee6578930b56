# SPDX-License-Identifier: Apache-2.0
# Fetches packages of another Debian suite and unpacks them below a folder: apt checks the signatures, nothing
# is installed on the machine, and no root is needed. Sourced by emscripten.sh and headers.sh.

host_suite() { (. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}"); }

# The mirror that this machine's own apt uses for a suite.
mirror_of() {
  apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(CODENAME)' |
    awk -v suite="$1" '$2 == suite || $3 == suite { print $1; exit }'
}

# open_archive SUITE: a private apt state that knows the machine's suite, its security suite, and SUITE. One that is
# open already is used again, because reading the lists takes long. Sets apt_state and apt_options.
open_archive() {
  local suite=$1 host main security key=/usr/share/keyrings/debian-archive-keyring.gpg
  host=$(host_suite)
  main=$(mirror_of "$host")
  security=$(mirror_of "$host-security")
  if [ -z "$main" ]; then
    say "no Debian mirror of '$host' among the apt sources of this machine"
    return 1
  fi
  apt_state=$cache_dir/apt-$suite
  # The newest LLVM is in the security suite. Where this machine's sources do not name it, it lies beside the main one.
  : "${security:=${main%/}-security}"
  local read=$apt_state/read
  if [ ! -e "$read" ]; then rm -rf "$apt_state"; fi
  mkdir -p "$apt_state"/{etc/apt.conf.d,etc/preferences.d,state/lists/partial,cache/archives/partial}
  touch "$apt_state/status"
  {
    printf 'deb [signed-by=%s] %s %s main\n' "$key" "$main" "$host"
    printf 'deb [signed-by=%s] %s %s-security main\n' "$key" "$security" "$host"
    [ "$suite" = "$host" ] || printf 'deb [signed-by=%s] %s %s main\n' "$key" "$main" "$suite"
  } >"$apt_state/etc/sources.list"
  # The machine's own suite wins unless a package is asked for as name/SUITE.
  printf 'Package: *\nPin: release %s\nPin-Priority: 100\n\n' "n=$suite" "a=$suite" >"$apt_state/etc/preferences"
  apt_options=(-q
    -o Dir::Etc="$apt_state/etc" -o Dir::Etc::sourcelist="$apt_state/etc/sources.list"
    -o Dir::Etc::sourceparts=/dev/null -o Dir::Etc::preferences="$apt_state/etc/preferences"
    -o Dir::State="$apt_state/state" -o Dir::State::status="$apt_state/status"
    -o Dir::Cache="$apt_state/cache" -o APT::Sandbox::User= -o Acquire::Languages=none
    -o Acquire::Retries=3
    # A mirror's copy of a moving suite may be past its date; the signature is checked all the same.
    -o Acquire::Check-Valid-Until=false)
  if [ -e "$read" ]; then return 0; fi
  say "reading the package lists of $suite from $main"
  if ! quietly apt-get "${apt_options[@]}" update; then
    say "once more, without the security suite"
    sed -i '/-security main$/d' "$apt_state/etc/sources.list"
    quietly apt-get "${apt_options[@]}" update || return 1
  fi
  touch "$read"
}

# What was opened is of no use to another run, whose lists may be newer.
close_archives() { rm -rf "$cache_dir"/apt-*; }

# unpack FOLDER PACKAGE...: downloads the packages and unpacks them below FOLDER.
unpack() {
  local folder=$1 debs
  shift
  debs=$(mktemp -d "$cache_dir/debs.XXXXXX")
  if ! (cd "$debs" && quietly apt-get "${apt_options[@]}" download "$@"); then
    rm -rf "$debs"
    return 1
  fi
  mkdir -p "$folder"
  local deb status=0
  for deb in "$debs"/*.deb; do
    dpkg -x "$deb" "$folder" || status=1
    basename "$deb" .deb >>"$folder/packages.txt"
  done
  rm -rf "$debs"
  return "$status"
}

# Names of LLVM major versions that can be had here, ascending.
llvm_versions() {
  apt-cache "${apt_options[@]}" search --names-only '^clang-[0-9]+$' | sed 's/^clang-\([0-9]*\) .*/\1/' | sort -n
}

# dependencies_of PACKAGE SUITE: the direct dependencies as one line of text.
dependencies_of() { apt-cache "${apt_options[@]}" show "$1/$2" | sed -n 's/^Depends: //p' | head -n 1; }
