// SPDX-License-Identifier: Apache-2.0
#include "terminal/operator_pages.hpp"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/http/net_transport.hpp>
#include <pintle/http/server_url.hpp>

namespace pintle::tools {
namespace {

constexpr const char* user_agent = "pintle";
constexpr Duration timeout = std::chrono::seconds(20);

struct PodAddress {
  std::string namespace_{};
  std::string name{};
  std::string port{};
  bool tls = false;

  [[nodiscard]] std::string text() const { return namespace_ + "/" + name + (port.empty() ? "" : ":" + port); }
};

PodAddress parse_pod(const std::string& text, const std::string& default_namespace) {
  PodAddress pod{.namespace_ = default_namespace, .name = text};
  if (const std::size_t slash = pod.name.find('/'); slash != std::string::npos) {
    pod.namespace_ = pod.name.substr(0, slash);
    pod.name.erase(0, slash + 1);
  }
  if (const std::size_t colon = pod.name.find(':'); colon != std::string::npos) {
    pod.port = pod.name.substr(colon + 1);
    pod.name.erase(colon);
  }
  return pod;
}

// Sets the port of the pages unless it is given, and whether a probe uses it with TLS.
Result<void> complete(pintle::Client& client, PodAddress& at) {
  const auto pod = client.get({"v1", "Pod"}, {at.namespace_, at.name});
  if (!pod) return fail(pod.error());
  std::vector<std::pair<std::string, std::string>> ports;  // name and number
  for (const json::View container : (*pod)["/spec/containers"].elements()) {
    for (const json::View port : container.member("ports").elements()) {
      ports.emplace_back(port.member("name").text(), port.member("containerPort").print());
    }
  }
  if (at.port.empty()) {
    auto found = ports.size() == 1 ? ports.begin() : std::find_if(ports.begin(), ports.end(), [](const auto& port) {
      return port.first == "pages" || port.first == "https";
    });
    if (found == ports.end()) {
      return fail(ErrorCode::invalid, "pod " + at.text() +
                                          " has no port with the name \"pages\" or \"https\"; add "
                                          ":PORT to its name");
    }
    at.port = found->second;
  }
  for (const json::View container : (*pod)["/spec/containers"].elements()) {
    const json::View probe = container["/readinessProbe/httpGet"];
    const std::string used =
        probe.member("port").is_string() ? std::string(probe.member("port").text()) : probe.member("port").print();
    const bool is_it = used == at.port || std::any_of(ports.begin(), ports.end(), [&](const auto& port) {
                         return port.first == used && port.second == at.port;
                       });
    if (is_it && probe.member("scheme") == "HTTPS") at.tls = true;
  }
  return {};
}

// Returns what the user of the command can do about an error of the pages.
std::string_view hint_for(const Error& error, bool is_url) {
  if (error.http_status == 401) return "; set --token, for example to the output of `kubectl create token`";
  if (error.http_status == 404 && error.reason.empty()) return "; the operator must run with --debug";
  const bool is_unknown = is_url && error.message.find("unknown authority") != std::string::npos;
  return is_unknown ? "; for a generated certificate of an operator, use --insecure-skip-tls-verify" : "";
}

}  // namespace

Result<OperatorPages> OperatorPages::open(Executor& executor, const OperatorOptions& options) {
  return options.address.find("://") == std::string::npos ? of_pod(executor, options) : of_url(executor, options);
}

Result<OperatorPages> OperatorPages::of_url(Executor& executor, const OperatorOptions& options) {
  auto endpoint = http::parse_server_url(options.address, true);
  if (!endpoint) return fail(std::move(endpoint.error()).with_operation("use " + options.address));
  endpoint->insecure = options.is_insecure;
  Cluster cluster{.endpoint = std::make_shared<http::Endpoint>(std::move(*endpoint)), .origin = options.address};
  cluster.token = options.token;
  auto client = std::make_unique<pintle::Client>(ClientOptions{.transport = http::make_network_transport(executor, {}),
                                                               .cluster = std::move(cluster),
                                                               .user_agent = user_agent});
  return OperatorPages(std::move(client), "", options.address, "default");
}

Result<OperatorPages> OperatorPages::of_pod(Executor& executor, const OperatorOptions& options) {
  auto cluster = find_cluster(options.kubeconfig, options.context, executor.wall_now());
  if (!cluster) return fail(std::move(cluster.error()));
  const std::string of_context = cluster->namespace_.empty() ? "default" : cluster->namespace_;
  PodAddress pod = parse_pod(options.address, options.namespace_.empty() ? of_context : options.namespace_);
  if (pod.name.empty() || pod.namespace_.empty()) {
    return fail(ErrorCode::invalid,
                "\"" + options.address + "\" is neither the URL of an operator nor a pod, NAMESPACE/NAME:PORT");
  }
  auto client = std::make_unique<pintle::Client>(ClientOptions{.transport = http::make_network_transport(executor, {}),
                                                               .cluster = std::move(*cluster),
                                                               .user_agent = user_agent});
  if (auto done = complete(*client, pod); !done) {
    return fail(std::move(done.error()).with_operation("find the pages of the pod"));
  }
  std::string root = "/api/v1/namespaces/" + http::percent_encode(pod.namespace_) + "/pods/" +
                     (pod.tls ? "https:" : "") + http::percent_encode(pod.name) + ":" + http::percent_encode(pod.port) +
                     "/proxy";
  OperatorPages pages(std::move(client), std::move(root), "pod " + pod.text(), of_context);
  pages.pod_token_ = options.token;
  return pages;
}

Result<json::Value> OperatorPages::get(const std::string& path) {
  http::Request request{.target = root_ + "/debug/v1" + path, .timeout = timeout};
  // The API server forwards its own name as Host, which the operator accepts only together with this header.
  request.headers.set("Sec-Pintle-Terminal", "1");
  // The API server does not pass the header Authorization on to a pod.
  if (!pod_token_.empty()) request.headers.set("X-Pintle-Authorization", "Bearer " + pod_token_);
  const auto response = client_->raw(std::move(request));
  if (response) return json::parse(response->body).with_operation("read the response of " + title_);
  Error error = response.error();
  error.message += hint_for(error, root_.empty());
  return fail(std::move(error).with_operation("request from " + title_));
}

}  // namespace pintle::tools
