// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/schema/explain.hpp>

#include <gtest/gtest.h>

#include "object/described_samples.hpp"

namespace pintle {
namespace {

using samples::Widget;

struct Train {
  static constexpr Type type{"demo.pintle.dev/v1", "Train"};
  static constexpr std::string_view description = "What runs on rails.";
  struct Spec {
    std::int32_t cars = 1;
    std::vector<std::string> stops{};
    std::map<std::string, samples::Rule> doors{};
    std::string line{};
    json::Value extra{};
    static constexpr auto fields() {
      return pintle::fields(
          field("cars", &Spec::cars, "How many.").minimum(1).multiple_of(1),
          field("stops", &Spec::stops, "In order.").min_items(2).items([](auto stop) { return stop.max_length(9); }),
          field("doors", &Spec::doors), field("line", &Spec::line).required().one_of({"red", "blue"}).nullable(),
          field("extra", &Spec::extra), pintle::rule("self.cars < 9 || self.line == 'red'", "only red is long"));
    }
  };
  Metadata metadata{};
  Spec spec{};
};

TEST(Explain, PrintsAKind) {
  EXPECT_EQ(*explain<Train>(),
            "demo.pintle.dev/v1 Train\n"
            "\n"
            "What runs on rails.\n"
            "\n"
            "Fields:\n"
            "  apiVersion  <string>\n"
            "  kind  <string>\n"
            "  metadata  <object>\n"
            "  spec  <object>\n"
            "    required\n"
            "    Rule: only red is long\n");
}

TEST(Explain, PrintsAField) {
  EXPECT_EQ(*explain<Train>("spec"),
            "demo.pintle.dev/v1 Train\n"
            "\n"
            "spec  <object>\n"
            "required\n"
            "Rule: only red is long\n"
            "\n"
            "Fields:\n"
            "  cars  <integer (int32)>\n"
            "    How many.\n"
            "    default 1; at least 1; in steps of 1\n"
            "  stops  <[]string>\n"
            "    In order.\n"
            "    at least 2 elements; each at most 9 characters\n"
            "  doors  <map[string]object>\n"
            "  line  <string>\n"
            "    required; one of red, blue; may be null\n"
            "  extra  <anything>\n");
  EXPECT_EQ(*explain<Train>("spec.doors.port"),
            "demo.pintle.dev/v1 Train\n"
            "\n"
            "spec.doors.port  <integer (int32)>\n"
            "1 to 65535\n");
  EXPECT_EQ(*explain<Widget>("spec.image"),
            "demo.pintle.dev/v1 Widget\n"
            "\n"
            "spec.image  <string>\n"
            "default nginx; 1 to 256 characters; matches ^[a-z:.0-9/-]+$\n"
            "What to run.\n");
}

TEST(Explain, ReportsMissingFields) {
  const struct {
    const char* path;
    const char* message;
  } cases[] = {
      {"spek", "\"spek\" is not a field of the kind; its fields are apiVersion, kind, metadata, spec"},
      {"spec.doors.window", "\"window\" is not a field of spec.doors; its fields are host, port"},
      {"spec.cars.colour", "\"colour\" is not a field of spec.cars; it has no fields"},
      {".spec", "\"\" is not a field of the kind; its fields are apiVersion, kind, metadata, spec"},
  };
  for (const auto& one : cases) {
    const auto text = explain<Train>(one.path);
    ASSERT_FALSE(text) << one.path;
    EXPECT_EQ(text.error().message, one.message);
    EXPECT_EQ(text.error().code, ErrorCode::not_found);
  }
}

}  // namespace
}  // namespace pintle
