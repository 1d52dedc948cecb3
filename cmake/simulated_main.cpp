// SPDX-License-Identifier: Apache-2.0
// A part of each program that links pintle::simulated. The option --wrap=main of the linker gives these names to the
// main() of the program and to the function that takes its place.
#include <pintle/testing/simulate_main.hpp>

extern "C" int __real_main(int argc, char** argv);  // NOLINT(bugprone-reserved-identifier)

extern "C" int __wrap_main(int argc, char** argv) {  // NOLINT(bugprone-reserved-identifier)
  return pintle::testkit::simulate_or_run(argc, argv, __real_main);
}
