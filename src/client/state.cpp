// SPDX-License-Identifier: Apache-2.0
#include "state.hpp"

#include <utility>

#include <pintle/base/utf8.hpp>
#include <pintle/client/watch_stream.hpp>
#include <pintle/json/patch.hpp>
#include <pintle/object/protobuf.hpp>

#include "errors.hpp"
#include "line_splitter.hpp"
#include "paged_list.hpp"
#include "secret_data.hpp"
#include "write_effects.hpp"

namespace pintle {

namespace {

const GroupVersionKind secret_kind{"v1", "Secret"};

// If discovery shows no such subresource and is older than this, a call for it discovers the kind again.
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
  if (call.subresource.empty()) return resource.path(call.key) + call.query.text();
  if (!resource.has_subresource(call.subresource)) return fail(lacks_subresource(resource, call.subresource));
  return resource.path(call.key) + "/" + call.subresource + call.query.text();
}

// Whether the response to a write of the subresource is the object itself, in the form that observers parse.
bool is_part_of_object(std::string_view subresource) { return subresource.empty() || subresource == "status"; }

// For a write that required no version: whether the write created the version of `response`. `before` is the last known
// state when the write was sent.
bool made_a_version(const Object& before, const std::function<bool(const Object&)>& would_change,
                    const Object& response) {
  if (!before || before.uid() != response.uid()) return true;
  if (before.resource_version() == response.resource_version()) return false;
  return !would_change || would_change(before);
}

}  // namespace

Client::State::State(ClientOptions with)
    : options(std::move(with)),
      observers(options.transport->executor()),
      stream_pauses(options.transport->executor()),
      caller(options),
      discovery(options.transport->executor(), [this](http::Request request, std::stop_token stop) {
        request.timeout = options.timeout;
        return caller.call(std::move(request), Repeatable::yes, std::move(stop));
      }) {}

ObjectCall Client::State::writing(std::string_view verb, std::string_view method, Identity who,
                                  const WriteOptions& with) const {
  return {.verb = verb,
          .method = method,
          .kind = std::move(who.kind),
          .key = std::move(who.key),
          .subresource = with.subresource,
          .query = write_query(with, options.field_manager),
          .timeout = with.timeout};
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
  const auto would_change = std::move(call.would_change);
  const Object before = with.dry_run ? Object() : observers.known(kind, call.key);
  const bool is_whole = !with.dry_run && is_part_of_object(with.subresource);
  const std::string secret = kind == secret_kind ? call.body : std::string();
  auto written = perform_for_object(std::move(call), std::move(stop), is_whole ? &observers : nullptr);
  if (!written && !secret.empty()) hide_secret_data(written.error(), secret);
  // The response to a write that changed nothing has a version that another client may have created.
  const bool made_it = written && (only_for ? written->resource_version() != *only_for
                                            : !with.dry_run && made_a_version(before, would_change, *written));
  if (!with.dry_run) observers.written(kind, written, made_it ? only_for : std::nullopt, made_it, before);
  if (written && !with.dry_run) changed(kind);
  return written;
}

Result<Object> Client::State::send_json_patch(std::string_view verb, Identity who, const json::Patch& patch,
                                              const WriteOptions& with, std::stop_token stop) {
  ObjectCall call = writing(verb, "PATCH", std::move(who), with);
  call.content_type = "application/json-patch+json";
  call.body = json::print(patch.operations);
  call.repeatable = Repeatable::no;  // a repetition may add an element to a list twice
  call.only_for = version_tested_by(patch);
  call.would_change = [&patch](const Object& before) { return json_patch_would_change(before, patch); };
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
  auto ended = caller.stream(watch_of(*resource, with), Repeatable::no, take, std::move(stop));
  return broken ? ended : broken;
}

Result<std::string> Client::State::for_each(const GroupVersionKind& kind, const ListOptions& with,
                                            const std::function<bool(const Object&)>& on_object, std::stop_token stop) {
  const auto resource = discovery.find(kind, stop);
  if (!resource) return fail(resource.error());
  if (auto good = check_list_key(*resource, {.namespace_ = with.namespace_}); !good) return fail(good.error());
  PagedList list(kind, with, on_object);
  while (true) {
    auto end = caller.stream(
        list_of(*resource, list.next()), Repeatable::yes, [&](std::string_view bytes) { return list.take(bytes); },
        stop);
    auto more = list.end_page(std::move(end));
    if (!more) return fail(explained(std::move(more.error()), kind, stop));
    if (!*more) return std::move(list).version();
  }
}

