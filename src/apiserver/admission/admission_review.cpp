// SPDX-License-Identifier: Apache-2.0
#include "admission_review.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include <pintle/object/bytes.hpp>

#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

constexpr std::string_view group = "admission.k8s.io";

Value kind_of(std::string_view api_version, std::string_view kind) {
  const std::size_t slash = api_version.find('/');
  const bool is_core = slash == std::string_view::npos;
  return {{"group", is_core ? std::string_view{} : api_version.substr(0, slash)},
          {"version", is_core ? api_version : api_version.substr(slash + 1)},
          {"kind", kind}};
}

Value kind_of(const Attributes& attributes, const Resource& resource) {
  if (attributes.is_whole()) return kind_of(resource.api_version(), resource.kind);
  return kind_of(attributes.api_version, attributes.kind);
}

Value resource_of(const Resource& resource) {
  return {{"group", resource.group}, {"version", resource.version}, {"resource", resource.plural}};
}

tl::unexpected<Error> invalid_response(std::string_view what) {
  return fail(ErrorCode::invalid, fmt::format("received invalid webhook response: {}", what));
}

// kube-apiserver does not verify the type and the uid of a v1beta1 review.
Result<void> check_identity(const Value& review, const SentReview& sent) {
  const Value* response = member(review, "response");
  const bool has_response = response != nullptr && response->is_object();
  if (sent.version == "v1beta1") return has_response ? Result<void>() : invalid_response("webhook response was absent");
  const std::string_view api_version = text_at(review, "/apiVersion");
  const std::string_view kind = text_at(review, "/kind");
  if (api_version.empty() || kind.empty()) {
    return invalid_response(fmt::format("expected webhook response of {}/{}, Kind=AdmissionReview, got /{}, Kind={}",
                                        group, sent.version, api_version, kind));
  }
  if (!has_response) return invalid_response("webhook response was absent");
  if (const auto uid = text_at(*response, "/uid"); uid != sent.uid) {
    return invalid_response(fmt::format("expected response.uid=\"{}\", got \"{}\"", sent.uid, uid));
  }
  return {};
}

Result<void> check_patch(const Value& response, bool mutates) {
  const Value* type = member(response, "patchType");
  const bool has_patch = !text_at(response, "/patch").empty();
  const bool has_type = type != nullptr && !type->is_null();
  if (!mutates) {
    if (has_patch) return invalid_response("validating webhook may not return response.patch");
    if (has_type) return invalid_response("validating webhook may not return response.patchType");
    return {};
  }
  if (has_patch && !has_type) return invalid_response("webhook returned response.patch but not response.patchType");
  if (has_type && !has_patch) return invalid_response("webhook returned response.patchType but not response.patch");
  if (has_patch && type->is_string() && type->get_string().empty()) {
    return invalid_response("webhook returned invalid response.patchType of \"\"");
  }
  return {};
}

// `names_type`: the type of the patch is in the response; otherwise it is a JSON patch.
Result<std::optional<json::array>> read_patch(const Value& response, bool names_type) {
  const std::string_view text = text_at(response, "/patch");
  if (text.empty()) return std::nullopt;
  const auto undecodable = [](std::string_view why) {
    return fail(ErrorCode::invalid, fmt::format("received undecodable patch in webhook response: {}", why));
  };
  const auto bytes = Bytes::from_base64(text);
  if (!bytes) return undecodable(bytes.error().message);
  auto patch = json::parse(bytes->data);
  if (!patch) return undecodable(patch.error().message);
  if (!patch->is_array()) return undecodable("the patch is not a list of operations");
  const std::string_view type = text_at(response, "/patchType");
  if (names_type && !patch->get_array().empty() && type != "JSONPatch") {
    return fail(ErrorCode::invalid, fmt::format("unsupported patch type \"{}\"", type));
  }
  return std::move(patch->get_array());
}

// Returns an error for a member that a struct could not hold.
Result<void> check_types(const Value& response) {
  const auto mistyped = [](std::string_view name) {
    return fail(ErrorCode::invalid, fmt::format("failed to call webhook: response.{} has the wrong type", name));
  };
  const Value* allowed = member(response, "allowed");
  if (allowed != nullptr && !allowed->is_bool() && !allowed->is_null()) return mistyped("allowed");
  for (const char* name : {"uid", "patch", "patchType"}) {
    const Value* text = member(response, name);
    if (text != nullptr && !text->is_string() && !text->is_null()) return mistyped(name);
  }
  for (const char* name : {"status", "auditAnnotations"}) {
    const Value* object = member(response, name);
    if (object != nullptr && !object->is_object() && !object->is_null()) return mistyped(name);
  }
  if (const Value* annotations = member(response, "auditAnnotations");
      annotations != nullptr && annotations->is_object()) {
    for (const auto& [key, value] : annotations->get_object()) {
      if (!value.is_string() && !value.is_null()) return mistyped("auditAnnotations");
    }
  }
  const Value* warnings = member(response, "warnings");
  if (warnings == nullptr || warnings->is_null()) return {};
  if (!warnings->is_array()) return mistyped("warnings");
  for (const Value& warning : warnings->get_array()) {
    if (!warning.is_string()) return mistyped("warnings");
  }
  return {};
}

}  // namespace

