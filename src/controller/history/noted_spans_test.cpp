// SPDX-License-Identifier: Apache-2.0
#include "noted_spans.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <pintle/sim/simulated_executor.hpp>

namespace pintle {
namespace {

using namespace std::chrono_literals;

// Stores the names and errors of its spans.
class NotingTracer final : public Tracer {
 public:
  std::unique_ptr<Span> start(StartSpanOptions start) override {
    lines.push_back(start.name);
    return std::make_unique<Named>(lines);
  }

  std::vector<std::string> lines;

 private:
  class Named final : public Span {
   public:
    explicit Named(std::vector<std::string>& lines) : lines_(lines) { context_.span_id[0] = context_.trace_id[0] = 7; }
    [[nodiscard]] const SpanContext& context() const noexcept override { return context_; }
    void set_attribute(SpanAttribute attribute) override { lines_.push_back("attribute " + attribute.name); }
    void add_event(std::string_view name, std::vector<SpanAttribute>) override {
      lines_.push_back("event " + std::string(name));
    }
    void set_error(std::string_view what) override { lines_.push_back("error " + std::string(what)); }

   private:
    std::vector<std::string>& lines_;
    SpanContext context_{};
  };
};

class NotedSpansTest : public ::testing::Test {
 protected:
  ReconcileRecord record() {
    ReconcileRecord made;
    collected_->move_to(made);
    return made;
  }

  SimulatedExecutor executor_{{.seed = 1}};
  NotedSpans spans_{executor_, nullptr};
  const std::shared_ptr<NotedSpans::Collected> collected_ = std::make_shared<NotedSpans::Collected>(executor_);
};

TEST_F(NotedSpansTest, CollectsTheSpansOfAReconcileInTheOrderOfTheirBegin) {
  {
    const auto collecting = spans_.collect(collected_);
    executor_.sleep_for(1ms);
    const auto outer = spans_.start({.name = "outer"});
    executor_.sleep_for(2ms);
    auto inner = spans_.start({.name = "GET /a"});
    inner->set_error("no luck");
    executor_.sleep_for(3ms);
    inner.reset();
    executor_.sleep_for(4ms);
  }
  (void)spans_.start({.name = "of nobody"});
  const ReconcileRecord made = record();
  ASSERT_EQ(made.spans.size(), 2U);
  EXPECT_EQ(made.spans[0].name, "outer");
  EXPECT_EQ(made.spans[0].after, 1ms);
  EXPECT_EQ(made.spans[0].took, 9ms);
  EXPECT_EQ(made.spans[1].name, "GET /a");
  EXPECT_EQ(made.spans[1].after, 3ms);
  EXPECT_EQ(made.spans[1].took, 3ms);
  EXPECT_EQ(made.spans[1].error, "no luck");
}

TEST_F(NotedSpansTest, KeepsTheFirstSpans) {
  const auto collecting = spans_.collect(collected_);
  for (std::size_t i = 0; i < ReconcileRecord::max_spans + 5; ++i) (void)spans_.start({.name = std::to_string(i)});
  const ReconcileRecord made = record();
  EXPECT_EQ(made.spans.size(), ReconcileRecord::max_spans);
  EXPECT_EQ(made.spans_dropped, 5U);
}

TEST_F(NotedSpansTest, PassesAllOnToAnotherTracer) {
  const auto names = std::make_shared<NotingTracer>();
  NotedSpans spans(executor_, names);
  (void)spans.start({.name = "of nobody"});
  {
    const auto collecting = spans.collect(collected_);
    const auto span = spans.start({.name = "one"});
    EXPECT_TRUE(span->context().is_valid()) << "the ids are those of the other tracer";
    span->set_attribute({"a", 1});
    span->add_event("b", {});
    span->set_error("c");
  }
  EXPECT_THAT(names->lines, ::testing::ElementsAre("of nobody", "one", "attribute a", "event b", "error c"));
  EXPECT_FALSE(spans_.start({})->context().is_valid()) << "without another tracer, no request has a traceparent";
}

TEST_F(NotedSpansTest, ASpanMayOutliveItsReconcile) {
  std::unique_ptr<Span> late;
  {
    const auto collecting = spans_.collect(collected_);
    late = spans_.start({.name = "late"});
  }
  EXPECT_TRUE(record().spans.empty());
  late.reset();
}

}  // namespace
}  // namespace pintle
