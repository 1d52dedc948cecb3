# SPDX-License-Identifier: Apache-2.0
# Functions that build the targets of this repository. A layer is one call:
#
#   pintle_library(
#     NAME queue
#     HEADERS work_queue.hpp
#     SOURCES work_queue.cpp heap.hpp heap.cpp
#     TESTS work_queue_test.cpp
#     BENCHMARKS work_queue_bench.cpp
#     DEPS base
#     LINK_PUBLIC tl::expected
#     LINK_PRIVATE fmt::fmt
#     TEST_DEPS testing
#     TEST_LINK OpenSSL::SSL)
#
# HEADERS     relative to include/pintle/<layer>/, public, installed; scripts/check-headers compiles each alone
# SOURCES     relative to src/<layer>/, with private headers; a layer without a .cpp is header-only
# TESTS       relative to src/<layer>/; together they are the program pintle_<layer>_tests
# BENCHMARKS  relative to src/<layer>/; together they are the program pintle_<layer>_bench
# DEPS        layers, by their short names; layers.txt must allow each
# LINK_*      targets of cmake/Dependencies.cmake: PUBLIC if a public header includes the library, otherwise PRIVATE
# TEST_DEPS   further layers, and TEST_LINK further targets, for the tests and benchmarks only
# SIMULATED   without PINTLE_BUILD_SIMULATED_TESTS, only the suites whose name contains "Concurrency" are built and run,
#             because all others run in simulations, or on one thread
#
# The lists are explicit. A .cpp or .hpp file below the two folders that is in no list is an error at configure time.
# Tests of a layer have its name as label. Tests of a suite whose name contains "Concurrency" have <layer>-concurrency:
# `ctest -L concurrency` selects them, and the long run repeats them.
#
# A program is one call of pintle_program, a fuzz program one call of pintle_fuzzer.

include(CheckCXXSourceRuns)
include(GoogleTest)

# The warnings for the code of pintle; they do not apply to projects that use the library. The last group disables
# warnings that g++ 12 reports incorrectly in inlined library code; AddressSanitizer and clang detect these errors.
set(_pintle_warnings
    -Wall
    -Wextra
    -Wpedantic
    -Wnon-virtual-dtor
    -Woverloaded-virtual
    -Wcast-align
    -Wextra-semi
    -Wimplicit-fallthrough
    -Wunused
    $<$<CXX_COMPILER_ID:Clang,AppleClang>:-Wshadow-uncaptured-local;-Wthread-safety;-Wthread-safety-beta;-Wrange-loop-analysis>
    $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local;-Wlogical-op;-Wduplicated-cond;-Wno-restrict;-Wno-maybe-uninitialized;-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-array-bounds>)

# In release builds, a program contains only the functions that it calls, with compact relocations. Its size falls by a
# third. Programs of users that link pintle::pintle get the same link options, unless PINTLE_SMALL_PROGRAMS is off.
set(_pintle_parts $<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-ffunction-sections;-fdata-sections>)
set(_pintle_link_parts $<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:LINKER:--gc-sections>)
# The linker may support an option that the loader does not, so this check runs a program.
set(CMAKE_REQUIRED_LINK_OPTIONS LINKER:-z,pack-relative-relocs)
if(CMAKE_CROSSCOMPILING)
  set(PINTLE_PACKS_RELOCATIONS OFF)
else()
  check_cxx_source_runs("int main() { return 0; }" PINTLE_PACKS_RELOCATIONS)
endif()
unset(CMAKE_REQUIRED_LINK_OPTIONS)
if(PINTLE_PACKS_RELOCATIONS)
  list(APPEND _pintle_link_parts $<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:LINKER:-z,pack-relative-relocs>)
endif()

# Tests need no speed, and optimizing them takes longer than parsing them. With a sanitizer, the same is true of most
# layers and of all programs: the preset names them in PINTLE_UNOPTIMIZED.
set(_pintle_unoptimized -O0)

