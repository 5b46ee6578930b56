# SPDX-License-Identifier: Apache-2.0
# Installs what Debian itself can give. Sourced by run.sh.

# Each line: how to see that it is there | the package that brings it | "optional" if the rest works without it.
host_needs() {
  cat <<'LIST'
command -v cmake|cmake
command -v ninja|ninja-build
command -v g++|g++
command -v ccache|ccache|optional
command -v git|git
command -v clang-format|clang-format
command -v clang-tidy|clang-tidy
command -v chromium|chromium
command -v firefox-esr|firefox-esr
test -x /usr/bin/python3|python3-minimal
/usr/bin/python3 -c 'import numpy'|python3-numpy
/usr/bin/python3 -c 'import pytest'|python3-pytest|optional
/usr/bin/python3 -c 'import importlib.util as u,sys; sys.exit(u.find_spec("torch") is None)'|python3-torch
command -v node|nodejs
command -v npm|npm
command -v xz|xz-utils
test -r /usr/share/keyrings/debian-archive-keyring.gpg|debian-archive-keyring
LIST
}

# missing_host_packages [needed]: all that are missing, or only those that nothing works without.
missing_host_packages() {
  local test package optional
  while IFS='|' read -r test package optional; do
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

try_to_install() {
  local missing=$1
  step "Installing from Debian: $missing"
  have apt-get || fail "this machine has no apt-get; install these yourself: $missing"
  if [ "$(id -u)" -ne 0 ] && ! { have sudo && sudo -v; }; then
    fail "these packages are missing and you are not root: apt-get install $missing"
  fi
  say "apt-get update"
  quietly as_root apt-get -q update || say "apt-get update failed; trying with the lists that are here"
  say "apt-get install (some hundred MB the first time)"
  # shellcheck disable=SC2086
  quietly as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get -q install -y --no-install-recommends -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 $missing ||
    fail "apt-get could not install: $missing"
}
