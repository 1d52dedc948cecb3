// SPDX-License-Identifier: Apache-2.0
#include "environment_state.hpp"

#include <algorithm>
#include <utility>

#include <pintle/base/environment.hpp>
#include <pintle/base/random_text.hpp>
#include <pintle/testing/golden.hpp>

namespace pintle::testkit {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

// No vowels, so that no words occur.
constexpr std::string_view name_letters = "bcdfghjklmnpqrstvwxz2456789";
constexpr std::size_t shown_lines = 5;
const Type crd_type{"apiextensions.k8s.io/v1", "CustomResourceDefinition"};

// Stores warnings and errors, and passes all lines on.
class ForwardingSink final : public LogSink {
 public:
  ForwardingSink(std::shared_ptr<LogSink> stored, std::shared_ptr<LogSink> next)
      : stored_(std::move(stored)), next_(std::move(next)) {}
  void write(const LogRecord& record) override {
    if (record.level >= LogLevel::warning) stored_->write(record);
    if (next_ != nullptr) next_->write(record);
  }

 private:
  const std::shared_ptr<LogSink> stored_;
  const std::shared_ptr<LogSink> next_;
};

std::unique_ptr<EnvironmentHost> make_host(const TestEnvironmentOptions& options) {
  const std::string variable = environment_variable(test_kubeconfig_variable);
  const bool is_from_variable = options.kubeconfig.empty() && !variable.empty();
  const std::string& kubeconfig = is_from_variable ? variable : options.kubeconfig;
  if (!kubeconfig.empty() || options.mode == EnvironmentMode::cluster) {
    if (kubeconfig.empty()) {
      throw TestFailure("the environment needs a cluster; set .kubeconfig or " + std::string(test_kubeconfig_variable));
    }
    const std::string context =
        is_from_variable && options.context.empty() ? environment_variable(test_context_variable) : options.context;
    auto host = make_cluster_host(kubeconfig, context);
    if (!host) throw TestFailure("the cluster of the environment: " + host.error().to_string());
    return std::move(*host);
  }
  if (options.mode == EnvironmentMode::real_time) return make_real_time_host(options.simulation.server);
  return make_simulated_host(options.simulation);
}

std::function<int()> operator_of(const TestEnvironmentOptions& options) {
  if (options.program) return options.program;
  return options.add_controllers ? program_of(options.manager, options.add_controllers) : std::function<int()>();
}

std::string namespace_name(Executor& executor) { return "test-" + random_text(executor, 8, name_letters); }

}  // namespace

EnvironmentState::EnvironmentState(TestEnvironmentOptions given)
    : options(std::move(given)),
      program(operator_of(options)),
      host(make_host(options)),
      namespace_(namespace_name(host->executor())) {}

Duration EnvironmentState::limit() const {
  if (options.limit > Duration::zero()) return options.limit;
  if (host->mode() == EnvironmentMode::simulated) return minutes(10);
  return host->mode() == EnvironmentMode::real_time ? Duration(seconds(30)) : Duration(minutes(2));
}

Duration EnvironmentState::observation() const {
  if (options.observation > Duration::zero()) return options.observation;
  if (host->mode() == EnvironmentMode::simulated) return minutes(10);
  return host->mode() == EnvironmentMode::real_time ? Duration(milliseconds(500)) : Duration(seconds(2));
}

// The steps of virtual time grow, because each takes real time. A cluster is not read more often than necessary.
void EnvironmentState::pause(Duration elapsed) {
  Duration step = milliseconds(5);
  if (host->mode() == EnvironmentMode::simulated)
    step = std::clamp<Duration>(elapsed / 50, milliseconds(20), seconds(1));
  if (host->mode() == EnvironmentMode::cluster) step = milliseconds(100);
  host->executor().sleep_for(step);
}

void EnvironmentState::create_namespace() {
  const json::Value made{
      {"apiVersion", "v1"},
      {"kind", "Namespace"},
      {"metadata", {{"name", namespace_}, {"labels", {{"app.kubernetes.io/managed-by", "pintle-test"}}}}}};
  const auto created = host->user().create(made);
  if (!created) throw TestFailure("the namespace of the environment: " + created.error().to_string());
  has_namespace_ = true;
}

