// SPDX-License-Identifier: Apache-2.0
#include "webhook_handler.hpp"

#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pintle/base/mutex.hpp>
#include <pintle/base/stop.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/json/value.hpp>
#include <pintle/sim/simulated_executor.hpp>
#include <pintle/testing/recording_log_sink.hpp>

#include "test_support.hpp"

namespace pintle {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using namespace std::chrono_literals;  // NOLINT(google-build-using-namespace)

std::string review_body(std::string_view object = greeting_text, const std::string& uid = "u-1") {
  return greeting_review(uid, object);
}

http::Request post(std::string target, std::string body) {
  return {.method = "POST",
          .target = std::move(target),
          .headers = {{"Content-Type", "application/json"}},
          .body = std::move(body)};
}

class WebhookHandlerTest : public ::testing::Test {
 protected:
  using Check = std::function<AdmissionVerdict(const Greeting&, const AdmissionContext&)>;

  WebhookHandler& make(Admission<Greeting> admission, CallPoolOptions calls = {},
                       std::size_t max_admissions_size = 1'000'000) {
    handler_.emplace(executor_, webhooks_of({erase_type(std::move(admission))}),
                     WebhookHandlerOptions{.max_body_size = 10'000,
                                           .max_admissions_size = max_admissions_size,
                                           .calls = calls,
                                           .log = Log(log_, executor_),
                                           .metrics = &metrics_,
                                           .tracer = tracer_});
    return *handler_;
  }

  // Reads a response as the HTTP server does.
  std::string read(http::Response& response) {
    if (response.stream == nullptr) return response.body;
    Mutex mutex(executor_);
    CondVar changed(executor_);
    bool is_ready = false;
    response.stream->on_ready([&] {
      const MutexLock lock(mutex);
      is_ready = true;
      changed.notify_all();
    });
    std::string body;
    while (response.stream->read(body) == http::BodyStream::State::waiting) {
      const MutexLock lock(mutex);
      while (!is_ready && executor_.now() < response.stream->next_deadline()) {
        changed.wait_until(mutex, response.stream->next_deadline());
      }
    }
    response.stream.reset();
    return body;
  }

  json::Value review(http::Response response) { return json::parse(read(response)).value(); }

  static std::string at(const json::Value& value, const char* pointer) {
    const json::Value* found = json::find(value, pointer);
    return found == nullptr ? "missing" : json::print(*found);
  }

  SimulatedExecutor executor_;
  MetricsRegistry metrics_;
  const std::shared_ptr<SpanRecorder> tracer_ = std::make_shared<SpanRecorder>();
  const std::shared_ptr<testkit::RecordingLogSink> log_ = std::make_shared<testkit::RecordingLogSink>();
  std::optional<WebhookHandler> handler_;
};

TEST_F(WebhookHandlerTest, AnswersWithTheUidOfTheRequest) {
  auto& handler = make({.validate = [](const Greeting& object, const AdmissionContext& context) {
    return denied(object.spec.name + " of " + context.namespace_());
  }});

  auto response = handler.handle(post("/validate/greeting?timeout=10s", review_body(greeting_text, "u-42")));

  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.headers.get("Content-Type"), "application/json");
  const json::Value answer = review(std::move(response));
  EXPECT_EQ(at(answer, "/response/uid"), "\"u-42\"");
  EXPECT_EQ(at(answer, "/response/allowed"), "false");
  EXPECT_EQ(at(answer, "/response/status/message"), "\"you of shop\"");
}

