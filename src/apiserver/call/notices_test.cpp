// SPDX-License-Identifier: Apache-2.0
// The notices about stored objects without effect: in the log, and as warnings to clients.
#include "apiserver/test_server.hpp"

#include <algorithm>

namespace pintle {
namespace {

class RecordedLines final : public LogSink {
 public:
  void write(const LogRecord& record) override {
    if (record.level == LogLevel::warning) lines.emplace_back(record.message);
  }
  std::vector<std::string> lines;
};

// The log sink needs no lock: the simulated executor runs one thread at a time.
class NoticesTest : public testing::Test {
 protected:
  TestReply write(const std::string& method, const std::string& target, const std::string& body) {
    http::Request request{.method = method, .target = target, .body = body};
    if (method == "PATCH") request.headers.set("Content-Type", "application/merge-patch+json");
    const auto response = server_.handle(request);
    return {.status = response.status, .headers = response.headers, .body = response.body};
  }
  TestReply post(const std::string& target, const std::string& body) { return write("POST", target, body); }
  static std::string warning(const TestReply& reply) { return std::string(reply.headers.get("Warning").value_or("")); }

  SimulatedExecutor executor_{{.seed = 1}};
  std::shared_ptr<RecordedLines> log_ = std::make_shared<RecordedLines>();
  ApiServer server_{executor_, {.log = Log(log_, executor_)}};
};

TEST_F(NoticesTest, AreWrittenOnceToTheLogAndTheResponse) {
  const std::string roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";

  const std::string stores_roles = R"(299 - "this server stores roles and role bindings but allows all requests")";
  EXPECT_EQ(warning(post(roles, R"({"metadata":{"name":"a"}})")), stores_roles);
  EXPECT_EQ(warning(post(roles, R"({"metadata":{"name":"b"}})")), "");
  EXPECT_EQ(log_->lines.size(), 1U);
  EXPECT_EQ(std::count(log_->lines.begin(), log_->lines.end(),
                       "this server stores roles and role bindings but allows all requests"),
            1);
}

TEST_F(NoticesTest, RefusedAndDryRunRequestsCauseNone) {
  const std::string roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";

  EXPECT_EQ(warning(post(roles, R"({"metadata":{"name":"a/b"}})")), "");
  EXPECT_EQ(warning(post(roles + "?dryRun=All", R"({"metadata":{"name":"a"}})")), "");
  EXPECT_EQ(warning(post(config_maps, config_map("a"))), "");
  EXPECT_TRUE(log_->lines.empty());
}

TEST_F(NoticesTest, RulesOfADefinitionCauseNone) {
  std::string text = widget_definition("a.conf.dev");
  const std::string place = R"("replicas":{"type":"integer")";
  text.replace(text.find(place), place.size(), place + R"(,"x-kubernetes-validations":[{"rule":"self > 1"}])");

  EXPECT_EQ(warning(post(definitions, text)), "");
}

}  // namespace
}  // namespace pintle
