// SPDX-License-Identifier: Apache-2.0
#include "simulated_roles.hpp"

#include <utility>

#include <fmt/format.h>

#include <pintle/json/value.hpp>

namespace pintle::testkit {
namespace {

using json::Value;

constexpr std::string_view rbac_path = "/apis/rbac.authorization.k8s.io/v1";
constexpr std::string_view account_namespace = "default";

bool has_credentials(const http::Request& request) {
  return request.peer != nullptr || request.headers.get("Authorization").has_value();
}

// Writes objects as an administrator.
class RoleWriter {
 public:
  RoleWriter(http::Handler& clusters, const std::string& host)
      : clusters_(clusters), endpoint_(std::make_shared<http::Endpoint>(http::Endpoint{.host = host})) {}

  // Replaces an object with the same name.
  void write(const std::string& collection, const std::string& name, const Value& object) {
    http::Response response = send("POST", collection, object);
    if (response.status == 409) response = send("PUT", collection + "/" + name, object);
    if (response.status >= 300) {
      errors_.push_back(fmt::format("{}/{}: {} {}", collection, name, response.status, response.body));
    }
  }
  void create_namespace(const std::string& name) {
    const http::Response response = send("POST", "/api/v1/namespaces", {{"metadata", {{"name", name}}}});
    if (response.status >= 300 && response.status != 409) errors_.push_back(response.body);
  }
  [[nodiscard]] std::vector<std::string> take_errors() { return std::move(errors_); }

 private:
  http::Response send(std::string method, std::string target, const Value& object) {
    http::Response response = clusters_.handle(as_administrator({.method = std::move(method),
                                                                 .target = std::move(target),
                                                                 .headers = {{"Content-Type", "application/json"}},
                                                                 .body = json::print(object),
                                                                 .endpoint = endpoint_}));
    return response.deferred ? response.deferred() : std::move(response);
  }

  http::Handler& clusters_;
  const std::shared_ptr<const http::Endpoint> endpoint_;
  std::vector<std::string> errors_;
};

}  // namespace

http::Request as_administrator(http::Request request) {
  static const auto administrator = std::make_shared<const http::CertificateSubject>(
      http::CertificateSubject{.common_name = "user", .organizations = {"system:masters"}});
  if (!has_credentials(request)) request.peer = administrator;
  return request;
}

std::shared_ptr<const http::CertificateSubject> account_of(std::string_view manager) {
  return std::make_shared<const http::CertificateSubject>(http::CertificateSubject{
      .common_name = fmt::format("system:serviceaccount:{}:{}", account_namespace, manager),
      .organizations = {"system:serviceaccounts", fmt::format("system:serviceaccounts:{}", account_namespace)}});
}

std::vector<std::string> grant_printed_roles(http::Handler& clusters, const std::string& host, std::string_view manager,
                                             const std::vector<RbacRole>& roles) {
  RoleWriter writer(clusters, host);
  const auto printed = json::parse_yaml_stream(print_rbac(roles));
  if (!printed) return {printed.error().message};
  for (const Value& role : *printed) {
    const Value& metadata = role.at("metadata");
    const std::string name(metadata.at("name").as_string());
    const Value* space = metadata.as_object().if_contains("namespace");
    const std::string folder =
        space == nullptr ? "" : fmt::format("/namespaces/{}", std::string_view(space->as_string()));
    if (space != nullptr) writer.create_namespace(std::string(space->as_string()));
    const std::string_view kind = space == nullptr ? "ClusterRole" : "Role";
    const std::string_view plural = space == nullptr ? "clusterrole" : "role";
    writer.write(fmt::format("{}{}/{}s", rbac_path, folder, plural), name, role);
    writer.write(fmt::format("{}{}/{}bindings", rbac_path, folder, plural), name,
                 {{"metadata", {{"name", name}}},
                  {"roleRef", {{"apiGroup", "rbac.authorization.k8s.io"}, {"kind", kind}, {"name", name}}},
                  {"subjects", json::array{json::object{
                                   {"kind", "ServiceAccount"}, {"name", manager}, {"namespace", account_namespace}}}}});
  }
  return writer.take_errors();
}

}  // namespace pintle::testkit
