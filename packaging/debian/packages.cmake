# SPDX-License-Identifier: Apache-2.0
# The Debian packages: libpintle<ABI> (the shared library), libpintle-dev (headers, CMake and pkg-config files), pintle (the
# program with its man page and completions) and pintle-bench. `cpack` in the build folder makes them.

if(NOT PINTLE_SHARED OR NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr" OR NOT PINTLE_BUILD_TOOLS OR NOT PINTLE_BUILD_BENCH)
  message(FATAL_ERROR "pintle: PINTLE_DEBIAN_PACKAGES needs PINTLE_SHARED=ON, PINTLE_BUILD_TOOLS=ON, PINTLE_BUILD_BENCH=ON "
                      "and CMAKE_INSTALL_PREFIX=/usr; use `cmake --preset debian`")
endif()

# Sets `out` to the package that owns a file. libpintle-dev needs the packages of the libraries that
# cmake/Dependencies.cmake finds for programs that link the shared library.
function(_pintle_package_of file out)
  execute_process(COMMAND dpkg-query --search "${file}" OUTPUT_VARIABLE owner RESULT_VARIABLE failed ERROR_QUIET)
  if(failed)
    message(FATAL_ERROR "pintle: no Debian package owns \"${file}\", so the dependencies of libpintle-dev are unknown")
  endif()
  string(REGEX REPLACE "[:,].*" "" owner "${owner}")
  set(${out} "${owner}" PARENT_SCOPE)
endfunction()

# The file without a version belongs to the development package.
get_target_property(boost_json Boost::json IMPORTED_LOCATION_RELEASE)
string(REGEX REPLACE "\\.so\\..*" ".so" boost_json "${boost_json}")
_pintle_package_of("${boost_json}" boost_package)
_pintle_package_of("${tl-expected_DIR}/tl-expected-config.cmake" expected_package)

if("$ENV{DEBEMAIL}" STREQUAL "")
  set(maintainer "pintle maintainers <maintainers@pintle.dev>")
else()
  set(maintainer "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
endif()
set(library "libpintle${PINTLE_ABI}")
set(release 0upstream1)  # below the first revision of a package that Debian itself would have

# The time of the last commit, so that the same sources give the same packages.
if(NOT DEFINED ENV{SOURCE_DATE_EPOCH})
  execute_process(
    COMMAND git log -1 --format=%ct
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
    OUTPUT_VARIABLE committed
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(committed)
    set(ENV{SOURCE_DATE_EPOCH} "${committed}")
  endif()
endif()
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
foreach(package IN ITEMS ${library} libpintle-dev pintle pintle-bench)
  set(component library)
  if(package STREQUAL "libpintle-dev")
    set(component development)
  elseif(package STREQUAL "pintle")
    set(component program)
  elseif(package STREQUAL "pintle-bench")
    set(component bench)
  endif()
  configure_file("${CMAKE_CURRENT_LIST_DIR}/changelog.in" "${PROJECT_BINARY_DIR}/debian/changelog.Debian" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/debian/changelog.Debian" "${CMAKE_CURRENT_LIST_DIR}/copyright"
          DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${package}" COMPONENT ${component})
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME pintle)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL library development program bench)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/compress.cmake")
set(CPACK_POST_BUILD_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/repack.cmake")
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
                                                WORLD_EXECUTE)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${maintainer}")
set(CPACK_DEBIAN_PACKAGE_RELEASE ${release})
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # the first line of each description below is its summary

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME ${library})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA "${CMAKE_CURRENT_LIST_DIR}/triggers")
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "C++20 framework for Kubernetes operators, shared library
An operator is a program that watches objects in a Kubernetes cluster and
changes the actual state until it matches the state that the objects describe.
.
This package contains the shared library that such programs need at run time.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libpintle-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "${library} (= ${PROJECT_VERSION}-${release}), ${boost_package}, ${expected_package}")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "pintle, libgtest-dev, libgmock-dev")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "C++20 framework for Kubernetes operators, development files
An operator is a program that watches objects in a Kubernetes cluster and
changes the actual state until it matches the state that the objects describe.
.
This package contains the headers, and the files for CMake and pkg-config, to
build such programs and their tests.")

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME pintle)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "libpintle-dev")
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "tools for Kubernetes operators in C++
An operator is a program that watches objects in a Kubernetes cluster and
changes the actual state until it matches the state that the objects describe.
.
This package contains the program pintle. It serves a Kubernetes API from
memory for development and tests, and writes C++ types from CRDs.")

set(CPACK_DEBIAN_BENCH_PACKAGE_NAME pintle-bench)
set(CPACK_DEBIAN_BENCH_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_BENCH_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_BENCH_PACKAGE_SUGGESTS "pintle")
set(CPACK_DEBIAN_BENCH_DESCRIPTION "benchmarks of the pintle framework for Kubernetes operators
An operator is a program that watches objects in a Kubernetes cluster and
changes the actual state until it matches the state that the objects describe.
.
This package contains the program pintle-bench, which measures the caches,
queues and reconciles of pintle against any API server, and the definitions of
the kinds that it uses.")

include(CPack)
