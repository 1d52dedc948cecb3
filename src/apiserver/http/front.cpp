// SPDX-License-Identifier: Apache-2.0
#include "front.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <pintle/base/exceptions.hpp>
#include <pintle/base/utf8.hpp>

#include "../handlers/connect/connect.hpp"
#include "../handlers/discovery.hpp"
#include "../handlers/handlers.hpp"
#include "../handlers/health.hpp"
#include "../handlers/present.hpp"
#include "../handlers/root.hpp"
#include "apiserver/call/gzip.hpp"
#include "apiserver/call/protobuf.hpp"
#include "requested_action.hpp"

namespace pintle::apiserver {
namespace {

// Sanitizes the parameters, because a response may repeat them and must be valid JSON.
http::Target read_target(std::string_view text) {
  http::Target target = http::parse_target(text);
  for (auto& [name, value] : target.parameters) value = sanitize_utf8(value);
  return target;
}

http::Response no_such_page() {
  return {.status = 404,
          .headers = {{"Content-Type", "text/plain; charset=utf-8"}, {"X-Content-Type-Options", "nosniff"}},
          .body = "404 page not found\n"};
}

http::Response refusal_response(const Refusal& refusal, const http::Request& request, const http::Target& target) {
  ResponseFormat format;
  if (auto negotiated = negotiate(request, target, {.tables = true, .discovery = true, .protobuf = true}))
    format = *negotiated;
  http::Response response = respond(refusal.code, refusal.to_status(), format);
  if (refusal.details && refusal.details->retry_after_seconds > 0) {
    response.headers.set("Retry-After", std::to_string(refusal.details->retry_after_seconds));
  }
  add_warnings(response, refusal.warnings);
  return response;
}

// Returns the verb of a method on an object, a subresource or a collection.
std::string_view verb_of(const Call& call) {
  const std::string_view method = call.request.method;
  const bool one = !call.name.empty();
  const bool part = !call.subresource.empty();
  if (method == "GET") return one ? "get" : (call.flag("watch") ? "watch" : "list");
  if (method == "POST") return one && !part ? "" : "create";
  if (method == "PUT") return one ? "update" : "";
  if (method == "PATCH") return one ? "patch" : "";
  if (method == "DELETE") return one ? "delete" : "deletecollection";
  return "";
}

// `whole`: a namespaced kind in all namespaces, which can only be read.
bool takes(const Call& call, bool whole) {
  const std::string_view verb = verb_of(call);
  if (whole && verb != "list" && verb != "watch") return false;
  if (call.subresource.empty()) return call.resource->takes(verb);
  const std::vector<std::string>& verbs = call.resource->subresource(call.subresource)->verbs;
  return std::find(verbs.begin(), verbs.end(), verb) != verbs.end();
}

// Sets the gauges to the current number of objects.
void count_objects(MetricsRegistry& metrics, const Service& service) {
  for (const std::string& collection : service.storage.written_after(0)) {
    const auto objects = service.storage.objects(collection);
    metrics.gauge("apiserver_storage_objects", "Number of objects of a resource.", {{"resource", collection}})
        .set(static_cast<double>(objects.size()));
  }
}

// True for a subresource that is read and written as the object to which it belongs.
bool is_view_of_whole(const Call& call) {
  return call.resource->subresource(call.subresource)->kind == call.resource->kind && call.subresource != "log";
}

// The time that kube-apiserver gives a write at most.
constexpr Duration max_write_time = std::chrono::seconds(34);

// Returns the time that a request has. Refuses a ?timeout that is no duration. Reads take no time that it could limit,
// and it does not apply to a watch.
StatusOr<Duration> timeout_of(const Call& call) {
  const std::string_view text = call.query("timeout");
  if (text.empty() || text == "0" || verb_of(call) == "watch") return max_write_time;
  const bool is_negative = text.starts_with('-');
  if (const auto given = parse_duration(is_negative ? text.substr(1) : text)) {
    const bool is_limit = !is_negative && *given > Duration::zero();
    return is_limit ? std::min(*given, max_write_time) : max_write_time;
  }
  const bool is_number = text.find_first_not_of("0123456789.-") == std::string_view::npos;
  return refuse(bad_request(fmt::format("invalid timeout specified in the request URL - time: {} duration {}",
                                        is_number ? "missing unit in" : "invalid", json::print(json::Value(text)))));
}

// Refuses a Table with unknown objects. A write takes effect before.
StatusOr<void> check_table(const Call& call) {
  const std::string_view include = call.query("includeObject");
  const bool is_known = include.empty() || include == "Metadata" || include == "Object" || include == "None";
  if (is_known || call.format.form != ResponseFormat::Form::table) return {};
  const StatusCause cause =
      invalid_value("includeObject", json::Value(include), "must be 'Metadata', 'Object', 'None', or empty");
  return refuse(
      bad_request(fmt::format("Unable to convert to Table as requested: {}: {}", cause.field, cause.message)));
}

http::Response forward_if_admitted(Service& service, const PodProxy& pods, const http::Request& request,
                                   const PodRequest& to, const User& user) {
  const http::Target target = read_target(request.target);
  if (target.parameter("dryRun")) return refusal_response(bad_request("dryRun is not supported"), request, target);
  std::vector<std::string> warnings;
  auto admitted =
      admit_connection(service, user, {.namespace_ = to.namespace_, .name = to.path_name, .path = to.path}, warnings);
  http::Response response = admitted ? pods.forward(request, to) : refusal_response(admitted.error(), request, target);
  add_warnings(response, warnings);
  return response;
}

// A body is read only after the path, the method and the type of the content are known.
StatusOr<void> check_body_size(const Call& call, std::size_t most) {
  if (most == 0 || call.request.body.size() <= most) return {};
  if (call.request.method == "POST") {
    if (auto readable = call.check_content_type(); !readable) return readable;
  }
  return refuse(too_large(most));
}

Refusal not_served(const Call& call) {
  return {.code = 501,
          .reason = "NotImplemented",
          .message = fmt::format("{}/{}: this server only stores objects and does not implement this subresource",
                                 call.resource->plural, call.subresource)};
}

}  // namespace

Front::Front(Service& service, FrontOptions options)
    : service_(service),
      options_(std::move(options)),
      impersonation_(service.executor, service.authorizer),
      pods_(options_.pods.transport, options_.pods.urls),
      documents_(service.executor, git_version(options_.build)),
      rate_limit_(service.executor, options_.requests_per_second),
      request_counts_(service.executor, metrics_) {}

template <class Work>
http::Response Front::guarded(const http::Request& request, const Work& work) const {
  try {
    return work();
  } catch (...) {
    const std::string why = sanitize_utf8(describe_exception());
    service_.log.error("a request failed in the server",
                       {{"method", request.method}, {"target", request.target}, {"error", why}});
    // The code that reads the headers of the request may be the one that failed, so the response is plain JSON.
    return respond(500, internal_failure("the server could not handle the request: " + why).to_status(), {});
  }
}

http::Response Front::handle(const http::Request& request, const ReadFaults& faults) const {
  return guarded(request, [&]() -> http::Response {
    if (auto pod = pod_request(request.target)) {
      if (auto user = admitted_user(request, read_target(request.target))) {
        return {.deferred = [this, request, pod = std::move(*pod), user = std::move(*user)] {
          return guarded(request, [&] { return forward_if_admitted(service_, pods_, request, pod, user); });
        }};
      }
    }
    if (!may_wait(request)) return handle_now(request, faults);
    return {
        .deferred = [this, request, faults] { return guarded(request, [&] { return handle_now(request, faults); }); }};
  });
}

StatusOr<User> Front::admitted_user(const http::Request& request, const http::Target& target) const {
  auto sender = service_.users.sender(request);
  if (!sender) return refuse(unauthorized());
  auto named = impersonated_user(request.headers);
  if (!named) return refuse(std::move(named.error()));
  if (!*named && !service_.authorizer.evaluates_roles()) return std::move(*sender);
  const Action action = requested_action(request, target);
  auto user = *named ? impersonation_.effective_user(*sender, **named, action) : StatusOr<User>(std::move(*sender));
  if (!user) return user;
  if (auto allowed = service_.authorizer.check(*user, action); !allowed) return refuse(std::move(allowed.error()));
  return user;
}

bool Front::may_wait(const http::Request& request) const {
  if (!service_.users.sender(request)) return false;  // is refused at once
  const bool is_write = request.method != "GET";
  if (is_write && (service_.storage.has_journal() || service_.admission.has_webhooks())) return true;
  const auto catalog = service_.registry.catalog();
  if (!catalog->has_conversions()) return false;
  std::vector<std::string> parts = path_parts(request.target);
  if (parts.empty() || parts.front() != "apis") return false;
  parts.erase(parts.begin());
  const auto found = route(*catalog, std::move(parts), false);
  return found && found->resource != nullptr && found->resource->conversion != nullptr;
}

http::Response Front::handle_now(const http::Request& request, const ReadFaults& faults) const {
  http::Response response = handle_uncompressed(request, faults);
  compress_if_accepted(request, response);
  return response;
}

http::Response Front::handle_uncompressed(const http::Request& request, const ReadFaults& faults) const {
  const http::Target target = read_target(request.target);
  const auto user = admitted_user(request, target);
  if (!user) return refusal_response(user.error(), request, target);
  std::vector<std::string> parts = path_parts(request.target);
  if (parts.empty() || (parts.front() != "api" && parts.front() != "apis")) return handle_root(request, parts, target);
  if (!rate_limit_.take()) return refusal_response(too_many_requests(), request, target);
  auto response = handle_api(request, *user, target, std::move(parts), faults);
  if (response) return std::move(*response);
  if (response.error().code == 0) return no_such_page();
  return refusal_response(response.error(), request, target);
}

http::Response Front::handle_root(const http::Request& request, const std::vector<std::string>& parts,
                                  const http::Target& target) const {
  ResponseFormat format;
  if (auto negotiated = negotiate(request, target, {})) format = *negotiated;
  const std::string_view first = parts.empty() ? std::string_view{} : std::string_view(parts.front());
  if (parts.empty()) return respond(200, root_paths(*service_.registry.catalog()), format);
  if (auto health = health_page(parts, target)) return std::move(*health);
  if (first == "version" && parts.size() == 1) return respond(200, version_info(options_.build), format);
  if (first == "metrics" && parts.size() == 1) {
    count_objects(metrics_, service_);
    return {.status = 200,
            .headers = {{"Content-Type", "text/plain; version=0.0.4; charset=utf-8"}},
            .body = metrics_.text()};
  }
  if (first == ".well-known" && parts.size() == 2 && parts[1] == "openid-configuration") {
    return respond(200, openid_configuration(request.headers.get("Host").value_or("kubernetes.default.svc")), {});
  }
  if (parts == std::vector<std::string>{"openid", "v1", "jwks"}) {
    http::Response response = respond(200, service_.tokens.public_keys(), {});
    response.headers.set("Content-Type", "application/jwk-set+json");
    return response;
  }
  if (first == "openapi") {
    auto page = documents_.handle(request, target, {parts.begin() + 1, parts.end()}, *service_.registry.catalog());
    return page ? std::move(*page) : refusal_response(page.error(), request, target);
  }
  return no_such_page();
}

StatusOr<http::Response> Front::handle_api(const http::Request& request, const User& user, const http::Target& target,
                                           std::vector<std::string> parts, const ReadFaults& faults) const {
  const auto catalog = service_.registry.catalog();
  const bool core = parts.front() == "api";
  parts.erase(parts.begin());
  constexpr auto nothing = [] { return refuse(Refusal{.code = 0}); };
  if (parts.size() <= (core ? 0U : 1U)) {
    if (request.method != "GET") return refuse(method_not_allowed());
    auto format = negotiate(request, target, {.discovery = parts.empty()});
    if (!format) return refuse(std::move(format.error()));
    if (format->form == ResponseFormat::Form::discovery) {
      http::Response response = respond(200, aggregated_discovery(*catalog, core), *format);
      response.headers.set("Content-Type", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList");
      return response;
    }
    if (core) return respond(200, api_versions(), *format);
    if (parts.empty()) return respond(200, api_groups(*catalog), *format);
    const Catalog::Group* group = catalog->group(parts[0]);
    if (group == nullptr || parts[0].empty()) return nothing();
    return respond(200, api_group(*group), *format);
  }

  auto found = route(*catalog, std::move(parts), core);
  if (!found) return found.error() == RouteFault::nothing_there ? nothing() : refuse(no_such_resource());
  if (found->resource == nullptr) {
    if (request.method != "GET") return refuse(method_not_allowed());
    auto format = negotiate(request, target, {});
    if (!format) return refuse(std::move(format.error()));
    return respond(200, api_resources(found->group, *catalog->version(found->group, found->version)), *format);
  }
  const Resource& resource = *found->resource;
  if (!found->subresource.empty() && resource.subresource(found->subresource) == nullptr) {
    return refuse(not_found(resource.named(found->name)));
  }
  const bool offers_protobuf = accepts_protobuf(request) && has_protobuf(resource.api_version(), resource.kind);
  auto format = negotiate(request, target, {.tables = !resource.is_review, .protobuf = offers_protobuf});
  if (!format) return refuse(std::move(format.error()));
  const bool whole = found->name.empty() && found->resource->namespaced && !found->names_namespace;
  Call call{.request = request,
            .target = target,
            .user = user,
            .resource = std::move(found->resource),
            .namespace_ = std::move(found->namespace_),
            .name = std::move(found->name),
            .subresource = std::move(found->subresource),
            .format = *format,
            .faults = faults};
  auto response = handle_call(call, whole);
  const std::vector<std::string> deprecation{call.resource->deprecation};
  if (response) add_warnings(*response, deprecation);
  if (!response) response.error().warnings.push_back(call.resource->deprecation);
  request_counts_.add(call, verb_of(call), response ? response->status : response.error().code);
  return response;
}

StatusOr<http::Response> Front::handle_call(Call& call, bool whole) const {
  const auto timeout = timeout_of(call);
  if (!timeout) return refuse(timeout.error());
  if (call.request.method != "GET") call.deadline = after(service_.executor.now(), *timeout);
  if (!takes(call, whole)) return refuse(method_not_allowed());
  if (auto fits = check_body_size(call, options_.max_body_size); !fits) return refuse(std::move(fits.error()));
  auto response = call.resource->is_review ? handle_review(service_, call) : dispatch(call);
  if (!response) return response;
  if (auto shown = check_table(call); !shown) return refuse(std::move(shown.error()));
  return response;
}

StatusOr<http::Response> Front::dispatch(const Call& call) const {
  const std::string_view method = call.request.method;
  if (call.subresource == "binding" || call.resource->group_resource() == "bindings")
    return handle_bind(service_, call);
  if (call.subresource == "eviction") return handle_evict(service_, call);
  if (call.subresource == "token") return handle_token_request(service_, call);
  if (call.name.empty()) {
    if (method == "GET") return call.flag("watch") ? handle_watch(service_, call) : handle_list(service_, call);
    return method == "POST" ? handle_create(service_, call) : handle_delete_collection(service_, call);
  }
  if (call.subresource == "scale") return handle_scale(service_, call);
  if (!call.subresource.empty() && !is_view_of_whole(call)) return refuse(not_served(call));
  if (method == "GET") return handle_get(service_, call);
  if (method == "PUT") return handle_update(service_, call);
  return method == "PATCH" ? handle_patch(service_, call) : handle_delete(service_, call);
}

}  // namespace pintle::apiserver
