# SPDX-License-Identifier: Apache-2.0
# Installs what Debian itself can give. Sourced by run.sh, which sets `purpose`.

# Each line: what it is for | how to see that it is there | the package that brings it | "optional" if the rest works
# without it. The page needs its own tools only; the command line a compiler besides, of which the tests' native
# cases need no more than two tools; the tests all. The sanitizers and fuzzers need a compiler of their own.
host_needs() {
  cat <<'LIST'
page|command -v cmake|cmake
page|command -v ninja|ninja-build
page|/usr/bin/python3 -c 'import json, shlex'|python3
page|command -v node|nodejs
page|test -r /etc/ssl/certs/ca-certificates.crt|ca-certificates
page|command -v xz|xz-utils
page|test -r /usr/share/keyrings/debian-archive-keyring.gpg|debian-archive-keyring
native|command -v g++|g++
cases|command -v ccache|ccache|optional
cases|command -v git|git
cases|/usr/bin/python3 -c 'import json, xml.etree'|python3
test|command -v clang-format|clang-format
test|command -v clang-tidy|clang-tidy
test|command -v chromium|chromium
test|command -v firefox-esr|firefox-esr
test|/usr/bin/python3 -c 'import numpy'|python3-numpy
test|/usr/bin/python3 -c 'import pytest'|python3-pytest|optional
test|/usr/bin/python3 -c 'import xdist'|python3-pytest-xdist|optional
test|/usr/bin/python3 -c 'import importlib.util as u,sys; sys.exit(u.find_spec("torch") is None)'|python3-torch
sanitizers|command -v clang++-16|clang-16
sanitizers|ls /usr/lib/llvm-16/lib/clang/*/lib/*/libclang_rt.asan*|libclang-rt-16-dev
LIST
}

# Whether a set-up for the wanted purpose installs what is for this one.
serves() {
  case $purpose in
    page) [ "$1" = page ] ;;
    native) [ "$1" = page ] || [ "$1" = native ] ;;
    cases) [ "$1" != test ] && [ "$1" != sanitizers ] ;;
    test) [ "$1" != sanitizers ] ;;
    *) true ;;
  esac
}

# missing_host_packages [needed]: all that are missing, or only those that nothing works without.
missing_host_packages() {
  local use test package optional
  while IFS='|' read -r use test package optional; do
    serves "$use" || continue
    if [ "${1:-}" = needed ] && [ -n "$optional" ]; then continue; fi
    sh -c "$test" >/dev/null 2>&1 || printf '%s ' "$package"
  done < <(host_needs)
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  else
    sudo "$@"
  fi
}

install_host_packages() {
  local missing
  missing=$(missing_host_packages)
  [ -n "$missing" ] || return 0
  if [ -z "$(missing_host_packages needed)" ]; then
    (try_to_install "$missing") || say "going on without: $(missing_host_packages)"
    return 0
  fi
  try_to_install "$missing"
  missing=$(missing_host_packages needed)
  [ -z "$missing" ] || fail "still missing after the installation: $missing"
}

# Shows how far apt has come: "Unpacking" and "Setting up" are counted against the number of packages.
count_packages() {
  local line total=0 done=0
  while IFS= read -r line; do
    case $line in
      # "1 upgraded, 199 newly installed": both are set up.
      *' upgraded, '*' newly installed'*)
        total=$(($(printf '%s' "$line" | cut -d ' ' -f 1) + $(printf '%s' "$line" | cut -d ' ' -f 3)))
        ;;
      'Need to get '*) say "downloading ${line#Need to get }" ;;
      'Setting up '*)
        done=$((done + 1))
        if [ $((done % 25)) -eq 0 ] || [ "$done" -eq "$total" ]; then say "$done of $total packages are set up"; fi
        ;;
    esac
  done
}

try_to_install() {
  local missing=$1 log
  step "Installing from Debian: $missing"
  have apt-get || fail "this machine has no apt-get; install these yourself: $missing"
  if [ "$(id -u)" -ne 0 ] && ! { have sudo && sudo -v; }; then
    fail "these packages are missing and you are not root: apt-get install $missing"
  fi
  say "reading the package lists"
  quietly as_root apt-get -q update || say "apt-get update failed; trying with the lists that are here"
  log=$(mktemp)
  # shellcheck disable=SC2086
  if ! as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get -q install -y --no-install-recommends -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 $missing \
    2>&1 | tee "$log" | count_packages; then
    tail -n 25 "$log" | sed 's/^/    /' >&2
    rm -f "$log"
    fail "apt-get could not install: $missing"
  fi
  rm -f "$log"
}
