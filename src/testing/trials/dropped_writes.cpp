// SPDX-License-Identifier: Apache-2.0
#include "dropped_writes.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <pintle/json/pointer.hpp>

#include "client/warnings.hpp"

namespace pintle::testkit {
namespace {

struct Sent {
  std::string pointer{};
  json::Value value{};
};

enum class Content { object, patch, operations };

std::optional<Content> content_sent_by(const http::Request& request) {
  if (request.method == "POST" || request.method == "PUT") return Content::object;
  if (request.method != "PATCH") return std::nullopt;
  const std::string_view type = request.headers.get("Content-Type").value_or("");
  if (type.starts_with("application/json-patch+json")) return Content::operations;
  if (type.starts_with("application/apply-patch+yaml")) return Content::object;
  return Content::patch;
}

// A program whose types have no optional members also sends the values that mean nothing.
bool is_nothing(const json::Value& value) {
  if (value.is_null()) return true;
  if (value.is_bool()) return !value.get_bool();
  if (value.is_string()) return value.get_string().empty();
  if (value.is_number()) return value.to_number<double>() == 0;
  return value.is_array() && value.get_array().empty();
}

void add_leaves(const json::Value& value, const std::string& pointer, std::vector<Sent>& all) {
  if (!value.is_object()) {
    if (!is_nothing(value)) all.push_back({.pointer = pointer, .value = value});
    return;
  }
  for (const auto& member : value.get_object()) {
    add_leaves(member.value(), pointer + "/" + json::escape_token(member.key()), all);
  }
}

std::vector<Sent> leaves_of_operations(const json::Value& operations) {
  std::vector<Sent> all;
  if (!operations.is_array()) return all;
  for (const json::Value& one : operations.get_array()) {
    const json::Value* op = json::find(one, "/op");
    const json::Value* path = json::find(one, "/path");
    const json::Value* value = json::find(one, "/value");
    if (op == nullptr || path == nullptr || value == nullptr || !path->is_string() || *op == "test") continue;
    add_leaves(*value, std::string(path->get_string()), all);
  }
  return all;
}

// The values that a request sends. Those of an update without a version may be old ones, which it is not meant to
// change.
std::vector<Sent> sent_by(const http::Request& request) {
  const auto content = content_sent_by(request);
  if (!content) return {};
  auto body = json::parse(request.body);
  if (!body) body = json::parse_yaml(request.body);
  if (!body) return {};
  if (content == Content::operations) return leaves_of_operations(*body);
  if (request.method == "PUT" && json::find(*body, "/metadata/resourceVersion") == nullptr) return {};
  std::vector<Sent> all;
  add_leaves(*body, "", all);
  return all;
}

bool is_below(std::string_view pointer, std::string_view parent) {
  return pointer.starts_with(parent) && (pointer.size() == parent.size() || pointer[parent.size()] == '/');
}

bool is_status(std::string_view pointer) { return is_below(pointer, "/status"); }

// Members of the metadata that a program sets, and that the subresource does not.
bool is_of_user(std::string_view pointer) {
  if (pointer == "/apiVersion" || pointer == "/kind") return false;
  if (!is_below(pointer, "/metadata")) return true;
  return is_below(pointer, "/metadata/labels") || is_below(pointer, "/metadata/annotations") ||
         is_below(pointer, "/metadata/finalizers");
}

bool has(const Object& object, const Sent& sent) {
  const json::View stored = object[sent.pointer];
  return stored.exists() && json::equal(stored.to_value(), sent.value);
}

}  // namespace

void DroppedWrites::record(const std::string& what, const StoredKey& key, const RequestInfo& info,
                           const http::Request& request, const Object& written) {
  const std::size_t slash = info.resource.find('/');
  const bool to_status = slash != std::string::npos && std::string_view(info.resource).substr(slash) == "/status";
  if ((slash != std::string::npos && !to_status) || written.uid().empty()) return;
  if (!to_status && dropped_.empty() && request.body.find("status") == std::string::npos) return;  // most writes
  for (const Sent& sent : sent_by(request)) {
    const bool is_ignored = to_status ? !is_status(sent.pointer) && is_of_user(sent.pointer) : is_status(sent.pointer);
    if (!is_ignored) {
      std::erase_if(dropped_, [&](const auto& one) {
        const auto& [object, pointer] = one.first;
        return object == key && (is_below(pointer, sent.pointer) || is_below(sent.pointer, pointer));
      });
    }
    if (!is_ignored || has(written, sent)) continue;
    dropped_[{key, sent.pointer}] = {
        .what = what, .uid = std::string(written.uid()), .value = sent.value, .is_status = !to_status};
  }
}

std::optional<std::string> DroppedWrites::first_lost(const std::function<Object(const StoredKey&)>& stored) const {
  for (const auto& [place, dropped] : dropped_) {
    const auto& [key, pointer] = place;
    const Object now = stored(key);
    if (now.uid() != dropped.uid || has(now, {.pointer = pointer, .value = dropped.value})) continue;
    return fmt::format("{} with {} = {}, which the server drops: {}", dropped.what, pointer, json::print(dropped.value),
                       dropped.is_status ? "the status is written to the subresource status only"
                                         : "the subresource status changes nothing but the status");
  }
  return std::nullopt;
}

std::string unknown_fields_in(const http::Response& response) {
  std::string fields;
  for (const std::string_view header : response.headers.get_all("Warning")) {
    for (const std::string& text : parse_warnings(header)) {
      if (text.starts_with("unknown field ")) fields += (fields.empty() ? "" : ", ") + text;
    }
  }
  return fields;
}

}  // namespace pintle::testkit
