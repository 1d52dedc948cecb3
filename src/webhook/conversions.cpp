#include "conversions.hpp"

#include <pintle/json/pointer.hpp>

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
    if (one.kind.empty() || one.kind.version.empty()) {
      errors.push_back(make_error(ErrorCode::invalid, "a conversion has no kind; set .kind to its stored version"));
    }
    if (!one.convert) {
      errors.push_back(make_error(ErrorCode::invalid,
                                  "the conversion of " + one.kind.to_string() + " has no function; set .convert"));
    }
  }
  return errors;
}

}  // namespace pintle
