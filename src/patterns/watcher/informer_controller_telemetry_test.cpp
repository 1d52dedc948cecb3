// SPDX-License-Identifier: Apache-2.0
// The metrics and spans of an InformerController.
#include <pintle/patterns/watcher/informer_controller.hpp>

#include <stdexcept>

#include <gmock/gmock.h>

#include "test_support.hpp"

namespace pintle::watcher {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The metrics have the names of the original (T4-29).
TEST_F(InformerControllerTest, MetricsHaveTheNamesOfTheOriginal) {
  remake({.metrics_namespace = "app", .retry_policy = linear_retry_policy(1s, 0)});
  controller->add_watcher(watcher("", {failing(), done}), "Note");
  controller->add_reconciler(reconciler("", {failing()}), "Note");
  run();
  create(note("x"));
  advance_time(1min);
  const Labels created{{"event_type", "CREATE"}, {"kind", "Note"}};
  EXPECT_EQ(metric("app_informer_events_total", created), 1);
  EXPECT_EQ(metric("app_watcher_errors_total", created), 1);
  EXPECT_EQ(metric("app_reconciler_errors_total", created), 2);
  EXPECT_EQ(metric("app_retry_processor_enqueued_total", {{"action", "CREATE"}}), 2);
  EXPECT_EQ(metric("app_retry_processor_executions_total", {{"action", "CREATE"}, {"result", "success"}}), 1);
  EXPECT_EQ(metric("app_retry_processor_executions_total", {{"action", "CREATE"}, {"result", "failed"}}), 1);
  EXPECT_EQ(gauge("app_retry_processor_pending_total", {}), 0);
  const std::string text = instance->manager().metrics().text();
  EXPECT_THAT(text,
              HasSubstr("app_informer_reconcile_duration_seconds_count{event_type=\"CREATE\",kind=\"Note\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("app_watcher_process_duration_seconds_count{event_type=\"CREATE\",kind=\"Note\"} 2\n"));
  EXPECT_THAT(text,
              HasSubstr("app_reconciler_process_duration_seconds_count{event_type=\"CREATE\",kind=\"Note\"} 2\n"));
  for (const char* bound :
       {"0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1", "2.5", "5", "10", "25", "50", "100", "+Inf"}) {
    EXPECT_THAT(text,
                HasSubstr("app_watcher_process_duration_seconds_bucket{event_type=\"CREATE\",kind=\"Note\",le=\"" +
                          std::string(bound) + "\"}"));
  }
}

// In the original, calls for a deletion were also counted as ongoing updates (T4-29).
TEST_F(InformerControllerTest, OngoingCallsAreCountedByEventAlsoAfterAnException) {
  const auto ongoing = [&](const char* event, const char* what) {
    return gauge(std::string("ongoing_reconcile_") + what, {{"event_type", event}, {"kind", "Note"}});
  };
  std::vector<double> with_operation;
  controller->add_watcher(
      std::make_shared<SimpleWatcher>(WatcherFunctions{.deleted = [&](const Object&, Context&) -> Outcome {
        for (const char* event : {"DELETE", "UPDATE", "CREATE"}) {
          with_operation.push_back(ongoing(event, "processes"));
          with_operation.push_back(ongoing(event, "events"));
        }
        throw std::runtime_error("oops");
      }}),
      "Note");
  run();
  create(note("x"));
  advance_time(1s);
  remove("x");
  advance_time(1s);
  EXPECT_THAT(with_operation, ElementsAre(1, 1, 0, 0, 0, 0));
  for (const char* event : {"DELETE", "UPDATE", "CREATE", "RESYNC"}) {
    EXPECT_EQ(ongoing(event, "processes"), 0) << event;
    EXPECT_EQ(ongoing(event, "events"), 0) << event;
  }
}

// Records the names of the events of its spans.
class RecordedEvents final : public Tracer {
 public:
  std::unique_ptr<Span> start(StartSpanOptions) override { return std::make_unique<KeepingSpan>(events); }

  std::vector<std::string> events;

 private:
  class KeepingSpan final : public Span {
   public:
    explicit KeepingSpan(std::vector<std::string>& events) : events_(events) {}
    [[nodiscard]] const SpanContext& context() const noexcept override { return context_; }
    void set_attribute(SpanAttribute) override {}
    void add_event(std::string_view name, std::vector<SpanAttribute> attributes) override {
      events_.push_back(std::string(name) + ": " + *attributes.front().value.as_string());
    }
    void set_error(std::string_view what) override { events_.push_back("error: " + std::string(what)); }

   private:
    std::vector<std::string>& events_;
    const SpanContext context_{};
  };
};

TEST_F(InformerControllerTest, AFailureIsAnEventOfTheSpanOfItsReconcile) {
  const auto tracer = std::make_shared<RecordedEvents>();
  controller->add_watcher(
      std::make_shared<SimpleWatcher>(WatcherFunctions{.added = [&](const Object&, Context& context) -> Outcome {
        context.span().add_event("mine", {{"what", "called"}});
        return failed(outage());
      }}),
      "Note");
  run({.tracer = tracer});
  create(note("x"));
  advance_time(1s);
  ASSERT_GE(tracer->events.size(), 3U);
  EXPECT_EQ(tracer->events[0], "mine: called");
  EXPECT_EQ(tracer->events[1], "handler failed: watcher 1 of Note");
  EXPECT_THAT(tracer->events[2], HasSubstr("error: watcher 1 of Note, created: not now"));
}

}  // namespace
}  // namespace pintle::watcher
