// SPDX-License-Identifier: Apache-2.0
#include <pintle/testing/random_object.hpp>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pintle/json/pointer.hpp>
#include <pintle/object/int_or_string.hpp>
#include <pintle/object/quantity.hpp>
#include <pintle/object/schema/structural.hpp>
#include <pintle/testing/seeds.hpp>

namespace pintle::testkit {
namespace {

enum class Size { small, large };
constexpr auto enum_names(Size) { return names_of<Size>({{Size::small, "Small"}, {Size::large, "Large"}}); }

struct Part {
  std::string name{};
  std::variant<std::monostate, std::int32_t, Bytes> content{};
  std::variant<Duration, WallTime> until{};
  static constexpr auto fields() {
    return pintle::fields(field("name", &Part::name).required().min_length(2).max_length(4),
                          union_of(&Part::content, {{"count"}, {"data"}}), union_of(&Part::until, {{"after"}, {"at"}}));
  }
};

struct Machine {
  static constexpr Type type{"demo.pintle.dev/v1", "Machine"};
  struct Spec {
    std::int32_t even = 0;
    std::uint8_t byte = 0;
    std::int64_t wide = 0;
    double ratio = 0.5;
    bool on = false;
    Size size = Size::small;
    Quantity cpu{};
    IntOrString share{};
    std::vector<Part> parts{};
    std::map<std::string, std::string> labels{};
    static constexpr auto fields() {
      return pintle::fields(
          field("even", &Spec::even).minimum(-5).maximum(5).multiple_of(2), field("byte", &Spec::byte),
          field("wide", &Spec::wide), field("ratio", &Spec::ratio).minimum(0.25).maximum(0.75), field("on", &Spec::on),
          field("size", &Spec::size), field("cpu", &Spec::cpu), field("share", &Spec::share),
          field("parts", &Spec::parts).min_items(1).max_items(2), field("labels", &Spec::labels).min_items(1));
    }
  };
  Metadata metadata{};
  Spec spec{};
};

TEST(RandomObject, MatchesItsSchema) {
  const json::Document schema(schema_of<Machine>());
  const StructuralSchema structural = *StructuralSchema::parse(schema.root());
  std::set<std::string> drawn;
  const auto tried = seeds({.usual = 300, .sanitized = 100});
  for (const std::uint64_t seed : tried) {
    Random random(seed);
    const auto machine = random_object<Machine>(random);
    ASSERT_TRUE(machine) << machine.error().message << ", seed " << seed;
    const json::Document object(encode(*machine));
    const auto errors = structural.validate(object.root());
    ASSERT_TRUE(errors.empty()) << describe(errors) << ", seed " << seed;
    drawn.insert(object.root().print());
  }
  EXPECT_GT(drawn.size(), tried.size() / 2);  // an optional member is missing in a quarter of the objects
}

TEST(RandomObject, IsTheSameForTheSameSeed) {
  Random a(7);
  Random b(7);
  EXPECT_EQ(encode(*random_object<Machine>(a)), encode(*random_object<Machine>(b)));
}

// One pair of versions keeps everything. In another pair, one version loses a member that the other does not have.
struct OldLamp {
  static constexpr Type type{"demo.pintle.dev/v1beta1", "Lamp"};
  static constexpr bool keeps_lost_fields = false;
  struct Spec {
    std::int32_t watts = 0;
    std::string colour{};
    static constexpr auto fields() {
      return pintle::fields(field("watts", &Spec::watts), field("colour", &Spec::colour));
    }
  };
  Metadata metadata{};
  Spec spec{};

