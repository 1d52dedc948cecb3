// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/service/stable_names.hpp>

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include <pintle/base/text.hpp>

#include "shake128.hpp"

namespace pintle::service {
namespace {

constexpr std::size_t max_name_length = 63;
constexpr std::string_view separator = "--";
constexpr std::size_t hash_length = 8;

// A UUID of RFC 9562: the version is in the upper half of byte 6, the variant in the two upper bits of byte 8.
std::string uuid_of(std::string bytes) {
  bytes[6] = static_cast<char>((bytes[6] & 0x0f) | 0x80);
  bytes[8] = static_cast<char>((bytes[8] & 0x3f) | 0x80);
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", static_cast<unsigned char>(bytes[i]));
  }
  return text;
}

// Base32 of RFC 4648 in lower case, without padding. The argument has five bytes, which give eight characters.
std::string base32_of(const std::string& bytes) {
  constexpr std::string_view alphabet = "abcdefghijklmnopqrstuvwxyz234567";
  std::uint64_t bits = 0;
  for (const char byte : bytes) bits = bits << 8U | static_cast<unsigned char>(byte);
  std::string text(hash_length, ' ');
  for (auto at = text.rbegin(); at != text.rend(); ++at, bits >>= 5U) *at = alphabet[bits & 31U];
  return text;
}

}  // namespace

Result<std::string> mcp_namespace(const ObjectKey& mcp) {
  auto hash = shake128((mcp.namespace_.empty() ? "default" : mcp.namespace_) + "/" + mcp.name, 16);
  if (!hash) return hash;
  return "mcp--" + uuid_of(std::move(*hash));
}

Result<std::string> request_name(std::string_view controller, std::string_view object, std::string_view suffix) {
  const std::string end = std::string(separator) + to_lower_ascii(suffix);
  if (end.size() >= max_name_length) {
    return fail(ErrorCode::invalid,
                "the suffix \"" + std::string(suffix) + "\" leaves no room for a name: shorten the suffix");
  }
  auto name = shorten_name(to_lower_ascii(controller) + std::string(separator) + to_lower_ascii(object),
                           max_name_length - end.size());
  if (!name) return name;
  return *name + end;
}

Result<std::string> shorten_name(std::string_view name, std::size_t most) {
  if (name.size() <= most) return std::string(name);
  constexpr std::size_t end = separator.size() + hash_length;
  if (most <= end) {
    return fail(ErrorCode::invalid,
                fmt::format("a name cannot be shortened to {} characters: at least {} are required", most, end + 1));
  }
  auto hash = shake128(name, 5);
  if (!hash) return hash;
  std::string beginning(name.substr(0, most - end));
  beginning.erase(beginning.find_last_not_of("-.") + 1);
  return beginning + std::string(separator) + base32_of(*hash);
}

}  // namespace pintle::service
