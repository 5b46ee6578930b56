# SPDX-License-Identifier: Apache-2.0
# The header-only libraries. ATTEND_DEPS is the prefix that the set-up filled; the machine's own headers serve
# a native build without it.
if(NOT ATTEND_DEPS)
  include("${CMAKE_SOURCE_DIR}/build/toolchain.cmake" OPTIONAL)
endif()

function(attend_find_headers variable header)
  find_path(${variable} ${header}
    HINTS "${ATTEND_DEPS}/usr/include" "${ATTEND_DEPS}/include"
    PATH_SUFFIXES eigen3
    NO_CMAKE_FIND_ROOT_PATH)
  if(NOT ${variable})
    message(FATAL_ERROR "${header} was not found: run tools/setup/run.sh first, or set ATTEND_DEPS.")
  endif()
  mark_as_advanced(${variable})
endfunction()

attend_find_headers(ATTEND_XSIMD_DIR xsimd/xsimd.hpp)
attend_find_headers(ATTEND_EIGEN_DIR Eigen/LU)
attend_find_headers(ATTEND_DOCTEST_DIR doctest/doctest.h)
attend_find_headers(ATTEND_JSON_DIR nlohmann/json.hpp)
attend_find_headers(ATTEND_CLI11_DIR CLI/CLI.hpp)
