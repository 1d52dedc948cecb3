// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/crud/crd_client.hpp>

#include <pintle/json/pointer.hpp>

#include "test_support.hpp"

namespace pintle::crud {
namespace {

using namespace std::chrono_literals;
using ::testing::SizeIs;

// A server that removes the status from CRDs.
class Silent final : public http::Handler {
 public:
  explicit Silent(http::Handler& server) : server_(server) {}
  http::Response handle(const http::Request& request) override {
    http::Response response = server_.handle(request);
    if (request.method != "GET" || request.target.find("/customresourcedefinitions/") == std::string::npos) {
      return response;
    }
    json::Value body = Object::parse(response.body)->to_value();
    body.as_object().erase("status");
    response.body = Object(body).print();
    return response;
  }

 private:
  http::Handler& server_;
};

class CrdClientTest : public ::testing::Test {
 protected:
  [[nodiscard]] std::vector<Object> installed() {
    return simulation.server().objects("customresourcedefinitions.apiextensions.k8s.io");
  }

  testkit::Simulation simulation{{.seed = 5}};
  CrdClient crds{simulation.user()};
  const json::Value definition = crd_of<Note>();
};

TEST_F(CrdClientTest, InstallsACrdAndWaitsUntilItIsEstablished) {
  const auto done = crds.ensure_created(definition);
  ASSERT_TRUE(done) << done.error().to_string();
  EXPECT_TRUE(simulation.user().create(note("a")));
}

// A CRD that exists and is established is a success (T2-35).
TEST_F(CrdClientTest, AnEstablishedCrdIsSuccess) {
  ASSERT_TRUE(crds.ensure_created(definition));
  const auto again = crds.ensure_created(definition);
  EXPECT_TRUE(again) << again.error().to_string();
  EXPECT_THAT(installed(), SizeIs(1));
}

// The original deleted a CRD that was not established in time, and with it every object of its kind (T2-36).
TEST_F(CrdClientTest, ACrdThatIsNotEstablishedIsReportedAndStays) {
  ASSERT_TRUE(crds.ensure_created(definition));
  ASSERT_TRUE(simulation.user().create(note("a")));
  Silent silent(simulation.server());
  const auto transport = std::make_shared<http::InProcessTransport>(simulation.executor(), silent);
  Client client({.transport = transport, .cluster = {.endpoint = std::make_shared<http::Endpoint>()}});
  const Instant begun = simulation.executor().now();

  const auto done = CrdClient(client).ensure_created(definition);

  ASSERT_FALSE(done);
  EXPECT_TRUE(is_not_established(done.error())) << done.error().to_string();
  EXPECT_GT(simulation.executor().now() - begun, 5s) << "it was retried";
  simulation.executor().sleep_for(10s);  // a deletion would be complete by now
  EXPECT_THAT(installed(), SizeIs(1));
  EXPECT_TRUE(simulation.user().get<Note>({"default", "a"}));
  transport->stop();
}

// A CRD whose names are taken is reported and stays (T2-36).
TEST_F(CrdClientTest, ACrdWithTakenNamesIsReportedAndStays) {
  ASSERT_TRUE(crds.ensure_created(definition));
  json::Value other = definition;
  ASSERT_TRUE(json::set(other, "/metadata/name", "remarks.test.pintle.dev"));
  ASSERT_TRUE(json::set(other, "/spec/names/plural", "remarks"));

  const auto done = crds.ensure_created(other, {.backoff = {.base = 1ms}, .max_retries = 3});

  ASSERT_FALSE(done);
  EXPECT_TRUE(is_name_conflict(done.error())) << done.error().to_string();
  simulation.executor().sleep_for(10s);
  EXPECT_THAT(installed(), SizeIs(2));
}

// A CRD that is being deleted is still established, and would disappear right after.
TEST_F(CrdClientTest, ACrdThatIsBeingDeletedIsCreatedAgain) {
  ASSERT_TRUE(crds.ensure_created(definition));
  Note kept = note("a");
  kept.metadata.finalizers = {"example.com/slow"};
  ASSERT_TRUE(simulation.user().create(kept));
  const std::string before = std::string(installed().front().uid());
  ASSERT_TRUE(crds.ensure_deleted(definition));
  ASSERT_TRUE(installed().front().is_deleting()) << "its object delays the deletion";
  Thread lets_go = simulation.executor().spawn({.name = "lets go"}, [&] {
    simulation.executor().sleep_for(3s);
    (void)simulation.user().patch(Note::type, {"default", "a"},
                                  json::Value(json::object{{"metadata", json::object{{"finalizers", nullptr}}}}));
  });
  const auto done = crds.ensure_created(definition);
  lets_go.join();
  ASSERT_TRUE(done) << done.error().to_string();
  ASSERT_THAT(installed(), SizeIs(1));
  EXPECT_NE(installed().front().uid(), before);
  EXPECT_TRUE(simulation.user().create(note("b")));
}

TEST_F(CrdClientTest, AnUnavailableServerIsRetried) {
  const auto transport = simulation.connect({{.effect = http::ErrorResponse{.status = 503}, .times = 3}});
  Client client({.transport = transport, .cluster = {.endpoint = std::make_shared<http::Endpoint>()}});
  const auto done = CrdClient(client).ensure_created(definition);
  EXPECT_TRUE(done) << done.error().to_string();
  EXPECT_THAT(installed(), SizeIs(1));
  transport->stop();
}

// Deletes a CRD, and succeeds if it does not exist (T2-37).
TEST_F(CrdClientTest, DeletingAMissingCrdIsSuccess) {
  EXPECT_TRUE(crds.ensure_deleted(definition));
  ASSERT_TRUE(crds.ensure_created(definition));
  EXPECT_TRUE(crds.ensure_deleted(definition));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(installed(), SizeIs(0));
}

TEST_F(CrdClientTest, AStopEndsTheWait) {
  Silent silent(simulation.server());
  const auto transport = std::make_shared<http::InProcessTransport>(simulation.executor(), silent);
  Client client({.transport = transport, .cluster = {.endpoint = std::make_shared<http::Endpoint>()}});
  std::stop_source stop;
  Result<void> done;
  Thread installing = simulation.executor().spawn({.name = "installing"}, [&] {
    done = CrdClient(client).ensure_created(definition, {.backoff = {.base = 1h}}, stop.get_token());
  });
  simulation.executor().sleep_for(10s);
  stop.request_stop();
  installing.join();
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::cancelled);
  transport->stop();
}

}  // namespace
}  // namespace pintle::crud
