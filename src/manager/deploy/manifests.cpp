// SPDX-License-Identifier: Apache-2.0
#include "manifests.hpp"

#include <chrono>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include <pintle/http/listen_address.hpp>
#include <pintle/json/pointer.hpp>

#include "manager/rbac.hpp"

namespace pintle {
namespace {

constexpr const char* pages_port = "pages";
constexpr const char* webhooks_port = "webhooks";
constexpr std::int64_t user = 65532;  // without an account, as in images without a user of their own
// Time for the Events and traces that are sent after the reconciles have ended.
constexpr auto time_after_reconciles = std::chrono::seconds(15);

// The values that a user of the manifests changes. In a chart they are names of values.
struct Values {
  json::Value image{};
  json::Value replicas{};
  json::Value log_level{};
  json::Value cpu_request = "10m";
  json::Value memory_request = "32Mi";
  json::Value memory_limit = "128Mi";
};

struct Manifest {
  std::string file{};
  json::Value object{};
};

// The file of such an object is in a folder with the name of the cluster.
bool is_for_another_cluster(const Manifest& manifest) { return manifest.file.find('/') != std::string::npos; }

class Builder {
 public:
  Builder(const ManifestSource& source, std::string namespace_, Values values)
      : from_(source),
        options_(source.options),
        name_(source.options.name),
        namespace_(std::move(namespace_)),
        values_(std::move(values)) {}

  [[nodiscard]] std::vector<Manifest> build() {
    // Helm creates the namespace of a release.
    if (from_.deploy.format != DeployFormat::helm) {
      add("namespace",
          json::object{{"apiVersion", "v1"},
                       {"kind", "Namespace"},
                       {"metadata",
                        {{"name", namespace_}, {"labels", {{"pod-security.kubernetes.io/enforce", "restricted"}}}}}});
    }
    for (const json::Value& crd : from_.crds) add("crds", crd);
    add("rbac", json::object{{"apiVersion", "v1"}, {"kind", "ServiceAccount"}, {"metadata", metadata(name_)}});
    for (const RbacRole& role : from_.roles) add_role(role);
    if (options_.serving.authorize) add("rbac", metrics_reader());
    add("deployment", deployment());
    if (const auto pages = port_of(options_.listen)) {
      add("service", service(name_ + "-metrics", pages_port, *pages));
    }
    if (from_.has_webhooks && options_.webhooks.url.empty()) {
      const std::string& given = options_.webhooks.service;
      add("service", service(given.empty() ? name_ : given, webhooks_port, options_.webhooks.service_port));
    }
    add("deployment", disruption_budget());
    if (from_.deploy.has_service_monitor) add("service-monitor", service_monitor());
    for (const json::Value& one : from_.webhook_configurations) add("webhooks", one);
    return std::move(made_);
  }

 private:
  void add(std::string file, json::Value object) { made_.push_back({std::move(file), std::move(object)}); }

  static std::optional<std::int64_t> port_of(const std::string& listen) {
    const auto address = http::parse_listen_address(listen);
    return address ? std::optional<std::int64_t>(address->port) : std::nullopt;
  }

  [[nodiscard]] json::object labels() const { return {{"app.kubernetes.io/name", name_}}; }
  [[nodiscard]] json::object metadata(const std::string& name) const {
    return {{"name", name}, {"namespace", namespace_}, {"labels", labels()}};
  }

  void add_role(const RbacRole& role) {
    if (role.cluster != home_cluster) return add(role.cluster + "/rbac", to_value(role));
    const bool is_cluster_role = role.namespace_.empty();
    json::object about{{"name", role.name}};
    if (!is_cluster_role) about["namespace"] = role.namespace_;
    add("rbac", to_value(role));
    add("rbac",
        json::object{{"apiVersion", "rbac.authorization.k8s.io/v1"},
                     {"kind", is_cluster_role ? "ClusterRoleBinding" : "RoleBinding"},
                     {"metadata", std::move(about)},
                     {"roleRef",
                      {{"apiGroup", "rbac.authorization.k8s.io"},
                       {"kind", is_cluster_role ? "ClusterRole" : "Role"},
                       {"name", role.name}}},
                     {"subjects", json::array{json::object{
                                      {"kind", "ServiceAccount"}, {"name", name_}, {"namespace", namespace_}}}}});
  }

