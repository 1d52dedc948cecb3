// SPDX-License-Identifier: Apache-2.0
#include "present.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include <pintle/base/utf8.hpp>
#include <pintle/object/protobuf.hpp>

#include "../registry/cells.hpp"
#include "apiserver/call/protobuf.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

constexpr std::size_t max_warnings = 4096;  // characters of all warnings, before they are cut
constexpr std::size_t max_warning = 256;    // characters of a warning that is cut

bool has_control_characters(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

Value column_json(const Column& column) {
  return {{"name", column.name},
          {"type", column.type},
          {"format", column.format},
          {"description", column.description},
          {"priority", column.priority}};
}

}  // namespace

void Presenter::append(std::string& out, const Object& stored, bool has_columns) const {
  switch (format_.form) {
    case ResponseFormat::Form::table:
      begin_table(out, {.version = std::string(stored.resource_version())}, has_columns);
      append_row(out, stored);
      out += end_of_list;
      return;
    case ResponseFormat::Form::metadata: return append_metadata(out, stored);
    default: return append_object(out, stored, true);
  }
}

void Presenter::begin_list(std::string& out, const ListHead& head) const {
  if (format_.form == ResponseFormat::Form::table) return begin_table(out, head);
  const bool metadata = format_.form == ResponseFormat::Form::metadata;
  const std::string kind = metadata ? "PartialObjectMetadataList" : resource_->list_kind;
  const std::string api_version = metadata ? std::string(format_.meta_api_version()) : resource_->api_version();
  out += fmt::format(R"({{"kind":"{}","apiVersion":"{}","metadata":)", kind, api_version);
  append_head(out, head, resource_->custom && !metadata);
  out += R"(,"items":[)";
}

void Presenter::append_item(std::string& out, const Object& stored) const {
  switch (format_.form) {
    case ResponseFormat::Form::table: return append_row(out, stored);
    case ResponseFormat::Form::metadata: return append_metadata(out, stored);
    // Items of built-in kinds have neither apiVersion nor kind, as in kube-apiserver.
    default: return append_object(out, stored, resource_->custom);
  }
}

std::optional<std::string> Presenter::message(const Object& stored) const {
  if (!resource_->converts) return protobuf_message(stored.root(), resource_->api_version(), resource_->kind);
  const Object converted(shown(*resource_, stored));
  return protobuf_message(converted.root(), resource_->api_version(), resource_->kind);
}

std::optional<std::string> Presenter::protobuf(const Object& stored) const {
  const auto bytes = message(stored);
  if (!bytes) return std::nullopt;
  return protobuf_envelope(resource_->api_version(), resource_->kind, *bytes);
}

std::optional<std::string> Presenter::protobuf_list(const std::vector<Object>& objects, const ListHead& head) const {
  std::string metadata;
  append_head(metadata, head, false);
  const auto parsed = json::Document::parse(metadata);
  std::string list_meta;
  if (!parsed || !append_message(parsed->root(), *protobuf_types().find("meta.v1.ListMeta"), list_meta)) {
    return std::nullopt;
  }
  std::string list;
  append_chunk(1, list_meta, list);
  for (const Object& object : objects) {
    const auto item = message(object);
    if (!item) return std::nullopt;
    append_chunk(2, *item, list);
  }
  return protobuf_envelope(resource_->api_version(), resource_->list_kind, list);
}

std::string Presenter::bookmark(std::string_view version, bool ends_initial) const {
  const std::string metadata =
      fmt::format(R"({{"resourceVersion":"{}","creationTimestamp":null{}}})", version,
                  ends_initial ? R"(,"annotations":{"k8s.io/initial-events-end":"true"})" : "");
  switch (format_.form) {
    case ResponseFormat::Form::table:
      return fmt::format(R"({{"kind":"Table","apiVersion":"{0}","metadata":{{"resourceVersion":"{1}"}},)"
                         R"("columnDefinitions":null,"rows":[{{"cells":null,"object":{{"kind":"PartialObjectMetadata",)"
                         R"("apiVersion":"{0}","metadata":{2}}}}}]}})",
                         format_.meta_api_version(), version, metadata);
    case ResponseFormat::Form::metadata:
      return fmt::format(R"({{"kind":"PartialObjectMetadata","apiVersion":"{}","metadata":{}}})",
                         format_.meta_api_version(), metadata);
    default:
      return fmt::format(R"({{"kind":"{}","apiVersion":"{}","metadata":{}}})", resource_->kind,
                         resource_->api_version(), metadata);
  }
}

