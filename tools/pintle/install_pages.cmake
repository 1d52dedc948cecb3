# SPDX-License-Identifier: Apache-2.0
# Installs the completions and the man page, which the program prints.
if(PINTLE_DEBIAN_PACKAGES)
  set(zsh_folder zsh/vendor-completions)
else()
  set(zsh_folder zsh/site-functions)
endif()
set(pages "")
# Prints `file` by `pintle ARGN` and installs it in `folder`.
macro(pintle_page folder file)
  add_custom_command(
    OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/${file}"
    COMMAND pintle ${ARGN} > "${CMAKE_CURRENT_BINARY_DIR}/${file}"
    DEPENDS pintle
    VERBATIM)
  install(FILES "${CMAKE_CURRENT_BINARY_DIR}/${file}" DESTINATION "${folder}" COMPONENT program)
  list(APPEND pages "${CMAKE_CURRENT_BINARY_DIR}/${file}")
endmacro()
pintle_page("${CMAKE_INSTALL_DATADIR}/bash-completion/completions" pages/pintle completion bash)
pintle_page("${CMAKE_INSTALL_DATADIR}/${zsh_folder}" pages/_pintle completion zsh)
pintle_page("${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d" pages/pintle.fish completion fish)
pintle_page("${CMAKE_INSTALL_MANDIR}/man1" pages/pintle.1 man)
file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/pages")
add_custom_target(pintle_pages ALL DEPENDS ${pages})
