// SPDX-License-Identifier: Apache-2.0
#include "webhook_handler.hpp"

#include <algorithm>
#include <utility>

#include <pintle/base/exceptions.hpp>
#include <pintle/base/utf8.hpp>

#include "conversion_review.hpp"

namespace pintle {
namespace {

constexpr Duration max_network_time = std::chrono::milliseconds(500);

// Any client can send any path.
constexpr std::size_t max_logged_paths = 16;
constexpr std::size_t max_logged_path_size = 200;

http::Response refusal(int status, const std::string& message) {
  return {.status = status, .headers = {{"Content-Type", "text/plain; charset=utf-8"}}, .body = message + "\n"};
}

// Returns whether the media type is JSON, with any parameters.
bool is_json(std::string_view content_type) {
  std::string type(content_type.substr(0, content_type.find(';')));
  type.erase(type.find_last_not_of(" \t") + 1);
  std::transform(type.begin(), type.end(), type.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
  return type == "application/json";
}

Error refused(int status, std::string message) {
  Error error = make_error(ErrorCode::invalid, std::move(message));
  error.http_status = status;
  return error;
}

Result<void> check_call(const http::Request& request, std::size_t max_size, const std::string& expected) {
  if (request.method != "POST") return fail(refused(405, "the method must be POST, got " + request.method));
  const auto type = request.headers.get("Content-Type").value_or("");
  if (!is_json(type)) {
    return fail(refused(415, "Content-Type must be application/json, got \"" + std::string(type) + "\""));
  }
  if (request.body.empty()) return fail(refused(400, "the body is empty; expected " + expected));
  if (request.body.size() > max_size) {
    return fail(refused(413, "the body has " + std::to_string(request.body.size()) + " bytes; the limit is " +
                                 std::to_string(max_size)));
  }
  return {};
}

http::Response refuse(CallRecord& record, const Error& error) {
  const int status = error.http_status == 0 ? 400 : error.http_status;
  record.refused(status, error.message);
  http::Response response = refusal(status, error.message);
  if (status == 405) response.headers.set("Allow", "POST");
  return response;
}

// The API server waits for this time, and it cannot be configured.
constexpr Duration max_conversion_time = std::chrono::seconds(30);

CallPoolOptions named(CallPoolOptions options, std::string name) {
  options.name = std::move(name);
  return options;
}

Result<void> check_pool(const CallPool& pool, const char* calls, Duration time) {
  const std::vector<std::string> blocking = pool.blocked_by(time);
  if (blocking.empty()) return {};
  const std::set<std::string> paths(blocking.begin(), blocking.end());
  std::string names;
  for (const std::string& one : paths) names += (names.empty() ? "" : ", ") + one;
  return fail(ErrorCode::unavailable, "no " + std::string(calls) + " can be served: all " +
                                          std::to_string(blocking.size()) +
                                          " threads run functions that have exceeded their time limits: " + names);
}

}  // namespace

Duration max_call_time(Duration declared, const http::Target& target) {
  Duration limit = declared;
  if (const auto given = target.parameter("timeout")) {
    // A value that cannot be read does not matter, because the declared limit remains.
    if (const auto parsed = parse_duration(*given); parsed && *parsed > Duration::zero())
      limit = std::min(limit, *parsed);
  }
  return limit - std::min(limit / 10, max_network_time);
}

WebhookHandler::WebhookHandler(Executor& executor, std::vector<AdmissionWebhook> webhooks,
                               WebhookHandlerOptions options)
    : executor_(executor),
      options_(std::move(options)),
      conversions_(options_.conversions),
      reviews_(executor),
      admitting_(options_.max_admissions_size),
      converting_(options_.max_conversions_size),
      mutex_(executor),
      admission_pool_(executor, named(options_.calls, "admission")),
      conversion_pool_(executor, named(options_.calls, "conversion")) {
  if (!conversions_.empty() || options_.serves_conversions) {
    conversion_metrics_.emplace(options_.metrics, std::string(conversion_path),
                                std::vector<std::string>{std::string(conversion_operation)});
  }
  for (AdmissionWebhook& one : webhooks) {
    std::string path = one.path();
    std::vector<std::string> operations;
    for (const AdmissionOperation operation : one.admission().operations) operations.emplace_back(to_string(operation));
    Route route{.webhook = std::move(one), .metrics = WebhookMetrics(options_.metrics, path, operations)};
    routes_.emplace(std::move(path), std::move(route));
  }
}

void WebhookHandler::request_stop() {
  admission_pool_.request_stop();
  conversion_pool_.request_stop();
}

void WebhookHandler::stop() {
  request_stop();
  admission_pool_.stop();
  conversion_pool_.stop();
}

bool WebhookHandler::wait_until(Instant deadline) {
  const bool has_ended = admission_pool_.wait_until(deadline);
  return conversion_pool_.wait_until(deadline) && has_ended;
}

std::vector<std::string> WebhookHandler::running() const {
  std::vector<std::string> all = admission_pool_.running();
  for (std::string& one : conversion_pool_.running()) all.push_back(std::move(one));
  return all;
}

Result<void> WebhookHandler::check(Duration time) const {
  if (auto free = check_pool(admission_pool_, "admission", time); !free) return free;
  return check_pool(conversion_pool_, "conversion", time);
}

http::Response WebhookHandler::handle(const http::Request& request) {
  const http::Target target = http::parse_target(request.target);
  if (target.path == conversion_path && conversion_metrics_) {
    return convert(begin(request, target, *conversion_metrics_));
  }
  const auto found = routes_.find(target.path);
  if (found == routes_.end()) return refuse_unknown(request, target);
  return admit(found->second, begin(request, target, found->second.metrics));
}

// An installed configuration or CRD may refer to a webhook that an earlier version of the operator declared.
http::Response WebhookHandler::refuse_unknown(const http::Request& request, const http::Target& target) {
  webhook_requests(options_.metrics, "other", 404).add();
  if (request.method == "POST") {
    std::string path(truncate_utf8(target.path, max_logged_path_size));
    bool is_new = false;
    {
      const MutexLock lock(mutex_);
      is_new = unknown_paths_.size() < max_logged_paths && unknown_paths_.insert(path).second;
    }
    if (is_new) {
      options_.log.warning(
          "a webhook was called that this operator does not declare; further calls are not logged",
          {{"path", path}, {"next", "remove it from the webhook configuration or the CRD that refers to it"}});
    }
  }
  return refusal(404, "no webhook has the path " + target.path);
}

WebhookHandler::Call WebhookHandler::begin(const http::Request& request, const http::Target& target,
                                           const WebhookMetrics& metrics) const {
  return {
      request, target,
      std::make_shared<CallRecord>(
          executor_, metrics, request,
          CallRecordOptions{
              .path = target.path, .log = options_.log, .tracer = options_.tracer, .slow_after = options_.slow_after})};
}

http::Response WebhookHandler::admit(const Route& route, const Call& call) {
  if (auto valid = check_call(call.request, options_.max_body_size, "an AdmissionReview"); !valid) {
    return refuse(*call.record, valid.error());
  }
  auto taken = admitting_.take(call.request.body.size());
  if (taken == nullptr) return refuse(*call.record, refused(503, "too many admissions are in progress"));
  auto review = reviews_.read(call.request.body);
  if (!review) return refuse(*call.record, review.error());
  if (const auto& check = route.webhook.admission().check) {
    if (auto accepted = check(*review); !accepted) return refuse(*call.record, accepted.error());
  }
  call.record->describe(review->describe(), review->uid, to_string(review->operation));
  const Duration limit = max_call_time(route.webhook.admission().timeout, call.target);
  return start(call, limit, admission_work(route, std::move(*review), std::move(taken), call.record), admission_pool_);
}

http::Response WebhookHandler::convert(const Call& call) {
  if (auto valid = check_call(call.request, options_.max_conversion_size, "a ConversionReview"); !valid) {
    return refuse(*call.record, valid.error());
  }
  auto taken = converting_.take(call.request.body.size());
  if (taken == nullptr) return refuse(*call.record, refused(503, "too many objects are being converted"));
  auto review = read_conversion_review(call.request.body);
  if (!review) return refuse(*call.record, review.error());
  call.record->describe(review->describe(), review->uid, conversion_operation);
  return start(call, max_call_time(max_conversion_time, call.target),
               conversion_work(std::move(*review), std::move(taken), call.record), conversion_pool_);
}

PendingWork WebhookHandler::admission_work(const Route& route, AdmissionRequest request,
                                           std::shared_ptr<const void> taken,
                                           const std::shared_ptr<CallRecord>& record) {
  auto finish = [record, taken = std::move(taken), uid = request.uid](const CallResult& result) {
    record->finished(result.outcome, result.error);
    if (result.outcome == AdmissionOutcome::denied)
      record->log().debug("denied", {{"message", result.verdict.message}});
    if (!result.error.empty()) {
      record->log().warning("the admission failed",
                            {{"admitted", result.verdict.is_admitted}, {"error", result.error}});
    }
    return print_admission_review(uid, result.verdict, result.patch);
  };
  const auto shared = std::make_shared<const AdmissionRequest>(std::move(request));
  const AdmissionWebhook& webhook = route.webhook;
  return {.run = [webhook, shared, record, finish](Instant deadline,
                                                   const std::stop_token& stop) -> std::function<std::string()> {
            const AdmissionContext context(*shared, deadline, stop, record->log());
            CallResult made = webhook.decide(*shared, context);
            if (made.has_thrown) record->threw();
            return [finish, made = std::move(made)] { return finish(made); };
          },
          .give_up =
              [webhook, shared, finish](AdmissionOutcome outcome) {
                const bool is_late = outcome == AdmissionOutcome::timed_out;
                return finish(webhook.failure(
                    outcome, is_late ? "no result for the " + shared->describe() + " within the time limit"
                                     : "the peer closed the connection"));
              }};
}

PendingWork WebhookHandler::conversion_work(ConversionRequest request, std::shared_ptr<const void> taken,
                                            const std::shared_ptr<CallRecord>& record) {
  const auto shared = std::make_shared<const ConversionRequest>(std::move(request));
  const auto finish = [shared, record, taken = std::move(taken)](AdmissionOutcome outcome,
                                                                 const Result<ConvertedObjects>& made) {
    record->finished(outcome, made ? std::string() : made.error().message);
    if (!made) record->log().warning("the conversion failed", {{"error", made.error().message}});
    return print_conversion_review(*shared, made);
  };
  const auto run = [this, shared, record](const std::stop_token& stop) -> Result<ConvertedObjects> {
    try {
      return conversions_.convert(*shared, stop);
    } catch (...) {
      record->threw();
      return fail(ErrorCode::invalid, "the conversion threw " + describe_exception());
    }
  };
  return {.run = [run, finish](Instant, const std::stop_token& stop) -> std::function<std::string()> {
            return [finish, made = run(stop)] {
              return finish(made ? AdmissionOutcome::converted : AdmissionOutcome::failed, made);
            };
          },
          .give_up =
              [finish](AdmissionOutcome outcome) {
                const bool is_late = outcome == AdmissionOutcome::timed_out;
                return finish(outcome, fail(ErrorCode::timeout, is_late ? "the conversion exceeded the time limit"
                                                                        : "the peer closed the connection"));
              }};
}

http::Response WebhookHandler::start(const Call& call, Duration limit, PendingWork work, CallPool& pool) {
  const Instant deadline = after(call.record->begin(), limit);
  auto pending = std::make_shared<PendingCall>(executor_, std::move(work), deadline, pool.stop_token());
  if (!pool.run(call.target.path, deadline, [pending] { pending->run(); })) {
    return refuse(*call.record, refused(503, "too many requests are waiting for webhook " + call.target.path +
                                                 ", or the operator is stopping"));
  }
  return {.headers = {{"Content-Type", "application/json"}},
          .stream = std::make_unique<PendingCallStream>(std::move(pending))};
}

}  // namespace pintle
