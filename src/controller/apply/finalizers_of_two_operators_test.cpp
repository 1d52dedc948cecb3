// SPDX-License-Identifier: Apache-2.0
// Two operators with one finalizer each, with events in any order.
#include <pintle/controller/finalizers.hpp>

#include <map>
#include <set>
#include <stdexcept>

#include <pintle/testing/seeds.hpp>

#include "finalizers_test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using Policy = FinalizerPolicy;

// A minimal operator: it reconciles the current objects, sometimes an older copy of them, and sometimes crashes in the
// middle of a reconcile. Its external resources are a set of uids.
class SmallOperator {
 public:
  SmallOperator(testkit::Simulation& simulation, http::Handler& server, std::string name, Policy policy,
                std::uint64_t seed)
      : executor_(simulation.executor()),
        transport_(std::make_shared<http::InProcessTransport>(executor_, server)),
        client_({.transport = transport_, .cluster = {.endpoint = std::make_shared<http::Endpoint>()}}),
        options_{.name = std::move(name), .policy = policy},
        random_(seed),
        reconciles_(std::make_unique<FinalizerReconciler>(client_, options_)),
        thread_(executor_.spawn({.name = "operator"}, [this] { run(); })) {}
  ~SmallOperator() {
    stop_.request_stop();
    thread_.join();
    transport_->stop();
  }

  [[nodiscard]] const std::set<std::string>& outside() const { return outside_; }
  // Ends the random failures.
  void calm() { calm_ = true; }

 private:
  struct Death {};

  void run() {
    while (executor_.sleep_for(std::chrono::milliseconds(random_.below(30)), stop_.get_token())) {
      if (calm_ || random_.below(3) != 0) read();
      const auto keys = keys_;
      for (const ObjectKey& key : keys) visit(key);
    }
  }
  void read() {
    const auto list = client_.list(ConfigMap::type, {.namespace_ = "default"});
    copy_.clear();
    for (const Object& object : list->items) {
      copy_[object.key()] = object;
      keys_.insert(object.key());
    }
  }
  void visit(const ObjectKey& key) {
    const auto finalize = [this](const Object& object) { return clean(object); };
    try {
      const auto object = copy_.find(key);
      if (object == copy_.end()) {
        (void)reconciles_->run_gone(key, finalize);
      } else {
        (void)reconciles_->run(
            object->second, [this](const Object& seen) { return make(seen); }, finalize, stop_.get_token());
      }
    } catch (const Death&) {
      reconciles_ = std::make_unique<FinalizerReconciler>(client_, options_);
    } catch (const std::runtime_error&) {}
  }
  Outcome make(const Object& object) {
    (void)accident();
    outside_.insert(std::string(object.uid()));
    return accident();
  }
  Outcome clean(const Object& object) {
    (void)accident();
    outside_.erase(std::string(object.uid()));
    return accident();
  }
  Outcome accident() {
    executor_.sleep_for(std::chrono::milliseconds(random_.below(5)));
    const auto kind = calm_ ? 99 : random_.below(12);
    // With this policy a crash before the finalizer was added loses the cleanup, as its documentation states.
    if (kind == 0 && options_.policy != Policy::add_after_success) throw Death{};
    if (kind == 1) throw std::runtime_error("an accident");
    if (kind == 2) return failed(make_error(ErrorCode::unavailable, "an accident"));
    if (kind == 3) return requeue_after(1s);
    return done;
  }

  Executor& executor_;
  std::shared_ptr<http::InProcessTransport> transport_;
  Client client_;
  const FinalizerOptions options_;
  Random random_;
  std::unique_ptr<FinalizerReconciler> reconciles_;
  std::map<ObjectKey, Object> copy_;
  std::set<ObjectKey> keys_;
  std::set<std::string> outside_;
  std::atomic<bool> calm_ = false;
  std::stop_source stop_;
  Thread thread_;
};

// Two operators with two finalizers work on the same objects in random order: both cleanups run, both finalizers are
// removed, and none is lost (TX-10). The server never receives a new finalizer for an object that is being deleted
// (TX-19).
TEST(FinalizersOfTwoOperators, LoseNoCleanupInAnyOrder) {
  for (const std::uint64_t seed : testkit::seeds({.usual = 150, .sanitized = 20})) {
    SCOPED_TRACE(seed);
    testkit::Simulation simulation({.seed = seed});
    Witness witness(simulation.server());
    Random& random = simulation.random();
    SmallOperator first(simulation, witness, "first.dev/cleanup", all_policies[seed % 4], random.next());
    SmallOperator second(simulation, witness, "second.dev/cleanup", all_policies[seed / 4 % 4], random.next());
    Client& user = simulation.user();
    for (int step = 0; step < 15; ++step) {
      const ObjectKey key{"default", "n" + std::to_string(random.below(3))};
      const ConfigMap object{.metadata = {.name = key.name, .namespace_ = key.namespace_}};
      if (random.below(2) == 0) {
        (void)user.create(object);
      } else {
        ASSERT_TRUE(user.remove(ConfigMap::type, key));
      }
      simulation.executor().sleep_for(std::chrono::milliseconds(random.below(40)));
    }
    first.calm();
    second.calm();
    for (int n = 0; n < 3; ++n) ASSERT_TRUE(user.remove(ConfigMap::type, {"default", "n" + std::to_string(n)}));
    EXPECT_TRUE(simulation.wait_until(
        [&] {
          return simulation.server().objects("configmaps").empty() && first.outside().empty() &&
                 second.outside().empty();
        },
        1min));
    EXPECT_TRUE(simulation.server().objects("configmaps").empty());
    EXPECT_EQ(first.outside().size(), 0U);
    EXPECT_EQ(second.outside().size(), 0U);
    EXPECT_EQ(witness.illegal, 0);
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace pintle
