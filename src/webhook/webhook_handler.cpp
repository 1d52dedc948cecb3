#include "webhook_handler.hpp"

#include <algorithm>
#include <utility>

#include "admission_review.hpp"
#include "pending_call.hpp"

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

}  // namespace

Duration call_limit(Duration declared, const http::Target& target) {
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
    : executor_(executor), options_(std::move(options)), pool_(executor, options_.calls) {
  for (AdmissionWebhook& one : webhooks) {
    std::string path = one.path();
    Route route{.webhook = std::move(one), .metrics = WebhookMetrics(options_.metrics, path)};
    routes_.emplace(std::move(path), std::move(route));
  }
}

http::Response WebhookHandler::handle(const http::Request& request) {
  const http::Target target = http::parse_target(request.target);
  const auto found = routes_.find(target.path);
  if (found == routes_.end()) return refusal(404, "no webhook has the path " + target.path);
  return call(found->second, request, target);
}

http::Response WebhookHandler::call(const Route& route, const http::Request& request, const http::Target& target) {
  const Instant begin = executor_.now();
  route.metrics.started();
  auto review = [&]() -> Result<AdmissionRequest> {
    if (auto valid = check(request); !valid) return fail(std::move(valid.error()));
    return read_admission_review(request.body);
  }();
  if (!review) {
    const int status = review.error().http_status == 0 ? 400 : review.error().http_status;
    route.metrics.refused(status, executor_.now() - begin);
    options_.log.warning("a request to a webhook was refused",
                         {{"webhook", target.path}, {"status", status}, {"error", review.error().message}});
    http::Response response = refusal(status, review.error().message);
    if (status == 405) response.headers.set("Allow", "POST");
    return response;
  }
  return start(route, std::move(*review), call_limit(route.webhook.admission().timeout, target), begin);
}

Result<void> WebhookHandler::check(const http::Request& request) const {
  if (request.method != "POST") return refused(405, "the method must be POST, got " + request.method);
  const auto type = request.headers.get("Content-Type").value_or("");
  if (!is_json(type)) return refused(415, "Content-Type must be application/json, got \"" + std::string(type) + "\"");
  if (request.body.empty()) return refused(400, "the body is empty; expected an AdmissionReview");
  if (request.body.size() > options_.max_body_size) {
    return refused(413, "the body has " + std::to_string(request.body.size()) + " bytes; the limit is " +
                            std::to_string(options_.max_body_size));
  }
  return {};
}

http::Response WebhookHandler::start(const Route& route, AdmissionRequest request, Duration limit, Instant begin) {
  const std::string path = route.webhook.path();
  const std::string what = request.describe();
  const Log log = options_.log.with({{"webhook", path}, {"request", what}, {"uid", request.uid}});
  auto finish = [this, log, &metrics = route.metrics, uid = request.uid, begin](const CallResult& result) {
    metrics.finished(result.outcome, executor_.now() - begin);
    if (result.outcome == AdmissionOutcome::denied) log.debug("denied", {{"message", result.verdict.message}});
    if (!result.error.empty()) {
      log.warning("the admission failed", {{"admitted", result.verdict.is_admitted}, {"error", result.error}});
    }
    return print_admission_review(uid, result.verdict, result.patch);
  };
  auto pending = std::make_shared<PendingCall>(executor_, route.webhook, std::move(request), after(begin, limit),
                                               pool_.stop_token(), std::move(finish));
  if (!pool_.run([pending, log] { pending->run(log); })) {
    route.metrics.refused(503, executor_.now() - begin);
    log.warning("a request to a webhook was refused, because too many are waiting", {{"status", 503}});
    return refusal(503, "too many requests are waiting for webhook " + path + ", or the operator is stopping");
  }
  return {.headers = {{"Content-Type", "application/json"}},
          .stream = std::make_unique<PendingCallStream>(std::move(pending))};
}

}  // namespace pintle
