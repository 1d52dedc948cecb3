// SPDX-License-Identifier: Apache-2.0
// The lists, streams and watches that an informer requests.
#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

#include "informer_test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

// Sends each list in parts of 40 bytes, one every 20 s.
class Trickle final : public http::Handler {
 public:
  http::Response handle(const http::Request& request) override {
    http::Response response = simulation->server().handle(request);
    if (!http::is_list_or_get(request)) return response;
    http::read_full_body(response);
    lengths.push_back(response.body.size());
    response.stream = std::make_unique<Body>(simulation->executor(), std::exchange(response.body, {}));
    return response;
  }

  testkit::Simulation* simulation = nullptr;
  std::vector<std::size_t> lengths;

 private:
  class Body final : public http::BodyStream {
   public:
    Body(Executor& executor, std::string text) : executor_(executor), text_(std::move(text)), next_(executor.now()) {}
    State read(std::string& out) override {
      if (executor_.now() < next_) return State::waiting;
      const std::size_t some = std::min<std::size_t>(40, text_.size() - at_);
      out.append(text_, at_, some);
      at_ += some;
      next_ = after(executor_.now(), 20s);
      return at_ == text_.size() ? State::ended : State::waiting;
    }
    void on_ready(std::function<void()> /*wake*/) override {}
    [[nodiscard]] Instant next_deadline() const override { return next_; }

   private:
    Executor& executor_;
    const std::string text_;
    std::size_t at_ = 0;
    Instant next_;
  };
};

// A list is limited by the time without bytes, not by its total time.
TEST_F(InformerTest, AcceptsAListThatArrivesSlowly) {
  Trickle trickle;
  begin(1, {}, &trickle);
  trickle.simulation = simulation.get();
  for (const char* name : {"a", "b", "c"}) create(name);
  informer->start();
  const Instant begun = simulation->executor().now();
  ASSERT_TRUE(informer->wait_for_sync(begun + 1h));
  EXPECT_GT(simulation->executor().now() - begun, 2min);
  EXPECT_EQ(trickle.lengths.size(), 1U);
  EXPECT_EQ(view.versions(), stored());
  end();
}

TEST_F(InformerTest, RepeatsASilentListWithBackOff) {
  begin(1);
  create("a");
  transport->set_faults({{.effect = http::TruncateBody{.after_bytes = 20, .how = http::TruncateBody::How::silence},
                          .only = http::is_list_or_get}});
  informer->start();
  EXPECT_FALSE(informer->wait_for_sync(simulation->executor().now() + 1h));
  EXPECT_GE(transport->calls(), 50U);
  EXPECT_LE(transport->calls(), 120U);
  transport->set_faults({});
  ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 2min));
  EXPECT_EQ(view.versions(), stored());
  end();
}

TEST_F(InformerTest, LimitsTheRateOfListsIfEachWatchIsExpired) {
  begin(1);
  create("a");
  transport->set_faults({{.effect = http::ErrorResponse{.status = 410, .reason = "Expired"}, .only = http::is_watch}});
  informer->start();
  ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 1min));
  const std::uint64_t before = transport->calls();
  simulation->executor().sleep_for(1h);
  EXPECT_LE(transport->calls() - before, 300U) << "one list and one watch for each expired watch";
  create("b");
  simulation->executor().sleep_for(2min);
  EXPECT_EQ(view.versions(), stored()) << "the lists alone keep the cache up to date";
  end();
}

// Responds to each list with objects n0, n1, … in one page.
class LargeList final : public http::Handler {
 public:
  http::Response handle(const http::Request& request) override {
    if (!http::is_list_or_get(request)) return simulation->server().handle(request);
    std::string body = R"({"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[)";
    for (std::size_t i = 0; i < objects; ++i) {
      body += std::string(i == 0 ? "" : ",") + R"({"metadata":{"namespace":"default","name":"n)" + std::to_string(i) +
              R"(","uid":"u","resourceVersion":"1"}})";
    }
    return {.status = 200, .body = body + "]}"};
  }

  testkit::Simulation* simulation = nullptr;
  std::size_t objects = 20'000;
};

// Other watches and the renewal of a lease use the same thread, so a large list is applied in many turns of it. Readers
// see all objects or none (trap 25).
TEST_F(InformerTest, AppliesALargeListInTurnsAndAtOnceForReaders) {
  LargeList server;
  begin(1, {}, &server);
  server.simulation = simulation.get();
  std::size_t turns = 0;
  std::size_t mixed = 0;
  std::function<void()> probe = [&] {
    if (informer->status().objects == 0) return transport->post(probe);  // nothing has arrived yet
    ++turns;
    const std::size_t seen = informer->store().size();
    if (seen != 0 && seen != server.objects) ++mixed;
    if (!informer->has_synced()) transport->post(probe);
  };
  informer->start();
  transport->post(probe);
  ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 1min));
  EXPECT_EQ(view.versions().size(), server.objects);
  EXPECT_EQ(mixed, 0U);
  EXPECT_GE(turns, 3 * server.objects / 1'000) << "at least one turn for each 1,000 objects in each of three steps";
  end();
}

