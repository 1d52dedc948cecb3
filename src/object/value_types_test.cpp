// SPDX-License-Identifier: Apache-2.0
// The types that members may have beyond those of codec_test.cpp: the value types of Kubernetes, Box and custom types.
#include <gtest/gtest.h>

#include <pintle/object/box.hpp>
#include <pintle/object/codec.hpp>
#include <pintle/object/int_or_string.hpp>
#include <pintle/object/micro_time.hpp>
#include <pintle/object/quantity.hpp>
#include <pintle/object/schema/schema.hpp>
#include <pintle/object/schema/structural.hpp>

namespace pintle {
namespace {

using namespace std::chrono_literals;

// A custom type: a colour as "#rrggbb".
struct Colour {
  std::uint32_t rgb = 0;

  static Result<Colour> from_json(json::View value) {
    const std::string_view text = value.text();
    if (text.size() != 7 || text[0] != '#') return fail(ErrorCode::invalid, "expected a colour such as #00ff00");
    return Colour{static_cast<std::uint32_t>(std::stoul(std::string(text.substr(1)), nullptr, 16))};
  }
  [[nodiscard]] json::Value to_json() const {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text = "#";
    for (int shift = 20; shift >= 0; shift -= 4) text += digits[rgb >> shift & 15];
    return json::Value(text);
  }
  static json::object json_schema() { return {{"type", "string"}, {"pattern", "^#[0-9a-f]{6}$"}}; }
};

struct Filter {
  std::string name{};
  std::optional<Box<Filter>> otherwise{};
  std::vector<Box<Filter>> also{};
  static constexpr auto fields() {
    return pintle::fields(field("name", &Filter::name), field("otherwise", &Filter::otherwise),
                          field("also", &Filter::also));
  }
  friend bool operator==(const Filter&, const Filter&) = default;
};

struct TimeOfDay {
  static constexpr Type type{"demo.pintle.dev/v1", "TimeOfDay"};
  struct Spec {
    Quantity cpu = "100m";
    std::map<std::string, Quantity> limits{};
    IntOrString port = "http";
    std::optional<MicroTime> renewed{};
    Duration timeout = 30s;
    std::optional<Duration> grace{};
    Filter filter{};
    Colour colour{};
    static constexpr auto fields() {
      return pintle::fields(field("cpu", &Spec::cpu), field("limits", &Spec::limits), field("port", &Spec::port),
                            field("renewed", &Spec::renewed), field("timeout", &Spec::timeout),
                            field("grace", &Spec::grace), field("filter", &Spec::filter),
                            field("colour", &Spec::colour));
    }
  };
  Metadata metadata{};
  Spec spec{};
};

Result<TimeOfDay> clock_of(std::string_view spec) {
  return decode<TimeOfDay>(*Object::parse(R"({"spec":)" + std::string(spec) + "}"));
}

std::string written(const TimeOfDay& clock) { return json::print(encode(clock).at("spec")); }

TEST(ValueTypes, AreReadAndWritten) {
  const auto clock = clock_of(
      R"({"cpu":0.25,"limits":{"memory":"1024Mi","pods":3},"port":8080,"renewed":"2026-01-02T03:04:05.678901Z",)"
      R"("timeout":"1.5h","grace":"0","colour":"#00ff7f",)"
      R"("filter":{"name":"a","otherwise":{"name":"b","otherwise":{"name":"c"}},"also":[{"name":"d"}]}})");
  ASSERT_TRUE(clock) << clock.error().message;
  EXPECT_EQ(clock->spec.timeout, 90min);
  EXPECT_EQ(clock->spec.filter.otherwise->operator*().otherwise.value()->name, "c");
  EXPECT_EQ(
      written(*clock),
      R"({"cpu":"250m","limits":{"memory":"1Gi","pods":"3"},"port":8080,"renewed":"2026-01-02T03:04:05.678901Z",)"
      R"("timeout":"1h30m0s","grace":"0s","filter":{"name":"a","otherwise":{"name":"b","otherwise":{"name":"c"}},)"
      R"("also":[{"name":"d"}]},"colour":"#00ff7f"})");
  EXPECT_EQ(written(TimeOfDay{}),
            R"({"cpu":"100m","port":"http","timeout":"30s","filter":{"name":""},"colour":"#000000"})");
}

TEST(ValueTypes, NameThePathOfAnError) {
  const struct {
    const char* spec;
    const char* message;
  } cases[] = {
      {R"({"cpu":"much"})", "spec.cpu: \"much\" is not a quantity such as 2, 100m, 1.5Gi or 2e3"},
      {R"({"limits":{"cpu":true}})", "spec.limits.cpu: expected a quantity as a string or a number, got a boolean"},
      {R"({"port":8080.5})", "spec.port: expected an integer or a string, got a number with a fraction"},
      {R"({"port":3000000000})", "spec.port: 3000000000 is not a 32-bit integer"},
      {R"({"renewed":5})", "spec.renewed: expected a string, got an integer"},
      {R"({"renewed":"now"})",
       "spec.renewed: \"now\" is not an RFC 3339 time of the years 1700 to 2250, such as 2026-01-02T03:04:05Z"},
      {R"({"timeout":30})", "spec.timeout: expected a string, got an integer"},
      {R"({"timeout":"soon"})", "spec.timeout: \"soon\" is not a duration such as 1h30m, 1.5s or 300ms"},
      {R"({"filter":{"otherwise":{"name":1}}})", "spec.filter.otherwise.name: expected a string, got an integer"},
      {R"({"colour":"red"})", "spec.colour: expected a colour such as #00ff00"},
  };
  for (const auto& one : cases) {
    const auto clock = clock_of(one.spec);
    ASSERT_FALSE(clock) << one.spec;
    EXPECT_EQ(clock.error().message, one.message);
  }
}

TEST(ValueTypes, HaveAStructuralSchemaThatAcceptsEncodedValues) {
  const json::Document schema(schema_of<TimeOfDay>());
  const json::View spec = schema.root()["/properties/spec/properties"];
  EXPECT_EQ(spec["/cpu/default"], "100m");
  EXPECT_EQ(spec["/cpu/x-kubernetes-int-or-string"], true);
  EXPECT_EQ(spec["/port"].print(), R"({"x-kubernetes-int-or-string":true,"default":"http"})");
  EXPECT_EQ(spec["/renewed"].print(), R"({"type":"string","format":"date-time"})");
  EXPECT_EQ(spec["/timeout/default"], "30s");
  EXPECT_EQ(spec["/filter/properties/otherwise"].print(),
            R"({"x-kubernetes-preserve-unknown-fields":true,"type":"object"})");
  EXPECT_EQ(spec["/colour/pattern"], "^#[0-9a-f]{6}$");

  const auto structural = StructuralSchema::parse(schema.root());
  ASSERT_TRUE(structural) << structural.error().message;
  for (const Duration duration : std::initializer_list<Duration>{0s, 1ns, 1500us, -90min, 1h + 1ns}) {
    TimeOfDay clock;
    clock.spec.timeout = duration;
    clock.spec.cpu = *Quantity::parse("1e24");
    clock.spec.filter.otherwise = Filter{.name = "b", .otherwise = Filter{.name = "c"}};
    const auto errors = structural->validate(json::Document(encode(clock)).root());
    EXPECT_TRUE(errors.empty()) << describe(errors);
  }
}

TEST(Durations, AreParsedAndPrintedLikeInGo) {
  const struct {
    const char* text;
    Duration duration;
    const char* printed;
  } cases[] = {
      {"0", 0s, "0s"},
      {"1ns", 1ns, "1ns"},
      {"1100ns", 1100ns, "1.1\u00b5s"},
      {"1.1us", 1100ns, "1.1\u00b5s"},
      {"2\u00b5s", 2us, "2\u00b5s"},
      {"2\u03bcs", 2us, "2\u00b5s"},
      {"2.2ms", 2200us, "2.2ms"},
      {"3300ms", 3300ms, "3.3s"},
      {"-1.5s", -1500ms, "-1.5s"},
      {"+5s", 5s, "5s"},
      {".5s", 500ms, "500ms"},
      {"1.s", 1s, "1s"},
      {"4m5s", 245s, "4m5s"},
      {"4m5.001s", 245s + 1ms, "4m5.001s"},
      {"1h", 1h, "1h0m0s"},
      {"1h30m", 90min, "1h30m0s"},
      {"5h6m7.001s", 5h + 6min + 7001ms, "5h6m7.001s"},
      {"0.1s0.1s", 200ms, "200ms"},
      {"0.3333333333333333333h", 20min - 1ns, "19m59.999999999s"},
      {"2562047h47m16.854775807s", Duration::max(), "2562047h47m16.854775807s"},
  };
  for (const auto& one : cases) {
    const auto clock = clock_of(R"({"grace":")" + std::string(one.text) + R"("})");
    ASSERT_TRUE(clock) << clock.error().message;
    EXPECT_EQ(clock->spec.grace, one.duration) << one.text;
    EXPECT_EQ(encode(*clock).at("spec").at("grace").as_string(), one.printed);
  }
  for (const char* text :
       {"", "3", "-", "s", ".", "-.", ".s", "+.s", "1d", "1 s", "3000000h", "9223372036854775.808ms"}) {
    EXPECT_FALSE(clock_of(R"({"grace":")" + std::string(text) + R"("})")) << text;
  }
}

TEST(IntOrString, IsANumberOrAText) {
  EXPECT_TRUE(IntOrString(80).is_integer());
  EXPECT_EQ(IntOrString(80).integer(), 80);
  EXPECT_EQ(IntOrString(80).text(), "");
  EXPECT_EQ(IntOrString("http").text(), "http");
  EXPECT_EQ(IntOrString("http").integer(), 0);
  EXPECT_EQ(IntOrString("http").to_string(), "http");
  EXPECT_EQ(IntOrString(80).to_string(), "80");
  EXPECT_EQ(IntOrString(), IntOrString(0));
  EXPECT_NE(IntOrString(80), IntOrString("80"));
}

TEST(IntOrString, ScalesAPercentage) {
  using Round = IntOrString::Round;
  const struct {
    IntOrString value;
    std::int32_t total;
    std::int32_t up;
    std::int32_t down;
  } cases[] = {
      {123, 10, 123, 123},  {"90%", 100, 90, 90}, {"90%", 95, 86, 85}, {"25%", 10, 3, 2},
      {"0%", 7, 0, 0},      {"101%", 10, 11, 10}, {"1%", 1, 1, 0},     {"100%", 2147483647, 2147483647, 2147483647},
      {"-25%", 10, -2, -3}, {"50%", 0, 0, 0}};
  for (const auto& one : cases) {
    EXPECT_EQ(one.value.scaled_value(one.total, Round::up), one.up) << one.value.to_string();
    EXPECT_EQ(one.value.scaled_value(one.total, Round::down), one.down) << one.value.to_string();
  }
  for (const char* text : {"90", "%", "a%", "90%%", "9 %", "", "5.5%"}) {
    const auto scaled = IntOrString(text).scaled_value(10, Round::up);
    ASSERT_FALSE(scaled) << text;
    EXPECT_EQ(scaled.error().message, "\"" + std::string(text) + "\" is neither a number nor a percentage such as 25%");
  }
  EXPECT_EQ(IntOrString("200%").scaled_value(2147483647, Round::up).error().message,
            "200% of 2147483647 is out of range");
}

TEST(IntOrString, IsAPort) {
  EXPECT_EQ(IntOrString(8080).port(), 8080);
  EXPECT_EQ(IntOrString(65535).port(), 65535);
  EXPECT_EQ(IntOrString(0).port().error().message, "0 is not a valid port: use 1 to 65535");
  EXPECT_EQ(IntOrString(65536).port().error().message, "65536 is not a valid port: use 1 to 65535");
  EXPECT_EQ(IntOrString("http").port().error().message,
            "\"http\" is a port name without a number; look up the number in the ports of the containers");
}

TEST(Box, CopiesAndComparesItsValue) {
  Box<std::string> a = std::string("a");
  Box<std::string> b = a;
  EXPECT_EQ(a, b);
  *b += "b";
  EXPECT_EQ(*a, "a");
  EXPECT_NE(a, b);
  a = b;
  EXPECT_EQ(*a, "ab");
  EXPECT_NE(&*a, &*b);
  const Box<std::string>& same = a;
  a = same;
  EXPECT_EQ(a->size(), 2U);
}

TEST(Box, IsNeverEmpty) {
  Box<std::string> a;
  const Box<std::string> fresh;
  EXPECT_EQ(*fresh, "");
  EXPECT_EQ(sizeof(fresh), 2 * sizeof(void*));
  EXPECT_EQ(a, fresh);
  *a = "a";
  const Box<std::string> b = std::move(a);
  EXPECT_EQ(*b, "a");
  EXPECT_EQ(*std::as_const(a), "");  // NOLINT(bugprone-use-after-move)
  a->push_back('c');
  EXPECT_EQ(*a, "c");
}

TEST(Box, AllowsRecursiveStructs) {
  Filter outer{.name = "a", .otherwise = Filter{.name = "b"}};
  Filter copy = outer;
  (*copy.otherwise)->name = "c";
  EXPECT_EQ((*outer.otherwise)->name, "b");
  EXPECT_NE(outer, copy);
  (*copy.otherwise)->name = "b";
  EXPECT_EQ(outer, copy);
}

TEST(MicroTime, IsATimeOfDay) {
  const WallTime time = *parse_time("2026-01-02T03:04:05.000006Z");
  EXPECT_EQ(MicroTime(time).to_json(), json::Value("2026-01-02T03:04:05.000006Z"));
  EXPECT_EQ(WallTime(MicroTime(time)), time);
  EXPECT_LT(MicroTime(), MicroTime(time));
}

}  // namespace
}  // namespace pintle
