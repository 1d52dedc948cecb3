// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include <pintle/base/text.hpp>
#include <pintle/object/schema/structural.hpp>
#include <pintle/object/versions.hpp>

#include "kept_fields.hpp"

namespace pintle::internal {
namespace {

Error no_such_version(std::string_view requested, std::span<const VersionConversion> versions) {
  std::string all;
  for (const VersionConversion& one : versions) all += (all.empty() ? "" : ", ") + std::string(one.type.api_version);
  return make_error(ErrorCode::invalid, quote(requested) + " is not a version of " +
                                            std::string(versions.front().type.kind) + "; its versions are " + all);
}

const VersionConversion* find_version(std::span<const VersionConversion> versions, std::string_view api_version) {
  const auto found = std::find_if(versions.begin(), versions.end(),
                                  [&](const VersionConversion& one) { return one.type.api_version == api_version; });
  return found == versions.end() ? nullptr : &*found;
}

// Anyone who may write the object may write its annotation, so restored values must satisfy the schema.
bool is_valid(const VersionConversion& version, const json::Value& object) {
  return version.schema().validate(json::Document(object).root()).empty() && version.read(Object(object));
}

// A conversion from version `from` to version `to`. One of the two is the hub.
struct Step {
  const VersionConversion& from;
  const VersionConversion& to;
  VersionConversion::Function convert;
  VersionConversion::Function convert_back;
};

Result<json::Value> run(const Step& step, const Object& object) {
  const std::string_view from = version_name(step.from.type);
  const std::string_view to = version_name(step.to.type);
  auto converted = step.convert(object);
  if (!converted) return converted;
  KeptFields kept(object);
  if (kept.has(to)) {
    json::Value restored = *converted;
    kept.restore(to, restored);
    if (is_valid(step.to, restored)) *converted = std::move(restored);
  }
  kept.erase(to);
  kept.erase(from);
  if (step.from.keeps_lost_fields) {
    auto complete = step.from.read(object);
    if (!complete) return complete;
    auto returned = step.convert_back(Object(*converted));
    if (!returned) {
      return fail(
          std::move(returned.error()).with_operation("convert " + std::string(to) + " to " + std::string(from)));
    }
    kept.keep(from, object.to_value(), *complete, *returned);
  }
  if (auto written = kept.write_metadata(object, *converted); !written) return fail(std::move(written.error()));
  return converted;
}

}  // namespace

StructuralSchema parsed_schema(const json::Value& schema) {
  const json::Document document(schema);
  auto parsed = StructuralSchema::parse(document.root());
  if (parsed) return std::move(*parsed);
  const json::Document any(json::object{{"type", "object"}, {"x-kubernetes-preserve-unknown-fields", true}});
  return StructuralSchema::parse(any.root()).value();
}

Result<json::Value> convert_between(std::span<const VersionConversion> versions, const Object& object,
                                    std::string_view api_version) {
  const VersionConversion& hub = versions.front();
  const VersionConversion* from = find_version(versions, object.api_version());
  const VersionConversion* to = find_version(versions, api_version);
  if (from == nullptr) return fail(no_such_version(object.api_version(), versions));
  if (to == nullptr) return fail(no_such_version(api_version, versions));
  const bool is_same = from == to || (from->read == nullptr || to->read == nullptr);
  if (is_same) {
    json::Value renamed = object.to_value();
    renamed.as_object()["apiVersion"] = to->type.api_version;
    return renamed;
  }
  Object current = object;
  if (from != &hub) {
    auto made = run({*from, hub, from->to_hub, from->from_hub}, current);
    if (!made || to == &hub) return made;
    current = Object(*made);
  }
  return run({hub, *to, to->from_hub, to->to_hub}, current);
}

}  // namespace pintle::internal
