// SPDX-License-Identifier: Apache-2.0
// The CRD of a watched kind is deleted while the operator runs.
#include "definition_keeper.hpp"

#include <pintle/json/pointer.hpp>

#include "controller/test_support.hpp"
#include "health.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

const GroupVersionKind definitions{"apiextensions.k8s.io/v1", "CustomResourceDefinition"};
const std::string name_of_notes = "notes.test.pintle.dev";

class DefinitionKeeperTest : public OperatorTest {
 protected:
  void run_and_delete_definition(ManagerOptions options = {}) {
    run({.reconcile = [this](const Note& n, Context&) -> Outcome { return seen.push_back(n.spec.text), done; }},
        std::move(options));
    create(note("a", "before"));
    ASSERT_TRUE(simulation.run_until_idle());
    ASSERT_TRUE(simulation.user().remove(definitions, {.name = name_of_notes}));
  }
  [[nodiscard]] double missing() { return instance->manager().metrics().gauge("pintle_missing_crds", "", {}).value(); }
  [[nodiscard]] bool is_installed() { return bool(simulation.user().get(definitions, {.name = name_of_notes})); }

  std::vector<std::string> seen;
};

TEST_F(DefinitionKeeperTest, ADeletedCrdIsInstalledAndItsObjectsAreReconciled) {
  run_and_delete_definition();
  ASSERT_TRUE(simulation.wait_until([&] { return log->has("was deleted while the operator was running"); }, 2min));
  ASSERT_TRUE(simulation.wait_until([&] { return is_installed() && missing() == 0; }, 2min));
  EXPECT_TRUE(log->has("crd=" + name_of_notes)) << log->lines().back();
  simulation.executor().sleep_for(2min);
  EXPECT_EQ(missing(), 0);
  simulation.user().invalidate_discovery(Note::type);
  create(note("b", "after"));
  ASSERT_TRUE(simulation.run_until_idle(2min));
  ASSERT_FALSE(seen.empty());
  EXPECT_EQ(seen.back(), "after");
}

TEST_F(DefinitionKeeperTest, ADeletedCrdIsOnlyReportedIfNotRestored) {
  run_and_delete_definition({.restore_crds = false});
  EXPECT_TRUE(simulation.wait_until([&] { return missing() == 1; }, 2min));
  const std::uint64_t calls = instance->transport().calls();
  simulation.executor().sleep_for(1h);
  EXPECT_FALSE(is_installed());
  EXPECT_EQ(log->count("was deleted while the operator was running"), 1U);
  EXPECT_LE(instance->transport().calls() - calls, 400U) << "the list is retried as well, at least twice a minute";

  simulation.user().invalidate_discovery(definitions);
  ASSERT_TRUE(simulation.user().create(crd_of<Note>()));
  EXPECT_TRUE(simulation.wait_until([&] { return missing() == 0; }, 2min));
  EXPECT_TRUE(log->has("the CRD is installed again"));
}

TEST_F(DefinitionKeeperTest, AFailedWatchAloneIsNoDeletion) {
  run({.reconcile = [](const Note&, Context&) -> Outcome { return done; }});
  simulation.server().compact();
  create(note("a"));
  simulation.executor().sleep_for(1h);
  EXPECT_EQ(missing(), 0);
  EXPECT_FALSE(log->has("was deleted while the operator was running"));
}

// Responds with 503 to each attempt to create a CRD.
class RefusesDefinitions final : public http::Handler {
 public:
  explicit RefusesDefinitions(http::Handler& server) : server_(server) {}
  http::Response handle(const http::Request& request) override {
    if (request.method != "POST" || request.target.find("customresourcedefinitions") == std::string::npos) {
      return server_.handle(request);
    }
    ++writes;
    return {.status = 503, .body = "down"};
  }
  int writes = 0;

 private:
  http::Handler& server_;
};

TEST_F(DefinitionKeeperTest, AMissingCrdIsRetriedSeldomAndReported) {
  RefusesDefinitions refusing(simulation.server());
  const auto transport = std::make_shared<http::InProcessTransport>(simulation.executor(), refusing);
  {
    Client client({.transport = transport});
    MetricsRegistry metrics;
    const Log lines(log, simulation.executor());
    DefinitionKeeper keeper(simulation.executor(), lines, metrics, [&](Client& of) {
      return CrdInstaller(of, lines, "ours", "1.0.0", CrdPolicy::if_missing, 10s);
    });
    keeper.add({.crd = crd_of<Note>(), .kind = Note::type, .cluster = "home", .client = &client, .is_restored = true});
    EXPECT_TRUE(keeper.check());
    keeper.suspect("home", GroupVersionKind("v1", "Secret"));
    keeper.suspect("home", Note::type);
    simulation.executor().sleep_for(1h);
    const auto checked = keeper.check();
    ASSERT_FALSE(checked);
    EXPECT_NE(checked.error().message.find(name_of_notes), std::string::npos) << checked.error().message;
    EXPECT_GE(refusing.writes, 10);
    EXPECT_LE(refusing.writes, 130);
    EXPECT_EQ(log->count("was deleted while the operator was running"), 1U);
  }
  transport->stop();
}

TEST(HealthOfCrds, ReadyzNamesTheMissingCrdAndHealthzIsOk) {
  MetricsRegistry metrics;
  Health health(metrics, {.is_ready = [] { return true; },
                          .check_alive = [] { return Result<void>(); },
                          .check_served = []() -> Result<void> {
                            return fail(ErrorCode::unavailable, "the definition " + name_of_notes);
                          }});
  const http::Response ready = health.handle({.target = "/readyz"});
  EXPECT_EQ(ready.status, 503);
  EXPECT_NE(ready.body.find(name_of_notes), std::string::npos) << ready.body;
  EXPECT_EQ(health.handle({.target = "/healthz"}).status, 200);
}

}  // namespace
}  // namespace pintle
