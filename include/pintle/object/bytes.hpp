// SPDX-License-Identifier: Apache-2.0
// Bytes: data that is base64 in JSON, such as the values of a Secret.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result_fwd.hpp>

namespace pintle {

/// Contains the decoded data; base64 appears only in JSON. Converts from text: `.data = {{"password", "s3cret"}}`. A
/// plain value.
struct PINTLE_EXPORT Bytes {
  Bytes() = default;
  Bytes(std::string bytes) : data(std::move(bytes)) {}  // NOLINT(google-explicit-constructor)
  Bytes(std::string_view bytes) : data(bytes) {}        // NOLINT(google-explicit-constructor)
  Bytes(const char* text) : data(text) {}               // NOLINT(google-explicit-constructor)

  /// Error: invalid, if the text is not base64 (RFC 4648, padded; line breaks are ignored).
  [[nodiscard]] static Result<Bytes> from_base64(std::string_view text);
  [[nodiscard]] std::string to_base64() const;

  friend bool operator==(const Bytes&, const Bytes&) = default;

  std::string data{};
};

}  // namespace pintle
