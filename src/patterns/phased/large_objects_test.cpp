// SPDX-License-Identifier: Apache-2.0
// A ListPhase with objects of the maximum size that a server accepts.
#include <pintle/patterns/phased.hpp>

#include <map>

#include <gmock/gmock.h>

#include <pintle/api/everyday.hpp>

#include "../operator_test_support.hpp"

namespace pintle::phased {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;

class One final : public ListPhase<Bucket> {
 public:
  std::string name() const override { return "One"; }
  Outcome read(const Bucket& bucket, Context& context, ObjectLists& lists) override {
    Metadata metadata = owned_by(bucket, "1");
    metadata.annotations = annotations;
    lists.expect(ConfigMap{.metadata = metadata, .data = data});
    return lists.find(context, ConfigMap::type, {.namespace_ = bucket.metadata.namespace_});
  }

  std::map<std::string, std::string> data{};
  std::map<std::string, std::string> annotations{};
};

class LargeObjectsTest : public BucketOperatorTest {
 protected:
  void run_over_one() {
    const StdK8sReconciler<K8sReconciler<Bucket>> reconciler{
        .reconciler = std::make_shared<K8sReconciler<Bucket>>(), .phases = {one}, .reports_ready = true};
    auto controller = reconciler.controller();
    controller.owns = {ConfigMap::type};
    run(std::move(controller));
    create("a");
    simulation.executor().sleep_for(1min);
  }
  [[nodiscard]] Object made() {
    return simulation.user().get(GroupVersionKind(ConfigMap::type), {"default", "a-1"}).value_or(Object());
  }

  std::shared_ptr<One> one = std::make_shared<One>();
};

TEST_F(LargeObjectsTest, ContentAboveTheAnnotationLimitIsCreatedUpdatedAndRemoved) {
  one->data = {{"large", std::string(std::size_t{300} << 10U, 'x')}, {"once", "1"}};
  run_over_one();
  ASSERT_TRUE(made()) << stored("a")["/status/lastErrorMessage"].text();
  EXPECT_TRUE(is_condition_true(stored("a"), "Ready"));

  one->data = {{"large", std::string(std::size_t{300} << 10U, 'y')}};
  touch("a");
  simulation.executor().sleep_for(1min);
  EXPECT_EQ(made()["/data/large"].text().substr(0, 3), "yyy");
  EXPECT_FALSE(made()["/data/once"].exists()) << "a field that is no longer desired is removed";

  const std::uint64_t writes = simulation.server().writes();
  touch("a");
  simulation.executor().sleep_for(1h);
  EXPECT_EQ(simulation.server().writes(), writes + 1) << "only the write of the user";
  EXPECT_TRUE(is_condition_true(stored("a"), "Ready"));
}

TEST_F(LargeObjectsTest, AnObjectOfAlmostAMebibyteIsCreated) {
  for (int i = 0; i < 2000; ++i) one->data.emplace("key-" + std::to_string(i), std::string(480, 'x'));
  run_over_one();
  EXPECT_EQ(made()["/data"].size(), 2000U);
  EXPECT_TRUE(is_condition_true(stored("a"), "Ready"));
}

// The annotation therefore does not contain a second copy of a Secret.
TEST_F(LargeObjectsTest, TheAnnotationContainsNoValues) {
  one->data = {{"password", "hunter2"}};
  run_over_one();
  EXPECT_THAT(std::string(made().annotation(last_applied_annotation)), HasSubstr("password"));
  EXPECT_THAT(std::string(made().annotation(last_applied_annotation)), Not(HasSubstr("hunter2")));
}

TEST_F(LargeObjectsTest, ATooLargeObjectIsReportedByNameAndBacksOff) {
  one->data = {{"large", std::string(std::size_t{1100} << 10U, 'x')}};
  int refused = 0;
  const StdK8sReconciler<K8sReconciler<Bucket>> reconciler{
      .reconciler = std::make_shared<K8sReconciler<Bucket>>(), .phases = {one}, .reports_ready = true};
  auto controller = reconciler.controller();
  controller.owns = {ConfigMap::type};
  run(std::move(controller));
  set_faults({{.effect = http::ErrorResponse{.status = 413, .reason = "RequestEntityTooLarge"},
               .only = [&](const http::Request& request) {
                 return request.method == "POST" && request.body.size() > (std::size_t{1} << 20U) && ++refused > 0;
               }}});
  create("a");
  simulation.executor().sleep_for(1h);
  EXPECT_GE(refused, 1);
  EXPECT_LE(refused, 30);
  EXPECT_THAT(std::string(stored("a")["/status/lastErrorMessage"].text()), HasSubstr("a-1"));
  EXPECT_FALSE(is_condition_true(stored("a"), "Ready"));
}

TEST_F(LargeObjectsTest, TooManyMembersForTheAnnotationAreAnError) {
  for (int i = 0; i < 8000; ++i) one->data.emplace("a-key-with-a-long-name-" + std::to_string(i), "");
  one->annotations = {{"example.com/note", std::string(std::size_t{100} << 10U, 'x')}};
  run_over_one();
  EXPECT_FALSE(made());
  EXPECT_THAT(std::string(stored("a")["/status/lastErrorMessage"].text()),
              HasSubstr("ConfigMap default/a-1 has annotations of"));
  EXPECT_LE(reconciles("error"), 2) << "it is only retried after a change, such as that of its status";
}

}  // namespace
}  // namespace pintle::phased
