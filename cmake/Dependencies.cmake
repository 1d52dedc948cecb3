# SPDX-License-Identifier: Apache-2.0
# Finds every library that pintle uses, with the reason for each.
#
# The build and the installed package (pintleConfig.cmake) include this file. A program that links a static library also
# needs the private dependencies of the library, so both must use the same list.

include(CMakeFindDependencyMacro)

# CMake 3.30 and later: find Boost by its own CMake files. A macro has the policies of the place where it is defined.
if(POLICY CMP0167)
  cmake_policy(SET CMP0167 NEW)
endif()

# pintle_need(<arguments of find_package>): a required library. If it is missing, find_package(pintle) of a program
# fails in the usual way; the build of pintle itself fails at once.
macro(pintle_need)
  if(CMAKE_FIND_PACKAGE_NAME STREQUAL "pintle")
    find_dependency(${ARGN})
  else()
    find_package(${ARGN} REQUIRED)
  endif()
endmacro()

# pintle_need_pc(<module>): the same for a library with only a pkg-config file; the target is PkgConfig::<module>.
macro(pintle_need_pc module)
  pintle_need(PkgConfig)
  if(NOT TARGET PkgConfig::${module})
    if(CMAKE_FIND_PACKAGE_NAME STREQUAL "pintle")
      pkg_check_modules(${module} QUIET IMPORTED_TARGET GLOBAL ${module})
      if(NOT ${module}_FOUND)
        set(pintle_FOUND FALSE)
        set(pintle_NOT_FOUND_MESSAGE "pintle could not be found because pkg-config does not find ${module}")
        return()
      endif()
    else()
      pkg_check_modules(${module} REQUIRED IMPORTED_TARGET GLOBAL ${module})
    endif()
  endif()
endmacro()

# Before the first library, because the CMake files of any library may find Threads.
set(THREADS_PREFER_PTHREAD_FLAG ON)

# Libraries that public headers include.

# tl::expected: the base of Result until std::expected is available. Header only.
pintle_need(tl-expected)

# Boost (Boost::headers, Boost::json): json::Value, for JSON that is created or changed; Beast and Asio, for the HTTP
# server.
pintle_need(Boost 1.81 COMPONENTS json)

# GoogleTest (GTest::gtest, GTest::gmock): the tests of pintle, and matchers for tests of operators. Optional for users.
# Google Benchmark: the benchmarks of pintle.
if(CMAKE_FIND_PACKAGE_NAME STREQUAL "pintle")
  find_package(GTest QUIET)
else()
  if(PINTLE_BUILD_TESTS)
    find_package(GTest REQUIRED)
  else()
    find_package(GTest QUIET)
  endif()
  if(PINTLE_BUILD_BENCHMARKS)
    find_package(benchmark REQUIRED)
  endif()
endif()

# The other libraries are used by sources only. A program that links the shared library does not need them.
if(CMAKE_FIND_PACKAGE_NAME STREQUAL "pintle" AND PINTLE_PACKAGE_IS_SHARED)
  return()
endif()

# Threads: the real Executor uses them.
pintle_need(Threads)

# fmt (fmt::fmt): formatting in sources, because g++ 12 has no <format>.
pintle_need(fmt 9)

# prometheus-cpp (only prometheus-cpp::core): counters, gauges, histograms and their text form.
pintle_need(prometheus-cpp)

# libfyaml (PkgConfig::libfyaml): the YAML parser. It rejects duplicate keys and reports the place of an error.
pintle_need_pc(libfyaml)

# RE2 (PkgConfig::re2): `pattern` in a schema, with the syntax of a real API server.
pintle_need_pc(re2)

# OpenSSL 3 (OpenSSL::SSL, OpenSSL::Crypto): TLS of the server, certificates, the hashes that Kubernetes requires.
pintle_need(OpenSSL 3)

# zlib (ZLIB::ZLIB): large responses of the embedded API server for clients that accept gzip.
pintle_need(ZLIB)

# SQLite (PkgConfig::sqlite3): the file in which the embedded API server keeps its objects.
pintle_need_pc(sqlite3)

# libcurl (CURL::libcurl): the HTTP client; supports proxies, TLS and client certificates. It also parses the URLs of
# servers and proxies when they are read, so that no text means another server when the connection is made.
pintle_need(CURL 7.88)

# date (date::date-tz): time zones of schedules, because g++ 12 has none in <chrono>. It reads the zones of the system.
pintle_need(date 3)

# CLI11 (CLI11::CLI11): the command line of operators and of the tools.
pintle_need(CLI11)