void EnvironmentState::adapt(ManagerOptions& manager) {
  manager.args.environment = &no_environment_;
  if (!options.all_namespaces && manager.namespaces.empty() && manager.namespace_selector.empty()) {
    manager.namespaces = {namespace_};
  }
  if (manager.leader_election && manager.leader_election->namespace_.empty()) {
    manager.leader_election->namespace_ = namespace_;
  }
  manager.log_sink = std::make_shared<ForwardingSink>(log_, std::move(manager.log_sink));
  if (options.adjust) options.adjust(manager);
}

void EnvironmentState::start() {
  if (!program) {
    throw TestFailure(
        "the environment has no operator; set .add_controllers or .program, or .start = false to test without one");
  }
  stop();
  host->start(program, [this](ManagerOptions& manager) { adapt(manager); });
  is_running_ = true;
  const auto started =
      wait([this] { return CheckResult{.holds = host->is_ready(), .message = "the operator is not ready"}; }, limit());
  if (started) return;
  const std::string message = started.message + " after " + format_duration(limit()) + describe_operator();
  stop();
  throw TestFailure(message);
}

void EnvironmentState::stop() {
  if (std::exchange(is_running_, false)) host->stop();
}

CheckResult EnvironmentState::wait(const std::function<CheckResult()>& condition, Duration limit) {
  const Instant begin = host->executor().now();
  for (;;) {
    // An operator that has ended before the condition is evaluated cannot make it true.
    const bool is_last = host->executor().now() >= after(begin, limit) || (is_running_ && host->end());
    CheckResult result = condition();
    if (result.holds || is_last) return result;
    pause(host->executor().now() - begin);
  }
}

CheckResult EnvironmentState::observe(const std::function<CheckResult()>& condition, Duration time) {
  const Instant begin = host->executor().now();
  for (;;) {
    const bool is_last = host->executor().now() >= after(begin, time);
    CheckResult result = condition();
    if (result.holds && is_running_ && host->end()) result = {.holds = false, .message = "the check is not possible"};
    if (!result.holds) {
      result.message = "after " + format_duration(host->executor().now() - begin) + ": " + result.message;
      return result;
    }
    if (is_last) return result;
    pause(host->executor().now() - begin);
  }
}

std::string EnvironmentState::describe_operator() {
  std::string text;
  if (is_running_) {
    if (const auto end = host->end()) text += "\nthe operator has ended: " + *end;
  } else if (program) {
    text += "\nthe operator does not run";
  }
  const std::vector<std::string> lines = log_->lines();
  if (lines.empty()) return text;
  text += "\nthe last warnings and errors of the operator:";
  for (std::size_t i = lines.size() - std::min(lines.size(), shown_lines); i < lines.size(); ++i) {
    text += "\n  " + lines[i];
  }
  return text;
}

Result<PlacedObject> EnvironmentState::find_place(const GroupVersionKind& kind, const ObjectName& name) {
  auto resource = host->user().resource(kind);
  if (!resource && resource.error().code == ErrorCode::unsupported) {
    // It may have been installed since the last discovery.
    host->user().invalidate_discovery(kind);
    resource = host->user().resource(kind);
  }
  if (!resource) return fail(std::move(resource.error()));
  PlacedObject placed{.kind = kind, .key = name.key};
  if (!resource->namespaced) {
    placed.key.namespace_.clear();
  } else if (placed.key.namespace_.empty()) {
    placed.key.namespace_ = namespace_;
  }
  return placed;
}

PlacedObject EnvironmentState::place(const GroupVersionKind& kind, const ObjectName& name) {
  auto placed = find_place(kind, name);
  if (!placed) throw TestFailure(kind.to_string() + " " + name.key.to_string() + ": " + placed.error().to_string());
  return std::move(*placed);
}

Result<Object> EnvironmentState::read(const PlacedObject& placed) { return host->user().get(placed.kind, placed.key); }

