# SPDX-License-Identifier: Apache-2.0
# Corrects the package of the shared library; cpack runs this script. cpack adds scripts that call ldconfig; the trigger of
# the package does the same once for all packages of an installation. cpack also counts the library again for its link.
foreach(package IN LISTS CPACK_PACKAGE_FILES)
  execute_process(COMMAND dpkg-deb --info "${package}" postinst OUTPUT_VARIABLE script RESULT_VARIABLE failed ERROR_QUIET)
  if(NOT failed)
    if(NOT script MATCHES "ldconfig")
      message(FATAL_ERROR "pintle: ${package} has a postinst that does not call ldconfig: ${script}")
    endif()
    set(folder "${CPACK_TOPLEVEL_DIRECTORY}/repacked")
    file(REMOVE_RECURSE "${folder}")
    execute_process(COMMAND dpkg-deb --raw-extract "${package}" "${folder}" COMMAND_ERROR_IS_FATAL ANY)
    file(REMOVE "${folder}/DEBIAN/postinst" "${folder}/DEBIAN/postrm")
    execute_process(COMMAND du -s -k --apparent-size --exclude=DEBIAN "${folder}" OUTPUT_VARIABLE size COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCH "^[0-9]+" size "${size}")
    file(READ "${folder}/DEBIAN/control" control)
    string(REGEX REPLACE "Installed-Size: [0-9]+" "Installed-Size: ${size}" control "${control}")
    file(WRITE "${folder}/DEBIAN/control" "${control}")
    execute_process(COMMAND dpkg-deb --root-owner-group -Zxz --build "${folder}" "${package}" COMMAND_ERROR_IS_FATAL ANY
                    OUTPUT_QUIET)
    file(REMOVE_RECURSE "${folder}")
  endif()
endforeach()