  template <class Stored>
  void to(Stored& stored) const {
    stored.spec.power = spec.watts;
    if constexpr (Stored::keeps_colour) stored.spec.colour = spec.colour;
  }
  template <class Stored>
  void from(const Stored& stored) {
    spec.watts = static_cast<std::int32_t>(stored.spec.power);
    if constexpr (Stored::keeps_colour) spec.colour = stored.spec.colour;
  }
};
template <bool Keeps>
struct Lamp {
  static constexpr Type type{"demo.pintle.dev/v1", "Lamp"};
  static constexpr bool keeps_colour = Keeps;
  static constexpr bool keeps_lost_fields = false;
  struct Spec {
    std::int32_t power = 0;
    std::string colour{};
    static constexpr auto fields() {
      return pintle::fields(field("power", &Spec::power), field("colour", &Spec::colour));
    }
  };
  Metadata metadata{};
  Spec spec{};
};
// One version with the same fields, and one that lacks one of them.
struct SameLamp : Lamp<true> {
  static constexpr Type type{"demo.pintle.dev/v2", "Lamp"};
};
struct DimLamp {
  static constexpr Type type{"demo.pintle.dev/v2", "Lamp"};
  struct Spec {
    std::int32_t power = 0;
    static constexpr auto fields() { return pintle::fields(field("power", &Spec::power)); }
  };
  Metadata metadata{};
  Spec spec{};
};

template <class Versions>
std::string error_of_round_trips() {
  for (const std::uint64_t seed : seeds({})) {
    Random random(seed);
    if (const auto survives = check_round_trips(Versions{}, random); !survives) return survives.error().message;
  }
  return "";
}

TEST(RoundTrips, KeepEverything) {
  EXPECT_EQ((error_of_round_trips<Versions<Lamp<true>, OldLamp>>()), "");
  EXPECT_EQ((error_of_round_trips<Versions<Lamp<true>, SameLamp>>()), "");
}

// Each version has a member that the others cannot represent.
template <std::size_t N>
struct Clock;
using ClockVersions = Versions<Clock<0>, Clock<1>, Clock<2>>;
template <std::size_t N>
struct Clock {
  static constexpr std::array names{"demo.pintle.dev/v1", "demo.pintle.dev/v2", "demo.pintle.dev/v3"};
  static constexpr std::array members{"zone", "face", "hands"};
  static constexpr Type type{names[N], "Clock"};
  struct Spec {
    std::int32_t hour = 0;
    std::string own{};
    static constexpr auto fields() { return pintle::fields(field("hour", &Spec::hour), field(members[N], &Spec::own)); }
  };
  Metadata metadata{};
  Spec spec{};
  void to(Clock<0>& stored) const { stored.spec.hour = spec.hour; }
  void from(const Clock<0>& stored) { spec.hour = stored.spec.hour; }
};

TEST(RoundTrips, KeepMembersThatAnotherVersionLacks) {
  EXPECT_EQ(error_of_round_trips<ClockVersions>(), "");
  Random random(1);
  std::set<std::string> kept;
  for (int i = 0; i < 20; ++i) kept.merge(fields_kept_aside(ClockVersions{}, random).value());
  EXPECT_EQ(kept, (std::set<std::string>{"v1/spec/zone", "v2/spec/face", "v3/spec/hands"}));
}

TEST(RoundTrips, ReportLostMembers) {
  EXPECT_THAT((error_of_round_trips<Versions<Lamp<false>, OldLamp>>()),
              ::testing::StartsWith(
                  "demo.pintle.dev/v1beta1 Lamp changes in the conversion to demo.pintle.dev/v1 and back: {"));
  EXPECT_THAT(
      (error_of_round_trips<Versions<Lamp<true>, DimLamp>>()),
      ::testing::StartsWith("demo.pintle.dev/v1 Lamp changes in the conversion to demo.pintle.dev/v2 and back: {"));
}

// The first version of a band has the names of its members only. How the elements of the lists are identified differs.
enum class Members { by_key, in_order, sorted };
template <Members How>
struct Band;
template <Members How>
struct OldBand {
  static constexpr Type type{"demo.pintle.dev/v1", "Band"};
  struct Spec {
    std::vector<std::string> members{};
    static constexpr auto fields() { return pintle::fields(field("members", &Spec::members)); }
  };
  Metadata metadata{};
  Spec spec{};
  void to(Band<How>& stored) const {
    for (const std::string& one : spec.members) stored.spec.members.push_back({.name = one});
  }
  void from(const Band<How>& stored) {
    for (const auto& one : stored.spec.members) spec.members.push_back(one.name);
    if (How == Members::sorted) std::sort(spec.members.begin(), spec.members.end());
  }
};
template <Members How>
struct Band {
  static constexpr Type type{"demo.pintle.dev/v2", "Band"};
  struct Member {
    std::string name{};
    std::int32_t age = 0;
    static constexpr auto fields() {
      return pintle::fields(field("name", &Member::name).required(), field("age", &Member::age));
    }
  };
  struct Spec {
    std::vector<Member> members{};
    static constexpr auto fields() {
      if constexpr (How == Members::by_key) {
        return pintle::fields(field("members", &Spec::members).list_map("name"));
      } else {
        return pintle::fields(field("members", &Spec::members));
      }
    }
  };
  Metadata metadata{};
  Spec spec{};
};
template <Members How>
using BandVersions = Versions<Band<How>, OldBand<How>>;

TEST(RoundTrips, WithAChangeKeepElementsThatCanBeFoundAgain) {
  EXPECT_EQ(error_of_round_trips<BandVersions<Members::by_key>>(), "");
  EXPECT_EQ(error_of_round_trips<BandVersions<Members::in_order>>(), "");
}

TEST(RoundTrips, WithAChangeReportElementsThatOnlyAnUnchangedListKeeps) {
  EXPECT_THAT(error_of_round_trips<BandVersions<Members::sorted>>(),
              ::testing::AllOf(::testing::StartsWith("demo.pintle.dev/v2 Band loses .spec.members["),
                               ::testing::HasSubstr("/spec/members/"), ::testing::HasSubstr(" there, and the ")));
  for (const std::uint64_t seed : seeds({})) {
    Random random(seed);
    EXPECT_TRUE(check_round_trips(BandVersions<Members::sorted>{}, random, {.edits = false})) << seed;
  }
}

// A conversion without structs: v1 has an address, and v2 has a host and a port.
class JsonRoundTrips : public ::testing::Test {
 protected:
  static json::Value schema(const json::object& spec) {
    return json::object{
        {"openAPIV3Schema",
         {{"type", "object"},
          {"required", json::array{"spec"}},
          {"properties", {{"spec", {{"type", "object"}, {"required", json::array{"size"}}, {"properties", spec}}}}}}}};
  }
  static json::Value version(const char* name, bool is_stored, const json::object& spec) {
    return json::object{{"name", name}, {"served", true}, {"storage", is_stored}, {"schema", schema(spec)}};
  }
  JsonRoundTrips() {
    const json::object text{{"type", "string"}};
    const json::object number{{"type", "integer"}, {"minimum", 1}, {"maximum", 9}};
    conversion_.kind = {"example.com/v2", "Socket"};
    conversion_.crd = json::object{
        {"metadata", {{"name", "sockets.example.com"}}},
        {"spec",
         {{"versions", json::array{version("v2", true, {{"width", number}, {"size", number}, {"colour", text}}),
                                   version("v1", false, {{"breadth", number}, {"size", number}, {"colour", text}})}}}}};
    conversion_.convert = [this](const Object& object, std::string_view to) -> Result<json::Value> {
      json::Value made = object.to_value();
      made.as_object()["apiVersion"] = to;
      const bool is_old = to == "example.com/v1";
      json::object& spec = made.at("spec").as_object();
      if (const json::Value* width = spec.if_contains(is_old ? "width" : "breadth")) {
        const json::Value copy = *width;
        spec[is_old ? "breadth" : "width"] = copy;
        spec.erase(is_old ? "width" : "breadth");
      }
      change_(made, is_old);
      return made;
    };
  }
  std::string error(const RoundTripOptions& options = {}) {
    for (const std::uint64_t seed : seeds({})) {
      Random random(seed);
      if (const auto survives = check_round_trips(conversion_, random, options); !survives) {
        return survives.error().to_string();
      }
    }
    return "";
  }

