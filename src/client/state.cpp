#include "state.hpp"

#include <utility>

#include <pintle/base/utf8.hpp>
#include <pintle/client/watch_stream.hpp>
#include <pintle/json/patch.hpp>

#include "errors.hpp"

namespace pintle {

namespace {

// If discovery shows no status subresource and is older than this, a status write discovers the kind again.
constexpr Duration discovery_age = std::chrono::seconds(10);

// Returns the path and the query of a call. Errors: invalid for the key; unsupported without the status subresource.
Result<std::string> target_of(const ObjectCall& call, const Resource& resource) {
  using Target = ObjectCall::Target;
  if (call.target == Target::collection || call.target == Target::list) {
    const bool lists = call.target == Target::list;
    const auto good = lists ? check_list_key(resource, call.key) : check_collection_key(resource, call.key);
    if (!good) return fail(good.error());
    return resource.path({call.key.namespace_, ""}) + call.query.text();
  }
  if (auto good = check_object_key(resource, call.key); !good) return fail(std::move(good.error()));
  if (call.target == Target::object) return resource.path(call.key) + call.query.text();
  if (resource.has_status) return resource.path(call.key) + "/status" + call.query.text();
  Error error = make_error(ErrorCode::unsupported, resource.to_string() + " has no status subresource");
  error.reason = no_status_subresource;
  return fail(std::move(error));
}

// Whether the intent of a merge patch or an apply would change the object. Lists are compared as a whole.
bool would_change(const Object& object, const json::Value& intent) {
  const json::Value before = object.to_value();
  json::Value after = before;
  json::apply_merge_patch(after, intent);
  return after != before;
}

// For a write that required no version: whether the write created the version of `response`. `before` is the last known
// state when the write was sent.
bool made_a_version(const Object& before, const json::Value* intent, const Object& response) {
  if (!before || before.uid() != response.uid()) return true;
  if (before.resource_version() == response.resource_version()) return false;
  return intent == nullptr || would_change(before, *intent);
}

}  // namespace

Client::State::State(ClientOptions with)
    : options(std::move(with)),
      observers(options.transport->executor()),
      caller(options),
      discovery(options.transport->executor(), [this](std::string target, std::stop_token stop) {
        return caller.call({.target = std::move(target), .timeout = options.timeout}, Repeatable::yes, std::move(stop));
      }) {}

ObjectCall Client::State::writing(std::string_view verb, std::string_view method, Identity who,
                                  const WriteOptions& with) const {
  return {.verb = verb,
          .method = method,
          .kind = std::move(who.kind),
          .key = std::move(who.key),
          .target = with.status ? ObjectCall::Target::status : ObjectCall::Target::object,
          .query = write_query(with, options.field_manager)};
}

Result<http::BufferedResponse> Client::State::perform(ObjectCall call, std::stop_token stop) {
  std::string doing = describe_call(call.verb, call.kind, call.key);
  return attempt(std::move(call), std::move(stop)).with_operation(std::move(doing));
}

Result<Object> Client::State::perform_for_object(ObjectCall call, std::stop_token stop, const WriteObservers* readers) {
  std::string doing = describe_call(call.verb, call.kind, call.key);
  const GroupVersionKind kind = call.kind;
  const auto response = attempt(std::move(call), std::move(stop));
  if (!response) return fail(Error(response.error()).with_operation(std::move(doing)));
  auto object = readers == nullptr ? Object::parse(response->body) : readers->read(kind, response->body);
  if (object) return object;
  const std::string why = "the response cannot be parsed: " + object.error().message;
  return fail(make_error(ErrorCode::unavailable, why).with_operation(std::move(doing)));
}

Result<Object> Client::State::write(ObjectCall call, const WriteOptions& with, std::stop_token stop) {
  const GroupVersionKind kind = call.kind;
  const std::optional<std::string> only_for = call.only_for;
  const json::Value* const intent = call.intent;
  const Object before = only_for || with.dry_run ? Object() : observers.known(kind, call.key);
  auto written = perform_for_object(std::move(call), std::move(stop), with.dry_run ? nullptr : &observers);
  // The response to a write that changed nothing has a version that another client may have created.
  const bool made_it = written && (only_for ? written->resource_version() != *only_for
                                            : !with.dry_run && made_a_version(before, intent, *written));
  if (!with.dry_run) observers.written(kind, written, made_it ? only_for : std::nullopt, made_it);
  return written;
}

Result<Object> Client::State::send_json_patch(std::string_view verb, Identity who, const json::Patch& patch,
                                              const WriteOptions& with, std::stop_token stop) {
  ObjectCall call = writing(verb, "PATCH", std::move(who), with);
  call.content_type = "application/json-patch+json";
  call.body = json::print(patch.operations);
  call.repeatable = Repeatable::no;  // a repetition may add an element to a list twice
  call.only_for = version_tested_by(patch);
  return write(std::move(call), with, std::move(stop));
}

Result<void> Client::State::watch(const GroupVersionKind& kind, const WatchOptions& with,
                                  const std::function<bool(const WatchEvent&)>& on_event, std::stop_token stop) {
  const auto resource = discovery.find(kind, stop);
  if (!resource) return fail(resource.error());
  if (auto good = check_list_key(*resource, {.namespace_ = with.namespace_}); !good) return good;
  WatchStream events(kind, {.metadata_only = with.metadata_only});
  Result<void> broken;
  const auto take = [&](std::string_view bytes) {
    events.add(bytes);
    while (auto event = events.next()) {
      if (*event) {
        if (!on_event(**event)) return false;
      } else if (events.is_broken()) {
        broken = fail(std::move(event->error()));
        return false;
      } else {
        options.log.warning("a watch event is skipped", {{"error", event->error().to_string()}});
      }
    }
    return true;
  };
  auto ended = caller.stream(watch_of(*resource, with), take, std::move(stop));
  return broken ? ended : broken;
}

http::Request Client::State::watch_of(const Resource& resource, const WatchOptions& with) const {
  // The server ends a watch after `with.timeout`. A watch that still exists later is dead.
  http::Request request{.target = resource.path({.namespace_ = with.namespace_}) + watch_query(with).text(),
                        .timeout = with.timeout + options.timeout};
  if (with.metadata_only) request.headers.set("Accept", std::string(accept_metadata));
  return request;
}

http::Request Client::State::with_credentials(http::Request request) const {
  if (const auto done = caller.prepare(request); !done) {
    options.log.error("a request is sent without a token", {{"error", done.error().message}});
  }
  return request;
}

Result<http::BufferedResponse> Client::State::attempt(ObjectCall call, std::stop_token stop) {
  auto resource = discovery.find(call.kind, stop);
  // The CRD may have gained the subresource since the discovery.
  if (resource && !resource->has_status && call.target == ObjectCall::Target::status) {
    resource = discovery.find(call.kind, stop, discovery_age);
  }
  if (!resource) return fail(std::move(resource.error()));
  auto target = target_of(call, *resource);
  if (!target) return fail(std::move(target.error()));
  // A server rejects a body that is not UTF-8. An error text from another system could otherwise prevent a status
  // write.
  sanitize_utf8_in_place(call.body);
  http::Request request{.method = std::string(call.method),
                        .target = std::move(*target),
                        .body = std::move(call.body),
                        .timeout = options.timeout};
  // A list has no limit on its total time, only on the time without data.
  if (call.target == ObjectCall::Target::list) request.idle_timeout = std::exchange(request.timeout, Duration::zero());
  if (!call.accept.empty()) request.headers.set("Accept", std::string(call.accept));
  if (!call.content_type.empty()) request.headers.set("Content-Type", std::string(call.content_type));
  auto response = caller.call(std::move(request), call.repeatable, stop);
  if (response || !is_path_not_found(response.error())) return response;
  // The discovered resource is outdated: the CRD of the kind was removed, or its scope changed.
  discovery.forget(call.kind);
  const auto again = discovery.find(call.kind, std::move(stop));
  if (again) return response;
  return fail(again.error());
}

}  // namespace pintle