TEST_F(WebhookHandlerTest, RefusesWhatIsNoReview) {
  auto& handler = make({.validate = [](const Greeting&, const AdmissionContext&) { return admitted(); }});
  http::Request get = post("/validate/greeting", "");
  get.method = "GET";
  http::Request yaml = post("/validate/greeting", "a: b");
  yaml.headers.set("Content-Type", "application/yaml");
  const std::tuple<http::Request, int, std::string> cases[] = {
      {get, 405, "must be POST"},
      {yaml, 415, "application/json"},
      {post("/validate/greeting", ""), 400, "body is empty"},
      {post("/validate/greeting", "{"), 400, "not JSON"},
      {post("/validate/greeting", std::string(10'001, ' ')), 413, "the limit is 10000"},
      {post("/validate/greeting", R"({"kind":"Pod"})"), 400, "expected AdmissionReview"},
      {post("/mutate/greeting", review_body()), 404, "no webhook has the path /mutate/greeting"},
      {post("/", review_body()), 404, "no webhook"},
  };
  for (const auto& [request, status, message] : cases) {
    http::Response response = handler.handle(request);
    EXPECT_EQ(response.status, status) << message;
    EXPECT_THAT(response.body, HasSubstr(message));
  }
}

TEST_F(WebhookHandlerTest, ReportsCallsOfWebhooksThatDoNotExist) {
  auto& handler = make({.validate = [](const Greeting&, const AdmissionContext&) { return admitted(); }});
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(handler.handle(post("/mutate/greeting?timeout=10s", review_body())).status, 404);
  }
  EXPECT_EQ(log_->count("path=/mutate/greeting"), 1U);
  EXPECT_THAT(metrics_.text(), HasSubstr(R"(webhook_requests_total{code="404",webhook="other"} 3)"));
  for (int i = 0; i < 100; ++i) {
    (void)handler.handle(post("/" + std::to_string(i) + std::string(10'000, 'x'), review_body()));
  }
  EXPECT_EQ(log_->count("path="), 16U) << "any client can send any path";
  for (const std::string& line : log_->lines()) EXPECT_LE(line.size(), 500U);
}

// The check of an admission runs before its functions, and its refusal is not a review.
TEST_F(WebhookHandlerTest, RefusesRequestsThatTheCheckRejects) {
  AnyAdmission any;
  any.timeout = 1s;
  any.check = [](const AdmissionRequest& request) -> Result<void> {
    Error error = make_error(ErrorCode::invalid, request.uid + " is not for this operator");
    if (request.uid == "u-2") error.http_status = 500;
    return request.uid == "u-3" ? Result<void>() : fail(std::move(error));
  };
  any.validate = [](const Object& object, const AdmissionContext&) -> Result<AdmissionVerdict> {
    return denied(std::string(object.name()));
  };
  handler_.emplace(executor_, webhooks_of({any}), WebhookHandlerOptions{.metrics = &metrics_});

  const http::Response first = handler_->handle(post("/validate", review_body(greeting_text, "u-1")));
  EXPECT_EQ(first.status, 400);
  EXPECT_EQ(first.body, "u-1 is not for this operator\n");
  EXPECT_EQ(handler_->handle(post("/validate", review_body(greeting_text, "u-2"))).status, 500);
  const json::Value answer = review(handler_->handle(post("/validate", review_body(greeting_text, "u-3"))));
  EXPECT_EQ(at(answer, "/response/status/message"), "\"a\"");
  EXPECT_THAT(metrics_.text(), HasSubstr(R"(webhook_requests_total{code="500",webhook="/validate"} 1)"));
}

TEST_F(WebhookHandlerTest, AcceptsParametersOfTheMediaType) {
  auto& handler = make({.validate = [](const Greeting&, const AdmissionContext&) { return admitted(); }});
  http::Request request = post("/validate/greeting", review_body());
  request.headers.set("Content-Type", "Application/JSON ; charset=utf-8");
  EXPECT_EQ(at(review(handler.handle(request)), "/response/allowed"), "true");
}

TEST_F(WebhookHandlerTest, AnswersBeforeTheDeadlineEvenIfTheFunctionDoesNot) {
  std::atomic<bool> was_stopped = false;
  auto& handler = make({.validate = [&](const Greeting&, const AdmissionContext& context) {
    was_stopped = !executor_.sleep_for(1h, context.stop_token());
    return admitted();
  }});
  const Instant begin = executor_.now();

  const json::Value answer = review(handler.handle(post("/validate/greeting?timeout=3s", review_body())));

  EXPECT_LT(executor_.now() - begin, 3s);
  EXPECT_GT(executor_.now() - begin, 2s);
  EXPECT_EQ(at(answer, "/response/allowed"), "false");
  EXPECT_EQ(at(answer, "/response/status/code"), "504");
  handler.stop();
  EXPECT_TRUE(was_stopped);
  EXPECT_THAT(metrics_.text(), HasSubstr(R"(outcome="timed_out",webhook="/validate/greeting"} 1)"));
}

// The callback is code of the author, and the deadline is noticed on the thread of the connection.
TEST_F(WebhookHandlerTest, ABlockingStopCallbackDelaysNoResponse) {
  bool called_back = false;
  auto& handler = make({.validate = [&](const Greeting&, const AdmissionContext& context) {
    const StopCallback blocking(executor_, context.stop_token(), [&] {
      executor_.sleep_for(1h);
      called_back = true;
    });
    executor_.sleep_for(24h, context.stop_token());
    return admitted();
  }});
  const Instant begin = executor_.now();

  const json::Value answer = review(handler.handle(post("/validate/greeting?timeout=3s", review_body())));

  EXPECT_LT(executor_.now() - begin, 3s);
  EXPECT_EQ(at(answer, "/response/status/code"), "504");
  EXPECT_FALSE(called_back);
  handler.stop();
  EXPECT_TRUE(called_back);
}

TEST_F(WebhookHandlerTest, ATimeLimitAdmitsIfThePolicyIgnoresFailures) {
  auto& handler = make({.validate =
                            [&](const Greeting&, const AdmissionContext& context) {
                              executor_.sleep_for(1h, context.stop_token());
                              return denied("too late");
                            },
                        .failure_policy = FailurePolicy::ignore,
                        .timeout = 1s});
  const json::Value answer = review(handler.handle(post("/validate/greeting", review_body())));
  EXPECT_EQ(at(answer, "/response/allowed"), "true");
  EXPECT_THAT(at(answer, "/response/warnings"), HasSubstr("within the time limit"));
}

TEST_F(WebhookHandlerTest, CountsExceptionsAndTheFailurePolicyDecides) {
  for (const FailurePolicy policy : {FailurePolicy::fail, FailurePolicy::ignore}) {
    auto& handler = make({.validate = [](const Greeting&, const AdmissionContext&) -> AdmissionVerdict {
                            throw std::runtime_error("no luck");
                          },
                          .failure_policy = policy});
    const json::Value answer = review(handler.handle(post("/validate/greeting", review_body())));
    const bool is_denied = policy == FailurePolicy::fail;
    EXPECT_EQ(at(answer, "/response/allowed"), is_denied ? "false" : "true");
    EXPECT_EQ(at(answer, "/response/status/code"), is_denied ? "500" : "missing");
    EXPECT_THAT(at(answer, is_denied ? "/response/status/message" : "/response/warnings"), HasSubstr("no luck"));
  }
  EXPECT_THAT(metrics_.text(), HasSubstr("controller_runtime_webhook_panics_total 2\n"));
  EXPECT_THAT(metrics_.text(), HasSubstr(R"(outcome="failed",webhook="/validate/greeting"} 2)"));
}

// The exception comes after the response, and is counted nevertheless.
TEST_F(WebhookHandlerTest, CountsALateException) {
  auto& handler = make({.validate = [&](const Greeting&, const AdmissionContext& context) -> AdmissionVerdict {
    executor_.sleep_for(1h, context.stop_token());
    throw std::runtime_error("no luck");
  }});
  EXPECT_EQ(at(review(handler.handle(post("/validate/greeting", review_body()))), "/response/status/code"), "504");
  executor_.sleep_for(1ms);  // the function was requested to stop at the deadline
  EXPECT_THAT(metrics_.text(), HasSubstr("controller_runtime_webhook_panics_total 1\n"));
  EXPECT_THAT(metrics_.text(), HasSubstr(R"(outcome="timed_out",webhook="/validate/greeting"} 1)"));
  EXPECT_THAT(metrics_.text(), HasSubstr(R"(outcome="failed",webhook="/validate/greeting"} 0)"));
}

// The only thread runs a function that ignores its stop token.
TEST_F(WebhookHandlerTest, AnswersCallsThatGetNoThreadAtTheirDeadlineAndAllOthers) {
  std::vector<std::string> run;
  auto& handler = make({.validate =
                            [&](const Greeting&, const AdmissionContext& context) {
                              run.push_back(context.request().uid);
                              if (run.back() == "slow") executor_.sleep_for(1h);
                              return admitted();
                            },
                        .timeout = 2s},
                       {.threads = 1, .max_waiting = 1});
  const auto send = [&](const std::string& uid) {
    return handler.handle(post("/validate/greeting", review_body(greeting_text, uid)));
  };
  EXPECT_EQ(at(review(send("before")), "/response/allowed"), "true");

  auto slow = send("slow");
  executor_.sleep_for(1s);
  const Instant begin = executor_.now();
  const json::Value answer = review(send("waiting"));
  EXPECT_EQ(at(answer, "/response/status/code"), "504");
  EXPECT_LT(executor_.now() - begin, 2s);
  EXPECT_GT(executor_.now() - begin, 1s) << "it may still get a thread";
  EXPECT_EQ(at(review(std::move(slow)), "/response/status/code"), "504");

  executor_.sleep_for(1h);
  for (const char* uid : {"later", "last"}) EXPECT_EQ(at(review(send(uid)), "/response/allowed"), "true");
  EXPECT_THAT(run, ElementsAre("before", "slow", "later", "last"));
  EXPECT_THAT(metrics_.text(), HasSubstr(R"(outcome="admitted",webhook="/validate/greeting"} 3)"));
  EXPECT_THAT(metrics_.text(), HasSubstr(R"(outcome="timed_out",webhook="/validate/greeting"} 2)"));
}

// A call that waits for a thread is served as soon as there is one.
TEST_F(WebhookHandlerTest, ServesCallsThatWaitForAThread) {
  int served = 0;
  auto& handler = make({.validate =
                            [&](const Greeting&, const AdmissionContext&) {
                              executor_.sleep_for(100ms);
                              ++served;
                              return admitted();
                            },
                        .timeout = 2s},
                       {.threads = 2, .max_waiting = 18});
  const Instant begin = executor_.now();
  std::vector<http::Response> open;
  for (int i = 0; i < 20; ++i) open.push_back(handler.handle(post("/validate/greeting", review_body())));
  for (auto& response : open) EXPECT_EQ(at(review(std::move(response)), "/response/allowed"), "true");
  EXPECT_EQ(served, 20);
  EXPECT_EQ(executor_.now() - begin, 1s) << "two at a time";
}

TEST_F(WebhookHandlerTest, EachRequestHasASpanAndASlowOneIsLogged) {
  auto& handler = make({.validate = [&](const Greeting& object, const AdmissionContext&) {
    if (object.spec.name == "slow") executor_.sleep_for(1500ms);
    return admitted();
  }});
  (void)review(handler.handle(post("/validate/greeting", review_body())));
  EXPECT_EQ(log_->lines().size(), 0U);
  (void)review(handler.handle(
      post("/validate/greeting",
           review_body(R"({"apiVersion":"example.com/v1","kind":"Greeting","metadata":{},"spec":{"name":"slow"}})"))));
  (void)handler.handle(post("/validate/greeting", "{"));

  ASSERT_EQ(tracer_->spans.size(), 3U);
  for (const auto& one : tracer_->spans) EXPECT_TRUE(one->has_ended);
  EXPECT_EQ(tracer_->spans[1]->attributes.at("pintle.webhook.request"), "CREATE of greetings.example.com shop/a");
  EXPECT_EQ(tracer_->spans[1]->attributes.at("pintle.outcome"), "admitted");
  EXPECT_EQ(tracer_->spans[2]->attributes.at("http.response.status_code"), "400");
  EXPECT_EQ(log_->count("a webhook is slow"), 1U);
}

TEST_F(WebhookHandlerTest, RefusesCallsAboveItsLimit) {
  auto& handler = make({.validate =
                            [&](const Greeting&, const AdmissionContext& context) {
                              executor_.sleep_for(1h, context.stop_token());
                              return admitted();
                            }},
                       {.threads = 2, .max_waiting = 1});
  std::vector<http::Response> open;
  int refused = 0;
  for (int i = 0; i < 6; ++i) {
    http::Response response = handler.handle(post("/validate/greeting", review_body()));
    if (response.status == 503)
      ++refused;
    else
      open.push_back(std::move(response));
    executor_.sleep_for(1ms);
  }
  EXPECT_EQ(open.size(), 3U);
  EXPECT_EQ(refused, 3);
  for (auto& response : open) EXPECT_EQ(at(review(std::move(response)), "/response/allowed"), "false");
  EXPECT_THAT(metrics_.text(),
              HasSubstr(R"(controller_runtime_webhook_requests_in_flight{webhook="/validate/greeting"} 0)"));
  EXPECT_THAT(metrics_.text(),
              HasSubstr(R"(controller_runtime_webhook_requests_total{code="503",webhook="/validate/greeting"} 3)"));
}

// A call that is complete, but still waits for a thread, does not hold its request.
TEST_F(WebhookHandlerTest, BoundsTheBytesOfTheAdmissionsInProgress) {
  const std::string body = review_body();
  auto& handler = make({.validate =
                            [&](const Greeting&, const AdmissionContext&) {
                              executor_.sleep_for(1h);
                              return admitted();
                            },
                        .timeout = 2s},
                       {.threads = 1}, 3 * body.size());
  const auto send_four = [&] {
    std::vector<http::Response> responses;
    for (int i = 0; i < 4; ++i) {
      responses.push_back(handler.handle(post("/validate/greeting", body)));
      executor_.sleep_for(1ms);
    }
    return responses;
  };
  const auto statuses = [](const std::vector<http::Response>& responses) {
    std::vector<int> all;
    for (const auto& one : responses) all.push_back(one.status);
    return all;
  };
  std::vector<http::Response> first = send_four();
  EXPECT_THAT(statuses(first), ElementsAre(200, 200, 200, 503));
  EXPECT_EQ(first[3].body, "too many admissions are in progress\n");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(at(review(std::move(first[i])), "/response/status/code"), "504");
  EXPECT_THAT(statuses(send_four()), ElementsAre(200, 200, 503, 503)) << "the first one still runs";
}

// Users read objects while admissions wait, and an admission may itself read an object that must be converted.
TEST_F(WebhookHandlerTest, AdmissionsDoNotDelayConversions) {
  handler_.emplace(executor_,
                   webhooks_of({erase_type(Admission<Greeting>{.validate =
                                                                   [&](const Greeting&, const AdmissionContext&) {
                                                                     executor_.sleep_for(1h);
                                                                     return admitted();
                                                                   }})}),
                   WebhookHandlerOptions{.conversions = {Door::versions::conversion()}, .calls = {.threads = 1}});
  const http::Response admission = handler_->handle(post("/validate/greeting", review_body()));
  executor_.sleep_for(1ms);
  const Instant begin = executor_.now();

  const json::Value converted = review(handler_->handle(
      post("/convert", R"({"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{"uid":"c",)"
                       R"("desiredAPIVersion":"example.com/v2","objects":[{"apiVersion":"example.com/v1",)"
                       R"("kind":"Door","metadata":{"name":"a"},"spec":{"size":"1x2"}}]}})")));

  EXPECT_EQ(at(converted, "/response/result/status"), "\"Success\"") << json::print(converted);
  EXPECT_EQ(executor_.now(), begin);
}

TEST_F(WebhookHandlerTest, ReportsFunctionsThatNeverReturn) {
  auto& handler = make({.validate =
                            [&](const Greeting&, const AdmissionContext&) {
                              executor_.sleep_for(1h);
                              return admitted();
                            },
                        .timeout = 2s},
                       {.threads = 2});
  const http::Response first = handler.handle(post("/validate/greeting", review_body()));
  executor_.sleep_for(20s);
  EXPECT_TRUE(handler.check(10s)) << "a thread is left";
  const http::Response second = handler.handle(post("/validate/greeting", review_body()));
  executor_.sleep_for(5s);
  EXPECT_TRUE(handler.check(10s)) << "it may still observe its stop token";
  executor_.sleep_for(10s);

  const auto checked = handler.check(10s);

  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().message,
            "no admission can be served: all 2 threads run functions that have exceeded their time limits: "
            "/validate/greeting");
}

TEST_F(WebhookHandlerTest, StopsTheFunctionIfThePeerDisconnects) {
  std::atomic<bool> was_stopped = false;
  auto& handler = make({.validate = [&](const Greeting&, const AdmissionContext& context) {
    was_stopped = !executor_.sleep_for(1h, context.stop_token());
    return admitted();
  }});
  auto response = handler.handle(post("/validate/greeting", review_body()));
  executor_.sleep_for(1ms);
  response.stream.reset();
  executor_.sleep_for(1ms);
  EXPECT_TRUE(was_stopped);
  EXPECT_THAT(metrics_.text(), HasSubstr(R"(outcome="cancelled",webhook="/validate/greeting"} 1)"));
}

TEST_F(WebhookHandlerTest, StopEndsRunningFunctions) {
  std::atomic<bool> was_stopped = false;
  auto& handler = make({.validate = [&](const Greeting&, const AdmissionContext& context) {
    was_stopped = !executor_.sleep_for(1h, context.stop_token());
    return admitted();
  }});
  const auto response = handler.handle(post("/validate/greeting", review_body()));
  executor_.sleep_for(1ms);
  handler.stop();
  EXPECT_TRUE(was_stopped);
}

TEST_F(WebhookHandlerTest, RefusesRequestsAfterTheStop) {
  auto& handler = make({.validate = [](const Greeting&, const AdmissionContext&) { return admitted(); }});
  handler.stop();
  EXPECT_EQ(handler.handle(post("/validate/greeting", review_body())).status, 503);
}

TEST_F(WebhookHandlerTest, CountsRequestsLikeControllerRuntime) {
  auto& handler = make({.mutate = [](Greeting&, const AdmissionContext&) { return admitted(); }});
  (void)review(handler.handle(post("/mutate/greeting", review_body())));
  const std::string text = metrics_.text();
  EXPECT_THAT(text, HasSubstr(R"(controller_runtime_webhook_requests_total{code="200",webhook="/mutate/greeting"} 1)"));
  EXPECT_THAT(text, HasSubstr(R"(controller_runtime_webhook_latency_seconds_count{webhook="/mutate/greeting"} 1)"));
  EXPECT_THAT(text, HasSubstr(R"(controller_runtime_webhook_requests_in_flight{webhook="/mutate/greeting"} 0)"));
  const std::string outcomes = "pintle_webhook_outcomes_total{operation=";
  EXPECT_THAT(text, HasSubstr(outcomes + R"("CREATE",outcome="admitted",webhook="/mutate/greeting"} 1)"));
  EXPECT_THAT(text, HasSubstr(outcomes + R"("UPDATE",outcome="admitted",webhook="/mutate/greeting"} 0)"));
  EXPECT_THAT(text, Not(HasSubstr(outcomes + R"("DELETE")"))) << "which the API server does not send";
}

TEST(WebhookCallLimit, IsTheShorterTimeLessTheTimeOnTheNetwork) {
  EXPECT_EQ(max_call_time(10s, http::parse_target("/a?timeout=2s")), 1800ms);
  EXPECT_EQ(max_call_time(5s, http::parse_target("/a?timeout=30s")), 4500ms);
  EXPECT_EQ(max_call_time(30s, http::parse_target("/a?timeout=x")), 29500ms);
}

}  // namespace
}  // namespace pintle
