// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/crud/metrics.hpp>

#include <stdexcept>

#include "test_support.hpp"

namespace pintle::crud {
namespace {

using namespace std::chrono_literals;

class CrudMetricsTest : public CrudTest {
 protected:
  [[nodiscard]] static std::string labels(const std::string& operation, const std::string& resource = "r") {
    return "{operation=\"" + operation + "\",resource=\"" + resource + "\",service=\"fooBar\"}";
  }
  [[nodiscard]] double value(const std::string& line) const {
    const std::string page = registry.text();
    const auto at = page.find("\n" + line + " ");
    return at == std::string::npos ? -1 : std::stod(page.substr(at + line.size() + 2));
  }
  [[nodiscard]] double count(const std::string& operation, const std::string& resource = "r") const {
    return value("operatorkit_framework_operation_total" + labels(operation, resource));
  }
  [[nodiscard]] double errors(const std::string& operation) const {
    return value("operatorkit_framework_operation_error_total" + labels(operation));
  }

  MetricsRegistry registry;
};

// Each operation is counted under its name (T2-30).
TEST_F(CrudMetricsTest, EachOperationIsCountedByItsName) {
  const Resource resource = with_metrics(recording("r"), {.name = "foo-bar", .registry = registry});
  const Resource simple = with_metrics(plain("p"), {.name = "foo-bar", .registry = registry});
  run_in_reconcile([&](const Object& object, Context& ctx) {
    EXPECT_TRUE(resource.ensure_created(object, ctx));
    EXPECT_TRUE(resource.ensure_created(object, ctx));
    EXPECT_TRUE(resource.ensure_deleted(object, ctx));
    EXPECT_TRUE(simple.ensure_created(object, ctx));
  });
  EXPECT_EQ(count("GetCurrentState"), 3);
  EXPECT_EQ(count("GetDesiredState"), 3);
  EXPECT_EQ(count("NewUpdatePatch"), 2);
  EXPECT_EQ(count("NewDeletePatch"), 1);
  EXPECT_EQ(count("ApplyCreatePatch"), 3);
  EXPECT_EQ(count("ApplyDeletePatch"), 3);
  EXPECT_EQ(count("ApplyUpdatePatch"), 3);
  EXPECT_EQ(count("EnsureCreated"), -1) << "this resource has no such operation";
  EXPECT_EQ(count("EnsureCreated", "p"), 1);
  EXPECT_EQ(count("EnsureDeleted", "p"), 0);
  EXPECT_EQ(errors("GetCurrentState"), 0);
}

// A failed call is counted and timed (T2-30).
TEST_F(CrudMetricsTest, AFailureIsCountedAndTimed) {
  on["r.desired"] = [](Context& ctx) -> Result<void> {
    ctx.executor().sleep_for(3s);
    return fail(ErrorCode::unavailable, "no");
  };
  const Resource resource = with_metrics(recording("r"), {.name = "foo-bar", .registry = registry});
  run_in_reconcile([&](const Object& object, Context& ctx) { EXPECT_FALSE(resource.ensure_created(object, ctx)); });
  EXPECT_EQ(count("GetDesiredState"), 1);
  EXPECT_EQ(errors("GetDesiredState"), 1);
  EXPECT_EQ(value("operatorkit_framework_operation_sum" + labels("GetDesiredState")), 3);
  EXPECT_EQ(value("operatorkit_framework_operation_count" + labels("GetDesiredState")), 1);
  EXPECT_EQ(count("NewUpdatePatch"), 0);
}

TEST_F(CrudMetricsTest, NamesHaveThePrefixOfTheOriginal) {
  (void)with_metrics(plain("r"), {.name = "foo", .registry = registry});
  const std::string prefix = std::string(prometheus_namespace) + "_" + std::string(prometheus_subsystem) + "_";
  EXPECT_EQ(prefix, "operatorkit_framework_");
  EXPECT_NE(registry.text().find("\n" + prefix + "operation_total{"), std::string::npos);
}

TEST_F(CrudMetricsTest, AnExceptionIsAFailure) {
  on["r.current"] = [](Context&) -> Result<void> { throw std::runtime_error("torn"); };
  const Resource resource = with_metrics(recording("r"), {.name = "foo-bar", .registry = registry});
  run_in_reconcile([&](const Object& object, Context& ctx) {
    EXPECT_THROW((void)resource.ensure_created(object, ctx), std::runtime_error);
  });
  EXPECT_EQ(errors("GetCurrentState"), 1);
}

// The conversion of names to camel case (T2-30).
TEST(CamelCase, SplitsAtCharactersOtherThanLettersAndDigits) {
  const std::vector<std::pair<const char*, const char*>> table{{"foo", "foo"},
                                                               {"foo-bar", "fooBar"},
                                                               {"foo+bar", "fooBar"},
                                                               {"foo_bar", "fooBar"},
                                                               {"foo bar", "fooBar"},
                                                               {"Foo-bar", "FooBar"},
                                                               {"a--b-1c", "aB1c"},
                                                               {"-lead", "lead"},
                                                               {"trail-", "trail"},
                                                               {"fooBar-baz", "fooBarBaz"},
                                                               {"", ""},
                                                               {"+-", ""}};
  for (const auto& [name, expected] : table) EXPECT_EQ(camel_case(name), expected) << name;
}

// An empty name is an error (T2-30).
TEST_F(CrudMetricsTest, AnEmptyNameIsAnError) {
  const Resource resource = with_metrics(plain("r"), {.name = "", .registry = registry});
  ASSERT_EQ(resource.validate().size(), 1U);
  EXPECT_TRUE(is_invalid_config(resource.validate()[0])) << resource.validate()[0].to_string();
}

// The original changed the resource that it wrapped, so a resource in two lists was counted twice (T2-34).
TEST_F(CrudMetricsTest, AResourceInTwoListsIsCountedOnceForEach) {
  const std::vector<Resource> shared{recording("r")};
  const MetricsOptions config{.name = "foo-bar", .registry = registry};
  const std::vector<Resource> first = with_metrics(shared, config);
  const std::vector<Resource> second = with_metrics(shared, config);
  run_in_reconcile([&](const Object& object, Context& ctx) {
    EXPECT_TRUE(process_update(object, ctx, first));
    EXPECT_EQ(count("GetCurrentState"), 1);
    EXPECT_TRUE(process_update(object, ctx, second));
    EXPECT_EQ(count("GetCurrentState"), 2);
    EXPECT_TRUE(process_update(object, ctx, shared));
    EXPECT_EQ(count("GetCurrentState"), 2);
  });
}

TEST_F(CrudMetricsTest, MetricsAroundRetriesCountAnOperationOnce) {
  on["r.current"] = failing(2);
  const Resource resource =
      with_metrics(recording("r").around(with_retries()), {.name = "foo-bar", .registry = registry});
  run_in_reconcile([&](const Object& object, Context& ctx) { EXPECT_TRUE(resource.ensure_created(object, ctx)); });
  EXPECT_EQ(calls_of("r").size(), 8U);
  EXPECT_EQ(count("GetCurrentState"), 1);
}

}  // namespace
}  // namespace pintle::crud
