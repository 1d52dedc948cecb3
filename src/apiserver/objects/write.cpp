// SPDX-License-Identifier: Apache-2.0
#include "write.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "apiserver/registry/fit.hpp"
#include "apiserver/registry/place.hpp"
#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {

using json::Value;

Attributes attributes_of(const Resource& resource, std::string_view namespace_, std::string_view name,
                         std::string_view operation, const WriteOptions& options) {
  json::object given{{"kind", operation == "CREATE" ? "CreateOptions" : "UpdateOptions"},
                     {"apiVersion", "meta.k8s.io/v1"}};
  if (options.dry_run) given["dryRun"] = json::array{"All"};
  if (!options.given_manager.empty()) given["fieldManager"] = options.given_manager;
  if (!options.given_validation.empty()) given["fieldValidation"] = options.given_validation;
  return {.resource = resource,
          .namespace_ = namespace_,
          .name = std::string(name),
          .operation = operation,
          .options = std::move(given),
          .dry_run = options.dry_run,
          .deadline = options.deadline,
          .user = *options.user};
}

StatusOr<void> admit(Service& service, const Attributes& attributes, Value& object,
                     std::vector<std::string>& warnings) {
  if (auto mutated = service.admission.mutate(attributes, object, {}, warnings); !mutated) return mutated;
  return service.admission.validate(attributes, object, {}, warnings);
}

Refusal not_kept(const Error& error) { return internal_failure(error.message); }

Refusal with_warnings(Refusal refusal, const std::vector<std::string>& warnings) {
  refusal.warnings.insert(refusal.warnings.begin(), warnings.begin(), warnings.end());
  return refusal;
}

namespace {

// The validation of a custom resource includes its kind.
StatusOr<void> check_custom_kind(const Value& body, const Resource& resource) {
  std::vector<StatusCause> causes;
  const std::string_view kind = text_at(body, "/kind");
  const std::string_view api_version = text_at(body, "/apiVersion");
  const auto differs = [](std::string_view given, std::string_view wanted) {
    return !given.empty() && given != wanted;
  };
  if (differs(kind, resource.kind))
    causes.push_back(invalid_value("kind", Value(kind), fmt::format("must be {}", resource.kind)));
  if (differs(api_version, resource.api_version())) {
    causes.push_back(
        invalid_value("apiVersion", Value(api_version), fmt::format("must be {}", resource.api_version())));
  }
  if (causes.empty()) return {};
  const std::size_t slash = api_version.find('/');
  return refuse(invalid({.group = api_version.substr(0, slash == std::string_view::npos ? 0 : slash),
                         .kind = kind,
                         .name = text_at(body, "/metadata/name")},
                        std::move(causes)));
}

}  // namespace

StatusOr<void> check_type(const Value& body, const Resource& resource) {
  if (!body.is_object()) return refuse(bad_request("the body is not an object"));
  if (resource.custom) return check_custom_kind(body, resource);
  const std::string_view api_version = text_at(body, "/apiVersion");
  const std::string_view kind = text_at(body, "/kind");
  if (!api_version.empty() && api_version != resource.api_version()) {
    return refuse(
        bad_request(fmt::format("the API version in the data ({}) does not match the expected API version ({})",
                                api_version, resource.api_version())));
  }
  if (!kind.empty() && kind != resource.kind) {
    return refuse(bad_request(
        fmt::format("{} in version \"{}\" cannot be handled as a {}", kind, resource.version, resource.kind)));
  }
  return {};
}

StatusOr<void> check_namespace(const Value& body, std::string_view namespace_) {
  const std::string_view given = text_at(body, "/metadata/namespace");
  if (given.empty() || namespace_.empty() || given == namespace_) return {};
  return refuse(bad_request("the namespace of the provided object does not match the namespace sent on the request"));
}

StatusOr<void> check_name(const Value& body, std::string_view name) {
  const std::string_view given = text_at(body, "/metadata/name");
  if (given.empty()) {
    return refuse(bad_request(
        fmt::format("the name of the object ({} based on URL) was undeterminable: name must be provided", name)));
  }
  if (given == name) return {};
  return refuse(
      bad_request(fmt::format("the name of the object ({}) does not match the name on the URL ({})", given, name)));
}

StatusOr<void> fit_body(Value& body, const Value& proper, const Resource& resource, const WriteOptions& options,
                        std::vector<std::string>& warnings, const Unfit& unfit) {
  if (!body.is_object()) return refuse(bad_request("the body is not an object"));
  body.get_object()["apiVersion"] = resource.api_version();
  body.get_object()["kind"] = resource.kind;
  std::vector<std::string> unknown;
  auto fitted = fit_metadata(body, unknown, &proper, resource.custom ? std::string_view() : resource.kind);
  if (fitted) fitted = resource.strategy->accept(body, proper, unknown);
  if (!fitted && unfit) return refuse(unfit(body, fitted.error().message));
  if (!fitted) {
    fitted.error().message = fmt::format("{} in version \"{}\" cannot be handled as a {}: {}", resource.kind,
                                         resource.version, resource.kind, fitted.error().message);
    return fitted;
  }
  if (options.validation == FieldValidation::ignore) return {};
  std::vector<std::string> errors = options.duplicate_fields;
  for (const std::string& place : unknown) {
    if (errors.size() < max_field_errors) errors.push_back(fmt::format("unknown field \"{}\"", place));
  }
  if (errors.empty()) return {};
  if (options.validation == FieldValidation::warn) {
    warnings.insert(warnings.end(), errors.begin(), errors.end());
    return {};
  }
  const std::string why = fmt::format("strict decoding error: {}", fmt::join(errors, ", "));
  if (unfit) return refuse(unfit(body, why));
  return refuse(bad_request(fmt::format("{} in version \"{}\" cannot be handled as a {}: {}", resource.kind,
                                        resource.version, resource.kind, why)));
}

StatusOr<void> check_namespace_accepts(Service& service, const Resource& resource, std::string_view namespace_,
                                       std::string_view name) {
  if (!resource.namespaced) return {};
  const Object found = service.storage.get("namespaces", namespace_);
  if (!found) return refuse(not_found({.kind = "namespaces", .name = namespace_}));
  if (!found.is_deleting()) return {};
  const std::string why =
      fmt::format("unable to create new content in namespace {} because it is being terminated", namespace_);
  Refusal refusal = forbidden(resource.named(name), why);
  refusal.details->causes.push_back({.reason = "NamespaceTerminating",
                                     .message = fmt::format("namespace {} is being terminated", namespace_),
                                     .field = "metadata.namespace"});
  return refuse(std::move(refusal));
}

}  // namespace pintle::apiserver
