// SPDX-License-Identifier: Apache-2.0
// Two instances of one operator with many seeds, crashes, partitions, restarts and stops: reconciles of two instances
// never overlap, and an instance writes nothing after another one has begun (TX-15).
#include <array>
#include <atomic>
#include <map>

#include <pintle/sim/in_process_transport.hpp>
#include <pintle/testing/seeds.hpp>

#include "controller/test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

// An observer of all instances. Used by one simulated thread at a time.
struct World {
  std::map<int, int> running{};  // reconciles by instance
  int last = 0;                  // the instance that began the last reconcile
  int reconciles = 0;
  int changes = 0;  // changes of the working instance
  int writes = 0;
  int refused = 0;  // writes that the fence refused
  std::string violation{};

  void begin(int instance) {
    for (const auto& [other, count] : running) {
      if (other != instance && count > 0) blame(instance, "begins a reconcile while another still works", other);
    }
    if (last != instance) ++changes;
    last = instance;
    ++running[instance];
    ++reconciles;
  }
  void end(int instance) {
    if (running.contains(instance)) --running[instance];
  }
  void write(int instance) {
    ++writes;
    if (last != instance) blame(instance, "writes after another has begun", last);
  }
  void die(int instance) { running.erase(instance); }
  void blame(int instance, const std::string& what, int other) {
    if (violation.empty()) violation = std::to_string(instance) + " " + what + ": " + std::to_string(other);
  }
};

// Forwards the requests of one instance to the server, and reports its writes to the observer.
class Way final : public http::Handler {
 public:
  Way(http::Handler& server, World& world, int instance) : server_(server), world_(world), instance_(instance) {}
  http::Response handle(const http::Request& request) override {
    if (request.method != "GET" && request.target.find("/notes/") != std::string::npos) world_.write(instance_);
    return server_.handle(request);
  }

 private:
  http::Handler& server_;
  World& world_;
  const int instance_;
};

// A network that can be cut. A cut ends open exchanges, although the server may have carried them out. New requests
// wait until the cut is healed, or time out.
class CutTransport final : public http::Transport {
 public:
  explicit CutTransport(std::shared_ptr<http::InProcessTransport> inner) : inner_(std::move(inner)) {}

  ExchangeId start(http::Request request, std::shared_ptr<http::ExchangeHandler> handler) override {
    const ExchangeId id = next_++;
    const Instant until =
        std::min(request.deadline, request.timeout > 0s ? after(executor().now(), request.timeout) : Instant::max());
    auto exchange = std::make_shared<Exchange>();
    exchange->request = std::move(request);
    exchange->handler = std::move(handler);
    inner_->post([this, id, exchange, until, kept = std::make_shared<Owed>(exchange)] {
      open_.emplace(id, exchange);
      if (!cut_) return forward(id);
      if (until != Instant::max()) {
        exchange->timer = inner_->start_timer(until, [this, id] { end(id, ErrorCode::timeout, "no answer in time"); });
      }
    });
    return id;
  }
  void cancel(ExchangeId id) override {
    inner_->post([this, id] { end(id, ErrorCode::cancelled, "cancelled"); });
  }
  void post(std::function<void()> function) override { inner_->post(std::move(function)); }
  TimerId start_timer(Instant at, std::function<void()> function) override {
    return inner_->start_timer(at, std::move(function));
  }
  void cancel_timer(TimerId timer) override { inner_->cancel_timer(timer); }
  void stop() override { inner_->stop(); }
  Executor& executor() noexcept override { return inner_->executor(); }

  void cut() {
    inner_->post([this] {
      cut_ = true;
      auto broken = open_;
      for (const auto& [id, exchange] : broken) end(id, ErrorCode::unreachable, "the connection broke off");
    });
  }
  void heal() {
    inner_->post([this] {
      cut_ = false;
      auto waiting = open_;
      for (const auto& [id, exchange] : waiting) forward(id);
    });
  }

