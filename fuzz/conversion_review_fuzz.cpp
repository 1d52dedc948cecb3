// SPDX-License-Identifier: Apache-2.0
// A ConversionReview of any bytes is either an error that names a reason, or a request. Its response is a
// ConversionReview of the same version with the uid of the request: all objects in their order, or none and a message.
// Conversions change of the metadata only labels and annotations, also if a function removes all of it.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <pintle/json/document.hpp>

#include "webhook/conversions.hpp"

namespace {

using namespace pintle;

void require(bool condition) {
  if (!condition) std::abort();
}

const Conversions& conversions() {
  static const Conversions made({{.kind = {"demo.pintle.dev/v1", "Widget"},
                                  .convert = [](const Object& object, std::string_view version) -> Result<json::Value> {
                                    if (object["/spec/fails"] == true) return fail(ErrorCode::invalid, "as requested");
                                    json::Value next = object.to_value();
                                    next.as_object()["apiVersion"] = std::string(version);
                                    if (object["/spec/removes"] == true) next.as_object().erase("metadata");
                                    return next;
                                  }}});
  return made;
}

void check_metadata(const Object& before, const json::Value& after) {
  json::Value expected = before.metadata().to_value();
  json::Value found = after.at("metadata");
  for (const char* member : {"labels", "annotations"}) {
    expected.as_object().erase(member);
    found.as_object().erase(member);
  }
  require(expected == found);
}

void check_response(const ConversionRequest& request, const Result<ConvertedObjects>& converted) {
  const auto review = json::Document::parse(print_conversion_review(request, converted));
  require(review.has_value());
  require(review->root()["/apiVersion"] == request.review_version);
  const json::View response = review->root()["/response"];
  require(response["/uid"] == request.uid);
  require(response["/result/status"] == (converted ? "Success" : "Failure"));
  require(response["/convertedObjects"].is_array());
  require(response["/convertedObjects"].size() == (converted ? request.objects.size() : 0));
  require(converted || !response["/result/message"].text().empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto request = read_conversion_review(text);
  if (!request) {
    require(request.error().code == ErrorCode::invalid && !request.error().message.empty());
    return 0;
  }
  const auto converted = conversions().convert(*request, {});
  check_response(*request, converted);
  if (!converted) return 0;
  for (std::size_t i = 0; i < converted->size(); ++i) {
    require(Object((*converted)[i]).api_version() == request->api_version);
    check_metadata(request->objects[i], (*converted)[i]);
  }
  return 0;
}
