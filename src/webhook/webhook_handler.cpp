#include "webhook_handler.hpp"

#include <algorithm>
#include <utility>

#include <pintle/base/exceptions.hpp>

#include "admission_review.hpp"
#include "conversion_review.hpp"

namespace pintle {
namespace {

constexpr Duration max_network_time = std::chrono::milliseconds(500);

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

// The API server waits for this time, and it cannot be configured.
constexpr Duration max_conversion_time = std::chrono::seconds(30);

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
      pool_(executor, options_.calls) {
  if (!conversions_.empty() || options_.serves_conversions) {
    conversion_metrics_.emplace(options_.metrics, std::string(conversion_path));
  }
  for (AdmissionWebhook& one : webhooks) {
    std::string path = one.path();
    Route route{.webhook = std::move(one), .metrics = WebhookMetrics(options_.metrics, path)};
    routes_.emplace(std::move(path), std::move(route));
  }
}

http::Response WebhookHandler::handle(const http::Request& request) {
  const http::Target target = http::parse_target(request.target);
  const Instant begin = executor_.now();
  if (target.path == conversion_path && conversion_metrics_) {
    conversion_metrics_->started();
    return convert({request, target, *conversion_metrics_, begin});
  }
  const auto found = routes_.find(target.path);
  if (found == routes_.end()) return refusal(404, "no webhook has the path " + target.path);
  found->second.metrics.started();
  return admit(found->second, {request, target, found->second.metrics, begin});
}

http::Response WebhookHandler::refuse(const Call& call, const Error& error) const {
  const int status = error.http_status == 0 ? 400 : error.http_status;
  call.metrics.refused(status, executor_.now() - call.begin);
  options_.log.warning("a request to a webhook was refused",
                       {{"webhook", call.target.path}, {"status", status}, {"error", error.message}});
  http::Response response = refusal(status, error.message);
  if (status == 405) response.headers.set("Allow", "POST");
  return response;
}

http::Response WebhookHandler::admit(const Route& route, const Call& call) {
  if (auto valid = check_call(call.request, options_.max_body_size, "an AdmissionReview"); !valid) {
    return refuse(call, valid.error());
  }
  auto review = read_admission_review(call.request.body);
  if (!review) return refuse(call, review.error());
  if (const auto& check = route.webhook.admission().check) {
    if (auto accepted = check(*review); !accepted) return refuse(call, accepted.error());
  }
  const Log log =
      options_.log.with({{"webhook", call.target.path}, {"request", review->describe()}, {"uid", review->uid}});
  const Duration limit = max_call_time(route.webhook.admission().timeout, call.target);
  return start(call, limit, admission_work(route, std::move(*review), log, call.begin), log);
}

http::Response WebhookHandler::convert(const Call& call) {
  if (auto valid = check_call(call.request, options_.max_conversion_size, "a ConversionReview"); !valid) {
    return refuse(call, valid.error());
  }
  const std::size_t size = call.request.body.size();
  if (converting_ + size > options_.max_conversions_size) {
    return refuse(call, refused(503, "too many objects are being converted"));
  }
  auto review = read_conversion_review(call.request.body);
  if (!review) return refuse(call, review.error());
  const Log log =
      options_.log.with({{"webhook", call.target.path}, {"request", review->describe()}, {"uid", review->uid}});
  return start(call, max_call_time(max_conversion_time, call.target),
               conversion_work(std::move(*review), size, log, call.begin), log);
}

PendingWork WebhookHandler::admission_work(const Route& route, AdmissionRequest request, const Log& log,
                                           Instant begin) const {
  auto finish = [this, log, &metrics = route.metrics, uid = request.uid, begin](const CallResult& result) {
    metrics.finished(result.outcome, executor_.now() - begin);
    if (result.outcome == AdmissionOutcome::denied) log.debug("denied", {{"message", result.verdict.message}});
    if (!result.error.empty()) {
      log.warning("the admission failed", {{"admitted", result.verdict.is_admitted}, {"error", result.error}});
    }
    return print_admission_review(uid, result.verdict, result.patch);
  };
  const auto shared = std::make_shared<const AdmissionRequest>(std::move(request));
  const AdmissionWebhook& webhook = route.webhook;
  return {.run = [webhook, shared, log, finish](Instant deadline,
                                                const std::stop_token& stop) -> std::function<std::string()> {
            const AdmissionContext context(*shared, deadline, stop, log);
            return [finish, made = webhook.decide(*shared, context)] { return finish(made); };
          },
          .give_up =
              [webhook, shared, finish](AdmissionOutcome outcome) {
                const bool is_late = outcome == AdmissionOutcome::timed_out;
                return finish(webhook.failure(
                    outcome, is_late ? "no result for the " + shared->describe() + " within the time limit"
                                     : "the peer closed the connection"));
              }};
}

PendingWork WebhookHandler::conversion_work(ConversionRequest request, std::size_t size, const Log& log,
                                            Instant begin) {
  converting_ += size;
  // Counts the bytes until the last user of the request has ended.
  const std::shared_ptr<const ConversionRequest> shared(new ConversionRequest(std::move(request)),
                                                        [this, size](const ConversionRequest* done) {
                                                          delete done;  // NOLINT(cppcoreguidelines-owning-memory)
                                                          converting_ -= size;
                                                        });
  const auto finish = [this, shared, log, begin](AdmissionOutcome outcome, const Result<ConvertedObjects>& made) {
    conversion_metrics_->finished(outcome, executor_.now() - begin);
    if (!made) log.warning("the conversion failed", {{"error", made.error().message}});
    return print_conversion_review(*shared, made);
  };
  const auto run = [this, shared](const std::stop_token& stop) -> Result<ConvertedObjects> {
    try {
      return conversions_.convert(*shared, stop);
    } catch (...) {
      conversion_metrics_->threw();
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

http::Response WebhookHandler::start(const Call& call, Duration limit, PendingWork work, const Log& log) {
  auto pending =
      std::make_shared<PendingCall>(executor_, std::move(work), after(call.begin, limit), pool_.stop_token());
  if (!pool_.run([pending] { pending->run(); })) {
    call.metrics.refused(503, executor_.now() - call.begin);
    log.warning("a request to a webhook was refused, because too many are waiting", {{"status", 503}});
    return refusal(503,
                   "too many requests are waiting for webhook " + call.target.path + ", or the operator is stopping");
  }
  return {.headers = {{"Content-Type", "application/json"}},
          .stream = std::make_unique<PendingCallStream>(std::move(pending))};
}

}  // namespace pintle