  // The ServiceAccount of the scraper needs a binding of this role.
  [[nodiscard]] json::Value metrics_reader() const {
    return json::object{{"apiVersion", "rbac.authorization.k8s.io/v1"},
                        {"kind", "ClusterRole"},
                        {"metadata", {{"name", name_ + "-metrics-reader"}}},
                        {"rules", json::array{json::object{{"nonResourceURLs", json::array{"/metrics"}},
                                                           {"verbs", json::array{"get"}}}}}};
  }

  [[nodiscard]] json::array arguments() const {
    json::array all;
    for (const DeployedFlag& flag : from_.flags) {
      if (flag.is_switch) {
        all.emplace_back((flag.text == "true" ? "--" : "--no-") + flag.name);
      } else if (flag.name == "log-level") {
        all.emplace_back("--log-level=" + std::string(values_.log_level.as_string()));
      } else {
        all.emplace_back("--" + flag.name + "=" + flag.text);
      }
    }
    return all;
  }

  [[nodiscard]] json::Value probe(const char* path) const {
    const bool has_tls = options_.serving.tls || !options_.serving.certificate_file.empty();
    return json::object{{"httpGet", {{"path", path}, {"port", pages_port}, {"scheme", has_tls ? "HTTPS" : "HTTP"}}}};
  }

  [[nodiscard]] json::Value container() const {
    json::array ports;
    const auto add_port = [&](const char* name, const std::string& listen) {
      if (const auto port = port_of(listen)) ports.emplace_back(json::object{{"name", name}, {"containerPort", *port}});
    };
    add_port(pages_port, options_.listen);
    if (from_.has_webhooks) add_port(webhooks_port, options_.webhooks.listen);
    json::object made{{"name", name_},
                      {"image", values_.image},
                      {"args", arguments()},
                      {"ports", std::move(ports)},
                      {"livenessProbe", probe("/healthz")},
                      {"readinessProbe", probe("/readyz")},
                      {"resources",
                       {{"requests", {{"cpu", values_.cpu_request}, {"memory", values_.memory_request}}},
                        {"limits", {{"memory", values_.memory_limit}}}}},
                      {"securityContext",
                       {{"allowPrivilegeEscalation", false},
                        {"readOnlyRootFilesystem", true},
                        {"capabilities", {{"drop", json::array{"ALL"}}}}}}};
    json::array mounts;
    for (const Volume& one : volumes()) mounts.emplace_back(json::object{{"name", one.name}, {"mountPath", one.path}});
    if (!mounts.empty()) made["volumeMounts"] = std::move(mounts);
    return made;
  }

  struct Volume {
    std::string name{};
    std::string path{};
    json::object source{};
  };
  [[nodiscard]] std::vector<Volume> volumes() const {
    std::vector<Volume> all;
    // Outlives a crash of the container.
    if (!options_.state_dir.empty()) {
      all.push_back({.name = "state",
                     .path = std::filesystem::path(options_.state_dir).parent_path(),
                     .source = {{"name", "state"}, {"emptyDir", json::object{}}}});
    }
    for (const NamedCluster& cluster : options_.clusters) {
      const std::string& name = cluster.name.value();
      if (cluster.kubeconfig != kubeconfig_in_pod(name_, name)) continue;
      const std::string volume = "kubeconfig-" + name;
      all.push_back({.name = volume,
                     .path = std::filesystem::path(cluster.kubeconfig).parent_path(),
                     .source = {{"name", volume}, {"secret", {{"secretName", name_ + "-" + name}}}}});
    }
    return all;
  }

