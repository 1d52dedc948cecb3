// SPDX-License-Identifier: Apache-2.0
// WebhookServer: an HTTPS server that passes admission and conversion requests of an API server to controllers.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/executor.hpp>
#include <pintle/base/log.hpp>
#include <pintle/base/metrics.hpp>
#include <pintle/base/required.hpp>
#include <pintle/http/handler.hpp>
#include <pintle/object/codec.hpp>
#include <pintle/object/conversion.hpp>
#include <pintle/object/kind.hpp>
#include <pintle/patterns/watcher/admission_controllers.hpp>
#include <pintle/patterns/watcher/operator.hpp>

namespace pintle::watcher {

struct WebhookServerOptions {
  Required<int> port;               ///< from 1 to 65535; the server listens on all network interfaces
  Required<std::string> cert_path;  ///< PEM, with the intermediate certificates that it needs
  Required<std::string> key_path;   ///< PEM
  /// Handle the requests for kinds without a controller of their own. Default: such a request fails.
  std::shared_ptr<ValidatingAdmissionController> default_validating_controller{};
  std::shared_ptr<MutatingAdmissionController> default_mutating_controller{};
  Duration certificate_period = std::chrono::seconds(10);  ///< time between two checks of the files for changes
  Duration stop_timeout = std::chrono::seconds(10);        ///< how long a stop waits for responses in progress
  Log log{};                                               ///< default: that of the manager
};

/// Serves `/validate`, `/mutate` and `/convert` for all kinds. The operator does not write the webhook configurations
/// and CRDs that name these paths. For an admission whose webhook configuration the manager writes, use
/// `Manager::add(Admission<T>)` instead. A request has one of these results:
///
/// | request | response |
/// |---|---|
/// | method other than POST | 405 |
/// | media type other than JSON | 415 |
/// | no JSON, no review of version v1, no `request` in it | 400 |
/// | more than 7 MiB, or 32 MiB for a conversion | 413 |
/// | too many requests in progress, by count or bytes, or a server that stops | 503 |
/// | another path | 404 |
/// | neither a controller for the group and the kind, nor a default controller | 500 |
/// | object that cannot be decoded as T, if the controller was added for T | 400 |
/// | otherwise | 200, with a review |
///
/// If a mutating controller returns an object, the response contains the differences as a JSON patch. A controller that
/// throws, or takes longer than the API server waits, denies the request.
///
/// In a conversion, each object is passed to the conversion of its group and kind. The first failure ends the request
/// with a review whose status is Failure: with code 422 if the kind has no conversion, otherwise with code 500.
///
/// The certificate is read again when a file changes. The add_ functions never fail; run() returns their errors. They
/// have no effect on a server that runs already. Not thread-safe, except that controllers and conversions are called on
/// several threads.
class PINTLE_EXPORT WebhookServer final : public Controller {
 public:
  /// `executor` must outlive this object. run() requires a real executor, not a simulated one.
  WebhookServer(Executor& executor, WebhookServerOptions options);
  ~WebhookServer() override;
  WebhookServer(const WebhookServer&) = delete;
  WebhookServer& operator=(const WebhookServer&) = delete;

  /// The controller receives the objects of all versions of the kind. It replaces an earlier one of the same group and
  /// kind.
  void add_validating_admission_controller(const GroupVersionKind& kind,
                                           std::shared_ptr<ValidatingAdmissionController> controller);
  void add_mutating_admission_controller(const GroupVersionKind& kind,
                                         std::shared_ptr<MutatingAdmissionController> controller);
  /// The same for objects that can be decoded as T.
  template <Described T>
  void add_validating_admission_controller(std::shared_ptr<ValidatingAdmissionController> controller) {
    add({.validating = std::move(controller)}, T::type, can_decode<T>);
  }
  template <Described T>
  void add_mutating_admission_controller(std::shared_ptr<MutatingAdmissionController> controller) {
    add({.mutating = std::move(controller)}, T::type, can_decode<T>);
  }
  /// For a described struct with versions, `conversion` is `*conversion_of<T>()`. It replaces an earlier one of the
  /// same group and kind. An object that has the requested version already is not converted.
  void add_converter(AnyConversion conversion);

  /// The errors of the options and of the add_ functions.
  [[nodiscard]] std::vector<Error> validate() const;

  /// Takes the log and the metrics of the manager. Returns false.
  bool add_to(Manager& manager) override;
  /// Serves until a stop is requested, which is not an error. Errors: all errors of validate(), a certificate that
  /// cannot be used, and a port that is in use (invalid or unavailable).
  Result<void> run(const std::stop_token& stop) override;

  /// Returns a handler of the three paths, for another server. It calls the controllers on threads of its own, and its
  /// destructor waits for them. This object must outlive it.
  [[nodiscard]] std::unique_ptr<http::Handler> make_handler() const;

 private:
  class State;
  using Check = std::function<Result<void>(const AdmissionRequest&)>;
  // Exactly one of them is set.
  struct AddedController {
    std::shared_ptr<ValidatingAdmissionController> validating{};
    std::shared_ptr<MutatingAdmissionController> mutating{};
  };

  // Error: invalid, if an object of the request cannot be decoded.
  template <Described T>
  static Result<void> can_decode(const AdmissionRequest& request) {
    for (const Object* object : {&request.object, &request.old_object}) {
      if (!object->exists()) continue;
      if (auto decoded = decode<T>(*object); !decoded) return fail(std::move(decoded.error()));
    }
    return {};
  }
  void add(AddedController controller, const GroupVersionKind& kind, Check check);

  std::unique_ptr<State> state_;
};

}  // namespace pintle::watcher
