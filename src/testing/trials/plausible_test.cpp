// SPDX-License-Identifier: Apache-2.0
#include "plausible.hpp"

#include <gmock/gmock.h>

#include <pintle/testing/simulation.hpp>

namespace pintle::testkit {
namespace {

using ::testing::ElementsAre;

json::Value value_of(const char* schema, std::uint64_t seed = 1) {
  Random random(seed);
  return plausible_value(json::Document(json::parse(schema).value()).root(), random);
}

TEST(Plausible, NumbersAreSmallAndInTheirRange) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto plain = value_of(R"({"type":"integer"})", seed).to_number<std::int64_t>();
    EXPECT_TRUE(plain >= 1 && plain <= 5) << plain;
    const auto bounded = value_of(R"({"type":"integer","minimum":7,"maximum":8})", seed).to_number<std::int64_t>();
    EXPECT_TRUE(bounded == 7 || bounded == 8) << bounded;
  }
}

TEST(Plausible, TextsAreWordsOfTheAllowedLength) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const json::Value text = value_of(R"({"type":"string","minLength":3,"maxLength":4})", seed);
    EXPECT_TRUE(text.as_string().size() == 3 || text.as_string().size() == 4) << text;
    for (const char c : text.as_string()) EXPECT_TRUE(c >= 'a' && c <= 'z');
  }
}

TEST(Plausible, ObjectsHaveTheirRequiredMembers) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_TRUE(
        value_of(R"({"type":"object","required":["a"],"properties":{"a":{"type":"boolean"},"b":{"type":"boolean"}}})",
                 seed)
            .as_object()
            .contains("a"));
  }
}

TEST(Plausible, FieldsWithAMeaningAreNotChanged) {
  const json::Value schema = json::parse(R"({"properties":{"spec":{"type":"object","properties":{
      "size":{"type":"integer"},
      "schedule":{"type":"string","pattern":"^.+$"},
      "anything":{"type":"object","x-kubernetes-preserve-unknown-fields":true},
      "nested":{"type":"object","properties":{"on/off":{"type":"boolean"}}}}}}})")
                                 .value();
  std::vector<std::string> pointers;
  for (const Field& field : changeable_fields(json::Document(schema).root())) pointers.push_back(field.pointer);
  EXPECT_THAT(pointers, ElementsAre("/spec/size", "/spec/nested/on~1off"));
}

}  // namespace
}  // namespace pintle::testkit