  [[nodiscard]] json::Value deployment() const {
    const auto grace = std::chrono::ceil<std::chrono::seconds>(options_.stop_timeout) + time_after_reconciles;
    json::object pod{{"serviceAccountName", name_},
                     {"terminationGracePeriodSeconds", grace.count()},
                     {"securityContext",
                      {{"runAsNonRoot", true}, {"runAsUser", user}, {"seccompProfile", {{"type", "RuntimeDefault"}}}}},
                     {"containers", json::array{container()}}};
    json::array sources;
    for (Volume& one : volumes()) sources.emplace_back(std::move(one.source));
    if (!sources.empty()) pod["volumes"] = std::move(sources);
    json::object spec{{"replicas", values_.replicas},
                      {"selector", {{"matchLabels", labels()}}},
                      {"template", {{"metadata", {{"labels", labels()}}}, {"spec", std::move(pod)}}}};
    // Without leader election, two instances must not work at the same time.
    if (!options_.leader_election) spec["strategy"] = {{"type", "Recreate"}};
    return json::object{
        {"apiVersion", "apps/v1"}, {"kind", "Deployment"}, {"metadata", metadata(name_)}, {"spec", std::move(spec)}};
  }

  [[nodiscard]] json::Value service(const std::string& name, const char* port, std::int64_t number) const {
    return json::object{
        {"apiVersion", "v1"},
        {"kind", "Service"},
        {"metadata", metadata(name)},
        {"spec",
         {{"selector", labels()},
          {"ports", json::array{json::object{{"name", port}, {"port", number}, {"targetPort", port}}}}}}};
  }

  [[nodiscard]] json::Value disruption_budget() const {
    return json::object{{"apiVersion", "policy/v1"},
                        {"kind", "PodDisruptionBudget"},
                        {"metadata", metadata(name_)},
                        {"spec", {{"maxUnavailable", 1}, {"selector", {{"matchLabels", labels()}}}}}};
  }

  // Metrics with access control need the token of the scraper.
  [[nodiscard]] json::Value service_monitor() const {
    json::object endpoint{{"port", pages_port}, {"path", "/metrics"}};
    if (options_.serving.tls || !options_.serving.certificate_file.empty()) {
      endpoint["scheme"] = "https";
      endpoint["tlsConfig"] = {{"insecureSkipVerify", options_.serving.certificate_file.empty()}};
    }
    if (options_.serving.authorize) {
      endpoint["bearerTokenFile"] = "/var/run/secrets/kubernetes.io/serviceaccount/token";
    }
    return json::object{
        {"apiVersion", "monitoring.coreos.com/v1"},
        {"kind", "ServiceMonitor"},
        {"metadata", metadata(name_)},
        {"spec", {{"selector", {{"matchLabels", labels()}}}, {"endpoints", json::array{std::move(endpoint)}}}}};
  }

