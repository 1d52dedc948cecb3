// SPDX-License-Identifier: Apache-2.0
#include "call_record.hpp"

#include <map>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include <pintle/sim/simulated_executor.hpp>
#include <pintle/testing/recording_log_sink.hpp>

#include "test_support.hpp"

namespace pintle {
namespace {

using ::testing::HasSubstr;
using namespace std::chrono_literals;  // NOLINT(google-build-using-namespace)

class CallRecordTest : public ::testing::Test {
 protected:
  CallRecord record() {
    return {executor_,
            metrics_,
            request_,
            {.path = "/validate/greeting", .log = Log(log_, executor_), .tracer = tracer_, .slow_after = 1s}};
  }

  SimulatedExecutor executor_;
  MetricsRegistry registry_;
  const WebhookMetrics metrics_{&registry_, "/validate/greeting", {"CREATE"}};
  const std::shared_ptr<SpanRecorder> tracer_ = std::make_shared<SpanRecorder>();
  const std::shared_ptr<testkit::RecordingLogSink> log_ = std::make_shared<testkit::RecordingLogSink>();
  http::Request request_{.method = "POST", .target = "/validate/greeting"};
};

TEST_F(CallRecordTest, TheSpanIsAChildOfTheSpanOfTheServer) {
  request_.headers.set("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
  CallRecord call = record();
  ASSERT_EQ(tracer_->spans.size(), 1U);
  const RecordedSpan& span = *tracer_->spans.front();
  EXPECT_EQ(span.name, "webhook /validate/greeting");
  EXPECT_EQ(span.kind, SpanKind::server);
  EXPECT_EQ(span.parent.span_id_text(), "b7ad6b7169203331");
  EXPECT_FALSE(span.has_ended);

  call.describe("CREATE of greetings a", "u-7", "CREATE");
  call.finished(AdmissionOutcome::denied, "");

  EXPECT_TRUE(span.has_ended);
  EXPECT_EQ(span.attributes.at("pintle.webhook.request"), "CREATE of greetings a");
  EXPECT_EQ(span.attributes.at("pintle.webhook.uid"), "u-7");
  EXPECT_EQ(span.attributes.at("pintle.outcome"), "denied");
  EXPECT_EQ(span.error, "") << "a denial is no failure of the webhook";
}

TEST_F(CallRecordTest, AMalformedTraceParentBeginsANewTrace) {
  request_.headers.set("traceparent", "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01");
  record().finished(AdmissionOutcome::admitted, "");
  EXPECT_FALSE(tracer_->spans.front()->parent.is_valid());
}

TEST_F(CallRecordTest, ASpanShowsFailuresAndRefusals) {
  record().finished(AdmissionOutcome::failed, "no luck");
  record().finished(AdmissionOutcome::cancelled, "the peer closed the connection");
  record().refused(413, "too large");
  ASSERT_EQ(tracer_->spans.size(), 3U);
  EXPECT_EQ(tracer_->spans[0]->error, "no luck");
  EXPECT_EQ(tracer_->spans[1]->error, "");
  EXPECT_EQ(tracer_->spans[2]->error, "too large");
  EXPECT_EQ(tracer_->spans[2]->attributes.at("http.response.status_code"), "413");
  for (const auto& one : tracer_->spans) EXPECT_TRUE(one->has_ended);
  EXPECT_EQ(log_->count("a request to a webhook was refused"), 1U);
}

TEST_F(CallRecordTest, NamesASlowCallInTheLog) {
  for (const Duration duration : {999ms, 1500ms}) {
    CallRecord call = record();
    call.describe("CREATE of greetings a", "u-7", "CREATE");
    executor_.sleep_for(duration);
    call.finished(AdmissionOutcome::admitted, "");
  }
  ASSERT_EQ(log_->lines().size(), 1U);
  for (const char* part : {"a webhook is slow", "webhook=/validate/greeting", "request=CREATE of greetings a",
                           "uid=u-7", "duration=1.5s", "outcome=admitted"}) {
    EXPECT_THAT(log_->lines()[0], HasSubstr(part));
  }
}

// The failure has its own line.
TEST_F(CallRecordTest, ATimeOutIsNotAlsoASlowCall) {
  CallRecord call = record();
  executor_.sleep_for(10s);
  call.finished(AdmissionOutcome::timed_out, "no result");
  EXPECT_EQ(log_->lines().size(), 0U);
  EXPECT_EQ(tracer_->spans.front()->error, "no result");
}

TEST_F(CallRecordTest, CountsLikeControllerRuntime) {
  EXPECT_THAT(registry_.text(),
              HasSubstr(R"(controller_runtime_webhook_requests_total{code="500",webhook="/validate/greeting"} 0)"));
  CallRecord call = record();
  EXPECT_THAT(registry_.text(),
              HasSubstr(R"(controller_runtime_webhook_requests_in_flight{webhook="/validate/greeting"} 1)"));
  executor_.sleep_for(2s);
  call.describe("CREATE of greetings a", "u-7", "CREATE");
  call.threw();
  call.finished(AdmissionOutcome::failed, "no luck");
  record().refused(413, "too large");
  for (const char* line :
       {R"(controller_runtime_webhook_requests_in_flight{webhook="/validate/greeting"} 0)",
        R"(controller_runtime_webhook_requests_total{code="200",webhook="/validate/greeting"} 1)",
        R"(controller_runtime_webhook_requests_total{code="413",webhook="/validate/greeting"} 1)",
        R"(controller_runtime_webhook_latency_seconds_count{webhook="/validate/greeting"} 2)",
        R"(controller_runtime_webhook_latency_seconds_sum{webhook="/validate/greeting"} 2)",
        "controller_runtime_webhook_panics_total 1\n",
        R"(pintle_webhook_outcomes_total{operation="CREATE",outcome="failed",webhook="/validate/greeting"} 1)"}) {
    EXPECT_THAT(registry_.text(), HasSubstr(line));
  }
}

}  // namespace
}  // namespace pintle
