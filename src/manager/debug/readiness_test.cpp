// SPDX-License-Identifier: Apache-2.0
#include "readiness.hpp"

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <pintle/json/value.hpp>

namespace pintle {
namespace {

Object with_conditions(json::array conditions) {
  return Object(json::Value{{"status", {{"conditions", std::move(conditions)}}}});
}

json::object condition(const char* type, const char* status) {
  return {{"type", type}, {"status", status}, {"reason", "R"}, {"message", "M"}};
}

TEST(Readiness, IsThatOfTheConditionReady) {
  const Readiness ready = readiness_of(with_conditions({condition("Other", "False"), condition("Ready", "True")}));
  EXPECT_EQ(ready.state, Readiness::State::ready);
  for (const char* status : {"False", "Unknown"}) {
    const Readiness other = readiness_of(with_conditions({condition("Ready", status)}));
    EXPECT_EQ(other.state, Readiness::State::not_ready) << status;
    EXPECT_EQ(other.reason, "R");
    EXPECT_EQ(other.message, "M");
  }
}

TEST(Readiness, OfBuiltInKinds) {
  EXPECT_EQ(readiness_of(with_conditions({condition("Available", "False")})).state, Readiness::State::not_ready);
  EXPECT_EQ(readiness_of(with_conditions({condition("Complete", "True")})).state, Readiness::State::ready);
  EXPECT_EQ(readiness_of(with_conditions({condition("Failed", "True")})).state, Readiness::State::not_ready);
  EXPECT_EQ(readiness_of(with_conditions({condition("Failed", "False")})).state, Readiness::State::unknown);
  EXPECT_EQ(readiness_of(with_conditions({condition("Established", "True")})).state, Readiness::State::ready);
}

TEST(Readiness, OfAPodThatHasRunToItsEnd) {
  json::Value pod{{"apiVersion", "v1"},
                  {"kind", "Pod"},
                  {"status",
                   {{"phase", "Succeeded"},
                    {"conditions",
                     json::array{json::object{{"type", "Ready"}, {"status", "False"}, {"reason", "PodCompleted"}}}}}}};
  EXPECT_EQ(readiness_of(Object(pod)).state, Readiness::State::ready);
  pod.at("status").as_object()["phase"] = "Failed";
  EXPECT_EQ(readiness_of(Object(pod)).state, Readiness::State::not_ready);
  pod.at("status").as_object()["phase"] = "Succeeded";
  pod.as_object()["kind"] = "Note";
  EXPECT_EQ(readiness_of(Object(pod)).state, Readiness::State::not_ready) << "the phase of another kind has no meaning";
}

TEST(Readiness, IsUnknownWithoutConditionsAndFalseDuringADeletion) {
  EXPECT_EQ(readiness_of(Object()).state, Readiness::State::unknown);
  EXPECT_EQ(readiness_of(with_conditions({})).state, Readiness::State::unknown);
  const Object deleting(json::Value{{"metadata", {{"deletionTimestamp", "2026-01-01T00:00:00Z"}}}});
  EXPECT_EQ(readiness_of(deleting).state, Readiness::State::not_ready);
}

}  // namespace
}  // namespace pintle
