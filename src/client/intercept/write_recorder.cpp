// SPDX-License-Identifier: Apache-2.0
#include <pintle/client/write_recorder.hpp>

#include <functional>
#include <map>
#include <memory>
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

std::string string_at(const json::Value& object, std::string_view pointer) {
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

http::BufferedResponse already_exists(const std::string& path) {
  return refusal(409, "AlreadyExists", path + " already exists (written by a recorded write)", path);
}

// Whether an object exists no more because its last finalizer was removed.
bool has_ended(const json::Value& object) {
  if (string_at(object, "/metadata/deletionTimestamp").empty()) return false;
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
  std::string body{};  // of a create
  json::Value before{};
};

// The exchanges of callers that have not ended. Each waits for one exchange of the inner transport after another.
class [[gnu::visibility("hidden")]] WriteRecorder::Exchanges final : public std::enable_shared_from_this<Exchanges> {
 public:
  explicit Exchanges(Executor& executor) : mutex_(executor) {}

  [[nodiscard]] std::shared_ptr<Exchange> add(std::shared_ptr<http::ExchangeHandler> handler);
  void forget(ExchangeId id) {
    const MutexLock lock(mutex_);
    entries_.erase(id);
  }

  // Call it before an exchange of the inner transport starts. Returns the number of the step; none after cancel().
  [[nodiscard]] std::optional<unsigned> begin_step(ExchangeId id) {
    const MutexLock lock(mutex_);
    const auto found = entries_.find(id);
    if (found == entries_.end() || found->second.is_cancelled) return {};
    found->second.inner.reset();
    return ++found->second.step;
  }
  // Call it after that start. Returns whether the inner exchange must be cancelled. A later step may have begun before
  // this call.
  [[nodiscard]] bool set_inner(ExchangeId id, unsigned step, ExchangeId inner) {
    const MutexLock lock(mutex_);
    const auto found = entries_.find(id);
    if (found == entries_.end() || found->second.step != step) return false;
    found->second.inner = inner;
    return found->second.is_cancelled;
  }
  // Returns the inner exchange to cancel.
  [[nodiscard]] std::optional<ExchangeId> cancel(ExchangeId id) {
    const MutexLock lock(mutex_);
    const auto found = entries_.find(id);
    if (found == entries_.end()) return {};
    found->second.is_cancelled = true;
    return found->second.inner;
  }

 private:
  struct Entry {
    unsigned step = 0;
    std::optional<ExchangeId> inner{};
    bool is_cancelled = false;
  };

  Mutex mutex_;
  std::map<ExchangeId, Entry> entries_ PINTLE_GUARDED_BY(mutex_);
  ExchangeId last_id_ PINTLE_GUARDED_BY(mutex_) = no_exchange;
};

// Passes the response to the handler of the caller.
class WriteRecorder::Exchange final : public http::ExchangeHandler {
 public:
  Exchange(std::shared_ptr<Exchanges> all, ExchangeId id, std::shared_ptr<http::ExchangeHandler> handler)
      : all_(std::move(all)), id_(id), handler_(std::move(handler)) {}

  [[nodiscard]] ExchangeId id() const noexcept { return id_; }

  void on_head(const http::ResponseHead& head) override { handler_->on_head(head); }
  void on_body(std::string_view chunk) override { handler_->on_body(chunk); }
  void on_end(Result<void> result) override {
    all_->forget(id_);
    handler_->on_end(std::move(result));
  }

 private:
  const std::shared_ptr<Exchanges> all_;  // a watch may outlive the recorder
  const ExchangeId id_;
  const std::shared_ptr<http::ExchangeHandler> handler_;
};

std::shared_ptr<WriteRecorder::Exchange> WriteRecorder::Exchanges::add(std::shared_ptr<http::ExchangeHandler> handler) {
  const ExchangeId id = [this] {
    const MutexLock lock(mutex_);
    entries_.emplace(++last_id_, Entry{});
    return last_id_;
  }();
  return std::make_shared<Exchange>(shared_from_this(), id, std::move(handler));
}

WriteRecorder::WriteRecorder(std::shared_ptr<http::Transport> inner)
    : ForwardingTransport(std::move(inner)),
      exchanges_(std::make_shared<Exchanges>(executor())),
      mutex_(executor()),
      version_(first_version) {}

std::vector<RecordedWrite> WriteRecorder::writes() const {
  const MutexLock lock(mutex_);
  return writes_;
}

http::Transport::ExchangeId WriteRecorder::start(http::Request request,
                                                 std::shared_ptr<http::ExchangeHandler> handler) {
  const std::shared_ptr<Exchange> exchange = exchanges_->add(std::move(handler));
  if (only_reads(request.method)) {
    read(std::move(request), exchange);
  } else {
    perform_write(std::move(request), exchange);
  }
  return exchange->id();
}

void WriteRecorder::cancel(ExchangeId exchange) {
  if (const auto inner = exchanges_->cancel(exchange)) ForwardingTransport::cancel(*inner);
}

// Sends a request for an exchange, which ends with the error `cancelled` if it was cancelled before.
void WriteRecorder::send(const std::shared_ptr<Exchange>& exchange, http::Request request,
                         std::shared_ptr<http::ExchangeHandler> receiver) {
  const auto step = exchanges_->begin_step(exchange->id());
  if (!step) {
    return end_exchange(*this, exchange,
                        make_error(ErrorCode::cancelled, request.method + " " + without_query(request.target) +
                                                             ": cancelled before the request was sent"));
  }
  const ExchangeId inner = ForwardingTransport::start(std::move(request), std::move(receiver));
  if (exchanges_->set_inner(exchange->id(), *step, inner)) ForwardingTransport::cancel(inner);
}

void WriteRecorder::perform_write(http::Request request, const std::shared_ptr<Exchange>& exchange) {
  if (auto changed = dry_run_writes()(request); !changed) {
    return end_exchange(*this, exchange, std::move(changed.error()));
  }
  const ResourceTarget resource = *read_resource_target(request.target);
  if (!is_recorded(resource)) return send(exchange, std::move(request), exchange);
  Write write{.verb = verb_of(request, resource.is_named),
              .path = object_path(request.target, resource),
              .subresource = std::string(resource.subresource),
              .body = request.method == "POST" ? request.body : std::string()};
  if (!resource.is_named) return send_dry_run(std::move(write), std::move(request), exchange);
  std::optional<json::Value> known;
  {
    const MutexLock lock(mutex_);
    if (const auto found = objects_.find(write.path); found != objects_.end()) known = found->second;
  }
  if (known) return end_exchange(*this, exchange, write_again(request, std::move(write), *known));
  // The object is read first, to record what the write would change.
  http::Request get = request;
  get.method = "GET";
  get.target = write.path;
  get.body.clear();
  auto then = [this, write = std::move(write), request = std::move(request),
               exchange](Result<http::BufferedResponse> response) mutable {
    if (!response) return exchange->on_end(fail(std::move(response.error())));
    if (auto object = json::parse(response->body); response->status == 200 && object) write.before = *object;
    send_dry_run(std::move(write), std::move(request), exchange);
  };
  send(exchange, std::move(get), std::make_shared<Buffer>(std::move(then)));
}

void WriteRecorder::send_dry_run(Write write, http::Request request, const std::shared_ptr<Exchange>& exchange) {
  auto then = [this, write = std::move(write), exchange](Result<http::BufferedResponse> response) mutable {
    if (response) response = record(std::move(write), std::move(*response));
    pass(exchange, std::move(response));
  };
  send(exchange, std::move(request), std::make_shared<Buffer>(std::move(then)));
}

// Records the result of a dry run. Returns the response for the caller.
http::BufferedResponse WriteRecorder::record(Write write, http::BufferedResponse response) {
  const bool is_create = write.verb == "create" && write.subresource.empty();
  if (is_create && response.status == 409) return create_again(std::move(write), std::move(response));
  if (response.status < 200 || response.status >= 300) return response;
  auto object = json::parse(response.body);
  if (!object || !object->is_object()) return response;
  if (is_create) {
    write.path += "/" + http::percent_encode(string_at(*object, "/metadata/name"));
    const MutexLock lock(mutex_);
    const auto found = objects_.find(write.path);
    if (found != objects_.end() && !found->second.is_null()) return already_exists(write.path);
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
  const bool is_removed = write.verb == "delete" && (string_at(*object, "/kind") == "Status" || has_ended(*object) ||
                                                     string_at(*object, "/metadata/deletionTimestamp").empty());
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

// The server does not create an object that a recorded write has deleted. It has validated the object before it refused
// that, so the object of the request is the result, without the defaults of the server.
http::BufferedResponse WriteRecorder::create_again(Write write, http::BufferedResponse refused) {
  const auto refusal = json::parse(refused.body);
  auto object = json::parse(write.body);
  if (!refusal || string_at(*refusal, "/reason") != "AlreadyExists" || !object) return refused;
  write.path += "/" + http::percent_encode(string_at(*object, "/metadata/name"));
  std::string uid;
  {
    const MutexLock lock(mutex_);
    const auto found = objects_.find(write.path);
    if (found == objects_.end() || !found->second.is_null()) return refused;
    uid = "recorded-" + std::to_string(++version_);
  }
  json::object& metadata = object->as_object()["metadata"].as_object();
  metadata["uid"] = uid;
  metadata["creationTimestamp"] = format_time(executor().wall_now());
  const auto resource = read_resource_target(write.path);
  if (resource->in_namespace) metadata["namespace"] = http::percent_decode(resource->namespace_);
  const std::string path = write.path;
  store(std::move(write), std::move(*object));
  const MutexLock lock(mutex_);
  return json_response(201, objects_.find(path)->second);
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
  const std::string version = string_at(*next, "/metadata/resourceVersion");
  if (!version.empty() && version != string_at(known, "/metadata/resourceVersion")) {
    return refusal(409, "Conflict", "the object has been modified by a recorded write", path);
  }
  json::Value after = with_part(known, *next, write.subresource);
  store(std::move(write), std::move(after));
  const MutexLock lock(mutex_);
  const json::Value& stored = objects_.find(path)->second;
  return json_response(200, stored.is_null() ? known : stored);
}

void WriteRecorder::read(http::Request request, const std::shared_ptr<Exchange>& exchange) {
  const auto resource = read_resource_target(request.target);
  const bool is_part = resource && !resource->subresource.empty() && resource->subresource != "status";
  if (!resource || resource->watches || is_part) return send(exchange, std::move(request), exchange);
  const std::string path = object_path(request.target, *resource);
  if (!resource->is_named) {
    const auto edit = [this, target = request.target, exchange](Result<http::BufferedResponse> response) {
      if (response && response->status == 200) {
        const MutexLock lock(mutex_);
        response->body = with_recorded_objects(std::move(response->body), target, objects_);
      }
      pass(exchange, std::move(response));
    };
    // The recorded objects are added to JSON.
    if (request.headers.get("Accept") == accept_protobuf) request.headers.set("Accept", "application/json");
    return send(exchange, std::move(request), std::make_shared<Buffer>(edit));
  }
  std::optional<http::BufferedResponse> recorded;
  {
    const MutexLock lock(mutex_);
    const auto found = objects_.find(path);
    if (found != objects_.end())
      recorded = found->second.is_null() ? not_found(path) : json_response(200, found->second);
  }
  if (!recorded) return send(exchange, std::move(request), exchange);
  end_exchange(*this, exchange, std::move(*recorded));
}

}  // namespace pintle
