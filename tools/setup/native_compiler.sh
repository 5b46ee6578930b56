# SPDX-License-Identifier: Apache-2.0
# The compiler of the native programs: Emscripten's clang++, which takes two thirds of the time of GCC 12 and is there
# anyway. Sourced by run.sh.

# Sets native_compiler, to nothing where that clang++ does not compile for this machine: CMake then takes its own.
find_native_compiler() {
  local folder said
  native_compiler=
  # Whoever names a compiler means it.
  if [ -n "${CXX:-}" ] || ! llvm_bin=$(llvm_of_emscripten); then return 0; fi
  [ -x "$llvm_bin/clang++" ] || return 0
  folder=$(mktemp -d)
  if "$llvm_bin/clang++" -std=c++20 -O1 -pthread "$setup_dir/native_probe.cpp" -o "$folder/probe" >"$folder/log" 2>&1 &&
    said=$("$folder/probe") && [ "$said" = "caught; 1 2 3" ]; then
    native_compiler=$llvm_bin/clang++
  else
    say "Emscripten's clang++ does not compile for this machine; the machine's own compiler does it"
    tail -n 5 "$folder/log" | sed 's/^/    /' >&2
  fi
  rm -rf "$folder"
}
