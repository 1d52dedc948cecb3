// Reads the fields of one kubeconfig entry and keeps the first fault.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <pintle/base/result.hpp>

#include "kubeconfig_file.hpp"

namespace pintle {

// Every reader answers an empty value after a fault, so a caller reads all it needs and asks result() once.
// Thread-safety: used by one thread.
class EntryReader {
 public:
  // `what` is "cluster", "user" or "context". The entry must outlive the reader.
  EntryReader(const KubeconfigEntry& entry, std::string_view what) : entry_(entry), what_(what) {}

  [[nodiscard]] bool has(std::string_view field) const;
  [[nodiscard]] std::string text(std::string_view field);
  [[nodiscard]] bool flag(std::string_view field);
  // A path, made relative to the file of the entry.
  [[nodiscard]] std::string path(std::string_view field);
  // PEM text from `<field>-data` in base64, else from the file that `field` names; empty when there is neither.
  [[nodiscard]] std::string pem(std::string_view field);

  // Notes a fault: "kubeconfig FILE: cluster "a": <what>".
  void fault(std::string what);
  // The same with the code unsupported, for what is right but not for us.
  void fault_unsupported(std::string what);
  // The first fault, if any.
  [[nodiscard]] Result<void> result() const;

 private:
  void note(ErrorCode code, std::string what);

  const KubeconfigEntry& entry_;
  std::string what_;
  std::optional<Error> fault_{};
};

}  // namespace pintle
