// SPDX-License-Identifier: Apache-2.0
#include "apply_set.hpp"

#include <algorithm>

#include <pintle/object/bytes.hpp>

#include "digest.hpp"

namespace pintle::apply_set {
namespace {

// Base64 with the alphabet for URLs, without padding (RFC 4648, section 5).
std::string base64_url(std::string bytes) {
  std::string text = Bytes(std::move(bytes)).to_base64();
  std::replace(text.begin(), text.end(), '+', '-');
  std::replace(text.begin(), text.end(), '/', '_');
  text.erase(std::find(text.begin(), text.end(), '='), text.end());
  return text;
}

}  // namespace

std::string id_of(const ObjectKey& parent, const GroupVersionKind& kind) {
  return "applyset-" + base64_url(sha256(parent.name + "." + parent.namespace_ + "." + kind.kind + "." + kind.group)) +
         "-v1";
}

Names names_in(std::string_view annotation) {
  Names names;
  while (!annotation.empty()) {
    const std::size_t comma = std::min(annotation.find(','), annotation.size());
    if (comma != 0) names.emplace(annotation.substr(0, comma));
    annotation.remove_prefix(std::min(comma + 1, annotation.size()));
  }
  return names;
}

std::string print(const Names& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  return text;
}

std::string name_of(const GroupVersionKind& kind) {
  return kind.group.empty() ? kind.kind : kind.kind + "." + kind.group;
}

GroupVersionKind kind_named(std::string_view name) {
  GroupVersionKind kind;
  const std::size_t dot = name.find('.');
  kind.kind = name.substr(0, dot);
  if (dot != std::string_view::npos) kind.group = name.substr(dot + 1);
  return kind;
}

}  // namespace pintle::apply_set
