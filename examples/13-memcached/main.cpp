// SPDX-License-Identifier: Apache-2.0
// memcached-operator: keeps a Deployment of memcached for each Memcached, and reports its state as conditions.
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <pintle/api/everyday.hpp>
#include <pintle/pintle.hpp>

struct Memcached {
  static constexpr pintle::Type type{"cache.demo.pintle.dev/v1", "Memcached"};
  struct Spec {
    std::int32_t size = 1;
    std::int32_t container_port = 11211;
    static constexpr auto fields() {
      return pintle::fields(
          pintle::field("size", &Spec::size, "Number of pods.").minimum(1).maximum(5).column("Size"),
          pintle::field("containerPort", &Spec::container_port, "Port of memcached.").minimum(1).maximum(65535));
    }
  };
  struct Status {
    std::vector<pintle::StatusCondition> conditions{};
    static constexpr auto fields() {
      return pintle::fields(
          pintle::field("conditions", &Status::conditions, "The current conditions.").column("Available"));
    }
  };
  pintle::Metadata metadata{};
  Spec spec{};
  Status status{};
};

// The Deployment as it must be. It does not mention other members, such as annotations, so other clients may set them.
pintle::Deployment deployment_of(const Memcached& memcached, const std::string& image) {
  using pintle::api::core::v1::SeccompProfile;
  const std::map<std::string, std::string> labels{{"app.kubernetes.io/name", "memcached"},
                                                  {"app.kubernetes.io/instance", memcached.metadata.name}};
  const std::int32_t port = memcached.spec.container_port;
  pintle::Container container{
      .command = {"memcached", "--port=" + std::to_string(port), "--memory-limit=64", "-o", "modern", "-v"},
      .image = image,
      .name = "memcached",
      .ports = {{.container_port = port, .name = "memcached"}}};
  auto& security = container.security_context.emplace();
  security.allow_privilege_escalation = false;
  security.capabilities.emplace().drop = {"ALL"};
  security.run_as_non_root = true;
  security.run_as_user = 1001;
  security.seccomp_profile.emplace().type = SeccompProfile::Type::runtime_default;
  pintle::Deployment deployment{.metadata = pintle::owned_by(memcached)};
  deployment.spec.replicas = memcached.spec.size;
  deployment.spec.selector.match_labels = labels;
  deployment.spec.template_.metadata.labels = labels;
  deployment.spec.template_.spec.containers = {std::move(container)};
  return deployment;
}

void set_condition(pintle::Context& ctx, const char* type, bool is_true, const char* reason, std::string message = {}) {
  const auto status = is_true ? pintle::ConditionStatus::true_ : pintle::ConditionStatus::false_;
  ctx.status().set_condition({.type = type, .status = status, .reason = reason, .message = std::move(message)});
}

pintle::Outcome reconcile(const std::string& image, const Memcached& memcached, pintle::Context& ctx) {
  const auto deployment = ctx.apply(deployment_of(memcached, image));
  if (!deployment) {
    set_condition(ctx, "Degraded", true, "ApplyFailed", deployment.error().message);
    return deployment.error();
  }
  const pintle::Object& object = deployment->metadata.snapshot();
  const auto rollout = pintle::find_condition(object, "Progressing");
  const bool is_stuck = rollout && rollout->status == pintle::ConditionStatus::false_;
  const bool is_current = deployment->status.observed_generation.value_or(0) >= deployment->metadata.generation;
  const std::int32_t updated = deployment->status.updated_replicas.value_or(0);
  const std::int32_t available = deployment->status.available_replicas.value_or(0);
  const bool is_complete = is_current && updated == memcached.spec.size && available == memcached.spec.size;
  const std::string count =
      std::to_string(available) + " of " + std::to_string(memcached.spec.size) + " pods available";
  set_condition(ctx, "Available", pintle::condition_is_true("Available")(object), "Deployed", count);
  set_condition(ctx, "Progressing", !is_complete && !is_stuck, is_complete ? "Complete" : "RollingOut", count);
  set_condition(ctx, "Degraded", is_stuck, is_stuck ? "RolloutFailed" : "AsExpected", is_stuck ? rollout->message : "");
  return pintle::done;
}

// The cluster deletes the Deployment with its owner. An operator with further tasks, such as a backup, adds them here.
pintle::Outcome finalize(const Memcached&, pintle::Context& ctx) {
  ctx.event(pintle::EventType::warning, "Deleting", "the Memcached is being deleted", {.action = "Delete"});
  return pintle::done;
}

pintle::Controller<Memcached> memcacheds(const std::string& image) {
  return {.owns = {pintle::Deployment::type},
          .reconcile = std::bind_front(reconcile, image),
          .finalize = finalize,
          .finalizer = "cache.demo.pintle.dev/finalizer"};
}

int main(int argc, char** argv) {
  std::string image = "memcached:1.6-alpine";
  pintle::Manager manager{
      {.name = "memcached-operator", .args = {argc, argv}, .flags = {{"image", "Image of memcached", &image}}}};
  manager.add(memcacheds(image));
  return pintle::run_until_signal(manager);
}