  const ManifestSource& from_;
  const ManagerOptions& options_;
  const std::string& name_;
  const std::string namespace_;
  const Values values_;
  std::vector<Manifest> made_;
};

using Files = std::map<std::string, std::string>;

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// A text in an object that becomes a value of the chart.
std::string place_of(std::string_view value) { return "@@pintle:" + std::string(value) + "@@"; }

// Prints an object as a template. Other braces in the object are escaped.
std::string print_template(json::Value object, bool is_crd) {
  // Helm deletes what a chart contains with the release, and with a CRD all objects of the kind.
  if (is_crd) (void)!json::set(object, "/metadata/annotations/helm.sh~1resource-policy", "keep");
  std::string text = json::print_yaml(object);
  replace_all(text, "{{", R"({{ "{{" }})");
  replace_all(text, place_of("namespace"), "{{ .Release.Namespace }}");
  replace_all(text, '"' + place_of("replicas") + '"', "{{ .Values.replicas }}");
  for (const char* value :
       {"image", "logLevel", "resources.requests.cpu", "resources.requests.memory", "resources.limits.memory"}) {
    replace_all(text, place_of(value), "{{ .Values." + std::string(value) + " }}");
  }
  return text;
}

json::object defaults_of_chart(const Values& values) {
  return {{"image", values.image},
          {"replicas", values.replicas},
          {"logLevel", values.log_level},
          {"resources",
           {{"requests", {{"cpu", values.cpu_request}, {"memory", values.memory_request}}},
            {"limits", {{"memory", values.memory_limit}}}}}};
}

Files chart(const ManifestSource& deployment, const Values& defaults) {
  const auto place = [](std::string_view value) { return json::Value(place_of(value)); };
  // Without leader election, the number of instances is not for the user of the chart to change.
  const bool has_replicas = deployment.options.leader_election.has_value();
  const Values places{.image = place("image"),
                      .replicas = has_replicas ? place("replicas") : defaults.replicas,
                      .log_level = place("logLevel"),
                      .cpu_request = place("resources.requests.cpu"),
                      .memory_request = place("resources.requests.memory"),
                      .memory_limit = place("resources.limits.memory")};
  const ManagerOptions& options = deployment.options;
  Files files;
  files["Chart.yaml"] = json::print_yaml(json::object{{"apiVersion", "v2"},
                                                      {"name", options.name},
                                                      {"description", "The operator " + options.name + "."},
                                                      {"type", "application"},
                                                      {"version", options.version},
                                                      {"appVersion", options.version}});
  json::object values = defaults_of_chart(defaults);
  if (!has_replicas) values.erase("replicas");
  files["values.yaml"] = json::print_yaml(std::move(values));
  for (const Manifest& one : Builder(deployment, place_of("namespace"), places).build()) {
    if (is_for_another_cluster(one)) continue;
    files["templates/" + one.file + ".yaml"] += "---\n" + print_template(one.object, one.file == "crds");
  }
  return files;
}

// The image of a kustomization, which a user changes with `kustomize edit set image`.
json::object image_of(const std::string& image) {
  if (const std::size_t at = image.find('@'); at != std::string::npos) {
    return {{"name", image.substr(0, at)}, {"digest", image.substr(at + 1)}};
  }
  const std::size_t colon = image.find(':', image.rfind('/') == std::string::npos ? 0 : image.rfind('/'));
  if (colon == std::string::npos) return {{"name", image}};
  return {{"name", image.substr(0, colon)}, {"newTag", image.substr(colon + 1)}};
}

Files kustomization(const std::vector<Manifest>& manifests, const std::string& image) {
  Files files;
  json::array resources;
  for (const Manifest& one : manifests) {
    const std::string file = one.file + ".yaml";
    if (!files.contains(file) && !is_for_another_cluster(one)) resources.emplace_back(file);
    files[file] += "---\n" + json::print_yaml(one.object);
  }
  files["kustomization.yaml"] = json::print_yaml(json::object{{"apiVersion", "kustomize.config.k8s.io/v1beta1"},
                                                              {"kind", "Kustomization"},
                                                              {"resources", std::move(resources)},
                                                              {"images", json::array{image_of(image)}}});
  return files;
}

}  // namespace

std::string kubeconfig_in_pod(const std::string& operator_name, const std::string& cluster) {
  return "/etc/" + operator_name + "/" + cluster + "/kubeconfig";
}

std::string deploy_mark(const std::string& operator_name) {
  return "# Written by " + operator_name + " --print-deploy, which replaces this file.\n";
}

std::string deploy_namespace(const DeployOptions& deploy, const ManagerOptions& options) {
  if (deploy.format == DeployFormat::helm) return place_of("namespace");
  return deploy.namespace_.empty() ? options.name : deploy.namespace_;
}

std::map<std::string, std::string> print_deployment(const ManifestSource& deployment) {
  const ManagerOptions& options = deployment.options;
  const DeployOptions& deploy = deployment.deploy;
  const std::int64_t usual_replicas = options.leader_election ? 2 : 1;
  const std::string image = deploy.image.empty() ? options.name + ":" + options.version : deploy.image;
  const Values values{.image = json::Value(image),
                      .replicas = deploy.replicas == 0 ? usual_replicas : deploy.replicas,
                      .log_level = json::Value(to_string(options.log_level))};
  if (deploy.format == DeployFormat::helm) return chart(deployment, values);
  const std::vector<Manifest> manifests = Builder(deployment, deploy_namespace(deploy, options), values).build();
  if (deploy.format == DeployFormat::kustomize) return kustomization(manifests, image);
  std::string text;
  for (const Manifest& one : manifests) {
    if (!is_for_another_cluster(one)) text += "---\n" + json::print_yaml(one.object);
  }
  return {{"deploy.yaml", std::move(text)}};
}

}  // namespace pintle