 private:
  struct Exchange {
    http::Request request{};
    std::shared_ptr<http::ExchangeHandler> handler{};
    ExchangeId inner = 0;
    TimerId timer = 0;
  };
  // Ends an exchange whose start was dropped because the I/O thread has ended.
  struct Owed {
    explicit Owed(std::shared_ptr<Exchange> of) : exchange(std::move(of)) {}
    Owed(const Owed&) = delete;
    Owed& operator=(const Owed&) = delete;
    ~Owed() {
      if (exchange->inner == 0 && exchange->timer == 0 && exchange.use_count() == 1 && exchange->handler != nullptr) {
        exchange->handler->on_end(fail(ErrorCode::cancelled, "cancelled"));
      }
    }
    std::shared_ptr<Exchange> exchange;
  };
  // Forwards the response until the exchange has ended on this side.
  class Relay final : public http::ExchangeHandler {
   public:
    Relay(CutTransport& owner, ExchangeId id, std::shared_ptr<Exchange> exchange)
        : owner_(owner), id_(id), exchange_(std::move(exchange)) {}
    void on_head(const http::ResponseHead& head) override {
      if (exchange_->handler) exchange_->handler->on_head(head);
    }
    void on_body(std::string_view chunk) override {
      if (exchange_->handler) exchange_->handler->on_body(chunk);
    }
    void on_end(Result<void> result) override {
      owner_.open_.erase(id_);
      if (const auto handler = std::exchange(exchange_->handler, nullptr)) handler->on_end(std::move(result));
    }

   private:
    CutTransport& owner_;
    const ExchangeId id_;
    const std::shared_ptr<Exchange> exchange_;
  };

  void forward(ExchangeId id) {
    const auto exchange = open_.at(id);
    if (exchange->timer != 0) inner_->cancel_timer(exchange->timer);
    exchange->inner = inner_->start(std::move(exchange->request), std::make_shared<Relay>(*this, id, exchange));
  }
  void end(ExchangeId id, ErrorCode code, const char* why) {
    const auto found = open_.find(id);
    if (found == open_.end()) return;
    const auto exchange = found->second;
    open_.erase(found);
    if (exchange->timer != 0) inner_->cancel_timer(exchange->timer);
    if (exchange->inner != 0) inner_->cancel(exchange->inner);
    if (const auto handler = std::exchange(exchange->handler, nullptr)) handler->on_end(fail(code, why));
  }

  const std::shared_ptr<http::InProcessTransport> inner_;
  std::atomic<ExchangeId> next_ = 1;
  bool cut_ = false;  // used on the I/O thread only, like the map
  std::map<ExchangeId, std::shared_ptr<Exchange>> open_;
};

// One process of the operator. Like a process with run_until_signal, it ends when its lease is lost.
class Instance {
 public:
  Instance(testkit::Simulation& simulation, World& world, int number)
      : world_(world),
        number_(number),
        way_(simulation.server(), world, number),
        memory_(std::make_shared<http::InProcessTransport>(simulation.executor(), way_)),
        network_(std::make_shared<CutTransport>(memory_)),
        manager_({.name = "op",
                  .leader_election = LeaderElectionOptions{.identity = "instance-" + std::to_string(number)},
                  .log_level = LogLevel::off,
                  .executor = &simulation.executor(),
                  .transport = network_}) {
    manager_.add(Controller<Note>{
        .reconcile = [this](const Note& n, Context& context) { return reconcile(n, context); }, .workers = 2});
    process_ = simulation.executor().spawn({.name = "process"}, [this] {
      if (manager_.start() && !manager_.wait()) lost = true;
      manager_.stop();
      ended = true;
    });
  }
  ~Instance() {
    stop();
    memory_->stop();
  }
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  void stop() {
    manager_.request_stop();
    process_.join();
  }
  void crash() {
    alive_ = false;
    world_.die(number_);
    memory_->crash();
    stop();
  }
  void cut() { network_->cut(); }
  void heal() { network_->heal(); }

  bool ended = false;
  bool lost = false;

