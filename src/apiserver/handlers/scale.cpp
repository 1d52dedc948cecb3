// SPDX-License-Identifier: Apache-2.0
// scale: the autoscaling/v1 view of an object with replicas.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "../registry/cells.hpp"
#include "apiserver/objects/sent_kind.hpp"
#include "apiserver/objects/write.hpp"
#include "apiserver/registry/values.hpp"
#include "handlers.hpp"
#include "patch.hpp"
#include "present.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

constexpr SentKind scale_kind{.api_version = "autoscaling/v1", .kind = "Scale", .type = "autoscaling.v1.Scale"};

// Refuses a body or the result of a patch that is not the Scale of the object in the path.
StatusOr<void> check_scale(const Value& scale, const Call& call) {
  if (auto sound = check_sent_kind(scale, scale_kind, call.namespace_); !sound) return sound;
  return check_name(scale, call.name);
}

// Returns the body of an update.
StatusOr<Value> sent_scale(const Call& call) {
  auto body = call.body(scale_kind.kind);
  if (!body) return body;
  if (auto sound = check_scale(*body, call); !sound) return refuse(std::move(sound.error()));
  if (auto sound = check_sent_members(*body, scale_kind); !sound) return refuse(std::move(sound.error()));
  return body;
}

std::int64_t number_at(const Value& object, const std::string& pointer) {
  const Value* found = pointer.empty() ? nullptr : json::find(object, pointer);
  // A Scale has 32 bits.
  return found != nullptr && found->is_int64() ? static_cast<std::int32_t>(found->get_int64()) : 0;
}

Value scale_of(const Resource& resource, const Value& object) {
  json::object metadata;
  for (const char* name : {"name", "namespace", "uid", "resourceVersion", "creationTimestamp"}) {
    if (const Value* value = json::find(object, std::string("/metadata/") + name)) metadata[name] = *value;
  }
  const ScaleSubresource& paths = *resource.scale;
  json::object status{{"replicas", number_at(object, paths.status_replicas)}};
  if (!paths.label_selector.empty()) {
    const Value* selector = json::find(object, paths.label_selector);
    if (selector != nullptr && selector->is_object()) {
      const json::Document document(*selector);
      status["selector"] = selector_cell(document.root());
    } else if (const auto text = text_at(object, paths.label_selector); !text.empty()) {
      status["selector"] = text;
    }
  }
  return {{"kind", "Scale"},
          {"apiVersion", "autoscaling/v1"},
          {"metadata", std::move(metadata)},
          {"spec", {{"replicas", number_at(object, paths.spec_replicas)}}},
          {"status", std::move(status)}};
}

// Returns the object with the replicas of a scale. The uid and the resourceVersion of the scale are preconditions.
StatusOr<Value> with_scale(const Resource& resource, const Value& current, const Value& scale) {
  const std::string_view name = text_at(current, "/metadata/name");
  const std::string_view given = text_at(scale, "/metadata/name");
  if (!given.empty() && given != name)
    return refuse(bad_request("the name of the scale does not match the name on the URL"));
  const std::string_view uid = text_at(scale, "/metadata/uid");
  if (!uid.empty() && uid != text_at(current, "/metadata/uid")) {
    return refuse(conflict(resource.named(name),
                           fmt::format("Precondition failed: UID in precondition: {}, UID in object meta: {}", uid,
                                       text_at(current, "/metadata/uid"))));
  }
  const std::string_view version = text_at(scale, "/metadata/resourceVersion");
  if (!version.empty() && version != text_at(current, "/metadata/resourceVersion"))
    return refuse(stale(resource.named(name)));
  const Value* replicas = json::find(scale, "/spec/replicas");
  Value next = current;
  const bool is_unset = replicas == nullptr || replicas->is_null();
  if (auto set = json::set(next, resource.scale->spec_replicas, is_unset ? Value(0) : *replicas); !set) {
    return refuse(bad_request(set.error().message));
  }
  return next;
}

