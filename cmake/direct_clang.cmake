# SPDX-License-Identifier: Apache-2.0
# em++ is a Python program around clang++. For a small file it takes a third of the time, so that files are compiled by
# clang++ itself, with the options that em++ says it would add. Linking stays with em++.
if(NOT EMSCRIPTEN)
  return()
endif()
execute_process(COMMAND "${ATTEND_EMSCRIPTEN_ROOT}/em-config" LLVM_ROOT
  OUTPUT_VARIABLE llvm_root OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE no_root)
execute_process(COMMAND "${CMAKE_CXX_COMPILER}" --cflags -flto -fwasm-exceptions
  OUTPUT_VARIABLE clang_options OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE no_options)
if(no_root OR no_options OR NOT EXISTS "${llvm_root}/clang++")
  message(STATUS "em++ does not say how it calls clang++: it compiles each file itself")
  return()
endif()
set(CMAKE_CXX_COMPILE_OBJECT
  "\"${llvm_root}/clang++\" ${clang_options} <DEFINES> <INCLUDES> <FLAGS> -o <OBJECT> -c <SOURCE>")