// A server without streaming lists rejects the parameter, ignores it, or never sends the end of the initial events
// (trap 22).
TEST_F(InformerTest, AServerWithoutStreamsIsListedAndNotAskedEachTime) {
  for (const bool rejects : {true, false}) {
    SCOPED_TRACE(rejects);
    view = View();
    begin(1, {.reflector = {.list_mode = ListMode::streaming}});
    for (const char* name : {"a", "b"}) create(name);
    int streams = 0;
    const auto is_stream = [](const http::Request& request) {
      return request.target.find("sendInitialEvents=true") != std::string::npos;
    };
    if (rejects) {
      transport->set_faults({{.effect = http::ErrorResponse{.status = 422, .reason = "Invalid"}, .only = is_stream}});
    } else {
      simulation->server().set_faults({.rules = {{.effect = WithholdBookmarks{.only_initial_end = true}}}});
    }
    informer->on_watch_end([&](const Error* error) { streams += error != nullptr ? 1 : 0; });
    informer->start();
    ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 25s));
    EXPECT_EQ(view.versions(), stored());
    EXPECT_EQ(streams, 1);
    for (int i = 0; i < 10; ++i) {
      create("c" + std::to_string(i));
      simulation->server().compact();
      simulation->executor().sleep_for(30min);
    }
    EXPECT_EQ(view.versions(), stored());
    EXPECT_LE(streams, 1 + 10) << "each compaction may end one watch, and no further stream fails";
    end();
  }
}

// The informers of a client share that its server rejects streams; those of another client may have another server.
TEST_F(InformerTest, ASecondInformerOfTheClientDoesNotRequestAStreamThatTheServerRejects) {
  const InformerOptions options{.resource = {.kind = ConfigMap::type, .plural = "configmaps"},
                                .namespace_ = "default",
                                .reflector = {.list_mode = ListMode::streaming}};
  begin(1, options);
  create("a");
  transport->set_faults(
      {{.effect = http::ErrorResponse{.status = 422, .reason = "Invalid"}, .only = [](const http::Request& request) {
          return request.target.find("sendInitialEvents=true") != std::string::npos;
        }}});
  informer->start();
  ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 1min));
  EXPECT_EQ(transport->injected_faults(), 1U);
  const auto fill_another = [&] {
    Informer another(*client, *dispatcher, Log(), options);
    another.start();
    EXPECT_TRUE(another.wait_for_sync(simulation->executor().now() + 1min));
  };
  fill_another();
  EXPECT_EQ(transport->injected_faults(), 1U);
  simulation->executor().sleep_for(25h);
  fill_another();
  EXPECT_EQ(transport->injected_faults(), 2U) << "the server may have been upgraded";
  end();
}

// A connection whose peer has disappeared reports no error (trap 14).
TEST_F(InformerTest, OpensASilentWatchAgain) {
  begin(1);
  transport->set_faults({{.effect = http::TruncateBody{.after = 1s, .how = http::TruncateBody::How::silence},
                          .only = http::is_watch,
                          .times = 1}});
  informer->start();
  ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 1min));
  simulation->executor().sleep_for(10s);
  create("a");
  simulation->executor().sleep_for(1min);
  EXPECT_TRUE(view.versions().empty());
  simulation->executor().sleep_for(3min);
  EXPECT_EQ(view.versions(), stored());
  end();
}

// Keeps the targets of all requests.
class RecordedTargets final : public http::Handler {
 public:
  http::Response handle(const http::Request& request) override {
    targets.push_back(request.target);
    return simulation->server().handle(request);
  }

  testkit::Simulation* simulation = nullptr;
  std::vector<std::string> targets;
};

// A server rejects a match on a plain watch, a stream without it, and a list with `sendInitialEvents` (trap 18).
TEST_F(InformerTest, SendsTheParametersThatEachKindOfRequestPermits) {
  for (const ListMode list_mode : {ListMode::paged, ListMode::streaming}) {
    RecordedTargets server;
    view = View();
    begin(1, {.reflector = {.list_mode = list_mode, .page_size = 2}}, &server);
    server.simulation = simulation.get();
    for (const char* name : {"a", "b", "c"}) create(name);
    simulation->server().set_faults(
        {.rules = {{.effect = ErrorEvent{.after_events = 1}, .only = http::is_watch, .probability = 0.5}}});
    informer->start();
    simulation->executor().sleep_for(2h);
    std::size_t streams = 0;
    for (const std::string& target : server.targets) {
      const auto has = [&](const char* text) { return target.find(text) != std::string::npos; };
      const bool is_stream = has("sendInitialEvents=true");
      streams += is_stream ? 1 : 0;
      if (!has("watch=true")) {
        EXPECT_FALSE(has("sendInitialEvents")) << target;
        EXPECT_FALSE(has("continue=") && (has("resourceVersion=") || has("resourceVersionMatch="))) << target;
      } else {
        EXPECT_EQ(has("resourceVersionMatch=NotOlderThan"), is_stream) << target;
        EXPECT_EQ(has("resourceVersionMatch="), is_stream) << target;
      }
    }
    EXPECT_EQ(streams > 1, list_mode == ListMode::streaming);
    EXPECT_GT(server.targets.size(), 10U);
    EXPECT_EQ(view.versions(), stored());
    end();
  }
}

}  // namespace
}  // namespace pintle
