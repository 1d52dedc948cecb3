// SPDX-License-Identifier: Apache-2.0
// load_in_cluster(): uses the service account that Kubernetes mounts into a pod.
#include <memory>
#include <string>
#include <utility>

#include <pintle/base/environment.hpp>
#include <pintle/base/text.hpp>
#include <pintle/client/cluster.hpp>
#include <pintle/http/pem.hpp>
#include <pintle/http/server_url.hpp>

#include "certificate_dates.hpp"
#include "files.hpp"
#include "proxy.hpp"

namespace pintle {

namespace {

constexpr std::string_view account_folder = "/var/run/secrets/kubernetes.io/serviceaccount/";

Error pod_error(const std::string& what) { return make_error(ErrorCode::invalid, "in-cluster: " + what); }

Result<http::Endpoint> server_of_pod() {
  const std::string host = environment_variable("KUBERNETES_SERVICE_HOST");
  const std::string port = environment_variable("KUBERNETES_SERVICE_PORT");
  if (host.empty() || port.empty()) {
    return pod_error(
        "KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not both set, so this process does not run in a pod; "
        "specify a kubeconfig");
  }
  auto endpoint = http::parse_server_url("https://" + http::host_in_url(host) + ":" + port, true);
  if (!endpoint) {
    return pod_error("KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT form an address that " +
                     endpoint.error().message);
  }
  return endpoint;
}

}  // namespace

Result<Cluster> load_in_cluster(const std::string& root, std::optional<WallTime> now) {
  auto endpoint = server_of_pod();
  if (!endpoint) return fail(std::move(endpoint.error()));
  const std::string folder = root + std::string(account_folder);
  Cluster cluster{
      .token_file = folder + "token", .origin = std::string(in_cluster_origin), .ca_file = folder + "ca.crt"};
  if (auto token = read_file(cluster.token_file); !token) {
    return pod_error(token.error().message + "; set automountServiceAccountToken of the pod");
  }
  const std::string& ca_file = cluster.ca_file;
  auto ca = read_file(ca_file);
  if (!ca) return pod_error(ca.error().message + "; set automountServiceAccountToken of the pod");
  const auto checked = http::validate_certificates({.name = ca_file, .text = *ca});
  if (!checked) return pod_error(checked.error().message);
  warn_of_expired_authority(cluster, ca_file, *checked, now);
  endpoint->ca = std::move(*ca);
  auto proxy = proxy_from_environment(*endpoint);
  if (!proxy) return pod_error(proxy.error().message);
  endpoint->proxy = std::move(*proxy);
  if (auto name = read_file(folder + "namespace"); name && !trim(*name).empty()) cluster.namespace_ = trim(*name);
  cluster.endpoint = std::make_shared<const http::Endpoint>(std::move(*endpoint));
  return cluster;
}

}  // namespace pintle
