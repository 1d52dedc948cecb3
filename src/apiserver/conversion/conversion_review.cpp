// SPDX-License-Identifier: Apache-2.0
#include "conversion_review.hpp"

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apiserver/registry/go_type.hpp"
#include "apiserver/registry/metadata.hpp"
#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

constexpr std::string_view group = "apiextensions.k8s.io";

// `what` is the error of the webhook, such as "failed: timeout".
Refusal complaint(const ConversionTask& task, std::string_view what) {
  const std::string_view from = task.objects.empty() ? "" : text_at(task.objects.front(), "/apiVersion");
  return {.code = 500, .message = fmt::format("conversion webhook for {}, Kind={} {}", from, task.kind, what)};
}

StatusOr<void> check_identity(const ConversionTask& task, const Value& original, const Value& converted) {
  constexpr std::pair<const char*, const char*> parts[] = {
      {"/metadata/name", "name"}, {"/metadata/namespace", "namespace"}, {"/metadata/uid", "UID"}};
  for (const auto& [pointer, name] : parts) {
    const std::string_view was = text_at(original, pointer);
    const std::string_view is = text_at(converted, pointer);
    if (was == is) continue;
    return refuse(
        complaint(task, fmt::format("returned invalid object: must have the same {}: {} != {}", name, was, is)));
  }
  return {};
}

// Returns the error in the labels or annotations of a converted object, or "". null and no value are fine.
std::string type_error(std::string_view name, const Value* value) {
  if (value == nullptr || value->is_null()) return {};
  const json::object* members = value->if_object();
  if (members == nullptr)
    return fmt::format("invalid metadata.{} of type {} in converted object", name, go_type(*value));
  for (const auto& [key, text] : *members) {
    if (text.is_string()) continue;
    return fmt::format("metadata.{}[{}] must be a string, but is {} in converted object", name, std::string_view(key),
                       go_type(text));
  }
  return {};
}

// Labels or annotations as they were are not checked.
std::string value_error(const char* name, const Value& original, const Value& metadata) {
  const Value* before = member(*member(original, "metadata"), name);
  const Value* after = member(metadata, name);
  if (after == nullptr || (before != nullptr && json::equal(*before, *after))) return {};
  std::vector<StatusCause> causes;
  validate_labels_and_annotations({{"metadata", {{name, *after}}}}, causes);
  std::vector<std::string> errors;
  for (const StatusCause& cause : causes) {
    // kube-apiserver names the field so.
    const std::string field = cause.field == "metadata.annotations" ? "metadata.annotation" : cause.field;
    errors.push_back(fmt::format("{}: {}", field, cause.message));
  }
  if (errors.size() < 2) return errors.empty() ? std::string() : std::move(errors.front());
  return fmt::format("[{}]", fmt::join(errors, ", "));
}

// Takes labels and annotations from the webhook and everything else from the original.
StatusOr<void> restore_metadata(const ConversionTask& task, const Value& original, Value& converted) {
  Value metadata = Value(*member(original, "metadata"));
  for (const char* name : {"labels", "annotations"}) {
    const Value& given = converted.at("metadata");
    std::string error = type_error(name, member(given, name));
    copy_member(metadata, given, name);
    if (const Value* made = member(metadata, name); made != nullptr && made->is_null()) {
      metadata.get_object().erase(name);
    }
    if (error.empty()) error = value_error(name, original, metadata);
    if (!error.empty()) return refuse(complaint(task, "returned invalid metadata: " + error));
  }
  converted.get_object()["metadata"] = std::move(metadata);
  return {};
}

StatusOr<Value> checked(const ConversionTask& task, std::size_t index, const Value& converted) {
  const Value& original = task.objects[index];
  const auto invalid_object = [&](std::string_view what, std::string_view wanted, std::string_view is) {
    return refuse(
        complaint(task, fmt::format("returned invalid object at index {}: invalid {} (expected {}, received {})", index,
                                    what, wanted, is)));
  };
  if (text_at(converted, "/kind").empty()) {
    return refuse({.code = 500, .message = fmt::format("Object 'Kind' is missing in '{}'", json::print(converted))});
  }
  const std::string_view api_version = text_at(converted, "/apiVersion");
  if (api_version != task.desired_api_version) {
    return invalid_object("groupVersion", task.desired_api_version, api_version);
  }
  if (const auto kind = text_at(converted, "/kind"); kind != task.kind) return invalid_object("kind", task.kind, kind);
  if (auto same = check_identity(task, original, converted); !same) return refuse(std::move(same.error()));
  Value out = converted;
  if (!out.as_object()["metadata"].is_object()) out.as_object()["metadata"].emplace_object();
  if (auto restored = restore_metadata(task, original, out); !restored) return refuse(std::move(restored.error()));
  return out;
}

}  // namespace

Value conversion_review(const ConversionTask& task) {
  json::array objects;
  for (const Value& object : task.objects) {
    Value& sent = objects.emplace_back(object);
    metadata_in(sent).erase("resourceVersion");
  }
  return {{"kind", "ConversionReview"},
          {"apiVersion", fmt::format("{}/{}", group, task.review_version)},
          {"request",
           {{"uid", task.uid}, {"desiredAPIVersion", task.desired_api_version}, {"objects", std::move(objects)}}}};
}

StatusOr<std::vector<Value>> converted_objects(const ConversionTask& task, const Value& review) {
  const Value* response = member(review, "response");
  const bool is_v1 = task.review_version == "v1";  // the type and the uid of an older review are not checked
  if (is_v1 && text_at(review, "/kind").empty()) {
    return refuse(
        conversion_failed(task, fmt::format("expected webhook response of {}/{}, Kind=ConversionReview, got /, "
                                            "Kind=",
                                            group, task.review_version)));
  }
  if (response == nullptr || !response->is_object()) return refuse(conversion_failed(task, "no response provided"));
  if (const auto uid = text_at(*response, "/uid"); is_v1 && uid != task.uid) {
    return refuse(conversion_failed(task, fmt::format("expected response.uid=\"{}\", got \"{}\"", task.uid, uid)));
  }
  if (const auto status = text_at(*response, "/result/status"); status != "Success") {
    const std::string_view message = text_at(*response, "/result/message");
    return refuse(conversion_failed(task, message.empty()
                                              ? fmt::format("response.result.status was '{}', not 'Success'", status)
                                              : std::string(message)));
  }
  const Value* list = member(*response, "convertedObjects");
  const std::size_t count = list != nullptr && list->is_array() ? list->get_array().size() : 0;
  if (count != task.objects.size()) {
    return refuse(complaint(task, fmt::format("returned {} objects, expected {}", count, task.objects.size())));
  }
  std::vector<Value> out;
  out.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    auto object = checked(task, i, list->get_array()[i]);
    if (!object) return refuse(std::move(object.error()));
    out.push_back(std::move(*object));
  }
  return out;
}

Refusal conversion_failed(const ConversionTask& task, std::string_view why) {
  return complaint(task, fmt::format("failed: {}", why));
}

}  // namespace pintle::apiserver
