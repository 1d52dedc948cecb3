// SPDX-License-Identifier: Apache-2.0
#include <pintle/client/write_recorder.hpp>

#include <functional>
#include <optional>
#include <utility>

#include <pintle/client/interceptors.hpp>
#include <pintle/client/resource_target.hpp>
#include <pintle/json/patch.hpp>
#include <pintle/json/pointer.hpp>

#include "client/errors.hpp"
#include "client/requests.hpp"
#include "recorded_list.hpp"
#include "synthetic_response.hpp"

namespace pintle {
namespace {

// Above all versions of a server, and comparable with them.
constexpr std::uint64_t first_version = 9'000'000'000'000'000'000U;

std::string without_query(const std::string& target) { return target.substr(0, target.find('?')); }

// The path without the subresource.
std::string object_path(const std::string& target, const ResourceTarget& resource) {
  std::string path = without_query(target);
  if (!resource.subresource.empty()) path.resize(path.rfind(std::string("/") + std::string(resource.subresource)));
  return path;
}

std::string content_type(const http::Request& request) {
  const std::string_view type = request.headers.get("Content-Type").value_or("");
  return std::string(type.substr(0, type.find(';')));
}

std::string verb_of(const http::Request& request, bool is_named) {
  if (request.method == "POST") return "create";
  if (request.method == "PUT") return "update";
  if (request.method == "DELETE") return is_named ? "delete" : "deletecollection";
  return content_type(request).starts_with("application/apply-patch") ? "apply" : "patch";
}

// Events are only about other writes, and reviews create nothing.
bool is_recorded(const ResourceTarget& resource) {
  const std::string_view group = resource.group_version;
  return resource.plural != "events" && !group.starts_with("/apis/authorization.k8s.io/") &&
         !group.starts_with("/apis/authentication.k8s.io/");
}

std::string text_at(const json::Value& object, std::string_view pointer) {
  const json::Value* found = json::find(object, pointer);
  return found != nullptr && found->is_string() ? std::string(found->get_string()) : std::string();
}

http::BufferedResponse json_response(int status, const json::Value& body) {
  return {.status = status, .headers = {{"Content-Type", "application/json"}}, .body = json::print(body)};
}

http::BufferedResponse refusal(int code, const char* reason, const std::string& message, const std::string& path) {
  const std::string name = path.substr(path.rfind('/') + 1);
  return json_response(code, {{"kind", "Status"},
                              {"apiVersion", "v1"},
                              {"status", "Failure"},
                              {"reason", reason},
                              {"message", message},
                              {"details", {{"name", name}}},
                              {"code", code}});
}

http::BufferedResponse not_found(const std::string& path) {
  return refusal(404, "NotFound", path + " not found (deleted by a recorded write)", path);
}

// Whether an object exists no more because its last finalizer was removed.
bool has_ended(const json::Value& object) {
  if (text_at(object, "/metadata/deletionTimestamp").empty()) return false;
  const json::Value* finalizers = json::find(object, "/metadata/finalizers");
  return finalizers == nullptr || !finalizers->is_array() || finalizers->get_array().empty();
}

// Passes a whole response to a function that may replace it.
class Buffer : public http::ExchangeHandler {
 public:
  using Done = std::function<void(Result<http::BufferedResponse>)>;
  explicit Buffer(Done done) : done_(std::move(done)) {}

  void on_head(const http::ResponseHead& head) override {
    response_.status = head.status;
    response_.headers = head.headers;
  }
  void on_body(std::string_view chunk) override { response_.body.append(chunk); }
  void on_end(Result<void> result) override {
    if (result) return done_(std::move(response_));
    done_(fail(std::move(result.error())));
  }

