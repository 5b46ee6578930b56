# SPDX-License-Identifier: Apache-2.0
# Words, paths and small helpers that every set-up script shares. Sourced, never run.

setup_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
repo_dir=$(cd "$setup_dir/../.." && pwd)
cache_dir=${XDG_CACHE_HOME:-$HOME/.cache}/attention-playground
# Raise this when the recipe changes: older prefixes are then no longer trusted.
recipe=1

say() { printf '  %s\n' "$*" >&2; }
step() { printf '\n== %s\n' "$*" >&2; }
fail() {
  printf '\nset-up failed: %s\n' "$*" >&2
  exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

# Runs a command quietly; its last lines are shown only when it fails.
quietly() {
  local log status=0
  log=$(mktemp)
  "$@" >"$log" 2>&1 || status=$?
  if [ "$status" -ne 0 ]; then tail -n 25 "$log" | sed 's/^/    /' >&2; fi
  rm -f "$log"
  return "$status"
}

# version_at_least HAVE WANTED
version_at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

# A prefix is trusted only with this stamp, which is the last thing written into it.
is_ready() { [ "$(cat "$1/.ready" 2>/dev/null)" = "recipe $recipe" ]; }
mark_ready() {
  printf 'recipe %s\n' "$recipe" >"$1/.ready.part"
  mv "$1/.ready.part" "$1/.ready"
}