void Presenter::append_object(std::string& out, const Object& stored, bool typed) const {
  Object converted;
  View root = stored.root();
  if (resource_->converts) {
    converted = Object(shown(*resource_, stored));
    root = converted.root();
  }
  out += '{';
  if (typed) {
    out += fmt::format(R"("kind":"{}","apiVersion":"{}")", resource_->kind, resource_->api_version());
  }
  bool first = !typed;
  for (const auto [name, value] : root.members()) {
    if (name == "kind" || name == "apiVersion") continue;
    if (!std::exchange(first, false)) out += ',';
    json::print_to(out, name);
    out += ':';
    value.print_to(out);
  }
  out += '}';
}

void Presenter::append_metadata(std::string& out, const Object& stored) const {
  out += fmt::format(R"({{"kind":"PartialObjectMetadata","apiVersion":"{}","metadata":)", format_.meta_api_version());
  stored.metadata().print_to(out);
  out += '}';
}

void Presenter::begin_table(std::string& out, const ListHead& head, bool has_columns) const {
  out += fmt::format(R"({{"kind":"Table","apiVersion":"{}","metadata":)", format_.meta_api_version());
  append_head(out, head, false);
  out += R"(,"columnDefinitions":)";
  if (has_columns) {
    json::array columns;
    for (const Column& column : resource_->columns) columns.push_back(column_json(column));
    out += json::print(columns);
  } else {
    out += "null";
  }
  out += R"(,"rows":[)";
}

void Presenter::append_row(std::string& out, const Object& stored) const {
  out += R"({"cells":)";
  out += json::print(resource_->strategy->cells(stored.root(), now_));
  if (include_ == "Object") {
    out += R"(,"object":)";
    append_object(out, stored, true);
  } else if (include_ != "None") {
    out += R"(,"object":)";
    append_metadata(out, stored);
  }
  out += '}';
}

void Presenter::append_head(std::string& out, const ListHead& head, bool always_continue) const {
  out += fmt::format(R"({{"resourceVersion":"{}")", head.version);
  if (always_continue || !head.next.empty()) {
    out += R"(,"continue":)";
    json::print_to(out, head.next);
  }
  if (head.remaining >= 0) out += fmt::format(R"(,"remainingItemCount":{})", head.remaining);
  out += '}';
}

Presenter presenter_for(const Call& call, WallTime now) {
  return {*call.resource, call.format, call.query("includeObject"), now};
}

http::Response respond(int status, std::string json, const ResponseFormat& format) {
  if (format.yaml || format.pretty) {
    if (const auto value = json::parse(json))
      json = format.yaml ? json::print_yaml(*value) : json::print_pretty(*value);
  }
  return {.status = status, .headers = {{"Content-Type", std::string(format.content_type())}}, .body = std::move(json)};
}

http::Response respond(int status, const Value& value, const ResponseFormat& format) {
  if (format.protobuf) {
    if (auto bytes = encode_protobuf(json::Document(value).root())) return respond_protobuf(status, std::move(*bytes));
  }
  return respond(status, json::print(value), format);
}

http::Response respond_protobuf(int status, std::string bytes) {
  return {.status = status, .headers = {{"Content-Type", std::string(protobuf_media_type)}}, .body = std::move(bytes)};
}

http::Response respond_done(const Call& call) {
  constexpr int created = 201;
  const Value status = json::object{
      {"kind", "Status"}, {"apiVersion", "v1"}, {"metadata", json::object()}, {"status", "Success"}, {"code", created}};
  return respond(created, status, call.format);
}

http::Response respond(const Call& call, int status, const Written& written, WallTime now) {
  const Presenter presenter = presenter_for(call, now);
  auto bytes = call.format.protobuf ? presenter.protobuf(written.object) : std::nullopt;
  http::Response response;
  if (bytes) {
    response = respond_protobuf(status, std::move(*bytes));
  } else {
    std::string json;
    presenter.append(json, written.object);
    response = respond(status, std::move(json), call.format);
  }
  add_warnings(response, written.warnings);
  return response;
}

StatusOr<http::Response> respond(Service& service, const Call& call, int status, Written written) {
  auto object = service.converter.presentable(*call.resource, written.object);
  if (!object) return refuse(std::move(object.error()));
  written.object = std::move(*object);
  return respond(call, status, written, service.executor.wall_now());
}

void add_warnings(http::Response& response, const std::vector<std::string>& warnings) {
  std::vector<std::string_view> texts;
  std::set<std::string_view> seen;
  std::size_t total = 0;
  for (const std::string_view text : warnings) {
    if (text.empty() || has_control_characters(text)) continue;
    if (!seen.insert(text).second) continue;
    texts.push_back(text);
    total += count_characters(text);
  }
  const bool cuts = total > max_warnings;
  total = 0;
  for (std::string_view text : texts) {
    if (cuts) text = truncate_utf8(text, max_warning);
    if (total >= max_warnings) break;
    total += count_characters(text);
    response.headers.add("Warning", fmt::format("299 - {}", json::print(Value(text))));
  }
}

}  // namespace pintle::apiserver
