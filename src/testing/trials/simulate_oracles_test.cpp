// SPDX-License-Identifier: Apache-2.0
#include <pintle/testing/simulate.hpp>

#include <memory>
#include <string>

#include <gmock/gmock.h>

#include <pintle/object/owner.hpp>
#include <pintle/webhook/admission.hpp>

#include "simulate_test_support.hpp"

namespace pintle::testkit {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Key;
using ::testing::Not;

// The objects are deleted in each trial, also if no edit deletes one.
TEST(Simulate, InvariantsHoldAfterTheDeletionOfTheObjects) {
  const auto check = [](bool needs_objects, ErrorCode code) {
    return simulate({.name = "left", .seeds = 1, .faults = {}}, [=](Subject& subject) {
      operator_with(light)(subject);
      subject.random_edits = false;
      subject.invariants = {{.name = "there is a lamp",
                             .check = [code](Client& user) -> Result<void> {
                               const auto lamps = user.list<Bulb>();
                               if (!lamps) return fail(lamps.error());
                               return lamps->empty() ? fail(code, "it is dark") : Result<void>();
                             },
                             .needs_objects = needs_objects}};
    });
  };
  const auto report = check(false, ErrorCode::invalid);
  ASSERT_TRUE(report.failure);
  EXPECT_EQ(report.failure->oracle, Oracle::invariants);
  EXPECT_THAT(report.failure->message, HasSubstr("it is dark (after its objects were deleted)"));
  EXPECT_TRUE(check(true, ErrorCode::invalid));
  EXPECT_TRUE(check(false, ErrorCode::not_found));
}

TEST(Simulate, AnOracleCanBeSwitchedOffWithAReason) {
  const auto counts = [](const Bulb& lamp, Context& ctx) -> Outcome {
    ctx.status().edit<Bulb::Status>([&](Bulb::Status& status) { status.count = lamp.status.count + 1; });
    return done;
  };
  SimulateOptions options{.name = "loop", .seeds = 2, .max_time_to_idle = 1min};
  for (const Oracle oracle :
       {Oracle::becomes_idle, Oracle::same_state, Oracle::returns, Oracle::stays_idle, Oracle::bounded_work}) {
    options.without[oracle] = "it counts for ever";
  }
  const auto report = simulate(options, operator_with(counts));
  EXPECT_TRUE(report);
  EXPECT_THAT(report.text(), HasSubstr("without becomes_idle: it counts for ever"));
}

struct Ready {
  static constexpr Type type{"test.pintle.dev/v1", "Ready"};
  struct Spec {
    std::int64_t watts = 1;
    static constexpr auto fields() { return pintle::fields(field("watts", &Spec::watts).minimum(1).maximum(9)); }
  };
  struct Status {
    std::vector<StatusCondition> conditions{};
    static constexpr auto fields() { return pintle::fields(field("conditions", &Status::conditions)); }
  };
  Metadata metadata{};
  Spec spec{};
  std::optional<Status> status{};
};

// For a value of the spec, reconciles fail, although nothing else does.
TEST(Simulate, ReadyWhileReconcilesFailIsFoundWithoutAnOutage) {
  const auto report = simulate({.name = "liar", .seeds = 100, .faults = {FaultClass::restart}}, [](Subject& subject) {
    subject.add_controllers = [](Manager& manager) {
      manager.add(Controller<Ready>{.reconcile = [](const Ready& one, Context& ctx) -> Outcome {
        ctx.status().set_condition({.type = "Ready", .status = ConditionStatus::true_, .reason = "Fine"});
        if (one.spec.watts == 5) return failed(make_error(ErrorCode::invalid, "too bright"));
        return done;
      }});
    };
  });
  ASSERT_TRUE(report.failure);
  EXPECT_EQ(report.failure->oracle, Oracle::honest_status) << report.text();
  EXPECT_THAT(report.failure->message, HasSubstr("while its reconciles fail: "));
  EXPECT_THAT(report.failure->message, HasSubstr("too bright"));
}

// It has no children, so that only requests for its own objects can fail.
TEST(Simulate, AnOperatorWithoutChildrenHasOutages) {
  const auto report =
      simulate({.name = "status", .seeds = 40}, operator_with([](const Bulb& bulb, Context& ctx) -> Outcome {
                 const json::Value patch{{"status", {{"count", bulb.spec.watts}}}};
                 while (!ctx.client().patch(Bulb::type, bulb.metadata.key(), patch, {.subresource = "status"})) {
                   if (!ctx.executor().sleep_for(1s, ctx.stop_token())) break;
                 }
                 return done;
               }));
  ASSERT_TRUE(report.failure);
  EXPECT_EQ(report.failure->oracle, Oracle::bounded_work) << report.text();
  EXPECT_THAT(report.failure->message, HasSubstr(" requests in less than an hour of an outage"));
}

TEST(Simulate, ReadsThatFailAreAnOutage) {
  if (is_sanitized) GTEST_SKIP() << too_long_for_a_sanitizer;
  const auto report = simulate({.name = "reader", .seeds = 100}, [](Subject& subject) {
    subject.add_controllers = [](Manager& manager) {
      const auto reconcile = [](const Bulb& bulb, Context& ctx) -> Outcome {
        if (!ctx.live().list(Secret::type, {.namespace_ = "default"})) return requeue_after(1s);
        return light(bulb, ctx);
      };
      manager.add(Controller<Bulb>{
          .owns = {ConfigMap::type}, .reconcile = reconcile, .rbac_rules = {{"", "secrets", {"list"}}}});
    };
  });
  ASSERT_TRUE(report.failure);
  EXPECT_EQ(report.failure->oracle, Oracle::bounded_work) << report.text();
}

// It calls rarely while the outside system fails, but checks all the time whether it may call.
TEST(Simulate, ReconcilesDuringAnOutageAreCounted) {
  const auto report = simulate({.name = "breaker", .seeds = 60, .faults = {FaultClass::outside}}, [](Subject& subject) {
    const auto calls = std::make_shared<CallRecorder>(subject.simulation.executor());
    const auto next = std::make_shared<Instant>(Instant::min());
    const auto failures = std::make_shared<int>(0);
    subject.outside = {calls.get()};
    subject.add_controllers = [=](Manager& manager) {
      manager.add(Controller<Bulb>{.reconcile = [=](const Bulb& bulb, Context& ctx) -> Outcome {
        if (ctx.executor().now() < *next) return requeue_after(500ms);
        if (calls->call("light", bulb.metadata.name)) {
          *failures = 0;
          return done;
        }
        if (++*failures > 20) *next = ctx.executor().now() + 10min;
        return requeue_after(5s);
      }});
    };
  });
  ASSERT_TRUE(report.failure);
  EXPECT_EQ(report.failure->oracle, Oracle::bounded_work) << report.text();
  EXPECT_THAT(report.failure->message, HasSubstr(" reconciles in less than an hour of an outage"));
}

TEST(Simulate, OutsideCallsFailAndAreCounted) {
  std::uint64_t seen = 0;
  const auto report = simulate({.name = "outside", .seeds = 30, .max_outside_calls_an_hour = 5}, [&](Subject& subject) {
    const auto calls = std::make_shared<CallRecorder>(subject.simulation.executor());
    subject.outside = {calls.get()};
    subject.add_controllers = [calls](Manager& manager) {
      manager.add(Controller<Bulb>{.reconcile = [calls](const Bulb& lamp, Context&) -> Outcome {
        const auto called = calls->call("light", lamp.metadata.name);
        if (called) return done;
        return requeue_after(1s);  // without a growing pause
      }});
    };
    ++seen;
  });
  ASSERT_TRUE(report.failure);
  EXPECT_EQ(report.failure->oracle, Oracle::bounded_work);
  EXPECT_THAT(report.failure->message, HasSubstr("outside calls"));
}

// Without faults of webhooks, the edits have no error.
TEST(Simulate, EditsThatAFailingWebhookRefusesAreRepeated) {
  const auto set_up = [](Subject& subject) {
    subject.manager.webhooks.listen = "0.0.0.0:9443";
    subject.add_controllers = [](Manager& manager) {
      manager.add(Controller<Bulb>{.owns = {ConfigMap::type}, .reconcile = light});
      manager.add(Admission<Bulb>{.validate = [](const Bulb&, const AdmissionContext&) { return admitted(); }});
    };
    subject.objects = {encode(Bulb{.metadata = {.name = "a", .namespace_ = "default"}})};
    subject.random_edits = false;
    for (std::int64_t watts = 2; watts < 9; ++watts) {
      subject.edits.push_back(
          {.at = watts * 10s, .what = "changes a", .act = [watts](Client& user) -> Result<void> {
             const auto done = user.patch(Bulb::type, {"default", "a"}, {{"spec", {{"watts", watts}}}});
             return done ? Result<void>() : Result<void>(fail(done.error()));
           }});
    }
    subject.invariants = {{.name = "no edit is lost", .check = [](Client& user) -> Result<void> {
                             const auto bulb = user.get<Bulb>({"default", "a"});
                             if (!bulb) return fail(bulb.error());
                             if (bulb->metadata.generation == bulb->spec.watts) return {};
                             return fail(ErrorCode::invalid, "an edit is lost");
                           }}};
  };
  const auto report = simulate({.name = "doorbell", .seeds = 30, .faults = {FaultClass::webhooks}}, set_up);
  EXPECT_TRUE(report);
  EXPECT_THAT(report.faults,
              IsSupersetOf({Key("webhook-delay"), Key("webhook-failure"), Key("webhook-500"),
                            Key("webhook-lost-response"), Key("webhook-refusal"), Key("webhook-wrong-review")}));
  const auto other = simulate({.name = "lamp", .seeds = 5, .faults = {FaultClass::webhooks}}, operator_with(light));
  EXPECT_THAT(other.faults, Not(Contains(Key(HasSubstr("webhook"))))) << "it has no webhooks";
}

// An operator that copies a Secret of the user into the child of each bulb.
void copy_notice(Subject& subject) {
  subject.random_edits = false;
  subject.add_controllers = [](Manager& manager) {
    manager.add(Controller<Bulb>{.owns = {ConfigMap::type},
                                 .watches = {{.kind = GroupVersionKind(Secret::type),
                                              .map = [](const Object& secret) -> std::vector<ObjectKey> {
                                                if (secret.name() != "notice") return {};
                                                return {{"default", "a"}, {"default", "b"}};
                                              }}},
                                 .reconcile = [](const Bulb& bulb, Context& ctx) -> Outcome {
                                   const auto notice = ctx.find(Secret::type, {"default", "notice"});
                                   if (!notice) return failed(notice.error());
                                   const std::string text(*notice ? (**notice)["/data/text"].text() : "");
                                   return ctx.apply(ConfigMap{.metadata = owned_by(bulb), .data = {{"text", text}}});
                                 }});
  };
}

json::Value secret_named(const char* name) {
  return {{"apiVersion", "v1"},
          {"kind", "Secret"},
          {"metadata", {{"name", name}, {"namespace", "default"}}},
          {"data", {{"text", "b3Blbg=="}}}};
}

// The run is not compared with that without edits, although the specs are the same.
TEST(Simulate, EditsOfOtherObjectsMayChangeTheResult) {
  const auto report = simulate({.name = "notice", .seeds = 4, .faults = {FaultClass::restart}}, [](Subject& subject) {
    copy_notice(subject);
    subject.edits = {{.at = 20s, .what = "creates the notice", .act = [](Client& user) -> Result<void> {
                        const auto done = user.create(secret_named("notice"));
                        return done ? Result<void>() : Result<void>(fail(done.error()));
                      }}};
  });
  EXPECT_TRUE(report);
}

// The server writes the status of the ResourceQuota.
TEST(Simulate, UsersAndTheServerMayChangeTheSurroundings) {
  const auto report = simulate({.name = "notices", .seeds = 4, .faults = {FaultClass::restart}}, [](Subject& subject) {
    copy_notice(subject);
    subject.surroundings = {secret_named("notice"),
                            secret_named("old"),
                            {{"apiVersion", "v1"},
                             {"kind", "ResourceQuota"},
                             {"metadata", {{"name", "most"}, {"namespace", "default"}}},
                             {"spec", {{"hard", {{"configmaps", "90"}}}}}}};
    subject.edits = {
        {.at = 20s,
         .what = "changes the notice",
         .act = [](Client& user) -> Result<void> {
           const auto done = user.patch(Secret::type, {"default", "notice"}, {{"data", {{"text", "c2h1dA=="}}}});
           return done ? Result<void>() : Result<void>(fail(done.error()));
         }},
        {.at = 30s, .what = "deletes the old notice", .act = [](Client& user) -> Result<void> {
           const auto done = user.remove(Secret::type, {"default", "old"});
           return done ? Result<void>() : Result<void>(fail(done.error()));
         }}};
  });
  EXPECT_TRUE(report);
}

// The trial has no random objects of this kind, because the operator does not reconcile it.
TEST(Simulate, SurroundingsMayContainADefinitionAndItsObjects) {
  const auto report = simulate({.name = "defined", .seeds = 2, .faults = {FaultClass::restart}}, [](Subject& subject) {
    operator_with(light)(subject);
    subject.surroundings = {crd_of<Fitting>(), encode(Fitting{.metadata = {.name = "a", .namespace_ = "default"}})};
    subject.invariants = {{.name = "there is one fitting", .check = [](Client& user) -> Result<void> {
                             const auto fittings = user.list<Fitting>();
                             if (!fittings) return fail(fittings.error());
                             if (fittings->size() == 1) return {};
                             return fail(ErrorCode::invalid, "there are others");
                           }}};
  });
  EXPECT_TRUE(report);
}

TEST(Simulate, ObjectsThatEditsCreateAreDeletedAtTheEnd) {
  const auto report = simulate({.name = "third", .seeds = 2, .faults = {FaultClass::restart}}, [](Subject& subject) {
    operator_with(light)(subject);
    subject.random_edits = false;
    subject.edits = {{.at = 20s, .what = "creates a third bulb", .act = [](Client& user) -> Result<void> {
                        const auto done = user.create(Bulb{.metadata = {.name = "c", .namespace_ = "default"}});
                        return done ? Result<void>() : Result<void>(fail(done.error()));
                      }}};
  });
  EXPECT_TRUE(report);
}

TEST(Simulate, TwoWorkersNeverHaveOneKey) {
  const BulbReconcile slow_light = [](const Bulb& bulb, Context& ctx) -> Outcome {
    (void)ctx.executor().sleep_for(1s, ctx.stop_token());
    return light(bulb, ctx);
  };
  const auto report = simulate({.name = "workers", .seeds = 10}, [&](Subject& subject) {
    operator_with(slow_light)(subject);
    subject.manager.defaults.workers = 3;
  });
  EXPECT_TRUE(report);
}

}  // namespace
}  // namespace pintle::testkit
