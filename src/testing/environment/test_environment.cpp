// SPDX-License-Identifier: Apache-2.0
#include <pintle/testing/test_environment.hpp>

#include <cstdio>
#include <utility>

#include <pintle/base/file.hpp>
#include <pintle/base/random_text.hpp>
#include <pintle/testing/golden.hpp>

#include "environment_state.hpp"

namespace pintle::testkit {

std::string_view to_string(EnvironmentMode mode) noexcept {
  switch (mode) {
    case EnvironmentMode::simulated: return "simulated";
    case EnvironmentMode::real_time: return "real_time";
    case EnvironmentMode::cluster: return "cluster";
  }
  return "unknown";
}

TestEnvironment::TestEnvironment(TestEnvironmentOptions options)
    : state_(std::make_unique<EnvironmentState>(std::move(options))) {
  state_->create_namespace();
  if (!state_->options.start) return;
  try {
    state_->start();
  } catch (const TestFailure&) {
    (void)state_->clean_up();
    throw;
  }
}

TestEnvironment::~TestEnvironment() {
  if (const CheckResult cleaned = clean_up(); !cleaned) {
    std::fprintf(stderr, "TestEnvironment: %s\n", cleaned.message.c_str());
  }
  state_->stop();
}

EnvironmentMode TestEnvironment::mode() const noexcept { return state_->host->mode(); }
const std::string& TestEnvironment::namespace_() const noexcept { return state_->namespace_; }
Client& TestEnvironment::user() noexcept { return state_->host->user(); }
Executor& TestEnvironment::executor() noexcept { return state_->host->executor(); }
Simulation* TestEnvironment::simulation() noexcept { return state_->host->simulation(); }
std::string TestEnvironment::unique_name(std::string_view prefix) {
  return std::string(prefix) + "-" + random_text(executor(), 8, "bcdfghjklmnpqrstvwxz2456789");
}

void TestEnvironment::start_operator() { state_->start(); }
void TestEnvironment::stop_operator() { state_->stop(); }

Result<std::string> TestEnvironment::output(const std::vector<std::string>& arguments) const {
  if (state_->program) return output_of_program(state_->program, arguments);
  return fail(ErrorCode::invalid, "the environment has no operator; set .add_controllers or .program");
}

CheckResult TestEnvironment::golden(const std::vector<std::string>& arguments, const std::string& file) const {
  const auto text = output(arguments);
  return text ? golden_file(file, *text) : CheckResult{.holds = false, .message = text.error().to_string()};
}

Object TestEnvironment::given(const json::Value& object) { return state_->create(object); }

std::vector<Object> TestEnvironment::given_yaml(const std::string& text) {
  const auto documents = json::parse_yaml_stream(text);
  if (!documents) throw TestFailure("given_yaml(): " + documents.error().to_string());
  std::vector<Object> all;
  for (const json::Value& document : *documents) {
    if (!document.is_null()) all.push_back(given(document));
  }
  return all;
}

std::vector<Object> TestEnvironment::given_file(const std::string& path) {
  const auto text = read_file(path);
  if (!text) throw TestFailure("given_file(): " + text.error().to_string());
  try {
    return given_yaml(*text);
  } catch (const TestFailure& failure) {
    throw TestFailure(path + ": " + failure.what());
  }
}

void TestEnvironment::install(const json::Value& crd) { state_->install(crd); }

Object TestEnvironment::change(const GroupVersionKind& kind, const ObjectName& name, const json::Value& merge_patch) {
  const PlacedObject placed = state_->place(kind, name);
  auto changed = user().patch(kind, placed.key, merge_patch);
  if (!changed) throw TestFailure("change(): " + changed.error().to_string());
  return std::move(*changed);
}

Object TestEnvironment::set_status(const GroupVersionKind& kind, const ObjectName& name, const json::Value& status) {
  const PlacedObject placed = state_->place(kind, name);
  auto changed = user().patch(kind, placed.key, {{"status", status}}, {.subresource = "status"});
  if (!changed) throw TestFailure("set_status(): " + changed.error().to_string());
  return std::move(*changed);
}

void TestEnvironment::remove(const GroupVersionKind& kind, const ObjectName& name) {
  const PlacedObject placed = state_->place(kind, name);
  const auto removed = user().remove(kind, placed.key);
  if (!removed) throw TestFailure("remove(): " + removed.error().to_string());
  if (!*removed) throw TestFailure("remove(): " + placed.describe() + " does not exist");
}

Object TestEnvironment::get(const GroupVersionKind& kind, const ObjectName& name) {
  auto object = state_->read(state_->place(kind, name));
  if (!object) throw TestFailure("get(): " + object.error().to_string());
  return std::move(*object);
}

std::vector<Object> TestEnvironment::list(const GroupVersionKind& kind) {
  const PlacedObject placed = state_->place(kind, "any");
  std::vector<Object> all;
  const auto take = [&](const Object& object) {
    all.push_back(object);
    return true;
  };
  const auto read = user().for_each(kind, {.namespace_ = placed.key.namespace_}, take);
  if (!read) throw TestFailure("list(): " + read.error().to_string());
  return all;
}

CheckResult TestEnvironment::clean_up() { return state_->clean_up(); }

}  // namespace pintle::testkit
