// SPDX-License-Identifier: Apache-2.0
#include <pintle/webhook/verdict.hpp>

namespace pintle {

FieldErrors& FieldErrors::add(std::string reason, std::string field, std::string message) {
  causes_.push_back({.reason = std::move(reason), .message = std::move(message), .field = std::move(field)});
  return *this;
}

FieldErrors& FieldErrors::invalid(std::string field, std::string_view value, std::string_view message) {
  return add("FieldValueInvalid", std::move(field),
             "Invalid value: " + std::string(value) + ": " + std::string(message));
}

FieldErrors& FieldErrors::required(std::string field, std::string_view message) {
  const std::string text = message.empty() ? "" : ": " + std::string(message);
  return add("FieldValueRequired", std::move(field), "Required value" + text);
}

FieldErrors& FieldErrors::forbidden(std::string field, std::string_view message) {
  return add("FieldValueForbidden", std::move(field), "Forbidden: " + std::string(message));
}

FieldErrors& FieldErrors::duplicate(std::string field, std::string_view value) {
  return add("FieldValueDuplicate", std::move(field), "Duplicate value: " + std::string(value));
}

FieldErrors& FieldErrors::not_supported(std::string field, std::string_view value,
                                        const std::vector<std::string>& supported) {
  std::string text = "Unsupported value: " + std::string(value) + ": supported values:";
  for (const std::string& one : supported) text += (text.back() == ':' ? " \"" : ", \"") + one + "\"";
  return add("FieldValueNotSupported", std::move(field), std::move(text));
}

std::string FieldErrors::message() const {
  std::string text;
  for (const StatusCause& cause : causes_) text += (text.empty() ? "" : ", ") + cause.field + ": " + cause.message;
  return text;
}

AdmissionVerdict AdmissionVerdict::with_warning(std::string warning) && {
  warnings.push_back(std::move(warning));
  return std::move(*this);
}

AdmissionVerdict AdmissionVerdict::with_audit_annotation(std::string key, std::string value) && {
  audit_annotations.insert_or_assign(std::move(key), std::move(value));
  return std::move(*this);
}

AdmissionVerdict admitted() { return {}; }

AdmissionVerdict denied(std::string message, int code, std::string reason) {
  const bool is_error = code >= 400 && code <= 599;
  return {
      .is_admitted = false, .code = is_error ? code : 403, .reason = std::move(reason), .message = std::move(message)};
}

AdmissionVerdict denied(FieldErrors fields) {
  if (fields.empty()) return admitted();
  AdmissionVerdict verdict = denied(fields.message(), 422, "Invalid");
  verdict.fields = std::move(fields);
  return verdict;
}

}  // namespace pintle
