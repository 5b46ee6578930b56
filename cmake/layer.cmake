# SPDX-License-Identifier: Apache-2.0
# attend_layer(NAME [SMALL] [USES LAYER...]): one static library attend_NAME from every .cpp below this folder; a layer
# that has no .cpp yet only hands on what it uses. SMALL: runs once a call, so that as WebAssembly its size counts, not its speed.
function(attend_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 layer "SMALL" "" "USES")
  list(TRANSFORM layer_USES PREPEND attend_)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  if(sources)
    add_library(attend_${name} STATIC ${sources})
    target_link_libraries(attend_${name} PUBLIC attend_options ${layer_USES})
    if(EMSCRIPTEN AND layer_SMALL)
      target_compile_options(attend_${name} PRIVATE -Oz)
    endif()
  else()
    add_library(attend_${name} INTERFACE)
    target_link_libraries(attend_${name} INTERFACE attend_options ${layer_USES})
  endif()
endfunction()
