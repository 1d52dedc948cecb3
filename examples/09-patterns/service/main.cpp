// SPDX-License-Identifier: Apache-2.0
// greeting-service: for each Greeting of the onboarding cluster, keeps a ConfigMap with its text in the managed control
// plane of its user. Run it with --platform-kubeconfig.
#include <pintle/patterns/service.hpp>
#include <pintle/pintle.hpp>

namespace service = pintle::service;

struct Greeting {
  static constexpr pintle::Type type{"demo.pintle.dev/v1", "Greeting"};
  static constexpr std::string_view finalizer = "demo.pintle.dev/finalizer";
  struct Spec {
    std::string who = "world";
    static constexpr auto fields() {
      return pintle::fields(pintle::field("who", &Spec::who, "Name to greet."));
    }
  };
  pintle::Metadata metadata{};
  Spec spec{};
  service::Status status{};
};

struct GreetingConfig {
  static constexpr pintle::Type type{"demo.pintle.dev/v1", "GreetingConfig"};
  static constexpr pintle::Scope scope = pintle::Scope::cluster;
  struct Spec {
    std::string word = "Hello";
    static constexpr auto fields() {
      return pintle::fields(pintle::field("word", &Spec::word, "First word of each greeting."));
    }
  };
  pintle::Metadata metadata{};
  Spec spec{};

  pintle::Duration poll_interval() const {
    return std::chrono::minutes(10);
  }
};

// [greet]
pintle::Outcome greet(const Greeting& greeting, const GreetingConfig& config, service::ObjectClusters& clusters,
                      pintle::Context& ctx) {
  const auto applied = clusters.mcp_cluster.apply(pintle::ConfigMap{
      .metadata = {.name = greeting.metadata.name, .namespace_ = "default"},
      .data = {{"text", config.spec.word + ", " + greeting.spec.who + "!"}},
  });
  if (applied) service::status_ready(ctx.status());
  return applied;
}
// [/greet]

// The Greeting is in another cluster, so the garbage collector does not delete the ConfigMap.
pintle::Outcome forget(const Greeting& greeting, const GreetingConfig&, service::ObjectClusters& clusters,
                       pintle::Context&) {
  return clusters.mcp_cluster.remove(pintle::ConfigMap::type, {"default", greeting.metadata.name});
}

int main(int argc, char** argv) {
  const std::string platform = "platform";
  pintle::Manager manager{{.name = "greeting-service", .args = {argc, argv}, .clusters = {{.name = platform}}}};
  // [registration]
  manager.add(service::ApiReconciler<Greeting, GreetingConfig>{
      .onboarding_cluster = std::string(pintle::home_cluster),
      .config = {.platform_cluster = platform, .provider_name = "greeting"},
      .cluster_access = std::make_shared<service::ClusterAccessReconciler>(service::ClusterAccessOptions{
          .controller_name = "greeting", .platform_cluster = platform, .mcp = {.role_refs = {{.name = "admin"}}}}),
      .reconciler = {.create_or_update = greet, .remove = forget},
  });
  // [/registration]
  return pintle::run_until_signal(manager);
}
