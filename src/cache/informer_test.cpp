#include <pintle/cache/informer.hpp>

#include <map>
#include <set>

#include <gtest/gtest.h>

#include <pintle/api/everyday.hpp>
#include <pintle/testing/simulation.hpp>

namespace pintle {
namespace {

using namespace std::chrono_literals;

// Lets everything through to a server but ends watches, in the middle of an event if it comes so, and refuses lists now
// and then.
class Unreliable final : public http::Handler {
 public:
  Unreliable(http::Handler& server, std::uint64_t seed) : server_(server), random_(seed) {}

  http::Response handle(const http::Request& request) override {
    if (trouble && request.method == "GET" && random_.below(20) == 0) return {.status = 503, .body = "no"};
    http::Response response = server_.handle(request);
    if (trouble && response.stream != nullptr) {
      response.stream = std::make_unique<Cut>(std::move(response.stream), random_.below(6), random_.below(40));
    }
    return response;
  }

  bool trouble = true;

 private:
  // Ends after some reads, with a piece of the last one missing.
  class Cut final : public http::BodyStream {
   public:
    Cut(std::unique_ptr<http::BodyStream> inner, std::uint64_t reads, std::uint64_t missing)
        : inner_(std::move(inner)), reads_left_(reads), missing_(missing) {}
    State read(std::string& out) override {
      const std::size_t before = out.size();
      const State state = inner_->read(out);
      if (state == State::ended || out.size() == before || reads_left_-- > 0) return state;
      out.resize(std::max(before, out.size() - std::min<std::size_t>(out.size(), missing_)));
      return State::ended;
    }
    void on_ready(std::function<void()> wake) override { inner_->on_ready(std::move(wake)); }
    Instant next_deadline() const override { return inner_->next_deadline(); }

   private:
    std::unique_ptr<http::BodyStream> inner_;
    std::uint64_t reads_left_;
    std::uint64_t missing_;
  };

  http::Handler& server_;
  Random random_;
};

// What a handler was told, checked as it comes.
class View {
 public:
  void take(const Change& change) {
    const std::string name(change.object().name());
    if (change.old && !change.current) {
      EXPECT_EQ(known_.erase(name), 1U) << "a delete of what was not there: " << name;
      ++deletes;
    } else if (!change.old) {
      EXPECT_TRUE(known_.emplace(name, change.current).second) << "added twice: " << name;
    } else {
      EXPECT_TRUE(known_.contains(name)) << "changed before it was added: " << name;
      known_[name] = change.current;
    }
  }
  [[nodiscard]] std::map<std::string, std::string> versions() const {
    std::map<std::string, std::string> all;
    for (const auto& [name, object] : known_) all[name] = object.resource_version();
    return all;
  }

  int deletes = 0;

 private:
  std::map<std::string, Object> known_;
};

class InformerTest : public ::testing::Test {
 protected:
  void begin(std::uint64_t seed, InformerOptions options = {}) {
    simulation = std::make_unique<testing::Simulation>(testing::SimulationSetup{.seed = seed});
    unreliable = std::make_unique<Unreliable>(simulation->server(), seed);
    transport = std::make_shared<http::MemoryTransport>(simulation->runtime(), *unreliable);
    client = std::make_unique<Client>(
        ClientOptions{.transport = transport, .cluster = {.endpoint = std::make_shared<http::Endpoint>()}});
    dispatcher = std::make_unique<Dispatcher>(simulation->runtime());
    options.resource = {.kind = ConfigMap::type, .plural = "configmaps"};
    informer = std::make_unique<Informer>(*client, *dispatcher, Log(), std::move(options));
    informer->add_handler([this](const Change& change) { view.take(change); });
  }
  void end() {
    informer->stop();
    dispatcher->stop();
    transport->shutdown();
    informer.reset();
    dispatcher.reset();
    client.reset();
    transport.reset();
    unreliable.reset();
    simulation.reset();
  }
  void create(const std::string& name) {
    (void)simulation->user().create(ConfigMap{.metadata = {.name = name, .namespace_ = "default"}});
  }
  [[nodiscard]] std::map<std::string, std::string> stored() const {
    std::map<std::string, std::string> all;
    for (const Object& object : simulation->server().objects("configmaps"))
      all[std::string(object.name())] = object.resource_version();
    return all;
  }

  std::unique_ptr<testing::Simulation> simulation;
  std::unique_ptr<Unreliable> unreliable;
  std::shared_ptr<http::MemoryTransport> transport;
  std::unique_ptr<Client> client;
  std::unique_ptr<Dispatcher> dispatcher;
  std::unique_ptr<Informer> informer;
  View view;
};

// Trap 30: synced means that the handlers have been told, not only that the store is filled.
TEST_F(InformerTest, IsSyncedOnceItsHandlersHaveBeenTold) {
  begin(1);
  unreliable->trouble = false;
  for (const char* name : {"a", "b", "c"}) create(name);
  EXPECT_FALSE(informer->has_synced());
  informer->start();
  ASSERT_TRUE(informer->wait_for_sync(simulation->runtime().now() + 1min));
  EXPECT_EQ(view.versions(), stored());
  EXPECT_EQ(informer->store().size(), 3U);
  end();
}

TEST_F(InformerTest, SaysWhyItIsNotSynced) {
  begin(1);
  unreliable->trouble = false;
  informer.reset();
  informer = std::make_unique<Informer>(
      *client, *dispatcher, Log(), InformerOptions{.resource = {.kind = {"v1", "Elephant"}, .plural = "elephants"}});
  informer->start();
  const auto late = informer->wait_for_sync(simulation->runtime().now() + 10s);
  EXPECT_EQ(late.error().code, ErrorCode::timeout);
  EXPECT_NE(late.error().message.find("404"), std::string::npos) << late.error().message;
  end();
}

// TX-08, TX-09: watches cut at random points and a server that forgets the past lose nothing and tell each delete once.
TEST_F(InformerTest, AgreesWithTheServerHoweverItsWatchesAreCut) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    view = View();
    begin(seed);
    informer->start();
    Random& random = simulation->random();
    int created = 0;
    std::set<std::string> alive;
    for (int step = 0; step < 100; ++step) {
      const std::string some =
          alive.empty() ? "" : *std::next(alive.begin(), static_cast<long>(random.below(alive.size())));
      const auto choice = random.below(5);
      if (choice < 2 || some.empty()) {
        const std::string name = "n" + std::to_string(created++);
        create(name);
        alive.insert(name);
      } else if (choice == 2) {
        ASSERT_TRUE(simulation->user().patch(ConfigMap::type, {"default", some},
                                             json::Value{{"data", {{"step", std::to_string(step)}}}}));
      } else if (choice == 3) {
        ASSERT_TRUE(simulation->user().remove(ConfigMap::type, {"default", some}));
        alive.erase(some);
      } else {
        simulation->runtime().sleep_for(std::chrono::milliseconds(random.below(3000)));
        if (random.below(4) == 0) simulation->server().compact();
      }
    }
    unreliable->trouble = false;
    simulation->runtime().sleep_for(5min);
    EXPECT_EQ(view.versions(), stored());
    EXPECT_LE(view.deletes, created - static_cast<int>(alive.size()));
    end();
  }
}

}  // namespace
}  // namespace pintle
