// SPDX-License-Identifier: Apache-2.0
#include "conversion_review.hpp"

#include <utility>

#include <pintle/json/document.hpp>

namespace pintle {
namespace {

constexpr std::string_view conversion_review_kind = "ConversionReview";

tl::unexpected<Error> unreadable(const std::string& message) { return fail(ErrorCode::invalid, message); }

Result<void> check_conversion_review(json::View root) {
  if (!root.is_object()) return unreadable("the body is not a JSON object; expected a ConversionReview");
  const std::string_view version = root.member("apiVersion").text();
  const std::string_view kind = root.member("kind").text();
  if (kind != conversion_review_kind) {
    return unreadable("kind: expected ConversionReview, got \"" + std::string(kind) + "\"");
  }
  if (version != "apiextensions.k8s.io/v1" && version != "apiextensions.k8s.io/v1beta1") {
    return unreadable("apiVersion: expected apiextensions.k8s.io/v1, got \"" + std::string(version) +
                      "\"; set conversionReviewVersions of the CRD to [\"v1\"]");
  }
  const json::View request = root.member("request");
  if (!request.is_object()) return unreadable("request: missing, or not an object");
  if (request.member("uid").text().empty()) return unreadable("request.uid: missing, or not a string");
  if (request.member("desiredAPIVersion").text().empty()) {
    return unreadable("request.desiredAPIVersion: missing, or not a string");
  }
  if (!request.member("objects").is_array()) return unreadable("request.objects: missing, or not a list");
  return {};
}

Result<void> check_object(json::View object, std::size_t index) {
  const std::string at = "request.objects[" + std::to_string(index) + "]";
  if (!object.is_object()) return unreadable(at + ": expected an object");
  for (const char* member : {"apiVersion", "kind"}) {
    if (object.member(member).text().empty()) return unreadable(at + "." + member + ": missing, or not a string");
  }
  if (!object.member("metadata").is_object()) return unreadable(at + ".metadata: missing, or not an object");
  return {};
}

}  // namespace

std::string ConversionRequest::describe() const {
  return api_version + " (" + std::to_string(objects.size()) + (objects.size() == 1 ? " object)" : " objects)");
}

Result<ConversionRequest> read_conversion_review(std::string_view body) {
  const auto parsed = json::Document::parse(body);
  if (!parsed) return unreadable("the body is not JSON: " + parsed.error().message);
  const json::View root = parsed->root();
  if (auto valid = check_conversion_review(root); !valid) return fail(std::move(valid.error()));
  const json::View from = root.member("request");

  ConversionRequest request{.review_version = std::string(root.member("apiVersion").text()),
                            .uid = std::string(from.member("uid").text()),
                            .api_version = std::string(from.member("desiredAPIVersion").text())};
  for (const json::View one : from.member("objects").elements()) {
    if (auto valid = check_object(one, request.objects.size()); !valid) return fail(std::move(valid.error()));
    request.objects.emplace_back(json::Document(one));
  }
  return request;
}

std::string print_conversion_review(const ConversionRequest& request, const Result<ConvertedObjects>& converted) {
  json::object response{{"uid", request.uid}};
  // A failure also has the list, because a missing one is null for a server in Go.
  json::array& objects = response["convertedObjects"].emplace_array();
  if (converted) {
    for (const json::Value& one : *converted) objects.push_back(one);
    response["result"] = {{"status", "Success"}};
  } else {
    const int status = converted.error().http_status;
    response["result"] = {
        {"status", "Failure"}, {"message", converted.error().message}, {"code", status == 0 ? 500 : status}};
  }
  return json::print(json::Value(json::object{
      {"kind", conversion_review_kind}, {"apiVersion", request.review_version}, {"response", std::move(response)}}));
}

}  // namespace pintle