  AnyConversion conversion_;
  std::function<void(json::Value&, bool is_old)> change_ = [](json::Value&, bool) {};
};

TEST_F(JsonRoundTrips, KeepEverythingInBothDirections) {
  EXPECT_EQ(error(), "");
  EXPECT_EQ(error({.keeps_annotation = false}), "");
  change_ = [](json::Value& made, bool) { made.at("spec").as_object()["added"] = 1; };
  EXPECT_EQ(error(), "") << "an added member is no loss";
}

TEST_F(JsonRoundTrips, ReportAMemberThatIsLostOnTheWayToTheHub) {
  change_ = [](json::Value& made, bool is_old) {
    if (!is_old) made.at("spec").as_object().erase("colour");
  };
  EXPECT_THAT(error(), ::testing::HasSubstr("Socket loses .spec.colour in the conversion to example.com/v"));
}

TEST_F(JsonRoundTrips, ReportAMemberThatOnlyTheHubLoses) {
  // The old version keeps its width on the way to the hub, so only the objects of the hub show the loss.
  change_ = [](json::Value& made, bool is_old) {
    json::object& annotations = made.at("metadata").at("annotations").as_object();
    json::object& spec = made.at("spec").as_object();
    if (!is_old && spec.contains("colour")) annotations["colour"] = spec["colour"];
    if (is_old) spec.erase("colour");
    if (is_old && annotations.contains("colour")) spec["colour"] = annotations["colour"];
  };
  EXPECT_THAT(error({.edits = false}), ::testing::HasSubstr("example.com/v2 Socket loses .spec.colour"));
}

TEST_F(JsonRoundTrips, ReportChangedValuesAndMetadata) {
  change_ = [](json::Value& made, bool) {
    json::Value& size = made.at("spec").as_object()["size"];
    size = size.as_int64() + 1;
  };
  EXPECT_THAT(error(), ::testing::HasSubstr("loses .spec.size"));
  change_ = [](json::Value& made, bool) { made.at("metadata").as_object().erase("labels"); };
  EXPECT_THAT(error(), ::testing::HasSubstr("loses .metadata.labels"));
}

// The old version keeps the colour in an annotation of its own, but not if the size changes.
TEST_F(JsonRoundTrips, ReportAMemberThatAChangeOfAnotherMemberLoses) {
  json::erase(*conversion_.crd, "/spec/versions/1/schema/openAPIV3Schema/properties/spec/properties/colour");
  change_ = [](json::Value& made, bool is_old) {
    json::object& annotations = made.at("metadata").at("annotations").as_object();
    json::object& spec = made.at("spec").as_object();
    if (is_old && spec.contains("colour")) {
      annotations["kept"] = json::object{{"size", spec["size"]}, {"colour", spec["colour"]}};
      spec.erase("colour");
    } else if (const json::Value* kept = annotations.if_contains("kept"); !is_old && kept != nullptr) {
      const json::object of_colour = kept->as_object();
      if (of_colour.at("size") == spec["size"]) spec["colour"] = of_colour.at("colour");
      annotations.erase("kept");
    }
  };
  EXPECT_THAT(error(), ::testing::AllOf(::testing::HasSubstr("example.com/v2 Socket loses .spec.colour"),
                                        ::testing::HasSubstr("setting /spec/size to ")));
  EXPECT_EQ(error({.edits = false}), "");
}

TEST_F(JsonRoundTrips, ReportTheErrorOfAConversion) {
  conversion_.convert = [](const Object&, std::string_view) {
    return Result<json::Value>(fail(ErrorCode::invalid, "no"));
  };
  EXPECT_THAT(error(), ::testing::HasSubstr("to example.com/v2: no"));
  conversion_.crd.reset();
  EXPECT_THAT(error(), ::testing::HasSubstr("set .crd and .convert"));
}

TEST(RoundTrips, OfStructsCheckAlsoWithoutTheirTypes) {
  Random random(1);
  for (int i = 0; i < 50; ++i) {
    const auto survives = check_round_trips(ClockVersions::conversion(), random);
    ASSERT_TRUE(survives) << survives.error().message;
  }
}

// The annotation hides that the functions of the author omit a member.
TEST(RoundTrips, ReportMembersThatOnlyTheAnnotationKeeps) {
  const auto error_without_annotation = [](auto versions) -> std::string {
    for (const std::uint64_t seed : seeds({})) {
      Random random(seed);
      const auto survives = check_round_trips(versions, random, {.keeps_annotation = false});
      if (!survives) return survives.error().message;
    }
    return "";
  };
  EXPECT_THAT(error_without_annotation(ClockVersions{}), ::testing::HasSubstr("Clock changes in the conversion"));
  EXPECT_THAT(error_without_annotation(ClockVersions::conversion()), ::testing::HasSubstr("Clock loses .spec."));
  EXPECT_EQ((error_without_annotation(Versions<Lamp<true>, OldLamp>{})), "");
}

}  // namespace
}  // namespace pintle::testkit
