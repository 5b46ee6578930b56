# SPDX-License-Identifier: Apache-2.0
# What ./test runs, in this order. Sourced by ./test.

all_stages=(counting layers format sizes float double wasm python node types unit package browsers tidy asan)
# Of a whole run these two begin behind `float`, whose folder tidy reads, and use what the others leave of the cores.
beside_stages=(tidy asan)
nothing_yet=77

stage_counting() { tools/test/check_report.sh; }
stage_layers() { /usr/bin/python3 tools/check_layers.py; }
stage_format() { tools/format --check; }
stage_sizes() { /usr/bin/python3 tools/check_sizes.py; }
stage_tidy() { configure_preset release && /usr/bin/python3 tools/tidy.py; }

# A test program in pieces, on all cores.
pieces() { /usr/bin/python3 tools/test/pieces.py "$@"; }

stage_float() { build_preset release && pieces build/release/tests/attend_tests; }
stage_double() { build_preset double && pieces build/double/tests/attend_tests; }
stage_asan() { build_preset asan attend_tests && pieces build/asan/tests/attend_tests; }
# Both builds of the module. Node 20 knows relaxed SIMD by a flag; one that does not know it runs the plain build only.
stage_wasm() {
  local flag status=0
  build_preset wasm || return 1
  pieces node build/wasm/tests/attend_tests.js || status=1
  for flag in '' --experimental-wasm-relaxed-simd; do
    # shellcheck disable=SC2086
    if node $flag tests/node/relaxed_probe.mjs 2>/dev/null; then
      pieces node $flag build/wasm/tests/attend_tests_relaxed.js || status=1
      return $status
    fi
  done
  echo "note: this Node has no relaxed SIMD; that build was not tested"
  return $status
}

# Each file of tests/python prints its own "N passed, N failed".
stage_python() {
  local file status=0
  compgen -G 'tests/python/*.py' >/dev/null || return $nothing_yet
  build_cli || return 1
  for file in tests/python/*.py; do
    case ${file##*/} in _*) continue ;; esac
    echo "== $file"
    PYTHONPATH=tests/python /usr/bin/python3 "$file" || {
      status=1
      echo "$file ended with an error"
    }
  done
  return $status
}

stage_node() {
  compgen -G 'tests/node/*.test.mjs' >/dev/null || return $nothing_yet
  build_cli && build_module && build_web && node --test --test-reporter=spec tests/node/*.test.mjs
}

stage_types() {
  [ -f web/package.json ] || return $nothing_yet
  build_module && install_web && npm --prefix web run check && echo "1 passed, 0 failed"
}

stage_unit() {
  [ -f web/package.json ] || return $nothing_yet
  build_module && install_web && NO_COLOR=1 npm --prefix web test
}

# The npm package from its tarball, in each tool that people use it with.
stage_package() {
  [ -f tests/package/run.mjs ] || return $nothing_yet
  build_module && build_web && install_package_tools && node tests/package/run.mjs
}

stage_browsers() {
  [ -f tests/web/run.mjs ] || return $nothing_yet
  build_cli && build_module && build_web && node tests/web/run.mjs
}
