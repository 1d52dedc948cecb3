// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/watcher/webhook_server.hpp>

#include <algorithm>

#include <pintle/webhook/admission.hpp>

#include "webhook/webhook_handler.hpp"
#include "webhook/webhook_server.hpp"

namespace pintle::watcher {
namespace {

using Check = std::function<Result<void>(const AdmissionRequest&)>;

// The longest time that an API server waits for an admission. It states a shorter one in its request.
constexpr Duration max_admission_time = std::chrono::seconds(30);

// The controllers of one path: one for each group and kind, and the default one.
template <class Controller>
class ControllerTable {
 public:
  // `role`, "validating" or "mutating", is for messages.
  ControllerTable(std::string role, std::shared_ptr<Controller> fallback)
      : role_(std::move(role)), default_(std::move(fallback)) {}

  void add(const GroupVersionKind& kind, std::shared_ptr<Controller> controller, Check check) {
    entries_[{kind.group, kind.kind}] = {std::move(controller), std::move(check)};
  }
  // Returns null if there is none.
  [[nodiscard]] Controller* find(const GroupVersionKind& kind) const {
    const auto found = entries_.find({kind.group, kind.kind});
    return found == entries_.end() ? default_.get() : found->second.controller.get();
  }
  // Error: invalid, with the HTTP status, if there is no controller or it does not accept the objects.
  [[nodiscard]] Result<void> check(const AdmissionRequest& request) const {
    const auto found = entries_.find({request.kind.group, request.kind.kind});
    if (found != entries_.end()) return found->second.check ? found->second.check(request) : Result<void>();
    if (default_ != nullptr) return {};
    Error error = make_error(ErrorCode::invalid, "there is no " + role_ + " admission controller for group \"" +
                                                     request.kind.group + "\" and kind \"" + request.kind.kind + "\"");
    error.http_status = 500;
    return fail(std::move(error));
  }

 private:
  struct Entry {
    std::shared_ptr<Controller> controller{};
    Check check{};
  };

  std::string role_;
  std::shared_ptr<Controller> default_;
  std::map<std::pair<std::string, std::string>, Entry> entries_;  // by group and kind
};

using ValidatingTable = ControllerTable<ValidatingAdmissionController>;
using MutatingTable = ControllerTable<MutatingAdmissionController>;

// An error of a controller denies the request. The API server sends code 400 and no reason in this case too if the
// response has neither.
AdmissionVerdict denial_of(const Error& error) { return denied(error.to_string(), 400, ""); }

AnyAdmission validation(ValidatingTable table) {
  const auto shared = std::make_shared<const ValidatingTable>(std::move(table));
  AnyAdmission admission;
  admission.timeout = max_admission_time;
  admission.check = [shared](const AdmissionRequest& request) { return shared->check(request); };
  admission.validate = [shared](const Object& object, const AdmissionContext& context) -> Result<AdmissionVerdict> {
    auto verdict = shared->find(context.request().kind)->validate(object, context);
    return verdict ? std::move(*verdict) : denial_of(verdict.error());
  };
  return admission;
}

AnyAdmission mutation(MutatingTable table) {
  const auto shared = std::make_shared<const MutatingTable>(std::move(table));
  AnyAdmission admission;
  admission.timeout = max_admission_time;
  admission.check = [shared](const AdmissionRequest& request) { return shared->check(request); };
  admission.mutate = [shared](const Object& object, const AdmissionContext& context) -> Result<internal::Mutation> {
    auto made = shared->find(context.request().kind)->mutate(object, context);
    if (!made) return internal::Mutation{.verdict = denial_of(made.error())};
    internal::Mutation mutation{.verdict = std::move(made->verdict)};
    if (made->updated_object) {
      mutation.patch = internal::admission_changes(object, made->updated_object.to_value());
    }
    return mutation;
  };
  return admission;
}

Error invalid(std::string message) { return make_error(ErrorCode::invalid, std::move(message)); }

std::vector<Error> errors_of(const WebhookServerOptions& options) {
  std::vector<Error> errors;
  const int port = options.port.value();
  if (port < 1 || port > 65535) {
    errors.push_back(invalid("port must be from 1 to 65535, got " + std::to_string(port)));
  }
  if (options.cert_path.value().empty()) errors.push_back(invalid("cert_path is required"));
  if (options.key_path.value().empty()) errors.push_back(invalid("key_path is required"));
  return errors;
}

}  // namespace

class [[gnu::visibility("hidden")]] WebhookServer::State {
 public:
  State(Executor& in, WebhookServerOptions given) : executor(in), options(std::move(given)) {}

