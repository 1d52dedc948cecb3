// SPDX-License-Identifier: Apache-2.0
// A kind and a simulated operator for the tests of this layer.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/api/everyday.hpp>
#include <pintle/manager/manager.hpp>
#include <pintle/object/fields.hpp>
#include <pintle/object/owner.hpp>
#include <pintle/testing/recording_log_sink.hpp>
#include <pintle/testing/simulation.hpp>

namespace pintle {

struct Note {
  static constexpr Type type{"test.pintle.dev/v1", "Note"};
  struct Spec {
    std::string text = "x";
    static constexpr auto fields() { return pintle::fields(field("text", &Spec::text, "What it says.")); }
  };
  Metadata metadata{};
  Spec spec{};
};

inline const GroupVersionKind config_map{ConfigMap::type};

inline Note note(const std::string& name, const std::string& text = "x") {
  return {.metadata = {.name = name, .namespace_ = "default"}, .spec = {.text = text}};
}

using testkit::RecordingLogSink;

// A server that never responds to requests while `silent` is true.
class FallibleServer final : public http::Handler {
 public:
  explicit FallibleServer(http::Handler& inner) : inner_(inner) {}
  http::Response handle(const http::Request& request) override {
    if (silent) return {.stream = std::make_unique<Silence>()};
    return inner_.handle(request);
  }

  bool silent = false;

 private:
  class Silence final : public http::BodyStream {
   public:
    State read(std::string&) override { return State::waiting; }
    void on_ready(std::function<void()>) override {}
  };

  http::Handler& inner_;
};

// A simulated cluster that serves Note and runs one operator.
class OperatorTest : public ::testing::Test {
 protected:
  explicit OperatorTest(std::uint64_t seed = 1) : simulation({.seed = seed}) {}
  void TearDown() override { instance.reset(); }  // its reconciles use variables of the test

  // Starts an operator with one controller of Note and waits until it is ready.
  void run(Controller<Note> controller, ManagerOptions options = {}) {
    start([&](Manager& manager) { manager.add(std::move(controller)); }, std::move(options));
    ASSERT_TRUE(simulation.wait_until([&] { return instance->manager().is_ready(); })) << log->lines().size();
  }
  void start(const std::function<void(Manager&)>& add, ManagerOptions options = {}) {
    options.name = "test-operator";
    options.log_level = LogLevel::debug;
    options.log_sink = log;
    instance = std::make_unique<testkit::Instance>(simulation, std::move(options), add);
    instance->start();
  }
  void create(const Note& made) {
    const auto created = simulation.user().create(made);
    ASSERT_TRUE(created) << created.error().to_string();
  }
  void set_text(const std::string& name, const std::string& text) {
    const auto patched =
        simulation.user().patch(Note::type, {"default", name}, json::Value{{"spec", {{"text", text}}}});
    ASSERT_TRUE(patched) << patched.error().to_string();
  }
  [[nodiscard]] double metric(const std::string& name, Labels labels = {}) {
    labels["controller"] = "note";
    return instance->manager().metrics().counter(name, "", labels).value();
  }

  std::shared_ptr<RecordingLogSink> log = std::make_shared<RecordingLogSink>();
  testkit::Simulation simulation;
  std::unique_ptr<testkit::Instance> instance;
};

}  // namespace pintle
