// SPDX-License-Identifier: Apache-2.0
#include "refusal.hpp"

#include <fmt/format.h>

namespace pintle::apiserver {
namespace {

json::Value to_json(const Details& details) {
  json::object out;
  if (!details.name.empty()) out["name"] = details.name;
  if (!details.group.empty()) out["group"] = details.group;
  if (!details.kind.empty()) out["kind"] = details.kind;
  if (!details.uid.empty()) out["uid"] = details.uid;
  if (!details.causes.empty()) {
    json::array causes;
    for (const StatusCause& cause : details.causes) {
      json::object item;
      if (!cause.reason.empty()) item["reason"] = cause.reason;
      if (!cause.message.empty()) item["message"] = cause.message;
      if (!cause.field.empty()) item["field"] = cause.field;
      causes.emplace_back(std::move(item));
    }
    out["causes"] = std::move(causes);
  }
  if (details.retry_after_seconds > 0) out["retryAfterSeconds"] = details.retry_after_seconds;
  return out;
}

Details about(const Subject& subject) {
  return {.name = std::string(subject.name), .group = std::string(subject.group), .kind = std::string(subject.kind)};
}

// "widgets.a.conf.dev" or "configmaps".
std::string qualified(const Subject& subject) {
  return subject.group.empty() ? std::string(subject.kind) : fmt::format("{}.{}", subject.kind, subject.group);
}

std::string join(const std::vector<StatusCause>& causes) {
  std::string all;
  for (const StatusCause& cause : causes) {
    if (!all.empty()) all += ", ";
    all += cause.field.empty() ? cause.message : fmt::format("{}: {}", cause.field, cause.message);
  }
  return causes.size() > 1 ? "[" + all + "]" : all;
}

}  // namespace

json::Value Refusal::to_status() const {
  json::object metadata;
  if (!next_page.empty()) metadata["continue"] = next_page;
  json::object out{{"kind", "Status"}, {"apiVersion", "v1"}, {"metadata", std::move(metadata)}, {"status", "Failure"}};
  if (!message.empty()) out["message"] = message;
  if (!reason.empty()) out["reason"] = reason;
  if (details) out["details"] = to_json(*details);
  out["code"] = code;
  return out;
}

Refusal bad_request(std::string message) {
  return {.code = 400, .reason = "BadRequest", .message = std::move(message)};
}

Refusal not_found(const Subject& subject) {
  return {.code = 404,
          .reason = "NotFound",
          .message = fmt::format("{} \"{}\" not found", qualified(subject), subject.name),
          .details = about(subject)};
}

Refusal no_such_resource() {
  return {.code = 404,
          .reason = "NotFound",
          .message = "the server could not find the requested resource",
          .details = Details{}};
}

Refusal already_exists(const Subject& subject) {
  return {.code = 409,
          .reason = "AlreadyExists",
          .message = fmt::format("{} \"{}\" already exists", qualified(subject), subject.name),
          .details = about(subject)};
}

Refusal conflict(const Subject& subject, std::string_view why) {
  return {
      .code = 409,
      .reason = "Conflict",
      .message = fmt::format("Operation cannot be fulfilled on {} \"{}\": {}", qualified(subject), subject.name, why),
      .details = about(subject)};
}

Refusal stale(const Subject& subject) {
  return conflict(subject,
                  "the object has been modified; please apply your changes to the latest version and try again");
}

Refusal forbidden(const Subject& subject, std::string_view why) {
  std::string what = subject.kind.empty() ? std::string() : qualified(subject) + " ";
  if (!subject.name.empty()) what += fmt::format("\"{}\" ", subject.name);
  return {.code = 403,
          .reason = "Forbidden",
          .message = fmt::format("{}{}forbidden: {}", what, what.empty() ? "" : "is ", why),
          .details = about(subject)};
}

Refusal invalid(const Subject& subject, std::vector<StatusCause> causes) {
  Refusal out{.code = 422,
              .reason = "Invalid",
              .message = fmt::format("{} \"{}\" is invalid: {}", qualified(subject), subject.name, join(causes)),
              .details = about(subject)};
  out.details->causes = std::move(causes);
  return out;
}

Refusal method_not_allowed() {
  return {.code = 405,
          .reason = "MethodNotAllowed",
          .message = "the server does not allow this method on the requested resource",
          .details = Details{}};
}

Refusal unsupported_media_type(std::string_view accepted, bool with_details) {
  Refusal out{.code = 415,
              .reason = "UnsupportedMediaType",
              .message = fmt::format(
                  "the body of the request was in an unknown format - accepted media types include: {}", accepted)};
  if (with_details) out.details.emplace();
  return out;
}

Refusal not_acceptable(std::string_view accepted) {
  return {.code = 406,
          .reason = "NotAcceptable",
          .message = fmt::format("only the following media types are accepted: {}", accepted)};
}

Refusal unauthorized() { return {.code = 401, .reason = "Unauthorized", .message = "Unauthorized"}; }

Refusal too_large(std::size_t limit) {
  return {.code = 413,
          .reason = "RequestEntityTooLarge",
          .message = fmt::format("Request entity too large: limit is {}", limit)};
}

Refusal too_many_requests() {
  Refusal out{.code = 429,
              .reason = "TooManyRequests",
              .message = "too many requests, please try again later",
              .details = Details{}};
  out.details->retry_after_seconds = 1;
  return out;
}

Refusal expired(std::string message) { return {.code = 410, .reason = "Expired", .message = std::move(message)}; }

Refusal timed_out() {
  return {.code = 504,
          .reason = "Timeout",
          .message = "Timeout: request did not complete within requested timeout - context deadline exceeded",
          .details = Details{}};
}

Refusal version_too_large(std::uint64_t requested, std::uint64_t current) {
  Refusal out{.code = 504,
              .reason = "Timeout",
              .message = fmt::format("Timeout: Too large resource version: {}, current: {}", requested, current),
              .details = Details{}};
  out.details->causes.push_back({.reason = "ResourceVersionTooLarge", .message = "Too large resource version"});
  out.details->retry_after_seconds = 1;
  return out;
}

Refusal internal_error(std::string message) { return {.code = 500, .message = std::move(message)}; }

Refusal internal_failure(std::string_view why) {
  Refusal out{.code = 500,
              .reason = "InternalError",
              .message = fmt::format("Internal error occurred: {}", why),
              .details = Details{}};
  out.details->causes.push_back({.message = std::string(why)});
  return out;
}

StatusCause required(std::string field, std::string_view why) {
  return {.reason = "FieldValueRequired",
          .message = why.empty() ? "Required value" : fmt::format("Required value: {}", why),
          .field = std::move(field)};
}

StatusCause invalid_value(std::string field, const json::Value& value, std::string_view why) {
  return {.reason = "FieldValueInvalid",
          .message = fmt::format("Invalid value: {}{}{}", json::print(value), why.empty() ? "" : ": ", why),
          .field = std::move(field)};
}

StatusCause forbidden_field(std::string field, std::string_view why) {
  return {.reason = "FieldValueForbidden", .message = fmt::format("Forbidden: {}", why), .field = std::move(field)};
}

StatusCause not_supported(std::string field, const json::Value& value, const std::vector<std::string>& supported) {
  std::string known;
  for (const std::string& item : supported) known += fmt::format("{}\"{}\"", known.empty() ? "" : ", ", item);
  return {.reason = "FieldValueNotSupported",
          .message = fmt::format("Unsupported value: {}: supported values: {}", json::print(value), known),
          .field = std::move(field)};
}

StatusCause duplicate_value(std::string field, const json::Value& value) {
  return {.reason = "FieldValueDuplicate",
          .message = fmt::format("Duplicate value: {}", json::print(value)),
          .field = std::move(field)};
}

StatusCause immutable_field(std::string field, const json::Value& value) {
  return invalid_value(std::move(field), value, "field is immutable");
}

}  // namespace pintle::apiserver
