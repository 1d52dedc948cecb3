// SPDX-License-Identifier: Apache-2.0
// A kind, a cluster and an operator with one InformerController, for the tests of this pattern.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/api/everyday.hpp>
#include <pintle/object/fields.hpp>
#include <pintle/object/owner.hpp>
#include <pintle/patterns/watcher.hpp>
#include <pintle/testing/recording_log_sink.hpp>
#include <pintle/testing/simulation.hpp>

namespace pintle::watcher {

using namespace std::chrono_literals;

struct Note {
  static constexpr Type type{"test.pintle.dev/v1", "Note"};
  struct Spec {
    std::string text = "x";
    static constexpr auto fields() { return pintle::fields(field("text", &Spec::text, "What it says.")); }
  };
  Metadata metadata{};
  Spec spec{};
};

inline Note note(const std::string& name, const std::string& text = "1") {
  return {.metadata = {.name = name, .namespace_ = "default"}, .spec = {.text = text}};
}

inline std::string text_of(const Object& object) { return std::string(object["/spec/text"].text()); }
inline Error outage(const std::string& what = "not now") { return make_error(ErrorCode::unavailable, what); }

// The calls of handlers, in order: "add a=1", "update a=1>2", "delete a=2", "created a=1", "resynced a=1".
using Calls = std::vector<std::string>;

// The return values of a handler: each call takes the first one, and the last one stays. Default: `done`.
class Outcomes {
 public:
  Outcomes() = default;
  Outcomes(std::initializer_list<Outcome> outcomes) : outcomes_(outcomes) {}
  Outcome next() {
    if (outcomes_.empty()) return done;
    Outcome outcome = outcomes_.front();
    if (outcomes_.size() > 1) outcomes_.erase(outcomes_.begin());
    return outcome;
  }

 private:
  std::vector<Outcome> outcomes_;
};

using testkit::RecordingLogSink;

class WatcherTest : public ::testing::Test {
 protected:
  explicit WatcherTest(std::uint64_t seed = 1) : simulation({.seed = seed}) { remake({}); }
  void TearDown() override { instance.reset(); }  // its reconciles use members of this object

  void remake(InformerControllerOptions config) {
    controller = std::make_shared<InformerController>(simulation.executor(), std::move(config));
  }
  // Starts an operator with the controller and an informer of notes, which by default has no resync.
  void run(ManagerOptions options = {}) {
    controller->add_informer(KubernetesBasedInformer::of<Note>({.resync = resync}), "Note");
    start(std::move(options));
  }
  void start(ManagerOptions options = {}) {
    options.name = "test-operator";
    options.log_sink = log;
    instance = std::make_unique<testkit::Instance>(simulation, std::move(options),
                                                   [this](Manager& manager) { controller->add_to(manager); });
    instance->start();
    ASSERT_TRUE(simulation.wait_until([&] { return instance->manager().is_ready(); }));
  }
  // Runs a function in a reconcile of an object, without a controller of this pattern.
  void in_a_reconcile(const std::function<void(const Object&, Context&)>& function) {
    bool has_run = false;
    if (!stored("in-reconcile")) create(note("in-reconcile"));
    instance = std::make_unique<testkit::Instance>(simulation, ManagerOptions{.log_sink = log}, [&](Manager& manager) {
      manager.add(pintle::Controller<Object>{.watch = GroupVersionKind(Note::type),
                                             .reconcile = [&](const Object& object, Context& context) -> Outcome {
                                               if (!std::exchange(has_run, true)) function(object, context);
                                               return done;
                                             }});
    });
    instance->start();
    ASSERT_TRUE(simulation.wait_until([&] { return has_run; }));
    instance.reset();
  }

