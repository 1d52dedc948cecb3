// SPDX-License-Identifier: Apache-2.0
#include <pintle/client/interceptors.hpp>

#include <algorithm>
#include <utility>

#include <pintle/client/resource_target.hpp>

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

}  // namespace

std::shared_ptr<http::Transport> intercept(std::shared_ptr<http::Transport> inner, RequestInterceptor interceptor) {
  return std::make_shared<InterceptedTransport>(std::move(inner), std::move(interceptor));
}

RequestInterceptor dry_run_writes() {
  return [](http::Request& request) -> Result<void> {
    if (only_reads(request.method)) return {};
    if (!read_resource_target(request.target)) {
      return fail(ErrorCode::unsupported, request.method + " " + std::string(path_of(request)) +
                                              ": only writes of resources have a dry run; the request is not sent");
    }
    set_parameter(request, "dryRun", "All");
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
