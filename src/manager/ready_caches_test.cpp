// SPDX-License-Identifier: Apache-2.0
// How /readyz reports the caches of a manager. Real threads, because the page is served on a socket.
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pintle/http/listen_address.hpp>
#include <pintle/http/net_transport.hpp>
#include <pintle/json/value.hpp>
#include <pintle/manager/manager.hpp>

#include "controller/test_support.hpp"

namespace pintle {
namespace {

using ::testing::HasSubstr;

class ReadyCachesConcurrency : public ::testing::Test {
 protected:
  void SetUp() override {
    const json::Value team{{"metadata", {{"name", "a"}, {"labels", {{"team", "one"}}}}}};
    ASSERT_EQ(server_
                  .handle({.method = "POST",
                           .target = "/api/v1/namespaces",
                           .headers = {{"Content-Type", "application/json"}},
                           .body = json::print(team)})
                  .status,
              201);
  }
  // Starts an operator that owns a kind whose CRD is missing, and returns its /readyz.
  http::BufferedResponse readyz(OwnsOptions owned, std::string selector) {
    Manager manager({.name = "op",
                     .namespace_selector = std::move(selector),
                     .listen = "127.0.0.1:0",
                     .log_level = LogLevel::off,
                     .executor = executor_.get(),
                     .transport = std::make_shared<http::InProcessTransport>(*executor_, server_)});
    manager.add(Controller<Object>{.watch = {"v1", "ConfigMap"},
                                   .owns = {Owns{GroupVersionKind("example.com/v1", "Monitor"), std::move(owned)}},
                                   .reconcile = [](const Object&, Context&) -> Outcome { return done; }});
    const auto started = manager.start();
    EXPECT_TRUE(started) << started.error().to_string();
    const auto address = http::parse_listen_address(manager.listen_address()).value();
    const auto pages = http::make_network_transport(*executor_);
    return http::send(*pages, {.target = "/readyz",
                               .endpoint = std::make_shared<http::Endpoint>(
                                   http::Endpoint{.host = address.host, .port = address.port})})
        .value();
  }

 private:
  const std::unique_ptr<Executor> executor_ = make_real_executor();
  ApiServer server_{*executor_, {}};
};

TEST_F(ReadyCachesConcurrency, AKindThatNeedNotBeServedDoesNotPreventReadiness) {
  for (const char* selector : {"", "team=one"}) {
    SCOPED_TRACE(selector);
    const auto page = readyz({.if_served = true}, selector);
    EXPECT_EQ(page.status, 200) << page.body;
  }
}

TEST_F(ReadyCachesConcurrency, AKindThatIsNotServedIsNamed) {
  for (const char* selector : {"", "team=one"}) {
    SCOPED_TRACE(selector);
    const auto page = readyz({}, selector);
    EXPECT_EQ(page.status, 503);
    EXPECT_THAT(page.body, HasSubstr("example.com/v1 Monitor is not served by the cluster"));
  }
}

}  // namespace
}  // namespace pintle
