// SPDX-License-Identifier: Apache-2.0
// A test program may use both namespaces without qualification: that of pintle and that of GoogleTest.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pintle/pintle.hpp>
#include <pintle/testing/access_granter.hpp>
#include <pintle/testing/call_recorder.hpp>
#include <pintle/testing/in_reconcile.hpp>
#include <pintle/testing/mock_reconciler.hpp>
#include <pintle/testing/random_object.hpp>
#include <pintle/testing/rbac_recorder.hpp>
#include <pintle/testing/recording_log_sink.hpp>
#include <pintle/testing/seeds.hpp>
#include <pintle/testing/simulation.hpp>
#include <pintle/testing/test_case.hpp>

using namespace pintle;  // NOLINT(google-build-using-namespace): the subject of this test

namespace {

class GoogleTestNames : public testing::Test {};
class GoogleTestNamesOfSeed : public testing::TestWithParam<std::uint64_t> {};

TEST_F(GoogleTestNames, AreUsedBesideThoseOfPintle) {
  testkit::Simulation simulation({.seed = 3});
  ConfigMap config{.metadata = {.name = "settings", .namespace_ = "default"}};

  auto created = simulation.user().create(config);

  ASSERT_TRUE(created) << created.error().to_string();
  EXPECT_THAT(created->metadata.name, testing::StrEq("settings"));
}

TEST_P(GoogleTestNamesOfSeed, AreUsedBesideThoseOfPintle) {
  const auto seed = GetParam();

  testkit::Simulation simulation({.seed = seed});

  EXPECT_THAT(simulation.random().next(), testing::Eq(testkit::Simulation({.seed = seed}).random().next()));
}

INSTANTIATE_TEST_SUITE_P(All, GoogleTestNamesOfSeed, testing::Values(1, 2));

}  // namespace
