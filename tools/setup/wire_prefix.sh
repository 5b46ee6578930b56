# SPDX-License-Identifier: Apache-2.0
# Makes an unpacked Debian Emscripten run from where it lies. Sourced by emscripten.sh.

wrapper() {
  printf '#!/bin/sh\n%s\n' "$2" >"$1"
  chmod +x "$1"
}

# wire_llvm PART PREFIX LLVM: the tools below PART, as they are called from where it will lie, PREFIX.
wire_llvm() {
  local part=$1 prefix=$2 llvm=$3 libraries tool
  libraries=$(dirname "$(find "$part/usr/lib" -name 'libLLVM*.so*' -not -path '*/llvm-*/*' | head -n 1)")
  libraries=$prefix${libraries#"$part"}
  mkdir -p "$part/llvm/bin"
  for tool in "$part/usr/lib/llvm-$llvm/bin"/*; do
    wrapper "$part/llvm/bin/${tool##*/}" \
      "LD_LIBRARY_PATH='$libraries' exec '$prefix${tool#"$part"}' \"\$@\""
  done
}

wire_binaryen() {
  local prefix=$1 loader c_library cpp_library own_library tool
  loader=$(find "$prefix/runtime" -name 'ld-linux*.so*' | head -n 1)
  c_library=$(dirname "$(find "$prefix/runtime" -name libc.so.6 | head -n 1)")
  cpp_library=$(dirname "$(find "$prefix/runtime" -name 'libstdc++.so.6' | head -n 1)")
  own_library=$(dirname "$(find "$prefix/usr/lib" -name 'libbinaryen.so*' | head -n 1)")
  mkdir -p "$prefix/binaryen/bin"
  for tool in "$prefix"/usr/bin/wasm-* "$prefix/usr/bin/wasm2js"; do
    case ${tool##*/} in wasm-ld*) continue ;; esac
    wrapper "$prefix/binaryen/bin/${tool##*/}" \
      "exec '$loader' --library-path '$c_library:$cpp_library:$own_library' '$tool' \"\$@\""
  done
}

# lld 22 puts the stack first unless told otherwise, and Debian's patch dropped the word that tells it:
# without this every link fails.
keep_stack_order() {
  local building=$1/tools/building.py
  if grep -q no-stack-first "$building"; then return 0; fi
  sed -i "s/^    cmd.append('--stack-first')\$/&\n  else:\n    cmd.append('--no-stack-first')/" "$building"
  grep -q no-stack-first "$building"
}

wire_prefix() {
  local prefix=$1 llvm=$2 root=$1/usr/share/emscripten tool
  wire_binaryen "$prefix"
  # A node that does not look into Debian's folder finds acorn here.
  ln -sfn nodejs "$prefix/usr/share/node_modules"
  if [ "$llvm" -ge 22 ]; then keep_stack_order "$root" || return 1; fi
  sed -i "s/^EXPECTED_LLVM_VERSION = .*/EXPECTED_LLVM_VERSION = $llvm/" "$root/tools/shared.py"
  grep -rl '/usr/include/simde' "$root/system/include" |
    xargs -r sed -i "s#/usr/include/simde#$prefix/usr/include/simde#"
  cat >"$root/.emscripten" <<CONFIG
LLVM_ROOT = '$prefix/llvm/bin'
BINARYEN_ROOT = '$prefix/binaryen'
NODE_JS = '$(command -v node)'
LLVM_ADD_VERSION = ''
CLANG_ADD_VERSION = ''
CACHE = '$(system_library_cache "$prefix")'
CONFIG
  mkdir -p "$prefix/bin"
  for tool in emcc em++ emar emranlib emcmake emmake embuilder emnm emsize; do
    # Another Python first on PATH would not do: these scripts are tried with Debian's.
    wrapper "$prefix/bin/$tool" "EMSDK_PYTHON=/usr/bin/python3 exec '$root/$tool' \"\$@\""
  done
}

# Some suites ship their system libraries ready-made.
system_library_cache() {
  if [ -d "$1/usr/share/emscripten/cache/sysroot/lib" ]; then
    printf '%s' "$1/usr/share/emscripten/cache"
  else
    printf '%s' "$1/cache"
  fi
}
