// SPDX-License-Identifier: Apache-2.0
// simulate() as a program.
#pragma once

#include <functional>

#include <pintle/base/annotations.hpp>
#include <pintle/testing/simulate.hpp>

namespace pintle::testkit {

/// Reads options of simulate() from the command line (--help lists them), runs the trials with a progress line on a
/// terminal, and prints the report to standard output. Returns the exit code: 0, 1 if a trial failed, 2 for an option
/// that cannot be used or a report that cannot be written, 130 after SIGINT, SIGTERM or SIGHUP, which end the trials.
/// It is the only simulation of the program: PINTLE_SIMULATE with the name of another one is an error. `options` are
/// the defaults. Objects of --objects and --surroundings are added to those of `setup`.
///
///   int main(int argc, char** argv) { return pintle::testkit::simulate_main(argc, argv, {.name = "shelf"}, set_up); }
[[nodiscard]] PINTLE_EXPORT int simulate_main(int argc, char** argv, SimulateOptions options,
                                              const SubjectSetup& setup);

/// If the first argument is --simulate, calls simulate_main() with the other arguments; Subject::program is `program`,
/// with the arguments after "--". Otherwise calls `program` with all arguments.
///
/// A program that links the CMake target pintle::simulated calls this function instead of its main(), so that `pintle
/// simulate PROGRAM` can test it.
[[nodiscard]] PINTLE_EXPORT int simulate_or_run(int argc, char** argv, const std::function<int(int, char**)>& program);

}  // namespace pintle::testkit
