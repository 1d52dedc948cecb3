// SPDX-License-Identifier: Apache-2.0
// AdmissionRequest: a request to the API server that waits for admission. AdmissionContext: the same, with the time
// limit and the log of the function that decides about it.
#pragma once

#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/log.hpp>
#include <pintle/base/time.hpp>
#include <pintle/object/codec.hpp>
#include <pintle/object/kind.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

enum class AdmissionOperation { create, update, delete_, connect };

/// Returns "CREATE", "UPDATE", "DELETE" or "CONNECT".
[[nodiscard]] PINTLE_EXPORT std::string_view to_string(AdmissionOperation operation) noexcept;

/// The authenticated user of a request. A plain value.
struct AdmissionUser {
  std::string name{};
  std::string uid{};
  std::vector<std::string> groups{};
  std::map<std::string, std::vector<std::string>> extra{};
};

/// A resource by its plural. A plain value.
struct AdmissionResource {
  std::string group{};
  std::string version{};
  std::string plural{};

  friend bool operator==(const AdmissionResource&, const AdmissionResource&) = default;
};

/// The content of AdmissionReview.request. A plain value.
struct AdmissionRequest {
  std::string uid{};  ///< of this call, not of the object
  AdmissionOperation operation = AdmissionOperation::create;
  GroupVersionKind kind{};  ///< of `object` and `old_object`
  AdmissionResource resource{};
  std::string subresource{};  ///< "" for the object itself, otherwise for example "status"
  /// The kind, resource and subresource of the original request. They differ from the members above if the API server
  /// converted the object to the version of the webhook (MatchPolicy::equivalent).
  GroupVersionKind original_kind{};
  AdmissionResource original_resource{};
  std::string original_subresource{};
  std::string
      name{};  ///< "" in a mutating webhook if the server generates the name, and for a deletion of a collection
  std::string namespace_{};
  AdmissionUser user{};
  Object object{};      ///< empty for a deletion
  Object old_object{};  ///< empty for a creation and a connection
  bool is_dry_run = false;
  Object options{};  ///< CreateOptions, UpdateOptions, PatchOptions or DeleteOptions; may be empty

  /// Returns "UPDATE of greetings.example.com/status shop/a", for messages.
  [[nodiscard]] PINTLE_EXPORT std::string describe() const;
};

/// The argument of the functions of an Admission. It is valid during the call. Thread-safe.
class PINTLE_EXPORT AdmissionContext {
 public:
  AdmissionContext(const AdmissionRequest& request, Instant deadline, std::stop_token stop, Log log)
      : request_(request), deadline_(deadline), stop_(std::move(stop)), log_(std::move(log)) {}

  [[nodiscard]] const AdmissionRequest& request() const noexcept { return request_; }
  [[nodiscard]] AdmissionOperation operation() const noexcept { return request_.operation; }
  [[nodiscard]] const AdmissionUser& user() const noexcept { return request_.user; }
  [[nodiscard]] const std::string& subresource() const noexcept { return request_.subresource; }
  [[nodiscard]] const std::string& namespace_() const noexcept { return request_.namespace_; }
  /// Whether the API server discards the result of the request. The function must not change anything then.
  [[nodiscard]] bool is_dry_run() const noexcept { return request_.is_dry_run; }
  [[nodiscard]] const Object& old_object() const noexcept { return request_.old_object; }
  /// Returns the previous state of the object. Error: invalid, as for decode(), also if there is no previous state.
  template <Described T>
  [[nodiscard]] Result<T> old_object() const {
    return decode<T>(request_.old_object);
  }

  /// The latest time at which this process sends the response, shortly before the time limit of the API server. A later
  /// result is ignored.
  [[nodiscard]] Instant deadline() const noexcept { return deadline_; }
  /// A stop is requested at the deadline, when the API server closes the connection, and when the webhooks stop.
  [[nodiscard]] const std::stop_token& stop_token() const noexcept { return stop_; }
  [[nodiscard]] const Log& log() const noexcept { return log_; }

 private:
  const AdmissionRequest& request_;
  const Instant deadline_;
  const std::stop_token stop_;
  const Log log_;
};

}  // namespace pintle
