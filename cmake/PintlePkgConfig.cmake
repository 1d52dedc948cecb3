# SPDX-License-Identifier: Apache-2.0
# The pkg-config files: pintle, and pintle-sim, pintle-apiserver and pintle-testing for the layers that a program links by
# name. They describe the same libraries as the CMake targets.

# Sets `out_modules` to the pkg-config modules of a target of cmake/Dependencies.cmake, and `out_libs` to the flags of a
# library without a module.
function(_pintle_pkg_config_of target out_modules out_libs)
  set(modules "")
  set(libs "")
  if(target MATCHES "^PkgConfig::(.+)$")
    set(modules ${CMAKE_MATCH_1})
  elseif(target STREQUAL "OpenSSL::SSL")
    set(modules libssl)
  elseif(target STREQUAL "OpenSSL::Crypto")
    set(modules libcrypto)
  elseif(target STREQUAL "CURL::libcurl")
    set(modules libcurl)
  elseif(target STREQUAL "ZLIB::ZLIB")
    set(modules zlib)
  elseif(target STREQUAL "fmt::fmt")
    set(modules fmt)
  elseif(target STREQUAL "prometheus-cpp::core")
    set(modules prometheus-cpp-core)
  elseif(target STREQUAL "Boost::json")
    set(libs -lboost_json)
  elseif(target STREQUAL "date::date-tz")
    set(libs -ldate-tz)
  elseif(target STREQUAL "Threads::Threads")
    set(libs -pthread)
  elseif(NOT target MATCHES "^(tl::expected|Boost::headers|CLI11::CLI11)$")  # these have headers only
    message(FATAL_ERROR "pintle: cmake/PintlePkgConfig.cmake has no entry for ${target}; add one")
  endif()
  set(${out_modules} ${modules} PARENT_SCOPE)
  set(${out_libs} ${libs} PARENT_SCOPE)
endfunction()

# Writes and installs one file. LIBS and REQUIRES are in the order of linking.
function(_pintle_write_pkg_config name description)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "LIBS;REQUIRES")
  set(links "")
  if(arg_REQUIRES)
    list(JOIN arg_REQUIRES ", " requires)
    string(APPEND links "Requires: ${requires}\n")
  endif()
  if(arg_LIBS)
    list(JOIN arg_LIBS " " libs)
    string(APPEND links "Libs: -L\${libdir} ${libs}\n")
  endif()
  # Relative to the file, so that `cmake --install --prefix` may install into another folder.
  set(folder "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
  string(REGEX REPLACE "[^/]+" ".." up "${folder}")
  file(
    WRITE "${PROJECT_BINARY_DIR}/${name}.pc"
    "prefix=\${pcfiledir}/${up}
includedir=\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}
libdir=\${prefix}/${CMAKE_INSTALL_LIBDIR}

Name: ${name}
Description: ${description}
Version: ${PROJECT_VERSION}
Cflags: -I\${includedir}
${links}")
  install(FILES "${PROJECT_BINARY_DIR}/${name}.pc" DESTINATION "${folder}" COMPONENT development)
endfunction()

# Sets `out` to the -l options of the static libraries of the layers in `ARGN`, users before used.
function(_pintle_layer_flags out)
  set(flags "")
  foreach(layer IN LISTS ARGN)
    get_target_property(type pintle_${layer} TYPE)
    if(type STREQUAL STATIC_LIBRARY)
      list(PREPEND flags -lpintle_${layer})
    endif()
  endforeach()
  set(${out} ${flags} PARENT_SCOPE)
endfunction()

function(pintle_install_pkg_config)
  get_property(layers GLOBAL PROPERTY PINTLE_LAYERS)
  get_property(used GLOBAL PROPERTY PINTLE_PUBLIC_LIBRARIES)
  set(libs -lpintle)
  if(NOT PINTLE_SHARED)
    get_property(private GLOBAL PROPERTY PINTLE_PRIVATE_LIBRARIES)
    list(APPEND used ${private})
    set(umbrella ${layers})
    list(REMOVE_ITEM umbrella cel sim apiserver testing)
    _pintle_layer_flags(libs ${umbrella})
    _pintle_layer_flags(of_sim sim)
    _pintle_layer_flags(of_apiserver cel apiserver)
    _pintle_layer_flags(of_testing testing)
  endif()
  list(REMOVE_DUPLICATES used)
  set(requires "")
  foreach(target IN LISTS used)
    _pintle_pkg_config_of(${target} modules flags)
    list(APPEND requires ${modules})
    list(APPEND libs ${flags})
  endforeach()
  _pintle_write_pkg_config(pintle "A C++20 framework for Kubernetes operators" LIBS ${libs} REQUIRES ${requires})
  _pintle_write_pkg_config(pintle-sim "Simulated time, threads and programs of pintle" LIBS ${of_sim} REQUIRES pintle)
  _pintle_write_pkg_config(
    pintle-apiserver "The embedded API server of pintle" LIBS ${of_apiserver} REQUIRES pintle-sim pintle)
  _pintle_write_pkg_config(
    pintle-testing "Helpers of pintle for the tests of operators" LIBS ${of_testing}
    REQUIRES pintle-apiserver pintle-sim pintle)
endfunction()