// Returns the part of the object that an applied scale sets.
StatusOr<Value> applied_part(const Resource& resource, std::string_view name, const Value& scale) {
  if (text_at(scale, "/apiVersion") != "autoscaling/v1" || text_at(scale, "/kind") != "Scale") {
    return refuse(bad_request("the applied configuration is not a Scale of autoscaling/v1"));
  }
  Value part{{"apiVersion", resource.api_version()}, {"kind", resource.kind}, {"metadata", {{"name", name}}}};
  const Value* replicas = json::find(scale, "/spec/replicas");
  if (replicas == nullptr) return part;
  if (!replicas->is_int64()) return refuse(bad_request("spec.replicas of the scale is not an integer"));
  if (auto set = json::set(part, resource.scale->spec_replicas, *replicas); !set) {
    return refuse(bad_request(set.error().message));
  }
  return part;
}

// Refuses a Scale of a built-in kind, whose own rules are not reached then. Those of a custom kind cover its replicas.
StatusOr<void> check_replicas(const Resource& resource, const Value& scale) {
  const Value* replicas = json::find(scale, "/spec/replicas");
  if (resource.custom || replicas == nullptr || !replicas->is_int64() || replicas->get_int64() >= 0) return {};
  return refuse(invalid({"autoscaling", "Scale", text_at(scale, "/metadata/name")},
                        {invalid_value("spec.replicas", *replicas, "must be greater than or equal to 0")}));
}

// The replicas of a custom object without any, while a patch is applied. A patch must set them.
constexpr std::int64_t unset_replicas = std::numeric_limits<std::int32_t>::min();

Value patched_scale(const Resource& resource, const Value& current) {
  Value scale = scale_of(resource, current);
  if (resource.custom && json::find(current, resource.scale->spec_replicas) == nullptr) {
    scale.as_object()["spec"].as_object()["replicas"] = unset_replicas;
  }
  return scale;
}

StatusOr<void> check_has_replicas(const Resource& resource, const Value& scale) {
  const Value* replicas = json::find(scale, "/spec/replicas");
  if (!resource.custom || replicas == nullptr || *replicas != Value(unset_replicas)) return {};
  std::string field = resource.scale->spec_replicas;
  std::replace(field.begin(), field.end(), '/', '.');
  return refuse(bad_request(fmt::format("the spec replicas field \"{}\" cannot be empty", field)));
}

// A Scale as a Table. `scale` is its JSON.
Value scale_table(const Value& scale, bool is_custom, const ResponseFormat& format, WallTime now) {
  const json::Document document(scale);
  const json::View view = document.root();
  json::array columns;
  for (const char* name : {"Name", "Desired", "Available", "Age"}) {
    const bool is_number = std::string_view(name) == "Desired" || std::string_view(name) == "Available";
    columns.push_back({{"name", name},
                       {"type", is_number ? "integer" : "string"},
                       {"format", ""},
                       {"description", ""},
                       {"priority", 0}});
  }
  json::object metadata{{"kind", "PartialObjectMetadata"}, {"apiVersion", format.meta_api_version()}};
  metadata["metadata"] = view.member("metadata").to_value();
  // A Scale of a custom kind omits 0.
  const std::int64_t desired = integer_cell(view["/spec/replicas"]);
  const json::array cells{view["/metadata/name"].text(), is_custom && desired == 0 ? Value() : Value(desired),
                          integer_cell(view["/status/replicas"]), age_cell(view, now)};
  return {{"kind", "Table"},
          {"apiVersion", format.meta_api_version()},
          {"metadata", {{"resourceVersion", view["/metadata/resourceVersion"].text()}}},
          {"columnDefinitions", std::move(columns)},
          {"rows", json::array{json::object{{"cells", cells}, {"object", std::move(metadata)}}}}};
}

