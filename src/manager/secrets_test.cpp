// SPDX-License-Identifier: Apache-2.0
// Texts that must never be shown: the data of Secrets, tokens and the Authorization header.
#include <gmock/gmock.h>

#include <pintle/sim/in_process_transport.hpp>

#include "controller/test_support.hpp"
#include "health.hpp"
#include "manager/pages/guarded_pages.hpp"

namespace pintle {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* password = "correct-horse-battery";
constexpr const char* password_in_base64 = "Y29ycmVjdC1ob3JzZS1iYXR0ZXJ5";
constexpr const char* token = "token-of-the-operator";

// An operator of Secrets writes log lines, metrics, Events and an error.
TEST(Secrets, AreInNoLogLineMetricOrError) {
  testkit::Simulation simulation({.seed = 1});
  const auto log = std::make_shared<RecordingLogSink>();
  MetricsRegistry metrics;
  Client client({.transport = simulation.connect(),
                 .cluster = {.token = token},
                 .log = Log(log, simulation.executor(), LogLevel::debug),
                 .metrics = &metrics});
  int reconciles = 0;
  testkit::Instance instance(
      simulation, {.name = "op", .log_level = LogLevel::debug, .log_sink = log}, [&](Manager& manager) {
        manager.add(Controller<Object>{
            .name = "keys", .watch = Secret::type, .reconcile = [&](const Object& secret, Context& ctx) -> Outcome {
              ctx.event(EventType::normal, "Seen", "seen");
              if (++reconciles == 1) return fail(ErrorCode::unavailable, "not yet");
              json::Value intent = secret.to_value();
              intent.as_object()["metadata"].as_object().erase("managedFields");
              return ctx.apply(intent);
            }});
      });
  instance.start();
  ASSERT_TRUE(simulation.wait_until([&] { return instance.manager().is_ready(); }));
  const json::Value secret = json::object{{"apiVersion", "v1"},
                                          {"kind", "Secret"},
                                          {"metadata", json::object{{"name", "s"}, {"namespace", "default"}}},
                                          {"data", json::object{{"password", password_in_base64}}}};
  ASSERT_TRUE(client.create(secret));
  json::Value changed = secret;
  changed.at("data").as_object()["more"] = password_in_base64;
  ASSERT_TRUE(simulation.run_until_idle());
  // The server refuses this because of the type of the field, and the error is shown to users.
  changed.as_object()["data"] = json::array{password};
  const auto refused = client.apply(changed);
  ASSERT_FALSE(refused);
  ASSERT_TRUE(simulation.run_until_idle());

  EXPECT_GT(reconciles, 1);
  EXPECT_TRUE(log->has("reconciled"));
  std::string shown = instance.manager().metrics().text() + metrics.text() + refused.error().to_string();
  for (const std::string& line : log->lines()) shown += line + "\n";
  for (const Object& event : simulation.server().objects("events")) shown += event.print();
  for (const char* secret_text : {password, password_in_base64, token, "Bearer"}) {
    EXPECT_THAT(shown, Not(HasSubstr(secret_text)));
  }
}

// A visitor reads the metrics of an operator that lets the cluster decide who may read them.
TEST(Secrets, TheTokenOfAVisitorIsSentToTheClusterOnly) {
  testkit::Simulation simulation({.seed = 1, .server = {.token = token}});
  const auto lines = std::make_shared<RecordingLogSink>();
  const Log log(lines, simulation.executor(), LogLevel::debug);
  MetricsRegistry metrics;
  AccessReviewer reviewer(
      simulation.executor(),
      std::make_unique<Client>(ClientOptions{
          .transport = simulation.connect(), .cluster = {.token = token}, .log = log, .metrics = &metrics}),
      log);
  Health pages(metrics, {});
  GuardedPages guard(pages, reviewer);
  std::string shown;
  const auto send_with_token = [&](const std::string& with) {
    http::Response response = guard.handle({.target = "/metrics", .headers = {{"Authorization", "Bearer " + with}}});
    if (response.deferred) response = response.deferred();
    shown += response.body;
    return response.status;
  };

  EXPECT_EQ(send_with_token(token), 200);
  EXPECT_EQ(send_with_token(password), 401);
  for (const std::string& line : lines->lines()) shown += line + "\n";
  EXPECT_THAT(shown, HasSubstr("rest_client_requests_total"));
  for (const char* secret_text : {token, password}) EXPECT_THAT(shown, Not(HasSubstr(secret_text)));
}

}  // namespace
}  // namespace pintle
