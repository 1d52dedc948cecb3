// SPDX-License-Identifier: Apache-2.0
#include "own_versions.hpp"

#include <gtest/gtest.h>

#include <pintle/json/value.hpp>
#include <pintle/sim/simulated_executor.hpp>

namespace pintle {
namespace {

Object at(const std::string& version, const std::string& uid = "u") {
  return Object(json::Value(json::object{{"metadata", json::object{{"uid", uid}, {"resourceVersion", version}}}}));
}

// Only a chain of own writes without a gap leads from one state to another (trap 74).
TEST(OwnVersions, LeadBetweenStatesOnlyWithoutAGap) {
  SimulatedExecutor executor;
  OwnVersions own(executor);
  own.add("4", at("5"));
  own.add("5", at("8"));
  EXPECT_TRUE(own.lead(at("4"), at("5")));
  EXPECT_TRUE(own.lead(at("4"), at("8")));
  EXPECT_TRUE(own.lead(at("5"), at("8")));
  EXPECT_FALSE(own.lead(at("3"), at("8"))) << "a foreign write led from 3 to 4";
  EXPECT_FALSE(own.lead(at("8"), at("9")));
  EXPECT_FALSE(own.lead(at("4"), at("5", "another")));
  EXPECT_FALSE(own.lead(at("5"), at("5"))) << "there was no write";
}

TEST(OwnVersions, LeadFromAMissingObjectToACreatedOne) {
  SimulatedExecutor executor;
  OwnVersions own(executor);
  own.add("", at("5"));
  EXPECT_TRUE(own.lead(Object(), at("5")));
  EXPECT_FALSE(own.lead(at("4"), at("5")));
}

TEST(OwnVersions, ClearRemovesAll) {
  SimulatedExecutor executor;
  OwnVersions own(executor);
  own.add("4", at("5"));
  own.clear();
  EXPECT_FALSE(own.lead(at("4"), at("5")));
  own.add("4", at("5"));
  EXPECT_TRUE(own.lead(at("4"), at("5")));
}

TEST(OwnVersions, DropTheOldestBeyondTheLimit) {
  SimulatedExecutor executor;
  OwnVersions own(executor);
  for (int i = 1; i <= 1025; ++i) own.add(std::to_string(i), at(std::to_string(i + 1)));
  EXPECT_FALSE(own.lead(at("1"), at("2")));
  EXPECT_TRUE(own.lead(at("2"), at("3")));
  EXPECT_TRUE(own.lead(at("1025"), at("1026")));
}

}  // namespace
}  // namespace pintle
