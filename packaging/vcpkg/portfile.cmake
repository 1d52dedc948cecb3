# SPDX-License-Identifier: Apache-2.0
# An overlay port that builds the checkout in which it is: vcpkg install pintle --overlay-ports=packaging/vcpkg
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../.." ABSOLUTE)

vcpkg_check_linkage(ONLY_STATIC_LIBRARY)
vcpkg_find_acquire_program(PKGCONFIG)

# There is no port of libfyaml.
execute_process(COMMAND "${PKGCONFIG}" --exists libfyaml RESULT_VARIABLE has_no_libfyaml)
if(has_no_libfyaml)
  message(FATAL_ERROR "pintle needs libfyaml of the system, found by pkg-config: apt-get install libfyaml-dev")
endif()

vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    -DPINTLE_BUILD_TESTS=OFF
    -DPINTLE_BUILD_TOOLS=ON
    -DPINTLE_BUILD_EXAMPLES=OFF
    -DPINTLE_BUILD_BENCHMARKS=OFF
    -DPINTLE_SOURCES_AT_ONCE=16
    "-DPKG_CONFIG_EXECUTABLE=${PKGCONFIG}")
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/pintle)
vcpkg_copy_tools(TOOL_NAMES pintle AUTO_CLEAN)

# The port of prometheus-cpp has no pkg-config file, so those of pintle could not be used.
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/lib/pkgconfig" "${CURRENT_PACKAGES_DIR}/debug/lib/pkgconfig"
     "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share"
     "${CURRENT_PACKAGES_DIR}/share/doc")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
