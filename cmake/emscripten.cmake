# SPDX-License-Identifier: Apache-2.0
# Toolchain file of the WebAssembly presets: the Emscripten that the set-up found, else the one on PATH.
include("${CMAKE_CURRENT_LIST_DIR}/../build/toolchain.cmake" OPTIONAL)
if(NOT ATTEND_EMSCRIPTEN_ROOT)
  find_program(ATTEND_EMCC emcc)
  file(REAL_PATH "${ATTEND_EMCC}" ATTEND_EMCC_REAL)
  cmake_path(GET ATTEND_EMCC_REAL PARENT_PATH ATTEND_EMSCRIPTEN_ROOT)
endif()
if(NOT EXISTS "${ATTEND_EMSCRIPTEN_ROOT}/cmake/Modules/Platform/Emscripten.cmake")
  message(FATAL_ERROR "No Emscripten found: run tools/setup/run.sh first, or put emcc 3.1.69 or newer on PATH.")
endif()
include("${ATTEND_EMSCRIPTEN_ROOT}/cmake/Modules/Platform/Emscripten.cmake")
