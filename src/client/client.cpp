// SPDX-License-Identifier: Apache-2.0
#include <pintle/client/client.hpp>

#include <utility>

#include <pintle/http/transport.hpp>
#include <pintle/json/pointer.hpp>

#include "errors.hpp"
#include "state.hpp"
#include "write_effects.hpp"

namespace pintle {

namespace {

constexpr std::string_view json_type = "application/json";
constexpr std::string_view merge_patch_type = "application/merge-patch+json";
constexpr std::string_view strategic_patch_type = "application/strategic-merge-patch+json";
constexpr std::string_view apply_patch_type = "application/apply-patch+yaml";  // JSON is valid YAML

using Target = ObjectCall::Target;

std::string_view text_at(const json::Value& value, std::string_view pointer) {
  const json::Value* found = json::find(value, pointer);
  return found == nullptr || !found->is_string() ? std::string_view() : std::string_view(found->get_string());
}

Identity identity_of(const json::Value& object) {
  return {
      GroupVersionKind(text_at(object, "/apiVersion"), text_at(object, "/kind")),
      ObjectKey{std::string(text_at(object, "/metadata/namespace")), std::string(text_at(object, "/metadata/name"))}};
}

// In a list, items of a built-in kind have no apiVersion and kind, and items with metadata alone have those of
// PartialObjectMetadata.
Object item_of(json::Value item, const GroupVersionKind& kind) {
  if (json::object* members = item.if_object()) {
    (*members)["apiVersion"] = kind.api_version();
    (*members)["kind"] = kind.kind;
  }
  return Object(item);
}

Result<ObjectList> list_of(std::string_view body, const GroupVersionKind& kind) {
  auto parsed = json::parse(body);
  if (!parsed) return fail(ErrorCode::unavailable, "the response cannot be parsed: " + parsed.error().message);
  json::object* list = parsed->if_object();
  json::Value* items = list == nullptr ? nullptr : list->if_contains("items");
  if (items == nullptr) return fail(ErrorCode::unavailable, "the response is not a list");
  ObjectList result;
  if (json::array* elements = items->if_array()) {
    result.items.reserve(elements->size());
    for (json::Value& element : *elements) result.items.push_back(item_of(std::move(element), kind));
  }
  result.resource_version = text_at(*parsed, "/metadata/resourceVersion");
  result.continue_ = text_at(*parsed, "/metadata/continue");
  return result;
}

}  // namespace

Client::Client(ClientOptions options) : state_(std::make_unique<State>(std::move(options))) {
  for (const std::string& warning : state_->options.cluster.warnings) state_->options.log.warning(warning);
}

Client::~Client() = default;

Result<Object> Client::get(const GroupVersionKind& kind, const ObjectKey& key, std::stop_token stop) {
  return state_->perform_for_object({.verb = "get", .method = "GET", .kind = kind, .key = key}, std::move(stop));
}

Result<Object> Client::get(const GroupVersionKind& kind, const ObjectKey& key, const GetOptions& options,
                           std::stop_token stop) {
  auto object = state_->perform_for_object({.verb = "get",
                                            .method = "GET",
                                            .kind = kind,
                                            .key = key,
                                            .subresource = options.subresource,
                                            .query = Query().add("resourceVersion", options.resource_version),
                                            .accept = options.metadata_only ? accept_metadata : "",
                                            .timeout = options.timeout},
                                           std::move(stop));
  if (!object || !options.metadata_only) return object;
  return item_of(object->to_value(), kind);
}

Result<ObjectList> Client::list(const GroupVersionKind& kind, const ListOptions& options, std::stop_token stop) {
  const ObjectKey key{.namespace_ = options.namespace_};
  const auto response = state_->perform({.verb = "list",
                                         .method = "GET",
                                         .kind = kind,
                                         .key = key,
                                         .target = Target::list,
                                         .query = list_query(options),
                                         .accept = options.metadata_only ? accept_metadata_list : "",
                                         .timeout = options.timeout},
                                        std::move(stop));
  if (!response) return fail(response.error());
  return list_of(response->body, kind).with_operation(describe_call("list", kind, key));
}

Result<std::string> Client::for_each(const GroupVersionKind& kind, const ListOptions& options,
                                     const std::function<bool(const Object&)>& on_object, std::stop_token stop) {
  const ObjectKey key{.namespace_ = options.namespace_};
  return state_->for_each(kind, options, on_object, std::move(stop)).with_operation(describe_call("list", kind, key));
}

Result<void> Client::watch(const GroupVersionKind& kind, const WatchOptions& options,
                           const std::function<bool(const WatchEvent&)>& on_event, std::stop_token stop) {
  const ObjectKey key{.namespace_ = options.namespace_};
  return state_->watch(kind, options, on_event, std::move(stop)).with_operation(describe_call("watch", kind, key));
}

Result<Object> Client::create(const json::Value& object, const WriteOptions& options, std::stop_token stop) {
  if (!options.subresource.empty()) {
    return fail(ErrorCode::invalid,
                "create cannot write the " + options.subresource + " subresource; apply it afterwards");
  }
  ObjectCall call = state_->writing("create", "POST", identity_of(object), options);
  call.target = Target::collection;
  call.content_type = json_type;
  call.body = json::print(object);
  call.repeatable = Repeatable::no;
  call.only_for = "";
  const GroupVersionKind kind = call.kind;
  const bool server_names_it = call.key.name.empty();
  auto created = state_->write(std::move(call), options, std::move(stop));
  if (!created && server_names_it && !options.dry_run) state_->observers.create_failed(kind, created.error());
  return created;
}

Result<Object> Client::create(const GroupVersionKind& kind, const ObjectKey& key, const json::Value& body,
                              const WriteOptions& options, std::stop_token stop) {
  if (options.subresource.empty()) {
    return fail(ErrorCode::invalid, "create of a subresource needs its name; set WriteOptions::subresource");
  }
  ObjectCall call = state_->writing("create", "POST", {kind, key}, options);
  call.content_type = json_type;
  call.body = json::print(body);
  call.repeatable = Repeatable::no;
  return state_->write(std::move(call), options, std::move(stop));
}

Result<Object> Client::replace(const json::Value& object, const WriteOptions& options, std::stop_token stop) {
  const Identity who = identity_of(object);
  return replace(who.kind, who.key, object, options, std::move(stop));
}

Result<Object> Client::replace(const GroupVersionKind& kind, const ObjectKey& key, const json::Value& body,
                               const WriteOptions& options, std::stop_token stop) {
  ObjectCall call = state_->writing("replace", "PUT", {kind, key}, options);
  call.content_type = json_type;
  call.body = json::print(body);
  call.only_for = version_named_in(body);
  call.would_change = [&](const Object& before) { return replacement_would_change(before, body, options.subresource); };
  return state_->write(std::move(call), options, std::move(stop));
}

Result<Object> Client::patch(const GroupVersionKind& kind, const ObjectKey& key, const json::Value& merge_patch,
                             const WriteOptions& options, std::stop_token stop) {
  ObjectCall call = state_->writing("patch", "PATCH", {kind, key}, options);
  call.content_type = merge_patch_type;
  call.body = json::print(merge_patch);
  call.would_change = [&](const Object& before) { return merge_would_change(before, merge_patch); };
  call.only_for = version_named_in(merge_patch);
  return state_->write(std::move(call), options, std::move(stop));
}

Result<Object> Client::json_patch(const GroupVersionKind& kind, const ObjectKey& key, const json::Patch& patch,
                                  const WriteOptions& options, std::stop_token stop) {
  return state_->send_json_patch("patch", {kind, key}, patch, options, std::move(stop));
}

Result<Object> Client::strategic_patch(const GroupVersionKind& kind, const ObjectKey& key, const json::Value& patch,
                                       const WriteOptions& options, std::stop_token stop) {
  ObjectCall call = state_->writing("patch", "PATCH", {kind, key}, options);
  call.content_type = strategic_patch_type;
  call.body = json::print(patch);
  call.only_for = version_named_in(patch);
  call.would_change = [&](const Object& before) { return strategic_patch_would_change(before, patch); };
  return state_->write(std::move(call), options, std::move(stop));
}

Result<Object> Client::apply(const json::Value& object, const WriteOptions& options, std::stop_token stop) {
  const Identity who = identity_of(object);
  return apply(who.kind, who.key, object, options, std::move(stop));
}

Result<Object> Client::apply(const GroupVersionKind& kind, const ObjectKey& key, const json::Value& body,
                             const WriteOptions& options, std::stop_token stop) {
  ObjectCall call = state_->writing("apply", "PATCH", {kind, key}, options);
  call.query.add("force", options.force ? "true" : "");
  call.content_type = apply_patch_type;
  call.body = json::print(body);
  call.would_change = [&](const Object& before) { return merge_would_change(before, body); };
  call.only_for = version_named_in(body);
  return state_->write(std::move(call), options, std::move(stop));
}

Result<Object> Client::send_changes(const GroupVersionKind& kind, const ObjectKey& key, const json::Patch& changes,
                                    const WriteOptions& options, std::stop_token stop) {
  if (changes.empty()) return get(kind, key, std::move(stop));
  auto patched = state_->send_json_patch("update", {kind, key}, changes, options, std::move(stop));
  if (patched || !is_failed_patch_test(patched.error())) return patched;
  Error error = std::move(patched.error());
  error.code = ErrorCode::conflict;
  error.message = "the object has changed since it was read; read it again (" + error.message + ")";
  return error;
}

Result<bool> Client::remove(const GroupVersionKind& kind, const ObjectKey& key, const DeleteOptions& options,
                            std::stop_token stop) {
  const Object before = options.dry_run ? Object() : state_->observers.known(kind, key);
  const auto response = state_->perform({.verb = "delete",
                                         .method = "DELETE",
                                         .kind = kind,
                                         .key = key,
                                         .content_type = json_type,
                                         .body = json::print(delete_options(options)),
                                         .repeatable = options.uid.empty() ? Repeatable::no : Repeatable::yes,
                                         .timeout = options.timeout},
                                        std::move(stop));
  if (response) {
    if (options.dry_run) return true;
    state_->observers.removed(kind, key, *response, before);
    state_->changed(kind);
    return true;
  }
  if (response.error().code == ErrorCode::not_found) return false;
  return fail(response.error());
}

Result<Resource> Client::resource(const GroupVersionKind& kind, std::stop_token stop) {
  return state_->discovery.find(kind, std::move(stop)).with_operation("discover " + kind.to_string());
}

Result<Resource> Client::find_resource(const std::string& name, std::stop_token stop) {
  return state_->discovery.find_name(name, std::move(stop)).with_operation("discover " + name);
}

Result<std::shared_ptr<const ApiCatalog>> Client::catalog(std::stop_token stop) {
  return state_->discovery.all(std::move(stop)).with_operation("discover all resources");
}

void Client::invalidate_discovery(const GroupVersionKind& kind) { state_->discovery.forget(kind); }

http::Request Client::list_request(const Resource& resource, const ListOptions& options) const {
  return state_->with_credentials(state_->list_of(resource, options));
}

http::Request Client::watch_request(const Resource& resource, const WatchOptions& options) const {
  return state_->with_credentials(state_->watch_of(resource, options));
}

void Client::record_exchange(const http::Request& request, const http::ResponseHead& head, Duration took) {
  state_->caller.observe(request, head, took);
}

void Client::add_write_observer(const GroupVersionKind& kind, std::weak_ptr<WriteObserver> observer) {
  state_->observers.add(kind, std::move(observer));
}

void Client::report_rewind(const WriteObserver& found_by) { state_->observers.rewound(found_by); }

std::shared_ptr<std::atomic<Instant>> Client::stream_pause(const GroupVersionKind& kind) {
  return state_->stream_pauses.of(kind);
}

Result<http::BufferedResponse> Client::raw(http::Request request, std::stop_token stop) {
  const std::string doing = request.method + " " + request.target.substr(0, request.target.find('?'));
  const bool reads = request.method == "GET" || request.method == "HEAD" || request.method == "OPTIONS";
  const bool repeatable = reads || request.method == "PUT";  // a second DELETE could delete a new object
  return state_->caller.call(std::move(request), repeatable ? Repeatable::yes : Repeatable::no, std::move(stop))
      .with_operation(doing);
}

std::unique_ptr<Client> Client::intercepted(RequestInterceptor interceptor) const {
  ClientOptions options = state_->options;
  options.transport = intercept(std::move(options.transport), std::move(interceptor));
  options.credentials = state_->caller.credentials();
  options.cluster.warnings.clear();  // this client has logged them
  return std::make_unique<Client>(std::move(options));
}

http::Transport& Client::transport() noexcept { return state_->caller.transport(); }

const Cluster& Client::cluster() const noexcept { return state_->options.cluster; }

}  // namespace pintle
