// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/text.hpp>
#include <pintle/object/schema/structural.hpp>
#include <pintle/object/versions.hpp>

#include "kept_fields.hpp"
#include "lost_values.hpp"

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

std::vector<FieldError> schema_errors(const VersionConversion& version, const json::Value& object) {
  return version.schema().validate(json::Document(object).root());
}

// Restores the values that were kept for a version. Anyone who may write the object may write its annotation, so a
// value that adds an error is left out.
class Restoration {
 public:
  Restoration(const VersionConversion& version, const KeptFields& kept, json::Value& object)
      : version_(version), kept_(kept), object_(object) {}

  void run() {
    const std::vector<std::string> pointers = kept_.pointers(version_name(version_.type));
    if (pointers.empty()) return;
    errors_ = schema_errors(version_, object_);
    restore(pointers);
  }

 private:
  static constexpr int max_attempts = 200;  // each one validates the whole object

  // Halves the values until those that add an error are alone.
  void restore(std::span<const std::string> pointers) {
    if (pointers.empty() || attempts_++ >= max_attempts) return;
    json::Value restored = object_;
    kept_.restore(version_name(version_.type), pointers, version_.schema().node(), restored);
    if (!has_new_errors(errors_, schema_errors(version_, restored)) && version_.read(Object(restored))) {
      object_ = std::move(restored);
    } else if (pointers.size() > 1) {
      restore(pointers.first(pointers.size() / 2));
      restore(pointers.subspan(pointers.size() / 2));
    }
  }

  const VersionConversion& version_;
  const KeptFields& kept_;
  json::Value& object_;
  std::vector<FieldError> errors_{};  // before
  int attempts_ = 0;
};

// A conversion from version `from` to version `to`. One of the two is the hub.
struct Step {
  const VersionConversion& from;
  const VersionConversion& to;
  VersionConversion::Function convert;
  VersionConversion::Function convert_back;
};

// Returns the object of which `object` was made, if that could not be converted back.
std::optional<json::Value> whole_object(const Step& step, const KeptFields& kept, const Object& object) {
  auto whole = kept.whole(version_name(step.to.type), object);
  if (!whole) return std::nullopt;
  whole->as_object()["apiVersion"] = step.to.type.api_version;
  whole->as_object()["kind"] = step.to.type.kind;
  const bool is_valid = schema_errors(step.to, *whole).empty() && step.to.read(Object(*whole));
  return is_valid ? std::move(whole) : std::nullopt;
}

Result<json::Value> convert_and_restore(const Step& step, const KeptFields& kept, const Object& object) {
  if (auto whole = whole_object(step, kept, object)) return std::move(*whole);
  auto converted = step.convert(object);
  if (converted) Restoration(step.to, kept, *converted).run();
  return converted;
}

Result<json::Value> run(const Step& step, const Object& object) {
  const std::string_view from = version_name(step.from.type);
  KeptFields kept(object);
  auto converted = convert_and_restore(step, kept, object);
  if (!converted) return converted;
  kept.erase(version_name(step.to.type));
  kept.erase(from);
  bool keeps_whole = false;
  if (step.from.keeps_lost_fields) {
    auto complete = step.from.read(object);
    if (!complete) return complete;
    // The object must be readable in each version to which it can be converted, because a list fails as a whole.
    const auto returned = step.convert_back(Object(*converted));
    keeps_whole = !returned;
    if (returned) {
      kept.keep(from, object.to_value(), std::move(*complete), *returned);
    } else {
      kept.keep_whole(from, object.to_value(), std::move(*complete), *converted);
    }
  }
  auto written = kept.write_metadata(object, *converted);
  if (!written && keeps_whole) {
    kept.erase(from);
    written = kept.write_metadata(object, *converted);
  }
  if (!written) return fail(std::move(written.error()));
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
