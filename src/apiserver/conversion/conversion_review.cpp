// SPDX-License-Identifier: Apache-2.0
#include "conversion_review.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

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

// Whether a member is absent, null or an object of strings.
bool is_map_of_texts(const Value* value) {
  if (value == nullptr || value->is_null()) return true;
  const json::object* members = value->if_object();
  return members != nullptr &&
         std::all_of(members->begin(), members->end(), [](const auto& one) { return one.value().is_string(); });
}

// Takes labels and annotations from the webhook and everything else from the original.
StatusOr<void> restore_metadata(const ConversionTask& task, const Value& original, Value& converted) {
  Value metadata = Value(*member(original, "metadata"));
  for (const char* name : {"labels", "annotations"}) {
    const Value& given = converted.at("metadata");
    if (!is_map_of_texts(member(given, name))) {
      return refuse(
          complaint(task, fmt::format("returned invalid metadata: metadata.{} must map texts to texts", name)));
    }
    copy_member(metadata, given, name);
    if (const Value* made = member(metadata, name); made != nullptr && made->is_null())
      metadata.get_object().erase(name);
  }
  converted.get_object()["metadata"] = std::move(metadata);
  std::vector<StatusCause> causes;
  validate_labels_and_annotations(converted, causes);
  if (causes.empty()) return {};
  const StatusCause& first = causes.front();
  return refuse(complaint(task, fmt::format("returned invalid metadata: {}: {}", first.field, first.message)));
}

StatusOr<Value> checked(const ConversionTask& task, std::size_t index, const Value& converted) {
  const Value& original = task.objects[index];
  const auto invalid_object = [&](std::string_view what, std::string_view wanted, std::string_view is) {
    return refuse(
        complaint(task, fmt::format("returned invalid object at index {}: invalid {} (expected {}, received {})", index,
                                    what, wanted, is)));
  };
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
  if (text_at(review, "/kind").empty()) {
    return refuse(
        conversion_failed(task, fmt::format("expected webhook response of {}/{}, Kind=ConversionReview, got /, "
                                            "Kind=",
                                            group, task.review_version)));
  }
  if (response == nullptr || !response->is_object()) return refuse(conversion_failed(task, "no response provided"));
  if (const auto uid = text_at(*response, "/uid"); uid != task.uid) {
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
