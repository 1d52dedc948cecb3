// SPDX-License-Identifier: Apache-2.0
#include "conversions.hpp"

#include <algorithm>
#include <set>

#include <pintle/json/document.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/object/schema/crd.hpp>

namespace pintle {
namespace {

Error prefixed(Error error, const Object& object, const std::string& api_version) {
  const std::string name = object.key().name.empty() ? "an object" : object.key().to_string();
  error.message = "cannot convert " + name + " to " + api_version + ": " + error.message;
  return error;
}

Error unknown_kind(const GroupVersionKind& kind) {
  Error error = make_error(ErrorCode::invalid, "this operator does not convert " + kind.to_string());
  error.http_status = 422;
  return error;
}

// The API server takes only labels and annotations from the result, and rejects some other changes.
void keep_metadata(const Object& from, json::Value& to) {
  json::Value metadata = from.metadata().to_value();
  for (const char* member : {"labels", "annotations"}) {
    metadata.as_object().erase(member);
    const json::Value* value = json::find(to, std::string("/metadata/") + member);
    if (value != nullptr && value->is_object()) metadata.as_object()[member] = *value;
  }
  to.as_object()["metadata"] = std::move(metadata);
}

Result<void> check_result(const json::Value& made, const Object& from, const std::string& api_version) {
  if (!made.is_object()) return fail(ErrorCode::invalid, "the conversion did not return an object");
  const Object object(made);
  if (object.api_version() != api_version || object.kind() != from.kind()) {
    return fail(ErrorCode::invalid, "the conversion returned " + object.group_version_kind().to_string());
  }
  return {};
}

// Collects the errors of one declaration.
class DeclarationCheck {
 public:
  explicit DeclarationCheck(const AnyConversion& conversion) : conversion_(conversion) {}

  std::vector<Error> run() {
    if (conversion_.kind.empty() || conversion_.kind.version.empty()) {
      errors_.push_back(make_error(ErrorCode::invalid, "a conversion has no kind; set .kind to its stored version"));
      return std::move(errors_);
    }
    if (!conversion_.convert) wrong("has no function; set .convert");
    check_versions();
    if (conversion_.crd) check_crd(*conversion_.crd);
    return std::move(errors_);
  }

 private:
  void wrong(const std::string& message) {
    errors_.push_back(
        make_error(ErrorCode::invalid, "the conversion of " + conversion_.kind.to_string() + " " + message));
  }
  static bool has(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  void check_versions() {
    const std::vector<std::string>& versions = conversion_.versions;
    for (const std::string& name : repeated(versions)) {
      wrong("has version " + name + " twice in .versions; remove one of the two");
    }
    if (!versions.empty() && !has(versions, conversion_.kind.version)) {
      wrong("does not have its hub " + conversion_.kind.version + " in .versions; add it");
    }
  }

  void check_crd(const json::Value& definition) {
    const json::Document document(definition);
    const CrdView crd(document.root());
    const std::string name(crd.name());
    if (crd.group() != conversion_.kind.group || crd.kind() != conversion_.kind.kind) {
      return wrong("has the CRD " + name + ", which defines another kind; set .crd to the CRD of its kind");
    }
    if (crd.is_foreign()) {
      return wrong("has the CRD " + name + " of another operator, which converts the objects; remove the conversion");
    }
    std::vector<std::string> structs;
    for (const json::View version : document.root()["/spec/versions"].elements()) {
      structs.emplace_back(version.member("name").text());
    }
    for (const std::string& one : repeated(structs)) {
      wrong("has version " + one + " twice in its CRD " + name + "; remove one of the two");
    }
    if (crd.stored_version() != conversion_.kind.version) {
      wrong("has the hub " + conversion_.kind.version + ", but its CRD " + name + " stores " +
            std::string(crd.stored_version()) + "; make the stored version the hub");
    }
    check_paths(structs, name);
  }

  // Each version of the CRD must be convertible, and each convertible version must be in the CRD.
  void check_paths(const std::vector<std::string>& structs, const std::string& crd) {
    const std::string& hub = conversion_.kind.version;
    if (structs.size() < 2) {
      wrong("has only one version in its CRD " + crd + "; list all structs in `using versions`, or remove it");
    }
    if (conversion_.versions.empty()) return;
    for (const std::string& one : conversion_.versions) {
      if (has(structs, one)) continue;
      wrong("has version " + one + ", which no struct declares in the CRD " + crd +
            "; add its struct to `using versions`, or remove it from .versions");
    }
    for (const std::string& one : structs) {
      if (has(conversion_.versions, one)) continue;
      wrong("has no path from version " + one + " of the CRD " + crd + " to the hub " + hub +
            "; convert it and add it to .versions");
    }
  }

  static std::set<std::string> repeated(const std::vector<std::string>& names) {
    std::set<std::string> once;
    std::set<std::string> twice;
    for (const std::string& name : names) {
      if (!once.insert(name).second) twice.insert(name);
    }
    return twice;
  }

  const AnyConversion& conversion_;
  std::vector<Error> errors_;
};

}  // namespace

Conversions::Conversions(std::vector<AnyConversion> conversions) {
  for (AnyConversion& one : conversions) {
    auto key = std::pair(one.kind.group, one.kind.kind);
    by_kind_.emplace(std::move(key), std::move(one));
  }
}

Result<json::Value> Conversions::convert(const Object& object, const std::string& api_version) const {
  const GroupVersionKind kind = object.group_version_kind();
  const auto found = by_kind_.find({kind.group, kind.kind});
  if (found == by_kind_.end()) {
    return fail(unknown_kind(kind));
  }
  if (GroupVersionKind(api_version, kind.kind).group != kind.group) {
    return fail(ErrorCode::invalid, "the versions of " + kind.to_string() + " are in group " + kind.group);
  }
  if (object.api_version() == api_version) return object.to_value();
  auto made = found->second.convert(object, api_version);
  if (!made) {
    // The status of a request that the author made.
    made.error().http_status = 0;
    return made;
  }
  if (auto valid = check_result(*made, object, api_version); !valid) return fail(std::move(valid.error()));
  keep_metadata(object, *made);
  return made;
}

Result<ConvertedObjects> Conversions::convert(const ConversionRequest& request, const std::stop_token& stop) const {
  ConvertedObjects converted;
  converted.reserve(request.objects.size());
  for (const Object& one : request.objects) {
    if (stop.stop_requested()) return fail(ErrorCode::cancelled, "the conversion was cancelled");
    auto made = convert(one, request.api_version);
    if (!made) return fail(prefixed(std::move(made.error()), one, request.api_version));
    converted.push_back(std::move(*made));
  }
  return converted;
}

std::vector<Error> validate(const std::vector<AnyConversion>& conversions) {
  std::vector<Error> errors;
  for (const AnyConversion& one : conversions) {
    for (Error& error : DeclarationCheck(one).run()) errors.push_back(std::move(error));
  }
  return errors;
}

}  // namespace pintle