 private:
  // Ends soon after the stop request, as a reconcile should, and tries one more write before it ends.
  Outcome reconcile(const Note& n, Context& context) {
    if (!alive_) return done;
    world_.begin(number_);
    // The last write has no stop token, so only the fence can refuse it. Discovery is done before, because a read may
    // take longer than the lease.
    const bool knows_kind = context.client().resource(Note::type, context.stop_token()).has_value();
    const json::Value patch{{"spec", {{"text", "by " + std::to_string(number_)}}}};
    const auto write = [&] {
      const auto written = context.client().patch(Note::type, n.metadata.key(), patch, {});
      if (!written && written.error().message.find("the lease") != std::string::npos) ++world_.refused;
    };
    const auto some = Duration(static_cast<Duration::rep>(context.executor().random() % 2'000'000'000));
    context.executor().sleep_for(some, context.stop_token());
    if (!context.stop_token().stop_requested()) (void)context.patch(n, patch);
    if (knows_kind && context.stop_token().stop_requested()) write();
    if (alive_) world_.end(number_);
    return requeue_after(500ms);
  }

  World& world_;
  const int number_;
  bool alive_ = true;
  Way way_;
  const std::shared_ptr<http::InProcessTransport> memory_;
  const std::shared_ptr<CutTransport> network_;
  Manager manager_;
  Thread process_;
};

struct Totals {
  int reconciles = 0;
  int changes = 0;
  int refused = 0;
  int lost = 0;
};

void live_through(std::uint64_t seed, Totals& totals) {
  testkit::Simulation simulation({.seed = seed, .replay = "PINTLE_SEED=" + std::to_string(seed)});
  Random& random = simulation.random();
  World world;
  int born = 0;
  std::array<std::unique_ptr<Instance>, 2> instances;
  for (auto& instance : instances) instance = std::make_unique<Instance>(simulation, world, ++born);
  ASSERT_TRUE(simulation.wait_until([&] { return bool(simulation.user().create(note("a"))); }, 1min)) << seed;
  ASSERT_TRUE(simulation.user().create(note("b")));

  for (int i = 0; i < 12; ++i) {
    simulation.executor().sleep_for(std::chrono::milliseconds(random.below(15'000)));
    auto& instance = instances[random.below(2)];
    switch (random.below(5)) {
      case 0: instance->crash(); break;
      case 1: instance->stop(); break;
      case 2: instance->heal(); break;
      default: instance->cut(); break;
    }
    for (auto& one : instances) {
      if (!one->ended) continue;
      if (one->lost) ++totals.lost;
      one.reset();
      one = std::make_unique<Instance>(simulation, world, ++born);
    }
    ASSERT_EQ(world.violation, "") << "seed " << seed;
  }

  for (auto& instance : instances) instance->heal();
  const int before = world.writes;
  ASSERT_TRUE(simulation.wait_until(
      [&] {
        for (auto& one : instances) {
          if (one->ended) one = std::make_unique<Instance>(simulation, world, ++born);
        }
        return world.writes > before + 4;
      },
      3min))
      << "nobody works; seed " << seed;
  for (auto& instance : instances) instance.reset();
  ASSERT_EQ(world.violation, "") << "seed " << seed;
  EXPECT_EQ(simulation.server().objects("leases.coordination.k8s.io").at(0)["/spec/holderIdentity"], "") << seed;
  totals.reconciles += world.reconciles;
  totals.changes += world.changes;
  totals.refused += world.refused;
}

// The parameter is the first seed.
class ElectionSimulation : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(ElectionSimulation, WorkUnderOneLeaseNeverOverlaps) {
  Totals totals;
  const auto seeds = testkit::seeds({.usual = 50, .sanitized = 5, .long_run = 50}, GetParam());
  for (const std::uint64_t seed : seeds) ASSERT_NO_FATAL_FAILURE(live_through(seed, totals));
  if (seeds.size() == 1) return;
  const int count = static_cast<int>(seeds.size());
  EXPECT_GT(totals.reconciles, 20 * count);
  EXPECT_GT(totals.changes, 2 * count) << "the faults must make leadership move";
  EXPECT_GT(totals.lost, 0);
  EXPECT_GT(totals.refused, 0);
}

INSTANTIATE_TEST_SUITE_P(From, ElectionSimulation, ::testing::Values(1, 51, 101, 151),
                         ::testing::PrintToStringParamName());

}  // namespace
}  // namespace pintle
