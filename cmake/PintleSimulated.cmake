# SPDX-License-Identifier: Apache-2.0
# The target pintle::simulated: an operator that links it has the option --simulate, for `pintle simulate PROGRAM`. The
# build of pintle and its package file include this file, which is installed beside simulated_main.cpp.
if(NOT TARGET pintle_simulated)
  add_library(pintle_simulated INTERFACE)
  target_sources(pintle_simulated INTERFACE "${CMAKE_CURRENT_LIST_DIR}/simulated_main.cpp")
  target_link_libraries(pintle_simulated INTERFACE pintle::testing)
  target_link_options(pintle_simulated INTERFACE LINKER:--wrap=main)
  add_library(pintle::simulated ALIAS pintle_simulated)
endif()
