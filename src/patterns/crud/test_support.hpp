// SPDX-License-Identifier: Apache-2.0
// Resources that record their calls, and a cluster with an operator that uses them.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pintle/manager/manager.hpp>
#include <pintle/object/fields.hpp>
#include <pintle/patterns/crud.hpp>
#include <pintle/testing/recording_log_sink.hpp>
#include <pintle/testing/simulation.hpp>

namespace pintle::crud {

struct Note {
  static constexpr Type type{"test.pintle.dev/v1", "Note"};
  struct Spec {
    std::string text = "x";
    static constexpr auto fields() { return pintle::fields(field("text", &Spec::text, "What it says.")); }
  };
  Metadata metadata{};
  Spec spec{};
};

inline Note note(const std::string& name, const std::string& text = "x") {
  return {.metadata = {.name = name, .namespace_ = "default"}, .spec = {.text = text}};
}

using testkit::RecordingLogSink;

inline bool handles_all(const Object&) { return true; }

inline ResourceRouter router(std::vector<Resource> resources,
                             std::function<Result<void>(const Object&, Context&)> init_ctx = {}) {
  return ResourceRouter(
      {.resource_sets = {
           ResourceSet({.handles = handles_all, .init_ctx = std::move(init_ctx), .resources = std::move(resources)})}});
}

// `calls` records all calls. If `on` has a function for a call, the call returns its result.
class CrudTest : public ::testing::Test {
 protected:
  using Deed = std::function<Result<void>(Context&)>;
  using State = json::Value;

  void TearDown() override { instance.reset(); }  // its reconciles use members of this object

  // Its calls are recorded as "r.created" and "r.deleted".
  Resource plain(const std::string& name) {
    return PlainResource<Object>{
        .name = name,
        .ensure_created = [this, name](const Object&, Context& ctx) { return called(name + ".created", ctx); },
        .ensure_deleted = [this, name](const Object&, Context& ctx) { return called(name + ".deleted", ctx); }};
  }
  // Its calls are recorded as "r.current", "r.desired", "r.update_patch", "r.delete_patch", "r.create", "r.delete" and
  // "r.update". Its patch is a copy of `patch`.
  Resource recording(const std::string& name) {
    const auto state = [this](const std::string& call, const char* value) {
      return [this, call, value](const Object&, Context& ctx) -> Result<State> {
        if (auto done = called(call, ctx); !done) return fail(done.error());
        return State(value);
      };
    };
    const auto make_patch = [this](const std::string& call) {
      return [this, call](const Object&, const State& current, const State& desired,
                          Context& ctx) -> Result<Patch<State>> {
        EXPECT_EQ(current, State("is"));
        EXPECT_EQ(desired, State("should be"));
        if (auto done = called(call, ctx); !done) return fail(done.error());
        return patch;
      };
    };
    const auto apply = [this](const std::string& call) {
      return [this, call](const Object&, const State& change, Context& ctx) {
        applied.push_back(change);
        return called(call, ctx);
      };
    };
    return CrudResource<Object, State>{.name = name,
                                       .get_current_state = state(name + ".current", "is"),
                                       .get_desired_state = state(name + ".desired", "should be"),
                                       .new_update_patch = make_patch(name + ".update_patch"),
                                       .new_delete_patch = make_patch(name + ".delete_patch"),
                                       .apply_create_change = apply(name + ".create"),
                                       .apply_delete_change = apply(name + ".delete"),
                                       .apply_update_change = apply(name + ".update")};
  }
  std::vector<Resource> recording(int count) {
    std::vector<Resource> resources;
    for (int i = 0; i < count; ++i) resources.push_back(recording("r" + std::to_string(i)));
    return resources;
  }
  std::vector<Resource> plain(int count) {
    std::vector<Resource> resources;
    for (int i = 0; i < count; ++i) resources.push_back(plain("r" + std::to_string(i)));
    return resources;
  }

  // Fails for the given number of calls, and then succeeds.
  static Deed failing(int times, Error error = make_error(ErrorCode::unavailable, "not now")) {
    return [left = std::make_shared<int>(times), error = std::move(error)](Context&) -> Result<void> {
      if (--*left >= 0) return fail(error);
      return {};
    };
  }
  static Result<void> cancel_reconciliation(Context& ctx) {
    reconcile_flags(ctx).reconciliation_canceled.set();
    return {};
  }
  static Result<void> cancel_resource(Context& ctx) {
    reconcile_flags(ctx).resource_canceled.set();
    return {};
  }

