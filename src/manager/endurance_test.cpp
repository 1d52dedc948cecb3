// SPDX-License-Identifier: Apache-2.0
// Long-term load of an operator: shutdowns under load, and thousands of keys that fail again and again.
#include <atomic>
#include <cstdlib>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include <malloc.h>

#include <pintle/base/forwarding_executor.hpp>
#include <pintle/sim/in_process_transport.hpp>
#include <pintle/testing/seeds.hpp>

#include "controller/test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

ObjectKey key_of(int i) { return {"default", "c" + std::to_string(i)}; }

void create_config_maps(Client& client, int count) {
  for (int i = 0; i < count; ++i) {
    ASSERT_TRUE(client.create(ConfigMap{.metadata = {.name = key_of(i).name, .namespace_ = "default"}}));
  }
}

// Counts the threads that were started and have not ended.
class CountingExecutor final : public ForwardingExecutor {
 public:
  using ForwardingExecutor::ForwardingExecutor;
  [[nodiscard]] Thread spawn(ThreadOptions options, std::function<void()> body) override {
    ++threads_;
    return ForwardingExecutor::spawn(std::move(options), [this, body = std::move(body)] {
      body();
      --threads_;
    });
  }

  [[nodiscard]] int threads() const { return threads_; }

 private:
  std::atomic<int> threads_ = 0;
};

// A cluster that is never idle: as long as it exists, its objects are edited and keys are sent to the operator.
class BusyCluster {
 public:
  static constexpr int objects = 30;

  BusyCluster() : channel(std::make_shared<ChannelSource>(*executor)) {
    create_config_maps(user_, objects);
    editor_ = executor->spawn({.name = "editor"}, [this] { edit(); });
  }
  ~BusyCluster() {
    stop_.request_stop();
    editor_.join();
    user_transport_->stop();
    server_.stop();
  }

  [[nodiscard]] std::shared_ptr<http::InProcessTransport> connect() {
    return std::make_shared<http::InProcessTransport>(*executor, server_);
  }

  const std::unique_ptr<Executor> executor = make_real_executor();
  const std::shared_ptr<ChannelSource> channel;

 private:
  void edit() {
    for (int i = 0; !stop_.stop_requested(); ++i) {
      const json::Value edited{{"data", {{"i", std::to_string(i)}}}};
      EXPECT_TRUE(user_.patch(ConfigMap::type, key_of(i % objects), edited));
      for (int k = 0; k < objects; ++k) (void)channel->send(key_of(k), "edit " + std::to_string(i));
    }
  }

  ApiServer server_{*executor, {}};
  const std::shared_ptr<http::InProcessTransport> user_transport_ = connect();
  Client user_{{.transport = user_transport_}};
  std::stop_source stop_;
  Thread editor_;
};

// Counts reconciles, and lets a test wait for them.
class ReconcileCount {
 public:
  explicit ReconcileCount(Executor& executor) : mutex_(executor), changed_(executor) {}
  void begin() {
    const MutexLock lock(mutex_);
    ++begun_;
    ++running_;
    changed_.notify_all();
  }
  void end() {
    const MutexLock lock(mutex_);
    --running_;
  }
  void await_begun(int count) {
    const MutexLock lock(mutex_);
    while (begun_ < count) changed_.wait(mutex_);
  }
  [[nodiscard]] int running() const {
    const MutexLock lock(mutex_);
    return running_;
  }

 private:
  mutable Mutex mutex_;
  CondVar changed_;
  int begun_ PINTLE_GUARDED_BY(mutex_) = 0;
  int running_ PINTLE_GUARDED_BY(mutex_) = 0;
};

// One object waits until the stop, and one is written until the stop. The others are written and get an Event, and one
// of them fails.
Outcome work_on(const Object& object, Context& context) {
  if (object.name() == "c0") {
    context.executor().sleep_for(24h, context.stop_token());
    return done;
  }
  do {
    const auto written = context.patch(object, {{"metadata", {{"annotations", {{"seen", "yes"}}}}}});
    if (!written) return failed(written.error());
  } while (object.name() == "c1");
  context.event(EventType::normal, "Seen", "it was");
  if (object.name() == "c2") return failed(make_error(ErrorCode::unavailable, "never"));
  return done;
}

