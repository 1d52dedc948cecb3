// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/choice.hpp>

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/object/codec.hpp>
#include <pintle/object/enum_names.hpp>
#include <pintle/object/fields.hpp>
#include <pintle/object/schema/schema.hpp>

namespace pintle {
namespace {

enum class Speed { fast, careful };
constexpr auto enum_names(Speed) { return names_of<Speed>({{Speed::careful, "Careful"}, {Speed::fast, "Fast"}}); }

// As in a generated type: its names are in a source, and its header contains the texts.
struct Generated {
  enum class Policy { unset, always, if_not_present };
  friend consteval std::string_view enum_texts(Policy) { return "Always|IfNotPresent"; }
  Choice<Policy> policy{};
};

struct Machine {
  static constexpr Type type{"demo.pintle.dev/v1", "Machine"};
  struct Spec {
    Choice<Speed> speed = "Careful";
    std::vector<Choice<Speed>> others{};
    static constexpr auto fields() {
      return pintle::fields(field("speed", &Spec::speed).default_value(Speed::careful), field("others", &Spec::others));
    }
  };
  Metadata metadata{};
  Spec spec{};
};

TEST(Choice, IsSetByATextOrAnEnumerator) {
  constexpr Choice<Speed> by_text = "Careful";
  constexpr Choice<Speed> by_value = Speed::careful;

  static_assert(by_text == by_value && by_text == Speed::careful && Speed::fast != by_text && by_text == "Careful");
  static_assert(Choice<Speed>() == Speed::fast);
  static_assert(!std::is_constructible_v<Choice<Speed>, std::string>);
}

TEST(Choice, TheTextsOfAHeaderAreTheValuesFromOne) {
  EXPECT_EQ(Generated{.policy = "Always"}.policy, Generated::Policy::always);
  EXPECT_EQ(Generated{.policy = "IfNotPresent"}.policy, Generated::Policy::if_not_present);
  EXPECT_EQ(Generated{}.policy, Generated::Policy::unset);
}

struct Part {
  Choice<Speed> speed{};
  static constexpr auto fields() { return pintle::fields(field("speed", &Part::speed)); }
};
struct Parts {
  std::vector<Part> parts{};
  static constexpr auto fields() { return pintle::fields(field("parts", &Parts::parts).list_map("speed")); }
};

TEST(Choice, MayBeTheKeyOfAListMap) { static_assert(internal::members_of<Parts>.size() == 1); }

TEST(Choice, IsSelectedByASwitch) {
  const Choice<Speed> speed = "Careful";
  switch (speed) {
    case Speed::fast: FAIL();
    case Speed::careful: SUCCEED();
  }
  EXPECT_EQ(to_string(speed), "Careful");
}

TEST(Choice, HasTheJsonOfItsEnumeration) {
  const Machine machine{.metadata = {.name = "a"}, .spec = {.speed = "Fast", .others = {"Careful", "Fast"}}};

  const json::Value encoded = encode(machine);
  const auto decoded = decode<Machine>(Object(encoded));

  EXPECT_EQ(json::print(encoded.at("spec")), R"({"speed":"Fast","others":["Careful","Fast"]})");
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_EQ(decoded->spec.speed, Speed::fast);
  EXPECT_EQ(decoded->spec.others, machine.spec.others);
}

TEST(Choice, ATextOfAnotherEnumerationIsAnErrorOfDecoding) {
  json::Value encoded = encode(Machine{.metadata = {.name = "a"}});
  encoded.at("spec").as_object()["speed"] = "Always";

  const auto decoded = decode<Machine>(Object(encoded));

  ASSERT_FALSE(decoded);
  EXPECT_NE(decoded.error().message.find("spec.speed"), std::string::npos) << decoded.error().message;
}

}  // namespace
}  // namespace pintle
