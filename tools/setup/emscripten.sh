# SPDX-License-Identifier: Apache-2.0
# Emscripten: the one on PATH when it is new enough, else one fetched into the cache. Sourced by run.sh.

oldest_emcc=3.1.69

emcc_version() { "$1" --version 2>/dev/null | sed -n '1s/.* \([0-9][0-9]*\.[0-9]*\.[0-9]*\).*/\1/p'; }

# Which LLVM goes with a fetched Emscripten: the one that it asks for, or the next one that this machine's suites have.
# 21 is left out: it miscompiles a*b+c with -mrelaxed-simd -ffp-contract=fast (2*3+10 gave 23).
choose_llvm() {
  local wanted version
  wanted=$(dependencies_of emscripten "$1" | grep -o 'clang-[0-9]*' | head -n 1)
  for version in $(llvm_versions); do
    if [ "$version" -ge "${wanted#clang-}" ] && [ "$version" -ne 21 ]; then
      printf '%s' "$version"
      return 0
    fi
  done
  return 1
}

# unpack_suite SUITE PREFIX: what LLVM's tools need to run. The prefix is there only when all of it is.
unpack_suite() {
  local suite=$1 prefix=$2 part=$2.part llvm
  if is_unpacked "$prefix"; then return 0; fi
  rm -rf "$part" "$prefix"
  open_archive "$suite" || return 1
  llvm=$(choose_llvm "$suite") || { say "no fitting LLVM among this machine's packages"; return 1; }
  say "fetching Emscripten of $suite with LLVM $llvm (about 150 MB)"
  unpack "$part" "clang-$llvm" "libclang-cpp$llvm" "libllvm$llvm" "libclang-common-$llvm-dev" "lld-$llvm" \
    "llvm-$llvm" libedit2 libbsd0 libmd0 libxml2 libicu72 libz3-4 \
    "emscripten/$suite" "binaryen/$suite" "node-acorn/$suite" "libsimde-dev/$suite" || return 1
  # Binaryen of a newer suite needs that suite's C and C++ run-time.
  unpack "$part/runtime" "libc6/$suite" "libstdc++6/$suite" "libgcc-s1/$suite" || return 1
  wire_llvm "$part" "$prefix" "$llvm" || return 1
  printf '%s\n' "$llvm" >"$part/.llvm"
  mv "$part" "$prefix"
}

# One of before says nothing of its LLVM.
is_unpacked() { [ -e "$1/.llvm" ]; }

# fetch_suite SUITE PREFIX: unpack, fix, verify, warm. The prefix has no stamp until all of it went well.
fetch_suite() {
  local suite=$1 prefix=$2
  unpack_suite "$suite" "$prefix" || return 1
  wire_prefix "$prefix" "$(cat "$prefix/.llvm")" || return 1
  say "unpacked: $("$prefix/bin/emcc" --version | head -n 1)"
  verify_emscripten "$prefix/bin" || return 1
  warm_cache "$prefix/bin" || return 1
  mark_ready "$prefix"
}

emcc_of_path() {
  local version
  # The cached one may itself be on PATH; it is checked by its stamp.
  have emcc && [[ $(command -v emcc) != "$cache_dir"/* ]] || return 1
  version=$(emcc_version emcc)
  if [ -n "$version" ] && version_at_least "$version" "$oldest_emcc"; then return 0; fi
  say "emcc ${version:-of unknown version} on PATH is older than $oldest_emcc; fetching a newer one"
  return 1
}

suites=(testing trixie)

# The folder of the clang++ that find_emscripten will take, which is fetched ahead of the rest.
llvm_of_emscripten() {
  local suite prefix
  if emcc_of_path; then
    em-config LLVM_ROOT 2>/dev/null
    return
  fi
  for suite in "${suites[@]}"; do
    prefix=$cache_dir/emscripten-$suite
    if is_ready "$prefix" || unpack_suite "$suite" "$prefix"; then
      printf '%s' "$prefix/llvm/bin"
      return 0
    fi
  done
  return 1
}

# Sets emcc_bin (the folder of emcc) and emscripten_root (the folder that holds cmake/Modules).
find_emscripten() {
  local suite prefix
  if emcc_of_path; then
    use_emcc_of_path
    return 0
  fi
  for suite in "${suites[@]}"; do
    prefix=$cache_dir/emscripten-$suite
    if ! is_ready "$prefix"; then
      step "Emscripten from Debian $suite (once; kept in $cache_dir)"
      if ! fetch_suite "$suite" "$prefix"; then
        rm -rf "$prefix" "$prefix.part" "$cache_dir/apt-$suite"
        say "Emscripten of Debian $suite is not usable here"
        continue
      fi
    fi
    emcc_bin=$prefix/bin
    emscripten_root=$prefix/usr/share/emscripten
    return 0
  done
  fail "no usable Emscripten: put emcc $oldest_emcc or newer on PATH (https://emscripten.org/docs/getting_started),"\
" or run on Debian with its mirror within reach"
}

use_emcc_of_path() {
  emcc_bin=$(dirname "$(command -v emcc)")
  emscripten_root=$(dirname "$(readlink -f "$(command -v emcc)")")
  [ -f "$emscripten_root/cmake/Modules/Platform/Emscripten.cmake" ] ||
    emscripten_root=$(em-config EMSCRIPTEN_ROOT 2>/dev/null) ||
    fail "emcc is on PATH, but its folder with cmake/Modules/Platform/Emscripten.cmake was not found"
  local seen
  seen=$cache_dir/verified-$(printf '%s %s %s' "$recipe" "$emscripten_root" "$(emcc_version emcc)" |
    sha256sum | cut -c1-16)
  [ -e "$seen" ] && return 0
  step "Emscripten $(emcc_version emcc) from PATH"
  verify_emscripten "$emcc_bin" || fail "emcc on PATH does not compile and run a small program"
  warm_cache "$emcc_bin" || fail "emcc on PATH could not build its system libraries"
  : >"$seen"
}
