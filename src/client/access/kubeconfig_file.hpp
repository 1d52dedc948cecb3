// SPDX-License-Identifier: Apache-2.0
// Reads and merges kubeconfig files into named entries, without interpreting the entries.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/json/value.hpp>

namespace pintle {

// One cluster, user or context, with the file that contains it. Its paths are relative to the folder of that file.
struct KubeconfigEntry {
  std::string name{};
  json::object body{};
  std::string file{};
  bool may_name_files = true;
};

using KubeconfigEntries = std::vector<KubeconfigEntry>;

// The content of one file, or of several merged files. A plain value.
struct Kubeconfig {
  std::string files{};  // for messages: "/home/a/.kube/config", "a:b"
  std::string current_context{};
  KubeconfigEntries clusters{};
  KubeconfigEntries users{};
  KubeconfigEntries contexts{};
};

// Returns the entry with this name, or null.
[[nodiscard]] const KubeconfigEntry* find_entry(const KubeconfigEntries& entries, std::string_view name);
// Returns "a, b, c" for messages, or "none".
[[nodiscard]] std::string names_of(const KubeconfigEntries& entries);

// Reads files, which must all exist, and merges them as kubectl does: the first file that has an entry, or sets
// current-context, takes precedence. Error: invalid, with the file and, for malformed YAML, the line.
[[nodiscard]] Result<Kubeconfig> read_kubeconfigs(const std::vector<std::string>& files);
// The same for a text that is not a file. Its entries must not name files.
[[nodiscard]] Result<Kubeconfig> read_kubeconfig_text(std::string_view text, const std::string& origin);

}  // namespace pintle
