# SPDX-License-Identifier: Apache-2.0
# Files of the sources that become a part of a program.
#   pintle_embed(OUTPUT variable NAMESPACE name FUNCTION name FOLDER dir FILES path...)
# makes a source with the function `std::span<const EmbeddedFile> NAMESPACE::FUNCTION()`, which returns the files in the
# given order. Sets `variable` to its path. The caller declares the function in a header of its own.
if(CMAKE_SCRIPT_MODE_FILE)
  file(STRINGS "${LIST}" paths)
  set(text "// Written by cmake/Embed.cmake.\n#include <array>\n#include <span>\n\n#include \"base/embedded_file.hpp\"\n\n")
  list(LENGTH paths count)
  string(APPEND text "namespace ${NAMESPACE} {\nnamespace {\n\n")
  string(APPEND text "constexpr std::array<pintle::EmbeddedFile, ${count}> files_of_${FUNCTION}{{\n")
  foreach(path IN LISTS paths)
    file(READ "${FOLDER}/${path}" content)
    string(FIND "${content}" ")embedded\"" end)
    if(end GREATER_EQUAL 0)
      message(FATAL_ERROR "${path} contains the end of a raw string literal, )embedded\"; change that line")
    endif()
    string(APPEND text "    {\"${path}\", R\"embedded(${content})embedded\"},\n")
  endforeach()
  string(APPEND text "}};\n\n}  // namespace\n\n")
  string(APPEND text "std::span<const pintle::EmbeddedFile> ${FUNCTION}();\n")
  string(APPEND text "std::span<const pintle::EmbeddedFile> ${FUNCTION}() { return files_of_${FUNCTION}; }\n\n")
  string(APPEND text "}  // namespace ${NAMESPACE}\n")
  file(WRITE "${OUTPUT}" "${text}")
  return()
endif()

set(_pintle_embed_script "${CMAKE_CURRENT_LIST_FILE}")

function(pintle_embed)
  cmake_parse_arguments(arg "" "OUTPUT;NAMESPACE;FUNCTION;FOLDER" "FILES" ${ARGN})
  set(list "${CMAKE_CURRENT_BINARY_DIR}/${arg_FUNCTION}.txt")
  set(output "${CMAKE_CURRENT_BINARY_DIR}/${arg_FUNCTION}.cpp")
  list(JOIN arg_FILES "\n" lines)
  file(CONFIGURE OUTPUT "${list}" CONTENT "${lines}\n" @ONLY)
  list(TRANSFORM arg_FILES PREPEND "${arg_FOLDER}/" OUTPUT_VARIABLE paths)
  add_custom_command(
    OUTPUT "${output}"
    COMMAND ${CMAKE_COMMAND} -D "FOLDER=${arg_FOLDER}" -D "LIST=${list}" -D "OUTPUT=${output}" -D
            "NAMESPACE=${arg_NAMESPACE}" -D "FUNCTION=${arg_FUNCTION}" -P "${_pintle_embed_script}"
    DEPENDS "${_pintle_embed_script}" "${list}" ${paths}
    VERBATIM)
  set(${arg_OUTPUT} "${output}" PARENT_SCOPE)
endfunction()
