// SPDX-License-Identifier: Apache-2.0
#include "admission_review.hpp"

#include <optional>
#include <utility>
#include <vector>

#include <pintle/json/reader.hpp>
#include <pintle/object/bytes.hpp>

#include "json/document/builder.hpp"
#include "json/document/walk.hpp"

namespace pintle {
namespace {

constexpr std::string_view review_version = "admission.k8s.io/v1";
constexpr std::string_view review_kind = "AdmissionReview";

tl::unexpected<Error> malformed(const std::string& message) { return fail(ErrorCode::invalid, message); }

std::optional<AdmissionOperation> operation_of(std::string_view name) {
  for (const auto one : {AdmissionOperation::create, AdmissionOperation::update, AdmissionOperation::delete_,
                         AdmissionOperation::connect}) {
    if (to_string(one) == name) return one;
  }
  return std::nullopt;
}

GroupVersionKind kind_of(json::View from) {
  GroupVersionKind kind;
  kind.group = from.member("group").text();
  kind.version = from.member("version").text();
  kind.kind = from.member("kind").text();
  return kind;
}

AdmissionResource resource_of(json::View from) {
  return {.group = std::string(from.member("group").text()),
          .version = std::string(from.member("version").text()),
          .plural = std::string(from.member("resource").text())};
}

std::vector<std::string> texts_of(json::View from) {
  std::vector<std::string> texts;
  for (const json::View one : from.elements()) texts.emplace_back(one.text());
  return texts;
}

AdmissionUser user_of(json::View from) {
  AdmissionUser user{.name = std::string(from.member("username").text()),
                     .uid = std::string(from.member("uid").text()),
                     .groups = texts_of(from.member("groups"))};
  for (const auto [key, values] : from.member("extra").members()) user.extra[std::string(key)] = texts_of(values);
  return user;
}

// Copies an object, so that the rest of the review can be released.
Result<Object> object_of(json::View from, json::Builder& builder) {
  if (!from.is_object()) return Object();
  json::walk(from, builder.tape());
  auto document = builder.finish();
  if (!document) return fail(std::move(document.error()));
  return Object(std::move(*document));
}

// Returns an error if the review is not one that this process can handle.
Result<void> check_review(json::View root) {
  if (!root.is_object()) return malformed("the body is not a JSON object; expected an AdmissionReview");
  const std::string_view version = root.member("apiVersion").text();
  const std::string_view kind = root.member("kind").text();
  if (kind != review_kind) {
    return malformed("kind: expected AdmissionReview, got \"" + std::string(kind) + "\"");
  }
  if (version != review_version) {
    return malformed("apiVersion: expected admission.k8s.io/v1, got \"" + std::string(version) +
                     "\"; set admissionReviewVersions of the webhook to [\"v1\"]");
  }
  if (!root.member("request").is_object()) return malformed("request: missing, or not an object");
  return {};
}

// Returns an error if a member that every request has is missing or has another type.
Result<void> check_request(json::View request) {
  for (const char* member : {"object", "oldObject", "options"}) {
    const json::View value = request.member(member);
    if (value.exists() && !value.is_null() && !value.is_object()) {
      return malformed("request." + std::string(member) + ": expected an object or null");
    }
  }
  if (request.member("uid").text().empty()) return malformed("request.uid: missing, or not a string");
  if (request["/kind/kind"].text().empty()) return malformed("request.kind.kind: missing, or not a string");
  const auto operation = operation_of(request.member("operation").text());
  if (!operation) {
    return malformed("request.operation: expected CREATE, UPDATE, DELETE or CONNECT, got \"" +
                     std::string(request.member("operation").text()) + "\"");
  }
  const bool is_delete = *operation == AdmissionOperation::delete_;
  if (!request.member(is_delete ? "oldObject" : "object").is_object()) {
    return malformed(std::string("request.") + (is_delete ? "oldObject" : "object") +
                     ": missing, but the operation is " + std::string(to_string(*operation)));
  }
  return {};
}

json::Value causes_of(const FieldErrors& fields) {
  json::array causes;
  for (const StatusCause& one : fields.causes()) {
    causes.push_back(json::object{{"reason", one.reason}, {"message", one.message}, {"field", one.field}});
  }
  return causes;
}

json::object status_of(const AdmissionVerdict& verdict) {
  json::object status{{"status", "Failure"}, {"message", verdict.message}, {"code", verdict.code}};
  if (!verdict.reason.empty()) status["reason"] = verdict.reason;
  if (!verdict.fields.empty()) status["details"] = json::object{{"causes", causes_of(verdict.fields)}};
  return status;
}

// The API server sends a warning in a header, which cannot contain control characters.
std::string header_text(std::string text) {
  for (char& c : text) c = static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
  return text;
}

Result<AdmissionRequest> request_in(const Result<json::Document>& parsed, json::Builder& builder) {
  if (!parsed) return malformed("the body is not JSON: " + parsed.error().message);
  const json::View root = parsed->root();
  if (auto valid = check_review(root); !valid) return fail(std::move(valid.error()));
  const json::View from = root.member("request");
  if (auto valid = check_request(from); !valid) return fail(std::move(valid.error()));

  AdmissionRequest request;
  request.uid = from.member("uid").text();
  request.operation = operation_of(from.member("operation").text()).value_or(AdmissionOperation::create);
  request.kind = kind_of(from.member("kind"));
  request.resource = resource_of(from.member("resource"));
  request.subresource = from.member("subResource").text();
  const bool is_converted = from.member("requestKind").is_object();
  request.original_kind = is_converted ? kind_of(from.member("requestKind")) : request.kind;
  request.original_resource = is_converted ? resource_of(from.member("requestResource")) : request.resource;
  request.original_subresource =
      is_converted ? std::string(from.member("requestSubResource").text()) : request.subresource;
  request.name = from.member("name").text();
  request.namespace_ = from.member("namespace").text();
  request.user = user_of(from.member("userInfo"));
  request.is_dry_run = from.member("dryRun") == true;
  for (const auto& [member, to] : {std::pair("object", &request.object), std::pair("oldObject", &request.old_object),
                                   std::pair("options", &request.options)}) {
    auto object = object_of(from.member(member), builder);
    if (!object) return fail(std::move(object.error()));
    *to = std::move(*object);
  }
  return request;
}

}  // namespace

Result<AdmissionRequest> read_admission_review(std::string_view body) {
  json::Builder builder;
  return request_in(json::Document::parse(body), builder);
}

struct AdmissionReviewReader::Tools {
  explicit Tools(json::Pool& pool) : reader({.pool = &pool}), builder(&pool) {}