// Starts one operator under the load and stops it.
void stop_under_load(BusyCluster& cluster) {
  constexpr Duration grace = 10s;
  const std::unique_ptr<Executor> machine = make_real_executor();
  CountingExecutor executor(*machine);
  ReconcileCount reconciles(*cluster.executor);
  const auto transport = cluster.connect();
  Manager manager({.name = "busy", .log_level = LogLevel::off, .executor = &executor, .transport = transport});
  manager.add(Controller<Object>{.watch = ConfigMap::type,
                                 .channels = {cluster.channel},
                                 .reconcile = [&](const Object& object, Context& context) -> Outcome {
                                   reconciles.begin();
                                   Outcome outcome = work_on(object, context);
                                   reconciles.end();
                                   return outcome;
                                 },
                                 .workers = 6});
  const auto started = manager.start();
  ASSERT_TRUE(started) << started.error().to_string();
  reconciles.await_begun(20);

  const Instant started_at = executor.now();
  manager.stop(grace);

  EXPECT_LT(executor.now() - started_at, grace);
  EXPECT_TRUE(manager.wait()) << "a reconcile was still running";
  EXPECT_EQ(reconciles.running(), 0);
  EXPECT_EQ(executor.threads(), 0);
  transport->stop();
}

TEST(ShutdownConcurrency, EndsEverythingWithinTheGraceTimeWhileKeysAreAdded) {
  const int lives = std::getenv("PINTLE_LONG") != nullptr ? 1000 : 20;
  BusyCluster cluster;
  for (int life = 1; life <= lives && !::testing::Test::HasFailure(); ++life) {
    SCOPED_TRACE("life " + std::to_string(life));
    stop_under_load(cluster);
  }
}

// Returns the bytes that are allocated and not freed.
std::size_t live_heap() {
  const struct mallinfo2 info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

// An operator whose objects all fail several times, with a different error each time, and then recover.
class RecoveryTest : public ::testing::Test {
 protected:
  static constexpr int objects = 10'000;

  void start() {
    create_config_maps(simulation_.user(), objects);
    instance_.start();
    run_until_idle();
  }

  void cycle(int failures) {
    for (int i = 0; i < objects; ++i) {
      failures_left_[static_cast<std::size_t>(i)] = failures;
      ASSERT_TRUE(channel_->send(key_of(i), "cycle " + std::to_string(++words_)));
    }
    run_until_idle();
  }
  void run_until_idle() {
    ASSERT_TRUE(simulation_.wait_until([&] { return instance_.manager().is_idle(); }));
    simulation_.executor().sleep_for(1min);
    ASSERT_TRUE(instance_.manager().is_idle());
  }

  int reconciles_ = 0;

 private:
  Outcome reconcile(const Object& object) {
    ++reconciles_;
    int& left = failures_left_[static_cast<std::size_t>(std::stoi(std::string(object.name().substr(1))))];
    if (left == 0) return done;
    --left;
    return failed(make_error(ErrorCode::unavailable, "failure " + std::to_string(++words_) + std::string(100, '.')));
  }

  std::vector<int> failures_left_ = std::vector<int>(objects);
  int words_ = 0;
  testkit::Simulation simulation_{{.seed = 1}};
  const std::shared_ptr<ChannelSource> channel_ = std::make_shared<ChannelSource>(simulation_.executor());
  testkit::Instance instance_{
      simulation_, {.name = "recovering", .log_level = LogLevel::off}, [this](Manager& manager) {
        manager.add(Controller<Object>{
            .watch = ConfigMap::type, .channels = {channel_}, .reconcile = [this](const Object& object, Context&) {
              return reconcile(object);
            }});
      }};
};

TEST_F(RecoveryTest, TenThousandKeysFailAndRecoverWithFlatMemory) {
  if (testkit::is_sanitized) GTEST_SKIP() << "the heap of a sanitizer retains freed memory";
  constexpr int failures = 3;
  constexpr int cycles = 4;
  constexpr std::size_t slack = 10 * objects;  // less than the smallest possible entry for each key
  start();
  cycle(0);
  const std::size_t well = live_heap();
  reconciles_ = 0;
  for (int i = 1; i <= cycles; ++i) {
    cycle(failures);
    EXPECT_LT(live_heap(), well + slack) << "after cycle " << i;
  }
  EXPECT_EQ(reconciles_, cycles * objects * (failures + 1));
}

}  // namespace
}  // namespace pintle
