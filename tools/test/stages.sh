# SPDX-License-Identifier: Apache-2.0
# What ./test runs, in this order. Sourced by ./test.

all_stages=(layers sizes float double format wasm python node types lint unit package browsers tidy asan)
# What a machine for native builds can run while the rest is fetched.
native_stages=(layers sizes float double)
# Part of `./test --all` only, or run by name. Of the page in browsers a plain ./test drives the core
# (tests/web/cases/all.mjs).
later_stages=(tidy asan)
# Stages that use mainly one core run beside others, behind `wasm`, with which there is all that they need.
beside_stages=(types lint package)
# In their place those of a whole run begin behind `float` and use what the others leave of the cores.
beside_all=(tidy asan)

stage_layers() { one_case "layers" /usr/bin/python3 tools/check_layers.py; }
stage_format() { one_case "clang-format" tools/format --check; }
stage_sizes() { one_case "file sizes" /usr/bin/python3 tools/check_sizes.py; }
# A build that compiles files together has no command for one of them; another clang's precompiled headers are none for
# clang-tidy.
stage_tidy() {
  cmake --preset release -B build/apart -DATTEND_UNITY=OFF -DCMAKE_CXX_COMPILER=g++ --log-level=WARNING >/dev/null &&
    one_case "clang-tidy" /usr/bin/python3 tools/tidy.py
}

# in_groups NAME COMMAND...: the cases of a doctest program, some hundred in a process and as many processes at once as
# there are cores: a process reads its own list first, and as WebAssembly it compiles itself.
in_groups() {
  local name=$1 count together=200
  shift
  count=$("$@" --count | sed -n 's/.*filters: //p')
  [ "${count:-0}" -gt 0 ] || return 1
  seq 1 "$together" "$count" | xargs -P "$(nproc)" -I FIRST bash -c '
    report=$1 first=$2 last=$(($2 + $3 - 1))
    shift 3
    exec "$@" --no-intro --first="$first" --last="$last" --reporters=junit --out="$report-$first.xml"
  ' - "$report/$name" FIRST "$together" "$@"
}

native_cases() { in_groups "$1" "build/$1/tests/attend_tests"; }

stage_float() { build_preset release && native_cases release; }
stage_double() { build_preset double && native_cases double; }
# A buffer that is too large is refused by the allocator, as without sanitizers.
stage_asan() {
  set_up sanitizers && build_preset asan attend_tests && ASAN_OPTIONS=allocator_may_return_null=1 native_cases asan
}

# The relaxed build differs in its kernels only: the cases above them are tried over it by --all.
stage_wasm() {
  local cases=attend_tests_below_relaxed flag status=0
  if [ -n "${ATTEND_ALL:-}" ]; then cases=attend_tests_relaxed; fi
  build_preset wasm all "$cases" || return 1
  in_groups wasm node build/wasm/tests/attend_tests.js || status=1
  # Newer versions of Node run relaxed SIMD without a flag; one that does not know it tries the plain build only.
  for flag in '' --experimental-wasm-relaxed-simd; do
    if node ${flag:+"$flag"} tests/node/relaxed_probe.mjs 2>/dev/null; then
      in_groups relaxed node ${flag:+"$flag"} "build/wasm/tests/$cases.js" || status=1
      return $status
    fi
  done
  echo "This Node has no relaxed SIMD; that build is not tested."
  return $status
}

# Files side by side, where pytest can: some of them wait for others' processes.
stage_python() {
  local beside=()
  if /usr/bin/python3 -c 'import xdist' 2>/dev/null; then beside=(-n "$(nproc)" --dist loadfile); fi
  build_cli && /usr/bin/python3 -m pytest -q -p no:cacheprovider ${beside[@]+"${beside[@]}"} \
    --junitxml "$report/pytest.xml" tests/python
}

# node_tests NAME FILE...: by Node's own runner.
node_tests() {
  local name=$1
  shift
  node --test --test-reporter=spec --test-reporter-destination=stdout \
    --test-reporter=junit --test-reporter-destination="$report/$name.xml" "$@"
}

stage_node() { build_cli && build_module && build_web && node_tests node tests/node/*.test.mjs; }

stage_types() { build_module && install_web && one_case "tsc" npm --prefix web run check; }

# Type-aware rules and the layers of the page's imports (docs/adr/0061).
stage_lint() { install_web && install_lint && one_case "eslint" npm --prefix tools/lint run --silent lint; }

stage_unit() {
  build_module && install_web && NO_COLOR=1 npm --prefix web test -- \
    --reporter=default --reporter=junit --outputFile.junit="$report/vitest.xml"
}

# The npm package from its tarball, in each tool that people use it with.
stage_package() { build_module && build_web && install_package_tools && node_tests package tests/package/run.mjs; }

stage_browsers() { build_cli && build_module && build_web && node_tests browsers tests/web/run.mjs; }