StatusOr<http::Response> respond_scale(Service& service, const Call& call, Written written) {
  const auto object = service.converter.presentable(*call.resource, written.object);
  if (!object) return refuse(object.error());
  Value scale = scale_of(*call.resource, shown(*call.resource, *object));
  const bool as_table = call.format.form == ResponseFormat::Form::table;
  if (as_table) scale = scale_table(scale, call.resource->custom, call.format, service.executor.wall_now());
  http::Response response = respond(200, scale, call.format);
  add_warnings(response, written.warnings);
  return response;
}

}  // namespace

StatusOr<http::Response> handle_scale(Service& service, const Call& call) {
  const Resource& resource = *call.resource;
  if (call.request.method == "GET") {
    const Object object = service.storage.get(resource.collection, storage_key(call.namespace_, call.name));
    if (!object) return refuse(not_found(resource.named(call.name)));
    return respond_scale(service, call, {.object = object});
  }
  const bool patches = call.request.method == "PATCH";
  const auto kind = patches ? accepted_patch_kind(call) : PatchKind::merge;
  if (!kind) return refuse(kind.error());
  const bool applies = patches && *kind == PatchKind::apply;
  auto options = call.write_options(patches ? "PatchOptions" : "UpdateOptions");
  if (!options) return refuse(std::move(options.error()));

  auto sent = patches ? StatusOr<Value>() : sent_scale(call);
  if (!sent) return refuse(std::move(sent.error()));
  Edit edit{.subresource = "scale",
            .applies = applies,
            .view = {.api_version = "autoscaling/v1", .kind = "Scale", .of = [&](const Value& object) {
                       return scale_of(resource, object);
                     }}};
  std::vector<std::string> warnings;
  const auto mutate = [&](const Value& current, Value& scale) -> StatusOr<void> {
    if (!service.admission.is_configured()) return {};
    Attributes attributes = attributes_of(resource, call.namespace_, call.name, "UPDATE", *options);
    attributes.subresource = edit.subresource;
    attributes.api_version = edit.view.api_version;
    attributes.kind = edit.view.kind;
    auto mutated = service.admission.mutate(attributes, scale, scale_of(resource, current), warnings);
    if (!mutated) return refuse(with_warnings(std::move(mutated.error()), warnings));
    return {};
  };
  edit.make = [&](const Value& current) -> StatusOr<Value> {
    auto body = patches ? read_patch(call, *kind, options->validation) : sent;
    if (!body) return refuse(std::move(body.error()));
    if (applies) {
      const FieldManager manager{
          .name = options->manager, .api_version = resource.api_version(), .subresource = edit.subresource};
      auto part = applied_part(resource, call.name, *body);
      if (part) part = merge_configuration(service, resource, current, *part, manager, call.flag("force"));
      if (!part) return part;
      Value scale = scale_of(resource, *part);
      if (auto mutated = mutate(current, scale); !mutated) return refuse(std::move(mutated.error()));
      return with_scale(resource, *part, scale);
    }
    auto scale = patches ? apply_patch(patched_scale(resource, current), *body, *kind, {}) : std::move(body);
    if (!scale) return scale;
    if (auto sound = check_scale(*scale, call); !sound) return refuse(std::move(sound.error()));
    if (auto mutated = mutate(current, *scale); !mutated) return refuse(std::move(mutated.error()));
    if (auto has = check_has_replicas(resource, *scale); !has) return refuse(std::move(has.error()));
    if (auto sound = check_replicas(resource, *scale); !sound) return refuse(std::move(sound.error()));
    return with_scale(resource, current, *scale);
  };
  auto written = edit_object(service, resource, call.namespace_, call.name, edit, *options);
  if (!written) return refuse(std::move(written.error()));
  written->warnings.insert(written->warnings.begin(), warnings.begin(), warnings.end());
  return respond_scale(service, call, std::move(*written));
}

}  // namespace pintle::apiserver
