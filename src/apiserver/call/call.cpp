// SPDX-License-Identifier: Apache-2.0
#include "call.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <pintle/base/text.hpp>
#include <pintle/base/utf8.hpp>

#include "duplicate_fields.hpp"
#include "protobuf.hpp"

namespace pintle::apiserver {
namespace {

constexpr std::size_t max_manager_length = 128;

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20U || c == '\x7f'; }

// "kubectl/v1.32.4 (linux/amd64)" → "kubectl"
std::string manager_of_agent(std::string_view agent) {
  const std::string name = sanitize_utf8(agent.substr(0, agent.find('/')));
  return name.empty() ? "unknown" : std::string(truncate_utf8(name, max_manager_length));
}

Refusal invalid_option(std::string_view kind, StatusCause cause) {
  return invalid({.group = "meta.k8s.io", .kind = kind}, {std::move(cause)});
}

template <class ParseJson>
StatusOr<json::Value> read_body(const http::Request& request, ParseJson parse_json) {
  const std::string type = media_type(request.headers.get("Content-Type").value_or("application/json"));
  if (type == "application/vnd.kubernetes.protobuf") {
    auto decoded = decode_protobuf(request.body);
    if (decoded) return std::move(*decoded);
    if (decoded.error().code == ErrorCode::unsupported) {
      Refusal refusal = unsupported_media_type("application/json, application/yaml", false);
      refusal.message = decoded.error().message;
      return refuse(std::move(refusal));
    }
    return refuse(bad_request(decoded.error().message));
  }
  const bool yaml = type == "application/yaml" || type == "text/yaml" || type == "application/x-yaml";
  if (!yaml && type != "application/json" && !type.empty() && type != "*/*") {
    return refuse(unsupported_media_type("application/json, application/yaml", false));
  }
  auto value = yaml ? parse_yaml_body(request.body) : parse_json(request.body);  // field validation reports duplicates
  if (!value) return refuse(bad_request(fmt::format("cannot parse the body: {}", value.error().message)));
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

StatusOr<json::Value> Call::body() const {
  return read_body(request, [](std::string_view text) { return json::parse(text); });
}

StatusOr<json::Value> Call::body(json::Arena& memory) const {
  return read_body(request, [&](std::string_view text) { return json::parse(text, memory); });
}

StatusOr<WriteOptions> Call::write_options(std::string_view kind) const {
  WriteOptions options{.user = &user, .path_name = name};
  const std::string_view manager = query("fieldManager");
  if (manager.size() > max_manager_length) {
    return refuse(invalid_option(kind, {.reason = "FieldValueTooLong",
                                        .message = "Too long: may not be more than 128 bytes",
                                        .field = "fieldManager"}));
  }
  if (std::any_of(manager.begin(), manager.end(), is_control)) {
    return refuse(invalid_option(
        kind, invalid_value("fieldManager", json::Value(manager), "should only contain printable characters")));
  }
  options.given_manager = manager;
  options.manager =
      manager.empty() ? manager_of_agent(request.headers.get("User-Agent").value_or("")) : std::string(manager);
  if (const auto dry_run = target.parameter("dryRun"); dry_run && !dry_run->empty()) {
    if (*dry_run != "All") return refuse(invalid_option(kind, not_supported("dryRun", json::Value(*dry_run), {"All"})));
    options.dry_run = true;
  }
  const std::string_view validation = query("fieldValidation");
  options.given_validation = validation;
  if (validation.empty() || validation == "Warn") {
    options.validation = FieldValidation::warn;
  } else if (validation == "Strict") {
    options.validation = FieldValidation::strict;
  } else if (validation != "Ignore") {
    return refuse(
        invalid_option(kind, not_supported("fieldValidation", json::Value(validation), {"Ignore", "Strict", "Warn"})));
  }
  const bool decodes_body = request.method == "POST" || request.method == "PUT" || kind == "PatchOptions";
  if (decodes_body && options.validation != FieldValidation::ignore)
    options.duplicate_fields = duplicate_fields(request);
  return options;
}

}  // namespace pintle::apiserver