Value admission_request(const Attributes& attributes, const Resource& sent) {
  const Resource& resource = attributes.resource;
  json::object out{{"kind", kind_of(attributes, sent)},
                   {"resource", resource_of(sent)},
                   {"requestKind", kind_of(attributes, resource)},
                   {"requestResource", resource_of(resource)}};
  if (!attributes.subresource.empty()) {
    out["subResource"] = attributes.subresource;
    out["requestSubResource"] = attributes.subresource;
  }
  if (!attributes.name.empty()) out["name"] = attributes.name;
  // For a Namespace, its own name.
  const std::string_view space = resource.collection == "namespaces" ? attributes.name : attributes.namespace_;
  if (!space.empty()) out["namespace"] = space;
  out["operation"] = attributes.operation;
  out["userInfo"] = to_json(attributes.user);
  out["dryRun"] = attributes.dry_run;
  out["options"] = attributes.options;
  return out;
}

Value condition_request(const Attributes& attributes, const Resource& sent) {
  Value out = admission_request(attributes, sent);
  out.as_object()["resource"] = resource_of(attributes.resource);
  return out;
}

Value admission_review(std::string_view version, const std::string& uid, Value request,
                       const ReviewedObjects& objects) {
  json::object& members = request.as_object();
  members["uid"] = uid;
  members["object"] = objects.object;
  members["oldObject"] = objects.old_object;
  return {{"kind", "AdmissionReview"},
          {"apiVersion", fmt::format("{}/{}", group, version)},
          {"request", std::move(request)}};
}

Result<AdmissionResponse> read_admission_response(const Value& review, const SentReview& sent) {
  if (const Value* response = member(review, "response"); response != nullptr) {
    if (auto typed = check_types(*response); !typed) return fail(std::move(typed.error()));
  }
  if (auto same = check_identity(review, sent); !same) return fail(std::move(same.error()));
  const Value& response = review.at("response");
  const bool is_v1 = sent.version == "v1";
  if (is_v1) {
    if (auto usable = check_patch(response, sent.mutates); !usable) return fail(std::move(usable.error()));
  }

  AdmissionResponse out;
  const Value* allowed = member(response, "allowed");
  out.is_allowed = allowed != nullptr && *allowed == Value(true);
  if (const Value* status = member(response, "status"); status != nullptr) out.status = *status;
  if (const Value* warnings = member(response, "warnings"); warnings != nullptr && warnings->is_array()) {
    for (const Value& warning : warnings->get_array()) out.warnings.emplace_back(warning.as_string());
  }
  if (const Value* annotations = member(response, "auditAnnotations");
      annotations != nullptr && annotations->is_object()) {
    for (const auto& [key, value] : annotations->get_object()) out.annotations.emplace_back(key, text_at(value, ""));
  }
  if (!out.is_allowed || !sent.mutates) return out;
  auto patch = read_patch(response, is_v1);
  if (!patch) return fail(std::move(patch.error()));
  out.patch = std::move(*patch);
  return out;
}

Refusal denial(std::string_view webhook, const Value& status) {
  constexpr std::int64_t min_code = 400;  // for a status without code, or with that of a success
  constexpr std::int64_t max_code = 599;
  const Value* code = member(status, "code");
  const std::int64_t given = code != nullptr && code->is_int64() ? code->get_int64() : min_code;
  Refusal out{.code = static_cast<int>(std::clamp(given, min_code, max_code)),
              .reason = std::string(text_at(status, "/reason"))};
  const std::string_view message = text_at(status, "/message");
  const std::string_view why = message.empty() ? std::string_view(out.reason) : message;
  out.message = why.empty() ? fmt::format("admission webhook \"{}\" denied the request without explanation", webhook)
                            : fmt::format("admission webhook \"{}\" denied the request: {}", webhook, why);
  const Value* details = member(status, "details");
  if (details == nullptr || !details->is_object()) return out;
  out.details = Details{.name = std::string(text_at(*details, "/name")),
                        .group = std::string(text_at(*details, "/group")),
                        .kind = std::string(text_at(*details, "/kind")),
                        .uid = std::string(text_at(*details, "/uid"))};
  const Value* seconds = member(*details, "retryAfterSeconds");
  if (seconds != nullptr && seconds->is_int64()) {
    constexpr std::int64_t day = 24LL * 3600;
    out.details->retry_after_seconds = static_cast<int>(std::clamp<std::int64_t>(seconds->get_int64(), 0, day));
  }
  const Value* causes = member(*details, "causes");
  for (const Value& cause : causes != nullptr && causes->is_array() ? causes->get_array() : json::array()) {
    out.details->causes.push_back({.reason = std::string(text_at(cause, "/reason")),
                                   .message = std::string(text_at(cause, "/message")),
                                   .field = std::string(text_at(cause, "/field"))});
  }
  return out;
}

}  // namespace pintle::apiserver
