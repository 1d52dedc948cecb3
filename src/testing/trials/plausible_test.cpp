// SPDX-License-Identifier: Apache-2.0
#include "plausible.hpp"

#include <cstdint>
#include <utility>
#include <vector>

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

TEST(Plausible, NumbersAreWithinBothLimits) {
  const std::vector<std::pair<const char*, std::vector<std::int64_t>>> rows{
      {R"({"type":"integer","maximum":0})", {0}},
      {R"({"type":"integer","maximum":-3,"minimum":-4})", {-4, -3}},
      {R"({"type":"integer","minimum":4,"maximum":7,"multipleOf":5})", {5}},
      {R"({"type":"integer","minimum":1,"maximum":8,"multipleOf":5})", {5}},
      {R"({"type":"integer","minimum":-7,"maximum":-5,"multipleOf":5})", {-5}},
  };
  for (const auto& [schema, allowed] : rows) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      EXPECT_THAT(allowed, ::testing::Contains(value_of(schema, seed).to_number<std::int64_t>())) << schema;
    }
  }
}

// A word of letters would not match, so that the server would refuse the object.
TEST(Plausible, OptionalMembersWithAPatternAreLeftOut) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const json::Value object = value_of(
        R"({"type":"object","properties":{"port":{"type":"string","pattern":"^[0-9]+$"},"name":{"type":"string"}}})",
        seed);
    EXPECT_FALSE(object.as_object().contains("port"));
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
