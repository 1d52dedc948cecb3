// SPDX-License-Identifier: Apache-2.0
// A service provider under faults: crashes at each call, writes that fail in every way, watches that are cut, and
// requests that other clients delete.
#include <utility>

#include <pintle/base/random.hpp>
#include <pintle/testing/seeds.hpp>

#include "access_test_support.hpp"

namespace pintle::service {
namespace {

class ServiceUnderFaults : public AccessTest {
 protected:
  void SetUp() override {
    AccessTest::SetUp();
    on_missing_permission = [](const std::string&) {};
  }
  [[nodiscard]] bool is_all_given_back() {
    return !bucket() && requests("accessrequests").empty() && requests("clusterrequests").size() == 1;
  }
  void crash_at(std::uint64_t call) {
    instance->transport().set_faults(
        {{.effect = http::Crash{.after_commit = call % 2 == 0}, .first = (call + 1) / 2, .times = 1}});
  }
  // Starts another process, which completes the interrupted work.
  void begin_anew() {
    (void)simulation.wait_until([&] { return instance->transport().is_crashed(); }, 30s);
    instance->crash();
    run(with_access(with_workload()));
  }
  // Repeats twenty times: creates an object, disturbs its requests, and deletes it.
  void run_story(std::uint64_t seed) {
    Random random(seed);
    for (int round = 0; round < 20; ++round) {
      SCOPED_TRACE(round);
      instance->transport().set_faults(faults());
      create_bucket();
      advance_time(std::chrono::seconds(random.below(60)));
      switch (random.below(4)) {
        case 0: (void)platform.user().remove(AccessRequest::type, {mcp_home, workload_request}); break;
        case 1: (void)platform.user().remove(ClusterRequest::type, {mcp_home, workload_request}); break;
        case 2: granter->rotate({mcp_home, workload_request}); break;
        default: break;
      }
      advance_time(std::chrono::seconds(random.below(60)));
      if (random.below(2) == 0) {
        instance->transport().set_faults({});
        ASSERT_TRUE(simulation.wait_until([&] { return shown() == is_served; }, 1h)) << shown();
      }
      remove_bucket();
      advance_time(std::chrono::seconds(random.below(60)));
      instance->transport().set_faults({});
      ASSERT_TRUE(simulation.wait_until([&] { return is_all_given_back(); }, 1h)) << shown();
    }
  }
  [[nodiscard]] static http::FaultPlan faults() {
    const auto write = [](const http::Request& request) { return http::is_write(request); };
    return {
        {.effect = http::conflict_response(), .only = write, .probability = 0.1},
        {.effect = http::ErrorResponse{.status = 500, .reason = "InternalError"}, .only = write, .probability = 0.1},
        {.effect = http::Drop{}, .only = write, .probability = 0.05},
        {.effect = http::Drop{.after_commit = true}, .only = write, .probability = 0.1},
        {.effect = http::Delay{.duration = 40s, .after_commit = true}, .only = write, .probability = 0.05},
        {.effect = http::ErrorResponse{.status = 500, .reason = "InternalError"},
         .only = http::is_list_or_get,
         .probability = 0.1},
        {.effect = http::TruncateBody{.after = 20s}, .only = http::is_watch}};
  }
};

TEST_F(ServiceUnderFaults, TheWorkIsCompletedAfterACrashAtAnyCall) {
  run(with_access(with_workload()));
  create_config();
  for (std::uint64_t call = 1; call <= 40; call += testkit::is_sanitized ? 7 : 1) {
    SCOPED_TRACE(call);
    crash_at(call);
    create_bucket();
    begin_anew();
    ASSERT_TRUE(simulation.wait_until([&] { return shown() == is_served; }, 20min)) << shown();
    crash_at(call);
    remove_bucket();
    begin_anew();
    ASSERT_TRUE(simulation.wait_until([&] { return is_all_given_back(); }, 20min)) << shown();
  }
}

TEST_F(ServiceUnderFaults, AllRequestsAreGivenBackUnderRandomFaults) {
  run(with_access(with_workload()));
  create_config();
  for (const std::uint64_t seed : testkit::seeds({.usual = 2, .sanitized = 1, .long_run = 20})) {
    SCOPED_TRACE(seed);
    run_story(seed);
    if (HasFailure()) return;
  }
}

// A new object of the same name gets its own access, whatever is left of the former one.
TEST_F(ServiceUnderFaults, AnObjectRecreatedDuringTheCleanupIsServed) {
  serve_bucket(with_workload());
  const std::string before(bucket().uid());
  bool is_first = true;
  on_remove = [&](const Bucket&, ObjectClusters&, Context&) -> Outcome {
    if (!std::exchange(is_first, false)) return done;
    change_bucket("a", {{"metadata", {{"finalizers", nullptr}}}});
    create_bucket();
    return done;
  };
  remove_bucket();
  ASSERT_TRUE(simulation.run_until_idle(5s));
  advance_time(1min);
  ASSERT_TRUE(bucket());
  EXPECT_NE(std::string(bucket().uid()), before);
  EXPECT_FALSE(bucket().is_deleting());
  EXPECT_EQ(shown(), is_served);
  EXPECT_FALSE(is_condition_true(bucket(), cleaned_up_condition(Bucket::finalizer)))
      << "the condition of the former object";
  remove_bucket();
  EXPECT_TRUE(simulation.wait_until([&] { return is_all_given_back(); }, 10min));
  EXPECT_EQ(removes, 2);
  instance.reset();
}

}  // namespace
}  // namespace pintle::service
