// SPDX-License-Identifier: Apache-2.0
#include "call.hpp"

#include <cstddef>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <pintle/base/text.hpp>
#include <pintle/base/utf8.hpp>
#include <pintle/object/protobuf.hpp>

#include "duplicate_fields.hpp"
#include "protobuf.hpp"
#include "query_values.hpp"
#include "syntax_error.hpp"
#include "undecodable.hpp"

namespace pintle::apiserver {
namespace {

constexpr std::size_t max_manager_length = 128;

// "kubectl/v1.32.4 (linux/amd64)" → "kubectl"
std::string manager_of_agent(std::string_view agent) {
  const std::string name = sanitize_utf8(agent.substr(0, agent.find('/')));
  return name.empty() ? "unknown" : std::string(truncate_utf8(name, max_manager_length));
}

void validate_manager(std::string_view manager, std::vector<StatusCause>& causes) {
  if (manager.size() > max_manager_length) {
    causes.push_back({.reason = "FieldValueTooLong",
                      .message = "Too long: may not be more than 128 bytes",
                      .field = "fieldManager"});
  }
  for (std::size_t i = 0; i < manager.size(); ++i) {
    const auto byte = static_cast<unsigned char>(manager[i]);
    if (byte >= 0x20U && byte != 0x7fU) continue;
    causes.push_back(invalid_value("fieldManager", json::Value(manager),
                                   fmt::format("invalid character U+{:04X} (at position {})", byte, i)));
  }
}

// The options of a patch depend on its kind.
void validate_patch_options(const Call& call, std::vector<StatusCause>& causes) {
  const bool applies =
      media_type(call.request.headers.get("Content-Type").value_or("")) == "application/apply-patch+yaml";
  if (applies && call.query("fieldManager").empty()) {
    causes.push_back(required("fieldManager", "is required for apply patch"));
  } else if (!applies && call.target.parameter("force")) {
    causes.push_back(forbidden_field("force", "may not be specified for non-apply patch"));
  }
}

// The errors in YAML are one error, unless they are warnings.
void combine_yaml_errors(const http::Request& request, std::vector<std::string>& errors) {
  const std::string type = media_type(request.headers.get("Content-Type").value_or(""));
  if (errors.empty() || type.find("yaml") == std::string::npos) return;
  errors = {fmt::format("yaml: unmarshal errors:\n  {}", fmt::join(errors, "\n  "))};
}

enum class BodyFormat { json, yaml, protobuf };

StatusOr<BodyFormat> body_format(const http::Request& request) {
  const std::string type = media_type(request.headers.get("Content-Type").value_or(""));
  if (type.empty() || type == "application/json") return BodyFormat::json;
  if (type == "application/yaml") return BodyFormat::yaml;
  if (type == protobuf_media_type) return BodyFormat::protobuf;
  return refuse(unsupported_media_type(body_types, false));
}

StatusOr<json::Value> read_protobuf(const http::Request& request, std::string_view kind) {
  if (request.body.empty()) return refuse(unrecognized(kind, "empty data", request.body));
  if (!request.body.starts_with(std::string_view("k8s\0", 4))) {
    constexpr std::string_view why =
        "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]";
    return refuse(unrecognized(kind, why, request.body));
  }
  auto decoded = decode_protobuf(request.body);
  if (decoded) return std::move(*decoded);
  if (decoded.error().code != ErrorCode::unsupported) return refuse(bad_request(decoded.error().message));
  Refusal refusal = unsupported_media_type(body_types, false);
  refusal.message = decoded.error().message;
  return refuse(std::move(refusal));
}

// Returns the error of a text that cannot be parsed.
std::string parse_error(BodyFormat format, std::string_view text, const Error& error) {
  if (format == BodyFormat::yaml) return fmt::format("yaml: {}", error.message);
  const std::string syntax = syntax_error(text);
  return fmt::format("couldn't get version/kind; json parse error: {}", syntax.empty() ? error.message : syntax);
}

template <class ParseJson>
StatusOr<json::Value> read_body(const http::Request& request, std::string_view kind, ParseJson parse_json) {
  const auto format = body_format(request);
  if (!format) return refuse(format.error());
  if (*format == BodyFormat::protobuf) return read_protobuf(request, kind);
  // Field validation reports duplicate fields.
  auto value = *format == BodyFormat::yaml ? parse_yaml_body(request.body) : parse_json(request.body);
  if (!value) return refuse(unrecognized(kind, parse_error(*format, request.body, value.error()), request.body));
  if (const std::string why = type_error(*value); !why.empty()) return refuse(unrecognized(kind, why, request.body));
  if (value->is_null()) value->emplace_object();
  return std::move(*value);
}

}  // namespace

bool is_set(const http::Target& target, std::string_view name) {
  const auto text = target.parameter(name);
  return text && *text != "0" && to_lower_ascii(*text) != "false";
}

bool Call::flag(std::string_view name_) const { return is_set(target, name_); }

Version Call::version_read(const Service& service) const {
  if (faults.lag == nullptr) return service.storage.version();
  return faults.lag->reached(service.storage, resource->collection, service.executor.now());
}

StatusOr<void> Call::check_content_type() const {
  const auto format = body_format(request);
  return format ? StatusOr<void>() : refuse(format.error());
}

StatusOr<json::Value> Call::body(std::string_view kind) const {
  return read_body(request, kind, [](std::string_view text) { return json::parse(text); });
}

StatusOr<json::Value> Call::body(std::string_view kind, json::Arena& memory) const {
  return read_body(request, kind, [&](std::string_view text) { return json::parse(text, memory); });
}

StatusOr<WriteOptions> Call::write_options(std::string_view kind) const {
  WriteOptions options{.user = &user, .deadline = deadline, .path_name = name};
  std::vector<StatusCause> causes;
  if (kind == "PatchOptions") validate_patch_options(*this, causes);
  const std::string_view manager = query("fieldManager");
  validate_manager(manager, causes);
  options.given_manager = manager;
  options.manager =
      manager.empty() ? manager_of_agent(request.headers.get("User-Agent").value_or("")) : std::string(manager);
  const std::vector<std::string> dry_run = all_values(target, "dryRun");
  validate_dry_run(dry_run, causes);
  options.dry_run = !dry_run.empty();
  const std::string_view validation = query("fieldValidation");
  options.given_validation = validation;
  if (validation.empty() || validation == "Warn") {
    options.validation = FieldValidation::warn;
  } else if (validation == "Strict") {
    options.validation = FieldValidation::strict;
  } else if (validation != "Ignore") {
    causes.push_back(not_supported("fieldValidation", json::Value(validation), {"", "Ignore", "Strict", "Warn"}));
  }
  if (!causes.empty()) return refuse(invalid({.group = "meta.k8s.io", .kind = kind}, std::move(causes)));
  if (options.validation != FieldValidation::ignore) options.duplicate_fields = duplicate_fields(request);
  if (options.validation == FieldValidation::strict) combine_yaml_errors(request, options.duplicate_fields);
  return options;
}

}  // namespace pintle::apiserver
