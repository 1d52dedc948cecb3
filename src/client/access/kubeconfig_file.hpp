// Kubeconfig files as they are written: named entries, read and merged but not yet understood.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/json/value.hpp>

namespace pintle {

// One cluster, user or context, with the file it stands in, to which its paths are relative.
struct KubeconfigEntry {
  std::string name{};
  json::object body{};
  std::string file{};
  bool may_name_files = true;
};

using KubeconfigEntries = std::vector<KubeconfigEntry>;

// What one file, or several merged, holds. A plain value.
struct Kubeconfig {
  std::string files{};  // for messages: "/home/a/.kube/config", "a:b"
  std::string current_context{};
  KubeconfigEntries clusters{};
  KubeconfigEntries users{};
  KubeconfigEntries contexts{};
};

// The entry of a name, or null.
[[nodiscard]] const KubeconfigEntry* find_entry(const KubeconfigEntries& entries, std::string_view name);
// "a, b, c" for messages; "none".
[[nodiscard]] std::string names_of(const KubeconfigEntries& entries);

// Reads files of which each must be there, and merges them by kubectl's rule: the first that has an entry, or sets
// current-context, wins. Error: invalid, with the file and, for broken YAML, the line.
[[nodiscard]] Result<Kubeconfig> read_kubeconfigs(const std::vector<std::string>& files);
// The same of a text that is no file, so that its entries may not name files either.
[[nodiscard]] Result<Kubeconfig> read_kubeconfig_text(std::string_view text, const std::string& origin);

}  // namespace pintle
