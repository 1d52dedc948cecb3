// SPDX-License-Identifier: Apache-2.0
// AdmissionVerdict: the decision of an admission function, with its reasons, warnings and audit annotations.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/error.hpp>

namespace pintle {

/// Collects the errors of single fields. Each function adds one cause in the form of Kubernetes: the field `spec.count`
/// and the message `Invalid value: 12: must be at most 10`. A plain value.
///
///     FieldErrors errors;
///     if (greeting.spec.count > 10) errors.invalid("spec.count", "12", "must be at most 10");
///     return denied(errors);  // admits if there are no errors
class PINTLE_EXPORT FieldErrors {
 public:
  /// `field` is the path of the field, "spec.replicas"; `value` is the rejected value as text.
  FieldErrors& invalid(std::string field, std::string_view value, std::string_view message);
  FieldErrors& required(std::string field, std::string_view message = {});
  FieldErrors& forbidden(std::string field, std::string_view message);
  FieldErrors& duplicate(std::string field, std::string_view value);
  /// `supported` are the values that are accepted.
  FieldErrors& not_supported(std::string field, std::string_view value, const std::vector<std::string>& supported);

  [[nodiscard]] bool empty() const noexcept { return causes_.empty(); }
  [[nodiscard]] const std::vector<StatusCause>& causes() const noexcept { return causes_; }
  /// Returns all causes as "FIELD: MESSAGE", separated by ", ".
  [[nodiscard]] std::string message() const;

 private:
  FieldErrors& add(std::string reason, std::string field, std::string message);

  std::vector<StatusCause> causes_;
};

/// Whether a request is admitted, and the texts for the client and the audit log. Created by admitted() or denied(). A
/// plain value.
struct PINTLE_EXPORT AdmissionVerdict {
  bool is_admitted = true;
  int code = 0;           ///< HTTP status of a denial, 400 to 599; 0 if admitted
  std::string reason{};   ///< of the Status of a denial: "Forbidden", "Invalid"
  std::string message{};  ///< of a denial, for people
  FieldErrors fields{};   ///< the fields that caused a denial
  /// The API server sends them to the client, whether the request is admitted or denied. It truncates a warning to 256
  /// characters, and all warnings of a request to 4,096 characters.
  std::vector<std::string> warnings{};
  /// For the audit log of the API server, which adds the name of the webhook to each key. A key consists of letters,
  /// digits, "-", "_" and ".".
  std::map<std::string, std::string> audit_annotations{};

  /// Returns this verdict with one more warning or audit annotation.
  [[nodiscard]] AdmissionVerdict with_warning(std::string warning) &&;
  [[nodiscard]] AdmissionVerdict with_audit_annotation(std::string key, std::string value) &&;
};

[[nodiscard]] PINTLE_EXPORT AdmissionVerdict admitted();
/// `code` is the HTTP status that the client receives, 400 to 599; another number becomes 403.
[[nodiscard]] PINTLE_EXPORT AdmissionVerdict denied(std::string message, int code = 403,
                                                    std::string reason = "Forbidden");
/// Denies with code 422 and reason Invalid because of these fields; admits if there are none.
[[nodiscard]] PINTLE_EXPORT AdmissionVerdict denied(FieldErrors fields);

}  // namespace pintle
