# Every library pintle uses, each found once, here, with the reason it is there.
#
# The build reads this file, and so does the installed package (pintleConfig.cmake): a static library needs its private
# dependencies when a program is linked, so both must find the same list.

include(CMakeFindDependencyMacro)

# pintle_need(<arguments of find_package>): a library we cannot do without. While a program looks for the installed
# package, a missing one makes find_package(pintle) fail in the ordinary way; in our own build it is an error at once.
macro(pintle_need)
  if(CMAKE_FIND_PACKAGE_NAME STREQUAL "pintle")
    find_dependency(${ARGN})
  else()
    find_package(${ARGN} REQUIRED)
  endif()
endmacro()

# pintle_need_pc(<module>): the same for a library that ships a pkg-config file only; the target is PkgConfig::<module>.
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

# Threads: the real Runtime is made of them.
set(THREADS_PREFER_PTHREAD_FLAG ON)
pintle_need(Threads)

# tl::expected: the body of Result until std::expected can be had. Header only.
pintle_need(tl-expected)

# fmt (fmt::fmt): formatting in sources, since g++ 12 has no <format>; spdlog uses the same one.
pintle_need(fmt 9)

# spdlog (spdlog::spdlog): the sink behind our structured log, in one source.
pintle_need(spdlog)

# prometheus-cpp (prometheus-cpp::core, and only that part of it): counters, gauges, histograms and their text form.
pintle_need(prometheus-cpp)

# Boost (Boost::headers, Boost::json): json::Value, the JSON that is built and changed; Beast and Asio, the HTTP server.
pintle_need(Boost 1.81 COMPONENTS json)

# libfyaml (PkgConfig::libfyaml): YAML in. It refuses duplicate keys and says where an error is.
pintle_need_pc(libfyaml)

# RE2 (PkgConfig::re2): `pattern` in a schema means what it means to a real API server.
pintle_need_pc(re2)

# OpenSSL 3 (OpenSSL::SSL, OpenSSL::Crypto): TLS of the server, certificates, the hashes that Kubernetes asks for.
pintle_need(OpenSSL 3)

# zlib (ZLIB::ZLIB): large answers of the embedded API server for clients that ask for gzip.
pintle_need(ZLIB)

# libcurl (CURL::libcurl): the HTTP client; brings proxies, TLS and client certificates.
pintle_need(CURL 7.88)

# CLI11 (CLI11::CLI11): the command line of operators and of our tools.
pintle_need(CLI11)

# GoogleTest (GTest::gtest, GTest::gmock): our tests, and matchers for yours. Optional for those who only use pintle.
# Google Benchmark: our benchmarks.
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