  [[nodiscard]] std::vector<AdmissionWebhook> webhooks() const {
    return webhooks_of({mutation(mutating), validation(validating)});
  }

  Executor& executor;
  WebhookServerOptions options;
  ValidatingTable validating{"validating", options.default_validating_controller};
  MutatingTable mutating{"mutating", options.default_mutating_controller};
  std::vector<AnyConversion> conversions{};
  std::vector<Error> errors{};  // of the add_ functions
  MetricsRegistry own_metrics{};
  MetricsRegistry* metrics = &own_metrics;
};

WebhookServer::WebhookServer(Executor& executor, WebhookServerOptions options)
    : state_(std::make_unique<State>(executor, std::move(options))) {}

WebhookServer::~WebhookServer() = default;

void WebhookServer::add_validating_admission_controller(const GroupVersionKind& kind,
                                                        std::shared_ptr<ValidatingAdmissionController> controller) {
  add({.validating = std::move(controller)}, kind, nullptr);
}

void WebhookServer::add_mutating_admission_controller(const GroupVersionKind& kind,
                                                      std::shared_ptr<MutatingAdmissionController> controller) {
  add({.mutating = std::move(controller)}, kind, nullptr);
}

void WebhookServer::add(AddedController controller, const GroupVersionKind& kind, Check check) {
  if (kind.empty()) {
    state_->errors.push_back(invalid("the kind of an admission controller cannot be empty"));
  } else if (controller.validating != nullptr) {
    state_->validating.add(kind, std::move(controller.validating), std::move(check));
  } else if (controller.mutating != nullptr) {
    state_->mutating.add(kind, std::move(controller.mutating), std::move(check));
  } else {
    state_->errors.push_back(invalid("the admission controller of " + kind.to_string() + " cannot be nil"));
  }
}

void WebhookServer::add_converter(AnyConversion conversion) {
  std::vector<AnyConversion>& all = state_->conversions;
  const auto same = std::find_if(all.begin(), all.end(),
                                 [&](const AnyConversion& one) { return is_same_kind(one.kind, conversion.kind); });
  if (same != all.end()) {
    *same = std::move(conversion);
  } else {
    all.push_back(std::move(conversion));
  }
}

std::vector<Error> WebhookServer::validate() const {
  std::vector<Error> errors = errors_of(state_->options);
  errors.insert(errors.end(), state_->errors.begin(), state_->errors.end());
  for (Error& error : pintle::validate(state_->conversions)) errors.push_back(std::move(error));
  return errors;
}

bool WebhookServer::add_to(Manager& manager) {
  state_->metrics = &manager.metrics();
  if (state_->options.log.level() == LogLevel::off) {
    const ManagerOptions& from = manager.options();
    auto sink = from.log_sink != nullptr ? from.log_sink : make_stderr_sink(from.log_format);
    state_->options.log = Log(std::move(sink), state_->executor, from.log_level);
  }
  return false;
}

Result<void> WebhookServer::run(const std::stop_token& stop) {
  if (const std::vector<Error> errors = validate(); !errors.empty()) {
    std::string message = "the webhook server cannot start: ";
    for (const Error& one : errors) message += (&one == &errors.front() ? "" : "; ") + one.message;
    return fail(ErrorCode::invalid, std::move(message));
  }
  if (state_->executor.scheduler() != nullptr) {
    return fail(ErrorCode::invalid,
                "webhooks are served on sockets, which a simulation does not have; test with make_handler()");
  }
  const WebhookServerOptions& options = state_->options;
  pintle::WebhookServer server(state_->executor, state_->webhooks(),
                               {.webhooks = {.listen = ":" + std::to_string(options.port.value()),
                                             .certificate_file = options.cert_path.value(),
                                             .key_file = options.key_path.value()},
                                .conversions = state_->conversions,
                                .serves_conversions = true,
                                .stop_timeout = options.stop_timeout,
                                .certificate_period = options.certificate_period,
                                .log = options.log},
                               *state_->metrics);
  if (auto listening = server.start(); !listening) return listening;
  state_->executor.sleep_until(Instant::max(), stop);
  server.stop();
  return {};
}

std::unique_ptr<http::Handler> WebhookServer::make_handler() const {
  return std::make_unique<WebhookHandler>(state_->executor, state_->webhooks(),
                                          WebhookHandlerOptions{.conversions = state_->conversions,
                                                                .serves_conversions = true,
                                                                .log = state_->options.log,
                                                                .metrics = state_->metrics});
}

}  // namespace pintle::watcher
