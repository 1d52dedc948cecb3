// Kinds of the core group, version v1.
#pragma once

#include <map>
#include <optional>
#include <string>

#include <pintle/object/bytes.hpp>
#include <pintle/object/fields.hpp>

namespace pintle::api::core::v1 {

// Configuration for others to read. Text is in `data`, anything else in `binary_data`.
struct ConfigMap {
  static constexpr Type type{"v1", "ConfigMap"};
  Metadata metadata{};
  std::map<std::string, std::string> data{};
  std::map<std::string, Bytes> binary_data{};
  std::optional<bool> immutable{};

  static constexpr auto fields() {
    return pintle::fields(field("data", &ConfigMap::data, "Text, by key."),
                          field("binaryData", &ConfigMap::binary_data, "Bytes, by key; no key may also be in data."),
                          field("immutable", &ConfigMap::immutable, "Whether the data can no longer change."));
  }
};

// Data that few may read. `data` holds it plain here; JSON carries it as base64.
struct Secret {
  static constexpr Type type{"v1", "Secret"};
  Metadata metadata{};
  std::map<std::string, Bytes> data{};
  std::map<std::string, std::string> string_data{};
  std::optional<std::string> type_{};
  std::optional<bool> immutable{};

  static constexpr auto fields() {
    return pintle::fields(field("data", &Secret::data, "Bytes, by key."),
                          field("stringData", &Secret::string_data, "Text to write over data; never read back."),
                          field("type", &Secret::type_, "What the data is for; Opaque when not said."),
                          field("immutable", &Secret::immutable, "Whether the data can no longer change."));
  }
};

}  // namespace pintle::api::core::v1
