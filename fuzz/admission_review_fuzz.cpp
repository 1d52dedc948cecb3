// SPDX-License-Identifier: Apache-2.0
// An AdmissionReview of any bytes is either an error that names a reason, or a request. The response to a request is
// JSON with the uid of the request, and its members depend only on the verdict.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <pintle/base/executor.hpp>
#include <pintle/json/document.hpp>
#include <pintle/object/bytes.hpp>

#include "webhook/admission_review.hpp"

namespace {

using namespace pintle;

void require(bool condition) {
  if (!condition) std::abort();
}

// Every text of a verdict may come from the request, for example from a member that the message cites.
AdmissionVerdict denial_of(const AdmissionRequest& request) {
  FieldErrors fields;
  fields.invalid(request.name, request.subresource, request.user.name);
  return denied(fields).with_warning(request.describe()).with_audit_annotation(request.kind.kind, request.user.uid);
}

void check_response(const AdmissionRequest& request, const AdmissionVerdict& verdict, const json::Patch& patch) {
  const auto review = json::Document::parse(print_admission_review(request.uid, verdict, patch));
  require(review.has_value());
  const json::View response = review->root()["/response"];
  require(response["/uid"] == request.uid);
  require(response["/allowed"] == verdict.is_admitted);
  require(response["/status"].exists() != verdict.is_admitted);
  const json::View encoded = response["/patch"];
  require(encoded.exists() == (verdict.is_admitted && !patch.empty()));
  if (!encoded.exists()) return;
  const auto decoded = Bytes::from_base64(encoded.text());
  require(decoded && json::parse(decoded->data).has_value());
}

// The reviews that a reader has read before do not change the result.
void check_same(const Result<AdmissionRequest>& one, const Result<AdmissionRequest>& other) {
  require(one.has_value() == other.has_value());
  if (!one) return require(one.error().message == other.error().message);
  require(one->uid == other->uid && one->kind == other->kind && one->describe() == other->describe());
  require(one->object.print() == other->object.print() && one->old_object.print() == other->old_object.print() &&
          one->options.print() == other->options.print());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static const auto executor = make_real_executor();
  static AdmissionReviewReader reader(*executor);
  const auto request = read_admission_review(text);
  check_same(request, reader.read(text));
  if (!request) {
    require(request.error().code == ErrorCode::invalid && !request.error().message.empty());
    return 0;
  }
  require(!request->uid.empty() && !request->kind.kind.empty());
  const bool is_delete = request->operation == AdmissionOperation::delete_;
  require(!(is_delete ? request->old_object : request->object).to_value().is_null());
  check_response(*request, admitted(), {});
  check_response(*request, admitted(), json::Patch{}.add("/metadata", request->object.to_value()));
  check_response(*request, denial_of(*request), json::Patch{}.add("/metadata", 1));
  return 0;
}
