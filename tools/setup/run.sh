#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tools/setup/run.sh [page|native|cases|test|sanitizers]: brings this machine to where the page, the command line
# besides, the tests' native cases alone, all tests, or the sanitizers and fuzzers besides build, and writes what it
# found to build/toolchain.{sh,cmake}. Nothing is done twice; a killed run is simply started again.
set -euo pipefail
for part in common host_packages node debian_archive headers wire_prefix verify emscripten native_compiler; do
  # shellcheck source=/dev/null
  . "$(dirname "${BASH_SOURCE[0]}")/$part.sh"
done

purpose=${1:-test}
mkdir -p "$cache_dir" "$repo_dir/build"
# One set-up at a time: two checkouts share the cache.
exec 9>"$cache_dir/lock"
flock -n 9 || { say "another set-up is running; waiting for it"; flock 9; }

# What a killed run left behind.
rm -rf "$cache_dir"/debs.* "$cache_dir"/*.part "$cache_dir"/apt-*
trap close_archives EXIT

write_if_changed() {
  cat >"$1.part"
  if cmp -s "$1.part" "$1"; then rm "$1.part"; else mv "$1.part" "$1"; fi
}

install_host_packages
if [ "$purpose" != cases ]; then
  find_node
  find_emscripten
fi
fetch_headers
if [ "$purpose" != page ]; then
  find_native_compiler
  write_if_changed "$repo_dir/build/native_compiler.cmake" <<CMAKE
set(ATTEND_NATIVE_COMPILER "$native_compiler")
CMAKE
fi
# A set-up for all tests follows, and what an earlier one wrote holds until then.
if [ "$purpose" = cases ] && [ -e "$repo_dir/build/toolchain.cmake" ]; then exit 0; fi

found_paths=${emcc_bin:+\'$emcc_bin\':}${fetched_node_path:+\'$fetched_node_path\':}
write_if_changed "$repo_dir/build/toolchain.sh" <<SHELL
export ATTEND_DEPS='$headers_prefix'
export ATTEND_EMSCRIPTEN_ROOT='${emscripten_root:-}'
export EMSDK_PYTHON=\${EMSDK_PYTHON:-/usr/bin/python3}
export PATH=$found_paths"\$PATH"
SHELL
write_if_changed "$repo_dir/build/toolchain.cmake" <<CMAKE
set(ATTEND_DEPS "$headers_prefix")
set(ATTEND_EMSCRIPTEN_ROOT "${emscripten_root:-}")
CMAKE
