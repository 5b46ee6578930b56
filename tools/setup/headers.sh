# SPDX-License-Identifier: Apache-2.0
# The header-only libraries, for the native and the WebAssembly builds alike. Sourced by run.sh.

header_packages=(libxsimd-dev xtl-dev libeigen3-dev doctest-dev nlohmann-json3-dev libcli11-dev)

headers_compile() {
  local probe
  probe=$(mktemp -d)
  cat >"$probe/probe.cpp" <<'CPP'
#include <xsimd/xsimd.hpp>
#include <Eigen/LU>
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <CLI/CLI.hpp>
int main() {
  const auto parsed = nlohmann::json::parse("[1, 2]");
  const Eigen::Matrix2f a = Eigen::Matrix2f::Identity() * 2;
  const xsimd::batch<float> b(a.inverse()(0, 0));
  return parsed.size() == 2 && b.get(0) == 0.5F ? 0 : 1;
}
CPP
  local status=0 compiler=(g++)
  # Where there is Emscripten, the machine may have no compiler of its own.
  if [ -n "${emcc_bin:-}" ]; then compiler=("$emcc_bin/em++" -msimd128); fi
  quietly "${compiler[@]}" -std=c++20 -fsyntax-only -DDOCTEST_CONFIG_DISABLE -I "$1/usr/include" \
    -I "$1/usr/include/eigen3" "$probe/probe.cpp" || status=1
  rm -rf "$probe"
  return "$status"
}

# Sets headers_prefix.
fetch_headers() {
  headers_prefix=$cache_dir/headers
  if is_ready "$headers_prefix"; then return 0; fi
  local suite part=$cache_dir/headers.part
  for suite in testing trixie; do
    step "Header libraries (xsimd, Eigen, doctest, nlohmann-json, CLI11) from Debian $suite"
    rm -rf "$part" "$headers_prefix"
    if open_archive "$suite" && unpack "$part" "${header_packages[@]/%//$suite}"; then
      # The packages' CMake files name /usr.
      rm -rf "$part/usr/lib" "$part/usr/share/cmake"
      if headers_compile "$part"; then
        mv "$part" "$headers_prefix"
        mark_ready "$headers_prefix"
        say "ready: $(tr '\n' ' ' <"$headers_prefix/packages.txt")"
        return 0
      fi
    fi
    say "Debian $suite did not give usable headers"
  done
  fail "the header libraries could not be had from Debian's testing or trixie suite (is the mirror within reach?)"
}
