# SPDX-License-Identifier: Apache-2.0
# attend_once_a_call(TARGET): code that runs once a call, where the loops over numbers are not. As WebAssembly it is
# compiled for size, natively so that it compiles fast.
function(attend_once_a_call target)
  if(EMSCRIPTEN)
    target_compile_options(${target} PRIVATE -Oz)
  elseif(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
    target_compile_options(${target} PRIVATE -O1)
  endif()
endfunction()

# attend_layer(NAME [ONCE_A_CALL] [TOGETHER N] [USES LAYER...] [PRECOMPILE HEADER...]): one static library attend_NAME
# from every .cpp below this folder, N of them compiled at a time; a layer that has no .cpp yet only hands on what it
# uses.
function(attend_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 layer "ONCE_A_CALL" "TOGETHER" "USES;PRECOMPILE")
  list(TRANSFORM layer_USES PREPEND attend_)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  if(sources)
    add_library(attend_${name} STATIC ${sources})
    target_link_libraries(attend_${name} PUBLIC attend_options ${layer_USES})
    target_precompile_headers(attend_${name} PRIVATE "${CMAKE_SOURCE_DIR}/src/precompiled.h" ${layer_PRECOMPILE})
    if(layer_TOGETHER AND ATTEND_UNITY)
      set_target_properties(attend_${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${layer_TOGETHER})
    endif()
    if(layer_ONCE_A_CALL)
      attend_once_a_call(attend_${name})
    endif()
  else()
    add_library(attend_${name} INTERFACE)
    target_link_libraries(attend_${name} INTERFACE attend_options ${layer_USES})
  endif()
endfunction()

# attend_relaxed_twin(NAME): as WebAssembly, the objects of this layer once more, with relaxed SIMD, as
# attend_NAME_relaxed. An executable that lists them among its sources takes nothing from the plain library.
function(attend_relaxed_twin name)
  get_target_property(type attend_${name} TYPE)
  if(NOT EMSCRIPTEN OR ATTEND_RELAXED OR NOT type STREQUAL "STATIC_LIBRARY")
    return()
  endif()
  set(twin attend_${name}_relaxed)
  get_target_property(sources attend_${name} SOURCES)
  add_library(${twin} OBJECT ${sources})
  target_link_libraries(${twin} PRIVATE $<TARGET_PROPERTY:attend_${name},LINK_LIBRARIES>)
  target_include_directories(${twin} SYSTEM PRIVATE $<TARGET_PROPERTY:attend_${name},INCLUDE_DIRECTORIES>)
  target_compile_definitions(${twin} PRIVATE $<TARGET_PROPERTY:attend_${name},COMPILE_DEFINITIONS>)
  set_target_properties(${twin} PROPERTIES ATTEND_RELAXED_TWIN ON)
  target_precompile_headers(${twin} PRIVATE "${CMAKE_SOURCE_DIR}/src/precompiled.h")
endfunction()
