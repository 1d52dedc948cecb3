// SPDX-License-Identifier: Apache-2.0
#include <pintle/client/interceptors.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include <pintle/client/resource_target.hpp>
#include <pintle/json/value.hpp>

#include "synthetic_response.hpp"

namespace pintle {
namespace {

class InterceptedTransport final : public http::ForwardingTransport {
 public:
  InterceptedTransport(std::shared_ptr<http::Transport> inner, RequestInterceptor interceptor)
      : ForwardingTransport(std::move(inner)), interceptor_(std::move(interceptor)) {}

  ExchangeId start(http::Request request, std::shared_ptr<http::ExchangeHandler> handler) override {
    if (auto allowed = interceptor_(request); !allowed) {
      end_exchange(*this, std::move(handler), std::move(allowed.error()));
      return no_exchange;
    }
    return ForwardingTransport::start(std::move(request), std::move(handler));
  }
  std::shared_ptr<http::Transport> for_credentials() override { return inner_for_credentials(); }

 private:
  const RequestInterceptor interceptor_;
};

std::string_view path_of(const http::Request& request) {
  return std::string_view(request.target).substr(0, request.target.find('?'));
}

// Sets a parameter of the query, in place of all others with that name.
void set_parameter(http::Request& request, std::string_view name, std::string_view value) {
  const http::Target target = http::parse_target(request.target);
  std::string query = std::string(name) + "=" + http::percent_encode(value);
  for (const auto& [other, text] : target.parameters) {
    if (other != name) query += "&" + http::percent_encode(other) + "=" + http::percent_encode(text);
  }
  request.target = std::string(path_of(request)) + "?" + query;
}

// API servers connect these subresources with a Pod, a Service or a Node, and ignore dryRun.
bool is_connection(std::string_view subresource) {
  constexpr std::array<std::string_view, 4> names{"proxy", "exec", "attach", "portforward"};
  return std::ranges::find(names, subresource) != names.end();
}

Error no_dry_run(const http::Request& request, std::string_view why) {
  return make_error(ErrorCode::unsupported, request.method + " " + std::string(path_of(request)) + ": " +
                                                std::string(why) + "; the request is not sent");
}

// API servers ignore the query of a DELETE that has a body.
Result<void> make_dry_run_of_deletion(http::Request& request) {
  auto options = json::parse(request.body);
  json::object* members = options ? options->if_object() : nullptr;
  if (members == nullptr) return fail(no_dry_run(request, "the delete options are not a JSON object"));
  (*members)["dryRun"] = json::array{"All"};
  request.body = json::print(*options);
  return {};
}

}  // namespace

std::shared_ptr<http::Transport> intercept(std::shared_ptr<http::Transport> inner, RequestInterceptor interceptor) {
  return std::make_shared<InterceptedTransport>(std::move(inner), std::move(interceptor));
}

RequestInterceptor dry_run_writes() {
  return [](http::Request& request) -> Result<void> {
    if (only_reads(request.method)) return {};
    const auto target = read_resource_target(request.target);
    if (!target) return fail(no_dry_run(request, "only writes of resources have a dry run"));
    if (is_connection(target->subresource)) {
      return fail(no_dry_run(request, "the subresource " + std::string(target->subresource) + " has no dry run"));
    }
    set_parameter(request, "dryRun", "All");
    if (request.method == "DELETE" && !request.body.empty()) return make_dry_run_of_deletion(request);
    return {};
  };
}

RequestInterceptor fixed_field_manager(std::string name) {
  return [name = std::move(name)](http::Request& request) -> Result<void> {
    const bool has_manager = request.method == "POST" || request.method == "PUT" || request.method == "PATCH";
    if (has_manager && read_resource_target(request.target)) set_parameter(request, "fieldManager", name);
    return {};
  };
}

RequestInterceptor bound_to_namespace(std::string namespace_) {
  return [namespace_ = std::move(namespace_)](http::Request& request) -> Result<void> {
    const auto target = read_resource_target(request.target);
    if (!target) return {};
    if (target->in_namespace && target->namespace_ == http::percent_encode(namespace_)) return {};
    Error error = make_error(ErrorCode::forbidden, request.method + " " + std::string(path_of(request)) +
                                                       ": this client is bound to namespace " + namespace_);
    error.reason = "OutsideNamespace";
    return fail(std::move(error));
  };
}

}  // namespace pintle
