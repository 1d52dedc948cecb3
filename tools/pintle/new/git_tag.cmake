# SPDX-License-Identifier: Apache-2.0
# Writes the source with pintle::tools::git_tag(): the tag of the version, or the commit if the sources are a clone whose
# commit does not have this tag. Run by each build, because no file of the sources changes with the commit.
#   cmake -D SOURCE=dir -D VERSION=0.1.0 -D OUTPUT=file -P git_tag.cmake
set(tag "v${VERSION}")
execute_process(COMMAND git -C "${SOURCE}" rev-parse --show-toplevel HEAD RESULT_VARIABLE failed OUTPUT_VARIABLE lines
                ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
if(failed EQUAL 0)
  string(REPLACE "\n" ";" lines "${lines}")
  list(GET lines 0 clone)
  list(GET lines 1 commit)
  execute_process(COMMAND git -C "${SOURCE}" tag --points-at HEAD --list "${tag}" OUTPUT_VARIABLE release ERROR_QUIET)
  file(REAL_PATH "${SOURCE}" source)
  # The sources may be an export inside of another clone.
  if(clone STREQUAL source AND NOT release)
    set(tag "${commit}")
  endif()
endif()
set(text "// Written by tools/pintle/new/git_tag.cmake.\n#include \"new/git_tag.hpp\"\n\nnamespace pintle::tools {\n\n")
string(APPEND text "std::string_view git_tag() { return \"${tag}\"; }\n\n}  // namespace pintle::tools\n")
# Leaves a file with this text as it is, so that nothing is compiled again.
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT "${text}" @ONLY)
