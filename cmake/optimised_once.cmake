# SPDX-License-Identifier: Apache-2.0
# As WebAssembly the layers that most programs share are optimised as a whole once, into one object, instead of in every
# program that is linked.
# docs/adr/0077-a-start-in-minutes.md says what it saves.
set(ATTEND_OPTIMISED_ONCE "${CMAKE_BINARY_DIR}/src/optimised_once.o")

# attend_optimise_once(LAYER...): makes the object from these layers; every other layer is linked into each program.
function(attend_optimise_once)
  if(NOT EMSCRIPTEN)
    return()
  endif()
  list(TRANSFORM ARGN PREPEND attend_ OUTPUT_VARIABLE layers)
  list(TRANSFORM layers REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE libraries)
  foreach(layer ${layers})
    target_compile_options(${layer} PRIVATE -flto)
  endforeach()
  add_custom_command(OUTPUT "${ATTEND_OPTIMISED_ONCE}"
    COMMAND "${CMAKE_CXX_COMPILER}" -flto -O2 -fwasm-exceptions -r
      -Wl,--whole-archive ${libraries} -Wl,--no-whole-archive -o "${ATTEND_OPTIMISED_ONCE}"
    DEPENDS ${layers}
    COMMENT "Optimising the layers above the kernels as a whole"
    VERBATIM)
  add_custom_target(attend_optimised_once DEPENDS "${ATTEND_OPTIMISED_ONCE}")
endfunction()

# attend_uses_optimised_once(PROGRAM): the program takes the object and so nothing from the libraries of its layers.
function(attend_uses_optimised_once program)
  if(NOT EMSCRIPTEN)
    return()
  endif()
  target_sources(${program} PRIVATE "${ATTEND_OPTIMISED_ONCE}")
  set_source_files_properties("${ATTEND_OPTIMISED_ONCE}" PROPERTIES GENERATED ON EXTERNAL_OBJECT ON)
  add_dependencies(${program} attend_optimised_once)
endfunction()
