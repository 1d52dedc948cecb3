// SPDX-License-Identifier: Apache-2.0
// EntryReader: reads the fields of one kubeconfig entry and keeps the first error.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/http/pem.hpp>

#include "kubeconfig_file.hpp"

namespace pintle {

// For an invalid field the functions return an empty value, so a caller can read all fields and check result() once.
// Thread-safety: used by one thread.
class EntryReader {
 public:
  // `what` is "cluster", "user" or "context". The entry must outlive the reader.
  EntryReader(const KubeconfigEntry& entry, std::string_view what) : entry_(entry), what_(what) {}

  [[nodiscard]] bool has(std::string_view field) const;
  [[nodiscard]] std::string text(std::string_view field);
  [[nodiscard]] bool flag(std::string_view field);
  // Returns a list of strings.
  [[nodiscard]] std::vector<std::string> texts(std::string_view field);
  [[nodiscard]] json::array array(std::string_view field);
  [[nodiscard]] json::object object(std::string_view field);
  // Returns an object as an entry of its own, with the same name and file.
  [[nodiscard]] KubeconfigEntry nested(std::string_view field);
  [[nodiscard]] bool may_name_files() const noexcept { return entry_.may_name_files; }
  // Returns a path. A relative path is resolved from the folder of the entry's file.
  [[nodiscard]] std::string path(std::string_view field);
  // A PEM text, empty if there is none, and its name for messages: "client-key-data", "client-key /home/a/me.key".
  struct Pem {
    std::string name{};
    std::string text{};
    std::string file{};  // empty: the text is in the kubeconfig

    [[nodiscard]] http::PemText view() const noexcept { return {.name = name, .text = text}; }
  };
  // Returns the text from `<field>-data` (base64), else from the file that `field` names, else none.
  [[nodiscard]] Pem pem(std::string_view field);

  // Records an error: "kubeconfig FILE: cluster "a": <what>".
  void error(std::string what);
  // The same with the code unsupported, for a valid field that this library does not implement.
  void note_unsupported(std::string what);
  // Takes over the error of a nested entry.
  void adopt(const EntryReader& nested);
  // Returns the first error, if any.
  [[nodiscard]] Result<void> result() const;

 private:
  void note(ErrorCode code, std::string what);

  const KubeconfigEntry& entry_;
  std::string what_;
  std::optional<Error> fault_{};
};

}  // namespace pintle