 private:
  const Done done_;
  http::BufferedResponse response_;
};

// Called on the I/O thread.
void pass(const std::shared_ptr<http::ExchangeHandler>& handler, Result<http::BufferedResponse> response) {
  if (!response) return handler->on_end(fail(std::move(response.error())));
  handler->on_head({.status = response->status, .headers = response->headers});
  if (!response->body.empty()) handler->on_body(response->body);
  handler->on_end({});
}

// Applies the body of a write to an object. Errors: those of the patch.
Result<json::Value> applied(const http::Request& request, const json::Value& object, const json::Value& body) {
  if (request.method == "PUT") return body;
  json::Value next = object;
  if (content_type(request) == "application/json-patch+json") {
    if (!body.is_array()) return fail(ErrorCode::invalid, "a JSON patch is an array");
    if (auto done = json::apply_patch(next, body.get_array()); !done) return fail(std::move(done.error()));
  } else {
    json::apply_merge_patch(next, body);
  }
  return next;
}

// A write of a subresource changes only the member with its name; a write of the object leaves the status.
json::Value with_part(const json::Value& object, const json::Value& next, const std::string& subresource) {
  json::Value result = subresource.empty() ? next : object;
  if (!result.is_object()) return result;
  const json::Value& source = subresource.empty() ? object : next;
  const json::Value* status = json::find(source, "/status");
  if (status != nullptr) {
    result.as_object()["status"] = *status;
  } else {
    result.as_object().erase("status");
  }
  return result;
}

}  // namespace

struct WriteRecorder::Write {
  std::string verb{};
  std::string path{};  // of the object or of the collection
  std::string subresource{};
  json::Value before{};
};

WriteRecorder::WriteRecorder(std::shared_ptr<http::Transport> inner)
    : ForwardingTransport(std::move(inner)), mutex_(executor()), version_(first_version) {}

std::vector<RecordedWrite> WriteRecorder::writes() const {
  const MutexLock lock(mutex_);
  return writes_;
}

http::Transport::ExchangeId WriteRecorder::start(http::Request request,
                                                 std::shared_ptr<http::ExchangeHandler> handler) {
  if (only_reads(request.method)) return read(std::move(request), std::move(handler));
  if (auto changed = dry_run_writes()(request); !changed) {
    end_exchange(*this, std::move(handler), std::move(changed.error()));
    return no_exchange;
  }
  const ResourceTarget resource = *read_resource_target(request.target);
  if (!is_recorded(resource)) return ForwardingTransport::start(std::move(request), std::move(handler));
  Write write{.verb = verb_of(request, resource.is_named),
              .path = object_path(request.target, resource),
              .subresource = std::string(resource.subresource)};
  if (!resource.is_named) {
    send_dry_run(std::move(write), std::move(request), std::move(handler));
    return no_exchange;
  }
  std::optional<json::Value> known;
  {
    const MutexLock lock(mutex_);
    if (const auto found = objects_.find(write.path); found != objects_.end()) known = found->second;
  }
  if (known) {
    end_exchange(*this, std::move(handler), write_again(request, std::move(write), *known));
    return no_exchange;
  }
  // The object is read first, to record what the write would change.
  http::Request get = request;
  get.method = "GET";
  get.target = write.path;
  get.body.clear();
  return ForwardingTransport::start(
      std::move(get), std::make_shared<Buffer>([this, write = std::move(write), request = std::move(request),
                                                handler](Result<http::BufferedResponse> response) mutable {
        if (!response) return handler->on_end(fail(std::move(response.error())));
        if (auto object = json::parse(response->body); response->status == 200 && object) write.before = *object;
        send_dry_run(std::move(write), std::move(request), handler);
      }));
}

void WriteRecorder::send_dry_run(Write write, http::Request request, std::shared_ptr<http::ExchangeHandler> handler) {
  ForwardingTransport::start(std::move(request),
                             std::make_shared<Buffer>([this, write = std::move(write),
                                                       handler](Result<http::BufferedResponse> response) mutable {
                               if (response) response = record(std::move(write), std::move(*response));
                               pass(handler, std::move(response));
                             }));
}

// Records the result of a dry run. Returns the response for the caller.
http::BufferedResponse WriteRecorder::record(Write write, http::BufferedResponse response) {
  if (response.status < 200 || response.status >= 300) return response;
  auto object = json::parse(response.body);
  if (!object || !object->is_object()) return response;
  if (write.verb == "create" && write.subresource.empty()) {
    write.path += "/" + http::percent_encode(text_at(*object, "/metadata/name"));
  }
  const bool is_whole = write.subresource.empty() || write.subresource == "status";
  if (write.verb == "deletecollection" || !is_whole) {
    const MutexLock lock(mutex_);
    writes_.push_back({.verb = std::move(write.verb),
                       .path = std::move(write.path),
                       .subresource = std::move(write.subresource),
                       .before = std::move(write.before),
                       .after = is_whole ? json::Value() : std::move(*object)});
    return response;
  }
  const bool is_removed = write.verb == "delete" && (text_at(*object, "/kind") == "Status" || has_ended(*object) ||
                                                     text_at(*object, "/metadata/deletionTimestamp").empty());
  if (is_removed) {
    store(std::move(write), json::Value());
    return response;
  }
  const std::string path = write.path;
  store(std::move(write), std::move(*object));
  const MutexLock lock(mutex_);
  const json::Value& stored = objects_.find(path)->second;
  if (!stored.is_null()) response.body = json::print(stored);
  return response;
}

void WriteRecorder::store(Write write, json::Value after) {
  const MutexLock lock(mutex_);
  if (after.is_object() && has_ended(after)) after = nullptr;
  json::Value shown = after;
  if (shown.is_object()) {
    shown.as_object()["metadata"].as_object()["resourceVersion"] = std::to_string(++version_);
  }
  objects_[write.path] = std::move(shown);
  writes_.push_back({.verb = std::move(write.verb),
                     .path = std::move(write.path),
                     .subresource = std::move(write.subresource),
                     .before = std::move(write.before),
                     .after = std::move(after)});
}

// A write of an object that a recorded write has changed.
http::BufferedResponse WriteRecorder::write_again(const http::Request& request, Write write, const json::Value& known) {
  const std::string path = write.path;
  if (known.is_null() && write.verb != "apply") return not_found(path);
  write.before = known;
  if (write.verb == "delete") {
    json::Value after = known;
    after.as_object()["metadata"].as_object()["deletionTimestamp"] = format_time(executor().wall_now());
    store(std::move(write), std::move(after));
    return json_response(200, known);
  }
  const auto body = json::parse(request.body);
  auto next = body ? applied(request, known, *body) : fail(body.error());
  if (!next) return refusal(422, "Invalid", std::string(failed_patch), path);
  const std::string version = text_at(*next, "/metadata/resourceVersion");
  if (!version.empty() && version != text_at(known, "/metadata/resourceVersion")) {
    return refusal(409, "Conflict", "the object has been modified by a recorded write", path);
  }
  json::Value after = with_part(known, *next, write.subresource);
  store(std::move(write), std::move(after));
  const MutexLock lock(mutex_);
  const json::Value& stored = objects_.find(path)->second;
  return json_response(200, stored.is_null() ? known : stored);
}

http::Transport::ExchangeId WriteRecorder::read(http::Request request, std::shared_ptr<http::ExchangeHandler> handler) {
  const auto resource = read_resource_target(request.target);
  const bool is_part = resource && !resource->subresource.empty() && resource->subresource != "status";
  if (!resource || resource->watches || is_part) {
    return ForwardingTransport::start(std::move(request), std::move(handler));
  }
  const std::string path = object_path(request.target, *resource);
  if (!resource->is_named) {
    const auto edit = [this, target = request.target, handler](Result<http::BufferedResponse> response) {
      if (response && response->status == 200) {
        const MutexLock lock(mutex_);
        response->body = with_recorded_objects(std::move(response->body), target, objects_);
      }
      pass(handler, std::move(response));
    };
    // The recorded objects are added to JSON.
    if (request.headers.get("Accept") == accept_protobuf) request.headers.set("Accept", "application/json");
    return ForwardingTransport::start(std::move(request), std::make_shared<Buffer>(edit));
  }
  std::optional<http::BufferedResponse> recorded;
  {
    const MutexLock lock(mutex_);
    const auto found = objects_.find(path);
    if (found != objects_.end())
      recorded = found->second.is_null() ? not_found(path) : json_response(200, found->second);
  }
  if (!recorded) return ForwardingTransport::start(std::move(request), std::move(handler));
  end_exchange(*this, std::move(handler), std::move(*recorded));
  return no_exchange;
}

}  // namespace pintle
