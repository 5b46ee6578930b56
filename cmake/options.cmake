# SPDX-License-Identifier: Apache-2.0
# attend_options: how every file of this project is compiled, on every target.
add_library(attend_options INTERFACE)

# What was compiled before, in this checkout or another, is taken from ccache when that is there.
find_program(ATTEND_CCACHE ccache)
if(ATTEND_CCACHE AND (NOT CMAKE_CXX_COMPILER_LAUNCHER OR CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache$"))
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_SOURCE_DIR}/tools/cached_compiler")
endif()
target_compile_features(attend_options INTERFACE cxx_std_20)
target_include_directories(attend_options INTERFACE "${CMAKE_SOURCE_DIR}/src")
target_include_directories(attend_options SYSTEM INTERFACE "${ATTEND_JSON_DIR}")
set(old_gcc "$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>")
set(wrong_warnings "$<${old_gcc}:-Wno-restrict;-Wno-stringop-overflow;-Wno-array-bounds>")
# The stable sort of GCC 12's library uses a function that the library itself calls deprecated, which clang 22 tells.
if(NOT EMSCRIPTEN)
  list(APPEND wrong_warnings "$<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>")
endif()
target_compile_options(attend_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Werror
  # GCC 12 warns wrongly about every `"text" + std::string` (its bug 105329), by either name.
  "${wrong_warnings}")
set(CMAKE_CXX_EXTENSIONS OFF)

if(ATTEND_DOUBLE)
  target_compile_definitions(attend_options INTERFACE ATTEND_DOUBLE)
endif()

# Natively and as WebAssembly the same sums are rounded at the same places, unless relaxed SIMD is asked for.
if(ATTEND_RELAXED)
  if(NOT EMSCRIPTEN)
    message(FATAL_ERROR "ATTEND_RELAXED is for WebAssembly builds.")
  endif()
  target_compile_options(attend_options INTERFACE -mrelaxed-simd -ffp-contract=fast)
else()
  # (A relaxed twin of a layer, cmake/layer.cmake, says so as a property: flags of its own would come before these.)
  target_compile_options(attend_options INTERFACE
    "$<IF:$<BOOL:$<TARGET_PROPERTY:ATTEND_RELAXED_TWIN>>,-mrelaxed-simd;-ffp-contract=fast,-ffp-contract=off>")
endif()

if(EMSCRIPTEN)
  target_compile_options(attend_options INTERFACE -msimd128 -fwasm-exceptions)
  target_link_options(attend_options INTERFACE -fwasm-exceptions -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=2GB
    -sSTACK_SIZE=4MB)
endif()

if(ATTEND_FUZZ AND NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
  message(FATAL_ERROR "ATTEND_FUZZ needs clang and its libFuzzer (libclang-rt-14-dev): set CMAKE_CXX_COMPILER.")
endif()
if(ATTEND_ASAN OR ATTEND_FUZZ)
  set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  if(ATTEND_FUZZ)
    list(APPEND sanitizers -fsanitize=fuzzer-no-link)
  endif()
  target_compile_options(attend_options INTERFACE ${sanitizers})
  target_link_options(attend_options INTERFACE ${sanitizers})
endif()

# On x86-64 the hot kernels are compiled for AVX2 too; everything else stays at the baseline.
set(ATTEND_AVX2 OFF)
if(NOT EMSCRIPTEN AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  set(ATTEND_AVX2 ON)
endif()
