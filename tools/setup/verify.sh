# SPDX-License-Identifier: Apache-2.0
# Proves that an Emscripten compiles programs which run, and builds the system libraries ahead of the first build.
# Sourced by emscripten.sh.

# The modules are linked as a whole (CMakePresets.json), which wants system libraries of that kind; no others are built.
base_flags=(-std=c++20 -O2 -flto -msimd128 -fwasm-exceptions)

# with_libraries COMMAND...: runs it quietly, but names each system library that it builds on the way.
with_libraries() {
  local log status=0
  log=$(mktemp)
  "$@" 2>&1 | tee "$log" |
    sed -n 's/.*generating system library: [^ ]*\/\([a-z+_0-9.-]*\)\.a.*/  system library \1/p' >&2 || status=$?
  if [ "$status" -ne 0 ]; then tail -n 25 "$log" | sed 's/^/    /' >&2; fi
  rm -f "$log"
  return "$status"
}

# Newer versions of Node run relaxed SIMD without being asked.
node_relaxed() {
  if [ "$(node --version | sed 's/^v\([0-9]*\).*/\1/')" -lt 22 ]; then
    node --experimental-wasm-relaxed-simd "$@"
  else
    node "$@"
  fi
}

verify_emscripten() {
  local bin=$1 folder status=0
  folder=$(mktemp -d)
  verify_in "$bin" "$folder" || status=1
  rm -rf "$folder"
  return "$status"
}

verify_in() {
  local bin=$1 folder=$2 seen
  say "compiling and running a small program (exceptions, SIMD); its system libraries are built on the way"
  with_libraries "$bin/em++" "${base_flags[@]}" "$setup_dir/probe.cpp" -o "$folder/plain.js" || return 1
  seen=$(node "$folder/plain.js") || true
  [ "$seen" = "caught; 2*3+10 = 16 16 16 16" ] || { say "the program said '$seen'"; return 1; }
  say "the same with relaxed SIMD"
  quietly "$bin/em++" "${base_flags[@]}" -mrelaxed-simd -ffp-contract=fast "$setup_dir/probe.cpp" \
    -o "$folder/relaxed.js" || return 1
  seen=$(node_relaxed "$folder/relaxed.js") || true
  [ "$seen" = "caught; 2*3+10 = 16 16 16 16" ] || { say "the relaxed program said '$seen'"; return 1; }
}

# Builds what the modules link besides: Embind, and the C library for size.
warm_cache() {
  local bin=$1 folder status=0
  folder=$(mktemp -d)
  printf '%s\n' '#include <emscripten/bind.h>' '#include <string>' \
    'EMSCRIPTEN_BINDINGS(probe) { emscripten::function("f", +[](std::string s) { return s + "!"; }); }' \
    >"$folder/bind.cpp"
  with_libraries "$bin/em++" "${base_flags[@]}" -Oz -lembind -sMODULARIZE -sEXPORT_ES6 -sALLOW_MEMORY_GROWTH \
    --no-entry -sENVIRONMENT=web,worker,node "$folder/bind.cpp" -o "$folder/bind.mjs" || status=1
  rm -rf "$folder"
  return "$status"
}