Result<void> Client::State::read_log(const ObjectKey& pod, const LogOptions& with,
                                     const std::function<bool(std::string_view)>& on_line, std::stop_token stop) {
  const ObjectCall call{.kind = pod_kind, .key = pod, .subresource = "log", .query = log_query(with)};
  const auto resource = discovery.find(call.kind, stop);
  if (!resource) return fail(resource.error());
  auto target = target_of(call, *resource);
  if (!target) return fail(std::move(target.error()));
  http::Request request{.target = std::move(*target), .timeout = Duration::zero()};
  // A Status describes an error; the log itself is plain text.
  request.headers.set("Accept", "application/json, */*");
  if (!with.follow) request.idle_timeout = timeout_of(with.timeout);
  LineSplitter lines(on_line);
  auto end = caller.stream(
      std::move(request), Repeatable::yes, [&](std::string_view bytes) { return lines.add(bytes); }, std::move(stop));
  lines.finish();
  return end;
}

// A list has no limit on its total time, only on the time without data.
http::Request Client::State::list_of(const Resource& resource, const ListOptions& with) const {
  http::Request request{.target = resource.path({.namespace_ = with.namespace_}) + list_query(with).text(),
                        .timeout = Duration::zero(),
                        .idle_timeout = timeout_of(with.timeout)};
  if (with.metadata_only) {
    request.headers.set("Accept", std::string(accept_metadata_list));
  } else if (with.accepts_protobuf && has_protobuf(resource)) {
    request.headers.set("Accept", std::string(accept_protobuf));
  }
  return request;
}

http::Request Client::State::watch_of(const Resource& resource, const WatchOptions& with) const {
  // The server ends a watch after `with.timeout`. A watch that still exists later has lost its connection.
  http::Request request{.target = resource.path({.namespace_ = with.namespace_}) + watch_query(with).text(),
                        .timeout = with.timeout + options.timeout};
  if (with.metadata_only) {
    request.headers.set("Accept", std::string(accept_metadata));
  } else if (with.accepts_protobuf && has_protobuf(resource)) {
    request.headers.set("Accept", std::string(accept_protobuf));
  }
  return request;
}

bool Client::State::has_protobuf(const Resource& resource) const {
  return options.protobuf && protobuf_types_of(resource.kind.api_version(), resource.kind.kind) != nullptr;
}

void Client::State::changed(const GroupVersionKind& kind) {
  const bool defines_apis = (kind.group == "apiextensions.k8s.io" && kind.kind == "CustomResourceDefinition") ||
                            (kind.group == "apiregistration.k8s.io" && kind.kind == "APIService");
  if (defines_apis) discovery.forget_all();
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
  if (resource && !call.subresource.empty() && !resource->has_subresource(call.subresource)) {
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
                        .timeout = timeout_of(call.timeout)};
  // A list has no limit on its total time, only on the time without data.
  if (call.target == ObjectCall::Target::list) request.idle_timeout = std::exchange(request.timeout, Duration::zero());
  if (!call.accept.empty()) request.headers.set("Accept", std::string(call.accept));
  if (!call.content_type.empty()) request.headers.set("Content-Type", std::string(call.content_type));
  auto response = caller.call(std::move(request), call.repeatable, stop);
  if (response) return response;
  if (!call.subresource.empty() && has_lost_subresource(response.error(), call, *resource, stop)) {
    return fail(lacks_subresource(*resource, call.subresource, "no longer has a"));
  }
  return fail(explained(std::move(response.error()), call.kind, std::move(stop)));
}

Error Client::State::explained(Error error, const GroupVersionKind& kind, std::stop_token stop) {
  if (!is_path_not_found(error)) return error;
  // The discovered resource is outdated: the CRD of the kind was removed, or its scope changed.
  discovery.forget(kind);
  auto again = discovery.find(kind, std::move(stop));
  return again ? std::move(error) : std::move(again.error());
}

// A server that no longer serves a subresource of a custom resource responds as if the object did not exist. The
// discovery alone does not decide, because most objects with this response were deleted, and reading one is cheaper.
bool Client::State::has_lost_subresource(const Error& error, const ObjectCall& call, const Resource& resource,
                                         const std::stop_token& stop) {
  if (error.http_status != 404) return false;
  http::Request get{.target = resource.path(call.key), .timeout = options.timeout};
  if (!caller.call(std::move(get), Repeatable::yes, stop)) return false;
  discovery.forget(call.kind);
  const auto again = discovery.find(call.kind, stop);
  return again && !again->has_subresource(call.subresource);
}

}  // namespace pintle
