// SPDX-License-Identifier: Apache-2.0
#include "kubeconfig_file.hpp"

#include <algorithm>
#include <utility>

#include <pintle/base/text.hpp>

#include "files.hpp"

namespace pintle {

namespace {

Error bad_file(const std::string& file, std::string what) {
  return make_error(ErrorCode::invalid, "kubeconfig " + file + ": " + std::move(what));
}

// Returns the value of `key`. Returns null if it is missing or null (kubectl writes `clusters: null` for an empty
// list).
const json::Value* member(const json::object& object, std::string_view key) {
  const json::Value* value = object.if_contains(key);
  return value == nullptr || value->is_null() ? nullptr : value;
}

Result<KubeconfigEntry> read_entry(const std::string& file, const json::Value& item, std::string_view singular,
                                   const std::string& place) {
  const json::object* entry = item.if_object();
  const json::Value* name = entry == nullptr ? nullptr : member(*entry, "name");
  if (name == nullptr || !name->is_string() || name->get_string().empty()) {
    return bad_file(file, place + " must have a name (a string)");
  }
  KubeconfigEntry result{.name = std::string(name->get_string()), .file = file};
  if (const json::Value* body = member(*entry, singular)) {
    if (!body->is_object()) return bad_file(file, place + "." + std::string(singular) + " must be an object");
    result.body = body->get_object();
  }
  return result;
}

// Reads the list `<singular>s` of a file.
Result<KubeconfigEntries> read_entries(const std::string& file, const json::object& root, std::string_view singular) {
  KubeconfigEntries entries;
  const std::string plural = std::string(singular) + "s";
  const json::Value* list = member(root, plural);
  if (list == nullptr) return entries;
  if (!list->is_array()) return bad_file(file, plural + " must be a list");
  for (const json::Value& item : list->get_array()) {
    const std::string place = plural + "[" + std::to_string(entries.size()) + "]";
    auto entry = read_entry(file, item, singular, place);
    if (!entry) return fail(std::move(entry.error()));
    if (find_entry(entries, entry->name) != nullptr) {
      return bad_file(file, "two " + plural + " are named \"" + entry->name + "\"; remove one");
    }
    entries.push_back(std::move(*entry));
  }
  return entries;
}

Result<Kubeconfig> understand(std::string_view text, const std::string& file) {
  if (trim(text).empty()) return Kubeconfig{.files = file};
  auto parsed = json::parse_yaml(text);
  if (!parsed) return bad_file(file, parsed.error().message);
  const json::object* root = parsed->if_object();
  if (root == nullptr)
    return bad_file(file, "is not a kubeconfig: it must be an object with clusters, users and contexts");

  Kubeconfig result{.files = file};
  if (const json::Value* current = member(*root, "current-context")) {
    if (!current->is_string()) return bad_file(file, "current-context must be a string; put it in quotes");
    result.current_context = current->get_string();
  }
  for (const auto& [singular, target] : {std::pair{"cluster", &result.clusters}, std::pair{"user", &result.users},
                                         std::pair{"context", &result.contexts}}) {
    auto entries = read_entries(file, *root, singular);
    if (!entries) return fail(std::move(entries.error()));
    *target = std::move(*entries);
  }
  return result;
}

Result<Kubeconfig> read_kubeconfig(const std::string& file) {
  auto text = read_file(file);
  if (!text) return fail(ErrorCode::invalid, "kubeconfig " + text.error().message + "; specify a readable file");
  return understand(*text, file);
}

void merge(KubeconfigEntries& into, KubeconfigEntries&& from) {
  for (KubeconfigEntry& entry : from) {
    if (find_entry(into, entry.name) == nullptr) into.push_back(std::move(entry));
  }
}

}  // namespace

const KubeconfigEntry* find_entry(const KubeconfigEntries& entries, std::string_view name) {
  const auto found = std::ranges::find(entries, name, &KubeconfigEntry::name);
  return found == entries.end() ? nullptr : &*found;
}

std::string names_of(const KubeconfigEntries& entries) {
  std::string names;
  for (const KubeconfigEntry& entry : entries) names += (names.empty() ? "" : ", ") + entry.name;
  return names.empty() ? "none" : names;
}

Result<Kubeconfig> read_kubeconfigs(const std::vector<std::string>& files) {
  Kubeconfig merged;
  for (const std::string& file : files) {
    auto next = read_kubeconfig(file);
    if (!next) return next;
    merged.files += (merged.files.empty() ? "" : ":") + file;
    if (merged.current_context.empty()) merged.current_context = std::move(next->current_context);
    merge(merged.clusters, std::move(next->clusters));
    merge(merged.users, std::move(next->users));
    merge(merged.contexts, std::move(next->contexts));
  }
  return merged;
}

Result<Kubeconfig> read_kubeconfig_text(std::string_view text, const std::string& origin) {
  auto config = understand(text, origin);
  if (!config) return config;
  for (KubeconfigEntries* entries : {&config->clusters, &config->users, &config->contexts}) {
    for (KubeconfigEntry& entry : *entries) entry.may_name_files = false;
  }
  return config;
}

}  // namespace pintle
