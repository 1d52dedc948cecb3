// SPDX-License-Identifier: Apache-2.0
// The trials as a test with Catch2.
#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_test_macros.hpp>
#else  // version 2
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif

#include "trials.hpp"

TEST_CASE("incidents survive every fault") {
  const auto report = pintle::testkit::simulate({.name = "careful", .seeds = 50}, trials_of(add_careful));
  INFO(report.text());
  REQUIRE(report);
}