function(_pintle_compile_options target)
  target_compile_options(${target} PRIVATE ${_pintle_parts})
  if(PINTLE_WARNINGS)
    target_compile_options(${target} PRIVATE ${_pintle_warnings})
  endif()
  if(PINTLE_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# Only PINTLE_EXPORT makes a name visible outside of the shared library.
function(_pintle_hide_names target)
  set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
endfunction()

# Half of the compile time of a source is spent on headers that the next source includes too, so several are compiled as
# one. Names must therefore be unique in a layer and in a program, including those in anonymous namespaces.
function(_pintle_compile_together target)
  if(PINTLE_SOURCES_AT_ONCE GREATER 1)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${PINTLE_SOURCES_AT_ONCE})
    # g++ treats an included source as a header, and would warn.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()

# With PINTLE_PRECOMPILE, all targets of a kind (layers, programs or tests) share the precompiled headers that most of
# them include. If the options of a target differ from those here, the compiler reports it.
function(_pintle_parse_once target kind)
  if(NOT PINTLE_PRECOMPILE)
    return()
  endif()
  set(headers "pintle_headers_of_${kind}")
  if(NOT TARGET ${headers})
    set(nothing "${PROJECT_BINARY_DIR}/nothing.cpp")
    file(TOUCH "${nothing}")
    add_library(${headers} OBJECT EXCLUDE_FROM_ALL "${nothing}")
    _pintle_compile_options(${headers})
    if(kind STREQUAL layers)
      _pintle_hide_names(${headers})
      target_compile_features(${headers} PRIVATE cxx_std_20)
      target_link_libraries(${headers} PRIVATE Boost::json)
      target_compile_options(${headers} PRIVATE -pthread)
      target_precompile_headers(
        ${headers} PRIVATE <algorithm> <chrono> <functional> <map> <memory> <optional> <set> <string> <vector>
        <boost/json/value.hpp>)
    else()
      set_target_properties(${headers} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
      target_compile_options(${headers} PRIVATE -fPIE)  # like the programs that use it
      target_link_libraries(${headers} PRIVATE pintle::pintle)
      target_precompile_headers(${headers} PRIVATE <pintle/pintle.hpp>)
    endif()
    if(kind STREQUAL programs AND programs IN_LIST PINTLE_UNOPTIMIZED)
      target_compile_options(${headers} PRIVATE ${_pintle_unoptimized})
    endif()
    if(kind STREQUAL tests)
      target_link_libraries(${headers} PRIVATE GTest::gmock GTest::gtest)
      target_precompile_headers(${headers} PRIVATE <gmock/gmock.h> <gtest/gtest.h>)
      target_compile_options(${headers} PRIVATE ${_pintle_unoptimized})
    endif()
  endif()
  target_precompile_headers(${target} REUSE_FROM ${headers})
  if(kind STREQUAL layers)
    target_compile_options(${target} PRIVATE -pthread)  # the dependencies of some layers add it
  endif()
endfunction()

function(_pintle_program_options target)
  _pintle_compile_options(${target})
  if(programs IN_LIST PINTLE_UNOPTIMIZED)
    target_compile_options(${target} PRIVATE ${_pintle_unoptimized})
  endif()
  target_link_options(${target} PRIVATE ${_pintle_link_parts})
  _pintle_compile_together(${target})
  _pintle_parse_once(${target} programs)
endfunction()

function(_pintle_test_options target)
  _pintle_compile_options(${target})
  _pintle_compile_together(${target})
  target_compile_options(${target} PRIVATE ${_pintle_unoptimized})
endfunction()

# Sets `out` to the layers that layers.txt allows `layer` to use.
function(_pintle_allowed_layers layer out)
  file(STRINGS "${PROJECT_SOURCE_DIR}/layers.txt" row REGEX "^${layer}:")
  if(NOT row)
    message(FATAL_ERROR "pintle: ${layer} has no row in layers.txt; add one for a new layer")
  endif()
  string(REGEX REPLACE "^${layer}:[ ]*" "" row "${row}")
  string(REGEX REPLACE "[ ]+" ";" row "${row}")
  set(${out} "${row}" PARENT_SCOPE)
endfunction()

# Fails if a file below `folder` is not in the further arguments. `what` names the list for the error message, except
# for tests and benchmarks.
function(_pintle_check_lists layer folder what)
  file(GLOB_RECURSE found LIST_DIRECTORIES false RELATIVE "${folder}" "${folder}/*.cpp" "${folder}/*.hpp")
  foreach(file IN LISTS found)
    if(NOT file IN_LIST ARGN)
      set(list "${what}")
      if(file MATCHES "_test\\.cpp$")
        set(list TESTS)
      elseif(file MATCHES "_bench\\.cpp$")
        set(list BENCHMARKS)
      endif()
      cmake_path(RELATIVE_PATH folder BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE shown)
      message(SEND_ERROR "pintle: ${shown}/${file} is in no list. Add ${file} to ${list} of "
                         "pintle_library(NAME ${layer} ...) in src/${layer}/CMakeLists.txt, or remove it.")
    endif()
  endforeach()
endfunction()

# Registers the GoogleTest program `target` with the label `label`, or `label`-concurrency. Each test runs in its own
# process; with PINTLE_TEST_SHARDS, that number of processes share the tests. A third argument "concurrency" leaves out
# the other suites.
function(_pintle_discover_tests target label)
  set(kinds plain concurrency)
  if(ARGN STREQUAL concurrency)
    set(kinds concurrency)
  endif()
  foreach(kind IN LISTS kinds)
    if(kind STREQUAL plain)
      set(filter "-*Concurrency*.*")
      set(test_label "${label}")
    else()
      set(filter "*Concurrency*.*")
      set(test_label "${label}-concurrency")
    endif()
    if(PINTLE_TEST_SHARDS)
      foreach(shard RANGE 1 ${PINTLE_TEST_SHARDS})
        set(name "${target} ${kind} ${shard} of ${PINTLE_TEST_SHARDS}")
        math(EXPR index "${shard} - 1")
        add_test(NAME "${name}" COMMAND ${target} --gtest_filter=${filter} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
        set_tests_properties(
          "${name}" PROPERTIES TIMEOUT ${PINTLE_TEST_TIMEOUT} LABELS "${test_label}"
                               ENVIRONMENT "GTEST_TOTAL_SHARDS=${PINTLE_TEST_SHARDS};GTEST_SHARD_INDEX=${index}")
      endforeach()
    else()
      gtest_discover_tests(
        ${target}
        DISCOVERY_MODE PRE_TEST
        DISCOVERY_TIMEOUT 60
        TEST_FILTER "${filter}"
        WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
        PROPERTIES TIMEOUT ${PINTLE_TEST_TIMEOUT} LABELS "${test_label}")
    endif()
  endforeach()
  set_property(GLOBAL APPEND PROPERTY PINTLE_TEST_TARGETS ${target})
endfunction()

# Sets `out` to "concurrency" if one of the sources has a suite whose name contains "Concurrency", otherwise to "".
function(_pintle_suites_with_threads out)
  set(${out} "" PARENT_SCOPE)
  foreach(source IN LISTS ARGN)
    file(STRINGS "${source}" found REGEX "^TEST.*Concurrency" LIMIT_COUNT 1)
    if(found)
      set(${out} concurrency PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

function(pintle_library)
  cmake_parse_arguments(
    PARSE_ARGV 0 arg "SIMULATED" "NAME" "HEADERS;SOURCES;TESTS;BENCHMARKS;DEPS;LINK_PUBLIC;LINK_PRIVATE;TEST_DEPS;TEST_LINK")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_NAME)
    message(FATAL_ERROR "pintle_library: NAME is missing, or these arguments are unknown: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  set(layer "${arg_NAME}")
  set(target "pintle_${layer}")
  set(headers_dir "${PROJECT_SOURCE_DIR}/include/pintle/${layer}")
  set(sources_dir "${PROJECT_SOURCE_DIR}/src/${layer}")

  _pintle_check_lists(${layer} "${headers_dir}" HEADERS ${arg_HEADERS})
  _pintle_check_lists(${layer} "${sources_dir}" SOURCES ${arg_SOURCES} ${arg_TESTS} ${arg_BENCHMARKS})
  _pintle_allowed_layers(${layer} allowed)
  foreach(dep IN LISTS arg_DEPS)
    if(NOT dep IN_LIST allowed)
      message(FATAL_ERROR "pintle: ${layer} may not use ${dep}; layers.txt allows: ${allowed}")
    endif()
  endforeach()

  set(compiled ${arg_SOURCES})
  list(FILTER compiled INCLUDE REGEX "\\.cpp$")
  list(TRANSFORM arg_DEPS PREPEND pintle::)
  list(TRANSFORM arg_HEADERS PREPEND "${headers_dir}/")
  list(TRANSFORM arg_SOURCES PREPEND "${sources_dir}/")

  if(compiled)
    add_library(${target} STATIC ${arg_SOURCES})
    set(scope PUBLIC)
    _pintle_hide_names(${target})
    target_link_libraries(${target} PRIVATE ${arg_LINK_PRIVATE})
    _pintle_compile_options(${target})
    if(layer IN_LIST PINTLE_UNOPTIMIZED)
      target_compile_options(${target} PRIVATE ${_pintle_unoptimized})
    endif()
    _pintle_compile_together(${target})
    # Sources that are compiled together share their headers already.
    if(PINTLE_SOURCES_AT_ONCE EQUAL 1 AND json IN_LIST allowed)
      _pintle_parse_once(${target} layers)
    endif()
  else()
    if(arg_LINK_PRIVATE)
      message(FATAL_ERROR "pintle: ${layer} has no .cpp, so nothing can be LINK_PRIVATE")
    endif()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(pintle::${layer} ALIAS ${target})
  target_compile_features(${target} ${scope} cxx_std_20)
  target_link_libraries(${target} ${scope} ${arg_DEPS} ${arg_LINK_PUBLIC})
  # Private headers of the layers below are included as "layer/header.hpp"; scripts/check-layers checks these includes.
  if(compiled)
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src")
  endif()
  target_sources(${target} ${scope} FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}/include" FILES ${arg_HEADERS})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${layer})
  set_property(GLOBAL APPEND PROPERTY PINTLE_LIBRARY_TARGETS ${target})
  set_property(GLOBAL APPEND PROPERTY PINTLE_LAYERS ${layer})
  set_property(GLOBAL APPEND PROPERTY PINTLE_PUBLIC_LIBRARIES ${arg_LINK_PUBLIC})
  set_property(GLOBAL APPEND PROPERTY PINTLE_PRIVATE_LIBRARIES ${arg_LINK_PRIVATE})

  list(TRANSFORM arg_TEST_DEPS PREPEND pintle::)
  list(TRANSFORM arg_TESTS PREPEND "${sources_dir}/")
  set(suites all)
  if(arg_SIMULATED AND NOT PINTLE_BUILD_SIMULATED_TESTS)
    _pintle_suites_with_threads(suites ${arg_TESTS})
  endif()
  if(PINTLE_BUILD_TESTS AND arg_TESTS AND suites)
    add_executable(${target}_tests ${arg_TESTS})
    target_link_libraries(${target}_tests PRIVATE ${target} ${arg_LINK_PRIVATE} ${arg_TEST_DEPS} ${arg_TEST_LINK}
                                                  GTest::gmock_main GTest::gmock GTest::gtest)
    target_include_directories(${target}_tests PRIVATE "${PROJECT_SOURCE_DIR}/src")
    _pintle_test_options(${target}_tests)
    if(object IN_LIST allowed)  # tests of lower layers include few of those headers
      _pintle_parse_once(${target}_tests tests)
    endif()
    _pintle_discover_tests(${target}_tests ${layer} ${suites})
  endif()
  if(PINTLE_BUILD_BENCHMARKS AND arg_BENCHMARKS)
    list(TRANSFORM arg_BENCHMARKS PREPEND "${sources_dir}/")
    add_executable(${target}_bench ${arg_BENCHMARKS})
    target_include_directories(${target}_bench PRIVATE "${PROJECT_SOURCE_DIR}/src")
    target_link_libraries(${target}_bench PRIVATE ${target} ${arg_LINK_PRIVATE} ${arg_TEST_DEPS} ${arg_TEST_LINK}
                                                  benchmark::benchmark_main benchmark::benchmark)
    _pintle_compile_options(${target}_bench)
  endif()
endfunction()

# pintle_umbrella(NAME pintle LAYERS base ...): a target without code that links all existing layers of LAYERS, with the
# header include/pintle/<NAME>.hpp.
function(pintle_umbrella)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME" "LAYERS")
  set(target "pintle_${arg_NAME}")
  set(include "${PROJECT_SOURCE_DIR}/include")
  add_library(${target} INTERFACE)
  add_library(pintle::${arg_NAME} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${arg_NAME})
  foreach(layer IN LISTS arg_LAYERS)
    if(TARGET pintle_${layer})
      target_link_libraries(${target} INTERFACE pintle::${layer})
    endif()
  endforeach()
  if(PINTLE_SMALL_PROGRAMS)
    target_link_options(${target} INTERFACE ${_pintle_link_parts})
  endif()
  if(EXISTS "${include}/pintle/${arg_NAME}.hpp")
    target_sources(${target} INTERFACE FILE_SET HEADERS BASE_DIRS "${include}" FILES
                                       "${include}/pintle/${arg_NAME}.hpp")
  else()
    target_sources(${target} INTERFACE FILE_SET HEADERS BASE_DIRS "${include}")
  endif()
  set_property(GLOBAL APPEND PROPERTY PINTLE_LIBRARY_TARGETS ${target})
endfunction()

# The target pintle_shared: one shared library with all layers, which exports what PINTLE_EXPORT marks. It is built only
# on request, or if PINTLE_SHARED is on.
function(pintle_shared_library)
  get_property(layers GLOBAL PROPERTY PINTLE_LAYERS)
  get_property(public GLOBAL PROPERTY PINTLE_PUBLIC_LIBRARIES)
  get_property(private GLOBAL PROPERTY PINTLE_PRIVATE_LIBRARIES)
  list(REMOVE_DUPLICATES public)
  list(REMOVE_DUPLICATES private)
  set(all "")
  if(NOT PINTLE_SHARED)
    set(all EXCLUDE_FROM_ALL)
  endif()
  set(objects "")
  foreach(layer IN LISTS layers)
    get_target_property(type pintle_${layer} TYPE)
    if(type STREQUAL STATIC_LIBRARY)
      list(APPEND objects $<TARGET_OBJECTS:pintle_${layer}>)
    endif()
  endforeach()
  add_library(pintle_shared SHARED ${all} ${objects})
  set_target_properties(pintle_shared PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(pintle_shared PRIVATE ${private})
  target_link_libraries(pintle_shared PUBLIC ${public})
  target_compile_features(pintle_shared PUBLIC cxx_std_20)
  target_include_directories(pintle_shared INTERFACE "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
                                                     "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  set(names "${PROJECT_SOURCE_DIR}/cmake/exports.map")
  target_link_options(pintle_shared PRIVATE "LINKER:--version-script=${names}" LINKER:--no-undefined ${_pintle_link_parts})
  set_target_properties(
    pintle_shared
    PROPERTIES OUTPUT_NAME pintle
               EXPORT_NAME pintle
               VERSION ${PROJECT_VERSION}
               SOVERSION ${PINTLE_ABI}
               LINK_DEPENDS "${names}")
endfunction()

# pintle_program(NAME hello-operator SOURCES main.cpp DEPS pintle LINK_PRIVATE CLI11::CLI11 SMOKE --help INSTALL):
# a program in bin/. Each argument of SMOKE is a test that runs the program with it and expects success.
function(pintle_program)
  cmake_parse_arguments(PARSE_ARGV 0 arg "INSTALL" "NAME;COMPONENT" "SOURCES;DEPS;LINK_PRIVATE;SMOKE")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_NAME OR NOT arg_SOURCES)
    message(FATAL_ERROR "pintle_program: NAME or SOURCES is missing, or these arguments are unknown: "
                        "${arg_UNPARSED_ARGUMENTS}")
  endif()
  list(TRANSFORM arg_DEPS PREPEND pintle::)
  add_executable(${arg_NAME} ${arg_SOURCES})
  target_link_libraries(${arg_NAME} PRIVATE ${arg_DEPS} ${arg_LINK_PRIVATE})
  _pintle_program_options(${arg_NAME})
  if(arg_INSTALL AND PINTLE_INSTALL)
    if(NOT arg_COMPONENT)
      set(arg_COMPONENT program)
    endif()
    install(TARGETS ${arg_NAME} RUNTIME COMPONENT ${arg_COMPONENT})
  endif()
  if(PINTLE_BUILD_TESTS)
    foreach(argument IN LISTS arg_SMOKE)
      add_test(NAME "${arg_NAME} ${argument}" COMMAND ${arg_NAME} ${argument})
      set_tests_properties("${arg_NAME} ${argument}" PROPERTIES LABELS smoke TIMEOUT ${PINTLE_TEST_TIMEOUT})
    endforeach()
  endif()
endfunction()

# pintle_test(NAME example_tests SOURCES hello_test.cpp DEPS pintle testing LABEL examples): a GoogleTest program
# outside the layers, under tests/. SIMULATED: it is not built without PINTLE_BUILD_SIMULATED_TESTS.
function(pintle_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "SIMULATED" "NAME;LABEL" "SOURCES;DEPS;LINK_PRIVATE")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_NAME OR NOT arg_SOURCES)
    message(FATAL_ERROR "pintle_test: NAME or SOURCES is missing, or these arguments are unknown: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(arg_SIMULATED AND NOT PINTLE_BUILD_SIMULATED_TESTS)
    return()
  endif()
  if(NOT arg_LABEL)
    set(arg_LABEL "${arg_NAME}")
  endif()
  list(TRANSFORM arg_DEPS PREPEND pintle::)
  add_executable(${arg_NAME} ${arg_SOURCES})
  target_link_libraries(${arg_NAME} PRIVATE ${arg_DEPS} ${arg_LINK_PRIVATE} GTest::gmock_main GTest::gmock
                                            GTest::gtest)
  _pintle_test_options(${arg_NAME})
  _pintle_parse_once(${arg_NAME} tests)
  _pintle_discover_tests(${arg_NAME} ${arg_LABEL})
endfunction()

# pintle_fuzzer(NAME fuzz_json SOURCES json_fuzz.cpp DEPS json CORPUS corpus/json RUNS 500): a libFuzzer program in bin/.
# As a test it reads its corpus and runs a fixed number of inputs (default: 20,000) from a fixed seed.
function(pintle_fuzzer)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;CORPUS;RUNS" "SOURCES;DEPS;LINK_PRIVATE")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_NAME OR NOT arg_SOURCES)
    message(FATAL_ERROR "pintle_fuzzer: NAME or SOURCES is missing, or these arguments are unknown: "
                        "${arg_UNPARSED_ARGUMENTS}")
  endif()
  list(TRANSFORM arg_DEPS PREPEND pintle::)
  add_executable(${arg_NAME} ${arg_SOURCES})
  target_link_libraries(${arg_NAME} PRIVATE ${arg_DEPS} ${arg_LINK_PRIVATE})
  # For the private headers of a layer.
  target_include_directories(${arg_NAME} PRIVATE "${PROJECT_SOURCE_DIR}/src")
  target_compile_options(${arg_NAME} PRIVATE -fsanitize=fuzzer)
  target_link_options(${arg_NAME} PRIVATE -fsanitize=fuzzer)
  _pintle_compile_options(${arg_NAME})
  if(PINTLE_BUILD_TESTS)
    # libFuzzer writes new inputs to the first folder, so the corpus of the repository is the second.
    set(found "${CMAKE_CURRENT_BINARY_DIR}/${arg_NAME}_found")
    file(MAKE_DIRECTORY "${found}")
    set(folders "${found}")
    if(arg_CORPUS)
      list(APPEND folders "${CMAKE_CURRENT_SOURCE_DIR}/${arg_CORPUS}")
    endif()
    if(NOT arg_RUNS)
      set(arg_RUNS 20000)
    endif()
    add_test(NAME ${arg_NAME} COMMAND ${arg_NAME} -runs=${arg_RUNS} -seed=1 -max_total_time=20 ${folders})
    set_tests_properties(
      ${arg_NAME} PROPERTIES LABELS fuzz TIMEOUT 300
                             ENVIRONMENT "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/fuzz/leaks.supp")
  endif()
endfunction()

# Adds <folder> if it has a CMakeLists.txt, otherwise each folder directly below it that has one.
function(pintle_add_programs folder)
  if(EXISTS "${PROJECT_SOURCE_DIR}/${folder}/CMakeLists.txt")
    add_subdirectory("${PROJECT_SOURCE_DIR}/${folder}")
    return()
  endif()
  file(GLOB lists LIST_DIRECTORIES false RELATIVE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/${folder}/*/CMakeLists.txt")
  foreach(list IN LISTS lists)
    cmake_path(GET list PARENT_PATH child)
    add_subdirectory("${PROJECT_SOURCE_DIR}/${child}")
  endforeach()
endfunction()

# Installs every layer, or with PINTLE_SHARED the shared library, and the files for find_package(pintle) and pkg-config.
# The components are library (the shared library), development (everything to link it), program (the programs) and bench
# (pintle-bench).
function(pintle_install_package)
  include(CMakePackageConfigHelpers)
  set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/pintle")
  set(PINTLE_SHARED_LAYERS "")
  if(PINTLE_SHARED)
    get_property(PINTLE_SHARED_LAYERS GLOBAL PROPERTY PINTLE_LAYERS)
    install(TARGETS pintle_shared EXPORT pintleTargets LIBRARY COMPONENT library NAMELINK_COMPONENT development)
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT development)
  else()
    get_property(targets GLOBAL PROPERTY PINTLE_LIBRARY_TARGETS)
    install(TARGETS ${targets} EXPORT pintleTargets ARCHIVE COMPONENT development FILE_SET HEADERS COMPONENT development)
  endif()
  install(EXPORT pintleTargets NAMESPACE pintle:: DESTINATION "${package_dir}" COMPONENT development)
  configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/pintleConfig.cmake.in"
                                "${PROJECT_BINARY_DIR}/pintleConfig.cmake" INSTALL_DESTINATION "${package_dir}")
  # Before 1.0 a minor version may break the interface of the one before it.
  write_basic_package_version_file("${PROJECT_BINARY_DIR}/pintleConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
  install(FILES "${PROJECT_BINARY_DIR}/pintleConfig.cmake" "${PROJECT_BINARY_DIR}/pintleConfigVersion.cmake"
                "${PROJECT_SOURCE_DIR}/cmake/Dependencies.cmake" "${PROJECT_SOURCE_DIR}/cmake/PintleSimulated.cmake"
                "${PROJECT_SOURCE_DIR}/cmake/simulated_main.cpp" DESTINATION "${package_dir}" COMPONENT development)
  pintle_install_pkg_config()
  install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT license)
endfunction()

# With PINTLE_COVERAGE: the target coverage_report prints a table from the profiles that the tests wrote to coverage/.
function(pintle_coverage_report)
  get_property(targets GLOBAL PROPERTY PINTLE_TEST_TARGETS)
  if(NOT PINTLE_COVERAGE OR NOT targets)
    return()
  endif()
  find_program(PINTLE_LLVM_PROFDATA NAMES llvm-profdata-16 llvm-profdata REQUIRED)
  find_program(PINTLE_LLVM_COV NAMES llvm-cov-16 llvm-cov REQUIRED)
  set(objects "")
  foreach(target IN LISTS targets)
    string(APPEND objects " -object $<TARGET_FILE:${target}>")
  endforeach()
  set(ignore "-ignore-filename-regex='(_test\\.cpp|^/usr/)'")
  file(
    GENERATE
    OUTPUT "${PROJECT_BINARY_DIR}/coverage_report.sh"
    CONTENT "set -e
cd '${PROJECT_BINARY_DIR}'
'${PINTLE_LLVM_PROFDATA}' merge -sparse -o coverage.profdata coverage/*.profraw
'${PINTLE_LLVM_COV}' report -instr-profile=coverage.profdata ${ignore}${objects}
")
  add_custom_target(coverage_report COMMAND sh "${PROJECT_BINARY_DIR}/coverage_report.sh" USES_TERMINAL VERBATIM)
endfunction()