  // The calls of one resource, without its name.
  [[nodiscard]] std::vector<std::string> calls_of(const std::string& resource) const {
    std::vector<std::string> found;
    for (const std::string& call : calls) {
      if (call.starts_with(resource + ".")) found.push_back(call.substr(resource.size() + 1));
    }
    return found;
  }

  void start(const std::function<void(Manager&)>& add, http::FaultPlan faults = {}) {
    instance = std::make_unique<testkit::Instance>(
        simulation, ManagerOptions{.name = "test-operator", .log_level = LogLevel::debug, .log_sink = log}, add,
        std::move(faults));
    instance->start();
  }
  // Starts an operator of Notes and waits until it is ready.
  void run(FrameworkOptions config, http::FaultPlan faults = {}) {
    framework.emplace(Framework::watching<Note>(std::move(config)));
    start([this](Manager& manager) { framework->boot(manager); }, std::move(faults));
    ASSERT_TRUE(simulation.wait_until([this] { return instance->manager().is_ready(); }))
        << (instance->started() ? "" : instance->started().error().to_string());
  }
  // Calls `body` in a reconcile of the Note "a", in a separate controller.
  void run_in_reconcile(const std::function<void(const Object&, Context&)>& body) {
    AnyController spec = erase_type(Controller<Note>{.reconcile = [](const Note&, Context&) { return done; }});
    bool has_run = false;
    spec.reconcile = [&](const Object& object, Context& ctx) -> Outcome {
      if (!has_run) body(object, ctx);
      has_run = true;
      return done;
    };
    start([&](Manager& manager) { manager.add(spec); });
    ASSERT_TRUE(simulation.wait_until([&] { return instance->manager().is_ready(); }));
    create(note("a"));
    ASSERT_TRUE(simulation.wait_until([&] { return has_run; }, std::chrono::hours(1)));
    instance.reset();
  }

  void install() { ASSERT_TRUE(CrdClient(simulation.user()).ensure_created(crd_of<Note>())); }
  void create(const Note& made) {
    const auto created = simulation.user().create(made);
    ASSERT_TRUE(created) << created.error().to_string();
  }
  void set_text(const std::string& name, const std::string& text) {
    const auto patched =
        simulation.user().patch(Note::type, {"default", name}, json::Value{{"spec", {{"text", text}}}});
    ASSERT_TRUE(patched) << patched.error().to_string();
  }
  void remove(const std::string& name) { ASSERT_TRUE(simulation.user().remove(Note::type, {"default", name})); }
  [[nodiscard]] json::Value finalizers(const std::string& name) {
    const auto object = simulation.user().get(GroupVersionKind(Note::type), {"default", name});
    return object ? object->finalizers().to_value() : json::Value("gone");
  }
  void set_finalizers(const std::string& name, const json::array& wanted) {
    ASSERT_TRUE(simulation.user().patch(Note::type, {"default", name},
                                        json::Value(json::object{{"metadata", json::object{{"finalizers", wanted}}}})));
  }
  // The value of this sample on the metrics page; -1 if there is none.
  [[nodiscard]] double sample(const std::string& line) const {
    const std::string page = instance->manager().metrics().text();
    const auto at = page.find("\n" + line + " ");
    return at == std::string::npos ? -1 : std::stod(page.substr(at + line.size() + 2));
  }

  std::vector<std::string> calls;
  std::map<std::string, Deed> on;
  std::vector<State> applied;
  Patch<State> patch{.create_change = "made", .delete_change = "removed", .update_change = "changed"};

  std::shared_ptr<RecordingLogSink> log = std::make_shared<RecordingLogSink>();
  testkit::Simulation simulation{{.seed = 1}};
  std::optional<Framework> framework;
  std::unique_ptr<testkit::Instance> instance;

 private:
  Result<void> called(const std::string& call, Context& ctx) {
    calls.push_back(call);
    const auto deed = on.find(call);
    return deed == on.end() ? Result<void>() : deed->second(ctx);
  }
};

}  // namespace pintle::crud
