// SPDX-License-Identifier: Apache-2.0
// simulate-incidents: shows how a simulation finds an error, and that it is corrected.
//   simulate-incidents careless --seeds 100    fails, with the command that repeats the failure
//   simulate-incidents careful --seeds 100     has no failure
#include <cstdio>
#include <string_view>

#include <pintle/testing/simulate_main.hpp>

#include "trials.hpp"

int main(int argc, char** argv) {
  const std::string_view which = argc > 1 ? argv[1] : "";
  if (which != "careless" && which != "careful") {
    std::fputs("simulate-incidents: the first argument must be careless or careful\n", stderr);
    return 2;
  }
  const AddIncidents add = which == "careless" ? add_careless : add_careful;
  return pintle::testkit::simulate_main(argc - 1, argv + 1, {.name = std::string(which)}, trials_of(add));
}
