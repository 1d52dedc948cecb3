// SPDX-License-Identifier: Apache-2.0
// Caches against a server with every fault that the embedded server can make: after an hour of random changes and
// faults, each cache contains what the server contains.
#include <array>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/api/everyday.hpp>
#include <pintle/cache/informer.hpp>
#include <pintle/testing/seeds.hpp>
#include <pintle/testing/simulation.hpp>

namespace pintle {
namespace {

using namespace std::chrono_literals;

enum class Form { whole, metadata_only, projection, selector };
constexpr std::array forms{Form::whole, Form::metadata_only, Form::projection, Form::selector};

// `fallback` requests streaming lists from a server that does not support them.
enum class Listing { paged, streaming, fallback };

constexpr const char* selector = "team=a";

InformerOptions options_of(Form form, Listing listing, json::Pool& pool) {
  InformerOptions options{.resource = {.kind = ConfigMap::type, .plural = "configmaps"}};
  options.reflector.list_mode = listing == Listing::paged ? ListMode::paged : ListMode::streaming;
  options.reflector.page_size = 5;
  options.reflector.pool = &pool;
  switch (form) {
    case Form::whole: break;
    case Form::metadata_only: options.reflector.metadata_only = true; break;
    case Form::projection: options.reflector.projection.projection.drop.emplace_back("/data/dropped"); break;
    case Form::selector: options.label_selector = selector; break;
  }
  return options;
}

std::string name_of(Form form, Listing listing) {
  constexpr std::array form_names{"whole", "metadata only", "projection", "selector"};
  constexpr std::array listing_names{"paged", "streaming", "fallback"};
  return std::string(form_names.at(static_cast<std::size_t>(form))) + ", " +
         listing_names.at(static_cast<std::size_t>(listing));
}

// One cache, and the state that a handler derives from its changes.
class Cache {
 public:
  Cache(Client& client, Dispatcher& dispatcher, Form form, Listing listing, json::Pool& pool)
      : name(name_of(form, listing)), informer_(client, dispatcher, Log(), options_of(form, listing, pool)) {
    informer_.add_handler([this](const Change& change) { take(change); });
    informer_.start();
  }
  void stop() { informer_.stop(); }

  // Returns the first difference to the server; "" if there is none.
  [[nodiscard]] std::string difference(const ApiServer& server) const {
    if (!informer_.has_synced()) return "is not synced: " + informer_.sync_status();
    std::size_t count = 0;
    for (const Object& object : server.objects("configmaps")) {
      if (!informer_.options().label_selector.empty() && object.labels().member("team") != "a") continue;
      ++count;
      const auto kept = Reflector::project(object.root(), informer_.options().reflector);
      if (!kept) return kept.error().to_string();
      if (informer_.store().get(kept->key()) != *kept) {
        return "lacks " + kept->root().print() + "; its state is " + informer_.store().get(kept->key()).root().print();
      }
    }
    if (count != informer_.store().size()) return "has " + std::to_string(informer_.store().size()) + " objects";
    if (known_.size() != count) return "has delivered " + std::to_string(known_.size()) + " objects";
    for (const auto& [key, object] : known_) {
      if (informer_.store().get(key) != object) return "has not delivered the state of " + key.to_string();
    }
    return "";
  }

  const std::string name;

 private:
  void take(const Change& change) {
    const ObjectKey key = change.object().key();
    EXPECT_EQ(change.old.exists(), known_.contains(key)) << name << ": " << key.to_string();
    if (change.current) {
      known_[key] = change.current;
    } else {
      known_.erase(key);
    }
  }

  Informer informer_;
  std::map<ObjectKey, Object> known_;
};

// The caches of one client.
class Caches {
 public:
  Caches(testkit::Simulation& simulation, Dispatcher& dispatcher, Listing listing, const std::string& user_agent)
      : pool_(simulation.executor()),
        transport_(simulation.connect()),
        client_({.transport = transport_,
                 .cluster = {.endpoint = std::make_shared<http::Endpoint>()},
                 .field_manager = user_agent,
                 .user_agent = user_agent,
                 .timeout = 10s}) {
    for (const Form form : forms) caches_.push_back(std::make_unique<Cache>(client_, dispatcher, form, listing, pool_));
  }
  void stop() {
    for (const auto& cache : caches_) cache->stop();
    transport_->stop();
  }
  [[nodiscard]] Client& client() noexcept { return client_; }
  [[nodiscard]] std::string difference(const ApiServer& server) const {
    for (const auto& cache : caches_) {
      if (const std::string difference = cache->difference(server); !difference.empty())
        return "the cache (" + cache->name + ") " + difference;
    }
    return "";
  }