  json::Reader reader;
  json::Builder builder;
  // The last review and its objects. As long as they exist, the lists of member names are not created again.
  json::Document review;
  std::vector<Object> objects;
};

// The objects are released soon, so it is not worth searching them for equal strings.
AdmissionReviewReader::AdmissionReviewReader(Executor& executor)
    : pool_(executor, {.sharing = json::Sharing::shapes}) {}

AdmissionReviewReader::~AdmissionReviewReader() = default;

Result<AdmissionRequest> AdmissionReviewReader::read(std::string_view body) {
  auto tools = take();
  (void)tools->reader.add(body);  // finish() returns the same error
  const auto parsed = tools->reader.finish();
  auto request = request_in(parsed, tools->builder);
  if (request) {
    tools->review = *parsed;
    tools->objects = {request->object, request->old_object, request->options};
  }
  put_back(std::move(tools), body.size());
  return request;
}

std::unique_ptr<AdmissionReviewReader::Tools> AdmissionReviewReader::take() {
  {
    const MutexLock lock(mutex_);
    if (!spare_.empty()) {
      auto tools = std::move(spare_.back());
      spare_.pop_back();
      return tools;
    }
  }
  return std::make_unique<Tools>(pool_);
}

// Those that have read a long text occupy much memory and are dropped.
void AdmissionReviewReader::put_back(std::unique_ptr<Tools> tools, std::size_t length) {
  constexpr std::size_t max_spare = 2;
  constexpr std::size_t max_length = std::size_t{64} << 10U;  // bytes
  const MutexLock lock(mutex_);
  if (spare_.size() < max_spare && length <= max_length) spare_.push_back(std::move(tools));
}

std::string print_admission_review(const std::string& uid, const AdmissionVerdict& verdict, const json::Patch& patch) {
  json::object response{{"uid", uid}, {"allowed", verdict.is_admitted}};
  if (!verdict.is_admitted) response["status"] = status_of(verdict);
  if (verdict.is_admitted && !patch.empty()) {
    response["patchType"] = "JSONPatch";
    response["patch"] = Bytes(json::print(patch.operations)).to_base64();
  }
  json::array warnings;
  for (const std::string& one : verdict.warnings) warnings.emplace_back(header_text(one));
  if (!warnings.empty()) response["warnings"] = std::move(warnings);
  json::object annotations;
  for (const auto& [key, value] : verdict.audit_annotations) annotations[key] = value;
  if (!annotations.empty()) response["auditAnnotations"] = std::move(annotations);
  return json::print(
      json::object{{"kind", review_kind}, {"apiVersion", review_version}, {"response", std::move(response)}});
}

}  // namespace pintle