  std::shared_ptr<SimpleWatcher> watcher(std::string name = "", Outcomes add = {}, Outcomes update = {},
                                         Outcomes remove = {}) {
    const auto record = [this, name](const std::string& what) {
      calls.push_back((name.empty() ? "" : name + " ") + what);
    };
    return std::make_shared<SimpleWatcher>(WatcherFunctions{
        .added =
            [record, add](const Object& object, Context&) mutable {
              record("add " + std::string(object.name()) + "=" + text_of(object));
              return add.next();
            },
        .updated =
            [record, update](const Object& old, const Object& current, Context&) mutable {
              record("update " + std::string(current.name()) + "=" + text_of(old) + ">" + text_of(current));
              return update.next();
            },
        .deleted =
            [record, remove](const Object& object, Context&) mutable {
              record("delete " + std::string(object.name()) + "=" + text_of(object));
              return remove.next();
            }});
  }
  std::shared_ptr<SimpleReconciler> reconciler(std::string name = "", Outcomes outcomes = {}) {
    return std::make_shared<SimpleReconciler>(
        [this, name, outcomes](const ReconcileRequest& request, Context&) mutable {
          calls.push_back((name.empty() ? "" : name + " ") + std::string(to_string(request.action)) + " " +
                          std::string(request.object.name()) + "=" + text_of(request.object));
          return ReconcileResult(outcomes.next());
        });
  }

  void create(const Note& made) {
    if (!installed_) install();
    const auto created = simulation.user().create(made);
    ASSERT_TRUE(created) << created.error().to_string();
  }
  void set_text(const std::string& name, const std::string& text) { patch(name, {{"spec", {{"text", text}}}}); }
  void patch(const std::string& name, const json::Value& merge_patch) {
    const auto patched = simulation.user().patch(Note::type, {"default", name}, merge_patch);
    ASSERT_TRUE(patched) << patched.error().to_string();
  }
  void remove(const std::string& name) {
    const auto removed = simulation.user().remove(Note::type, {"default", name});
    ASSERT_TRUE(removed) << removed.error().to_string();
  }
  Object stored(const std::string& name) {
    return simulation.user().get(GroupVersionKind(Note::type), {"default", name}).value_or(Object());
  }
  std::vector<std::string> finalizers_of(const std::string& name) {
    std::vector<std::string> names;
    const Object object = stored(name);
    for (const json::View one : object.finalizers().elements()) names.emplace_back(one.text());
    return names;
  }
  void advance_time(Duration duration) { simulation.executor().sleep_for(duration); }
  // All requests of the operator get no response. Returns when its watches have ended.
  void cut_off() {
    instance->transport().set_faults({{.effect = http::Drop{}}});
    advance_time(30min);
  }
  // Connects the operator again, to a server whose watch history is lost.
  void reconnect() {
    simulation.server().compact();
    instance->transport().set_faults({});
  }
  [[nodiscard]] std::size_t count(const std::string& what) const {
    std::size_t times = 0;
    for (const std::string& one : calls) times += one == what ? 1 : 0;
    return times;
  }

  testkit::Simulation simulation;
  std::shared_ptr<RecordingLogSink> log = std::make_shared<RecordingLogSink>();
  std::shared_ptr<InformerController> controller;
  std::unique_ptr<testkit::Instance> instance;
  Duration resync{};
  Calls calls;

 private:
  void install() {
    installed_ = true;
    if (simulation.user().get(GroupVersionKind("apiextensions.k8s.io/v1", "CustomResourceDefinition"),
                              {"", "notes.test.pintle.dev"})) {
      return;
    }
    const auto crd = simulation.user().create(crd_of<Note>());
    ASSERT_TRUE(crd) << crd.error().to_string();
    advance_time(1s);
  }

  bool installed_ = false;
};

class InformerControllerTest : public WatcherTest {
 protected:
  Outcome failing() { return failed(outage()); }
  std::vector<std::string> messages() {
    std::vector<std::string> all;
    for (const Error& error : controller->validate()) all.push_back(error.message);
    return all;
  }
  double metric(const std::string& name, const Labels& labels) {
    return instance->manager().metrics().counter(name, "", labels).value();
  }
  double gauge(const std::string& name, const Labels& labels) {
    return instance->manager().metrics().gauge(name, "", labels).value();
  }
};

}  // namespace pintle::watcher