 private:
  json::Pool pool_;
  std::shared_ptr<http::InProcessTransport> transport_;
  Client client_;
  std::vector<std::unique_ptr<Cache>> caches_;
};

// ---- the faults ----

http::ErrorResponse random_error(Random& random) {
  const std::array<http::ErrorResponse, 9> errors{
      {{.status = 401, .reason = "Unauthorized"},
       {.status = 403, .reason = "Forbidden"},
       {.status = 404, .reason = "NotFound"},
       {.status = 410, .reason = "Expired"},
       {.status = 429, .reason = "TooManyRequests", .headers = {{"Retry-After", "1"}}},
       {.status = 429, .reason = "TooManyRequests"},
       {.status = 500, .reason = "InternalError"},
       {.status = 503, .reason = "ServiceUnavailable", .headers = {{"Retry-After", "2"}}},
       {.status = 504, .reason = "Timeout"}}};
  http::ErrorResponse error = errors.at(random.below(errors.size()));
  error.after_commit = random.below(3) == 0;
  return error;
}

http::TruncateBody random_truncation(Random& random) {
  using How = http::TruncateBody::How;
  http::TruncateBody cut{.how = std::array{How::reset, How::end, How::silence}.at(random.below(3))};
  switch (random.below(3)) {
    case 0: cut.after_bytes = random.below(5'000); break;
    case 1: cut.after_events = random.below(20); break;
    default: cut.after = std::chrono::milliseconds(random.below(60'000)); break;
  }
  return cut;
}

StaleRead random_stale_read(Random& random) {
  return {.versions = random.below(30),
          .age = std::chrono::seconds(random.below(60)),
          .include_unversioned = random.below(4) == 0};
}

ErrorEvent random_error_event(Random& random) {
  const std::array<ErrorEvent, 3> events{{{.status = 410, .reason = "Expired"},
                                          {.status = 500, .reason = "InternalError"},
                                          {.status = 504, .reason = "Timeout"}}};
  ErrorEvent event = events.at(random.below(events.size()));
  event.after_events = random.below(10);
  return event;
}

constexpr std::uint64_t kinds_of_faults = 11;

ServerFault random_fault(Random& random) {
  ServerFault fault{.only = RequestMatcher{.client = "cache"}, .probability = 0.05 + 0.5 * random.unit()};
  const auto some_time = std::chrono::milliseconds(1 + random.below(40'000));
  switch (random.below(kinds_of_faults)) {
    case 0: fault.effect = random_error(random); break;
    case 1: fault.effect = http::Delay{.duration = some_time, .after_commit = random.below(2) == 0}; break;
    case 2: fault.effect = http::Drop{.after_commit = random.below(2) == 0}; break;
    case 3: fault.effect = random_truncation(random); break;
    case 4: fault.effect = http::RepeatEvent{.nth = random.below(5)}; break;
    case 5: fault.effect = http::StallEvents{.nth = 1 + random.below(5), .duration = some_time}; break;
    case 6: fault.effect = http::SplitBody{.bytes = 1 + random.below(50)}; break;
    case 7: fault.effect = random_stale_read(random); break;
    case 8: fault.effect = random_error_event(random); break;
    case 9: fault.effect = WithholdBookmarks{.only_initial_end = random.below(2) == 0}; break;
    default:
      fault.effect = Rewind{.versions = 1 + random.below(20)};
      fault.times = 1;
      break;
  }
  return fault;
}

// ---- the hour ----

class Chaos {
 public:
  explicit Chaos(std::uint64_t seed) : simulation_({.seed = seed, .replay = replay(seed)}) {
    static_assert(std::variant_size_v<decltype(ServerFault::effect)> == kinds_of_faults, "add the new fault");
    ignores_streams_ = random_.below(2) == 0;
    simulation_.server().set_faults(faults(false));
    for (const auto& [listing, user_agent] : {std::pair{Listing::paged, "cache-paged"},
                                              {Listing::streaming, "cache-streaming"},
                                              {Listing::fallback, "cache-fallback"}}) {
      caches_.push_back(std::make_unique<Caches>(simulation_, dispatcher_, listing, user_agent));
    }
  }
  ~Chaos() {
    for (const auto& caches : caches_) caches->stop();
    dispatcher_.stop();
  }
  Chaos(const Chaos&) = delete;
  Chaos& operator=(const Chaos&) = delete;

  [[nodiscard]] static std::string replay(std::uint64_t seed) {
    return "PINTLE_SEED=" + std::to_string(seed) + " pintle_cache_tests --gtest_filter=Chaos.*";
  }

  void rage_for(Duration time) {
    const Instant end = after(simulation_.executor().now(), time);
    Instant next_faults{};
    while (simulation_.executor().now() < end) {
      if (simulation_.executor().now() >= next_faults) {
        injected += simulation_.server().injected_faults();
        simulation_.server().set_faults(faults(true));
        next_faults = after(simulation_.executor().now(), std::chrono::seconds(30 + random_.below(400)));
      }
      const std::uint64_t writes = random_.below(8);
      for (std::uint64_t i = 0; i < writes; ++i) write(simulation_.user());
      if (random_.below(10) == 0) write(caches_.at(random_.below(caches_.size()))->client());
      if (random_.below(40) == 0) simulation_.server().compact();
      if (random_.below(150) == 0) set_back();
      simulation_.executor().sleep_for(std::chrono::milliseconds(random_.below(20'000)));
    }
    injected += simulation_.server().injected_faults();
    simulation_.server().set_faults(faults(false));
  }

  void write() { write(simulation_.user()); }

  // Returns the first difference that remains until `limit`.
  [[nodiscard]] std::string difference_after(Duration limit) {
    std::string difference;
    const auto is_equal = [&] { return (difference = this->difference()).empty(); };
    const Instant end = after(simulation_.executor().now(), limit);
    while (!is_equal() && simulation_.executor().now() < end) simulation_.executor().sleep_for(5s);
    return difference;
  }

  std::uint64_t injected = 0;

 private:
  // With `any` false, only what the fallback needs.
  [[nodiscard]] ServerFaults faults(bool any) {
    ServerFaults made{.seed = 1 + random_.below(1'000'000)};
    const auto is_stream = [](const http::Request& request) {
      return request.target.find("sendInitialEvents=true") != std::string::npos &&
             RequestMatcher{.client = "cache-fallback"}(request);
    };
    if (ignores_streams_) {
      made.rules.push_back({.effect = WithholdBookmarks{.only_initial_end = true}, .only = is_stream});
    } else {
      made.rules.push_back({.effect = http::ErrorResponse{.status = 422, .reason = "Invalid"}, .only = is_stream});
    }
    for (std::uint64_t left = any ? random_.below(5) : 0; left > 0; --left) made.rules.push_back(random_fault(random_));
    return made;
  }

  // Creates, changes, relabels or deletes an object. It may fail, because the server may have been set back.
  void write(Client& client) {
    const ObjectKey key{"default", "n" + std::to_string(random_.below(25))};
    const std::string number = std::to_string(random_.below(1'000));
    const std::string team = random_.below(2) == 0 ? "a" : "b";
    const json::Value patch{{"data", {{"kept", number}, {"dropped", number}}}};
    const json::Value move{{"metadata", {{"labels", {{"team", team}}}}}};
    switch (random_.below(6)) {
      case 0:
      case 1:
        (void)client.create(
            ConfigMap{.metadata = {.name = key.name, .namespace_ = key.namespace_, .labels = {{"team", team}}},
                      .data = {{"kept", number}, {"dropped", number}}});
        break;
      case 2: (void)client.remove(ConfigMap::type, key); break;
      case 3: (void)client.patch(ConfigMap::type, key, move); break;
      default: (void)client.patch(ConfigMap::type, key, patch); break;
    }
  }

  // Restores a backup, or replaces the server by an empty one, whose versions are above or below the former ones.
  void set_back() {
    ApiServer& server = simulation_.server();
    switch (random_.below(4)) {
      case 0: simulation_.restart_server(); break;
      case 1: simulation_.restart_server(1 + random_.below(100)); break;
      default: (void)server.rewind(server.resource_version() - random_.below(60)); return;
    }
    simulation_.server().set_faults(faults(true));
  }

  [[nodiscard]] std::string difference() {
    for (const auto& caches : caches_) {
      if (std::string difference = caches->difference(simulation_.server()); !difference.empty()) return difference;
    }
    return "";
  }

  testkit::Simulation simulation_;
  Random& random_ = simulation_.random();
  bool ignores_streams_ = false;
  Dispatcher dispatcher_{simulation_.executor()};
  std::vector<std::unique_ptr<Caches>> caches_;
};

// A cache lists again at most an hour after a rewind that no event has shown.
TEST(Chaos, EndsWithCachesThatAreEqualToTheServer) {
  for (const std::uint64_t seed : testkit::seeds({.usual = 4, .sanitized = 1, .long_run = 1'000})) {
    SCOPED_TRACE(Chaos::replay(seed));
    Chaos chaos(seed);
    chaos.rage_for(1h);
    EXPECT_GT(chaos.injected, 10U);
    ASSERT_EQ(chaos.difference_after(70min), "") << "after the last fault";
    for (int i = 0; i < 20; ++i) chaos.write();
    ASSERT_EQ(chaos.difference_after(70min), "") << "after a change without faults";
  }
}

}  // namespace
}  // namespace pintle