Object EnvironmentState::create(const json::Value& object) {
  const Object wanted(object);
  if (wanted.kind().empty() || wanted.api_version().empty()) {
    throw TestFailure("given(): the object has no apiVersion or no kind: " + json::print(object));
  }
  const PlacedObject placed = place(wanted.group_version_kind(), wanted);
  if (!options.all_namespaces && !placed.key.namespace_.empty() && placed.key.namespace_ != namespace_) {
    throw TestFailure("given(): " + placed.describe() + " is not in the namespace of the environment, which is " +
                      namespace_ + "; leave its namespace out, or set .all_namespaces");
  }
  json::Value sent = object;
  if (!placed.key.namespace_.empty()) sent.as_object()["metadata"].as_object()["namespace"] = placed.key.namespace_;
  auto created = host->user().create(sent, {.field_validation = FieldValidation::strict});
  if (!created) throw TestFailure("given(): " + created.error().to_string());
  if (placed.key.namespace_ != namespace_) outside_.push_back({.kind = placed.kind, .key = created->key()});
  if (placed.kind == GroupVersionKind(crd_type)) wait_until_served(*created);
  return std::move(*created);
}

// The CRD remains, as those of an operator do, because other tests in the cluster may use it.
void EnvironmentState::install(const json::Value& crd) {
  const auto created = host->user().create(crd);
  if (!created && created.error().code != ErrorCode::already_exists) {
    throw TestFailure("install(): " + created.error().to_string());
  }
  wait_until_served(Object(crd));
}

void EnvironmentState::wait_until_served(const Object& crd) {
  for (const json::View version : crd["/spec/versions"].elements()) {
    if (version.member("served") != true) continue;
    const GroupVersionKind kind(
        std::string(crd["/spec/group"].text()) + "/" + std::string(version.member("name").text()),
        crd["/spec/names/kind"].text());
    const auto is_served = [&]() -> CheckResult {
      const auto placed = find_place(kind, "any");
      return placed ? CheckResult{.holds = true} : CheckResult{.holds = false, .message = placed.error().to_string()};
    };
    const auto served = wait(is_served, limit());
    if (!served) throw TestFailure("the CRD " + crd.key().to_string() + ": " + served.message);
  }
}

CheckResult EnvironmentState::remove_and_wait(const PlacedObject& placed) {
  const auto removed = host->user().remove(placed.kind, placed.key);
  // A kind that is no longer served has no objects.
  if (!removed && removed.error().code == ErrorCode::unsupported) return {.holds = true};
  if (!removed) return {.holds = false, .message = placed.describe() + ": " + removed.error().to_string()};
  const auto is_gone = [&]() -> CheckResult {
    const auto object = read(placed);
    if (!object && object.error().code == ErrorCode::not_found) return {.holds = true};
    if (!object) return {.holds = false, .message = placed.describe() + ": " + object.error().to_string()};
    return {.holds = false,
            .message = placed.describe() + " still exists after " + format_duration(limit()) + "; its finalizers are " +
                       object->finalizers().print() + ", and its status is " + (*object)["/status"].print()};
  };
  CheckResult gone = wait(is_gone, limit());
  if (!gone) gone.message += describe_operator();
  return gone;
}

CheckResult EnvironmentState::clean_up() {
  CheckResult all{.holds = true};
  if (host->mode() != EnvironmentMode::cluster) return all;
  const auto remove = [&](const PlacedObject& placed) {
    const CheckResult removed = remove_and_wait(placed);
    if (removed) return;
    all.message += (all.holds ? "" : "\n") + removed.message;
    all.holds = false;
  };
  if (std::exchange(has_namespace_, false)) remove({.kind = {"v1", "Namespace"}, .key = {"", namespace_}});
  for (const std::vector<PlacedObject> rest = std::exchange(outside_, {});
       const PlacedObject& placed : std::vector<PlacedObject>(rest.rbegin(), rest.rend())) {
    remove(placed);
  }
  return all;
}

}  // namespace pintle::testkit
