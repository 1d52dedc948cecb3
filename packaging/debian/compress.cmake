# SPDX-License-Identifier: Apache-2.0
# Compresses the man pages and changelogs of the packages, as the Debian policy requires. cpack runs this script.
file(GLOB_RECURSE files "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*/usr/share/man/*.1"
     "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*/usr/share/doc/*/changelog.Debian")
if(NOT files)
  message(FATAL_ERROR "pintle: no man page and no changelog below ${CPACK_TEMPORARY_INSTALL_DIRECTORY}")
endif()
execute_process(COMMAND gzip -9 -n ${files} COMMAND_ERROR_IS_FATAL ANY)
