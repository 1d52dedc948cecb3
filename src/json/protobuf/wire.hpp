// SPDX-License-Identifier: Apache-2.0
// Wire: reads the keys, numbers and chunks of a protobuf message.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pintle::json {

// A member begins with a key: its number and its wire type.
struct WireKey {
  static constexpr std::uint32_t varint = 0;
  static constexpr std::uint32_t fixed64 = 1;
  static constexpr std::uint32_t chunk = 2;
  static constexpr std::uint32_t fixed32 = 5;

  std::uint32_t number = 0;
  std::uint32_t type = 0;
};

// The functions return false if the bytes end too early or are malformed; the position is undefined then.
class Wire {
 public:
  explicit Wire(std::string_view bytes) noexcept : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  [[nodiscard]] bool done() const noexcept { return at_ == end_; }
  [[nodiscard]] const char* at() const noexcept { return at_; }

  [[nodiscard, gnu::always_inline]] bool varint(std::uint64_t& value) noexcept {
    if (at_ == end_) return false;
    value = static_cast<unsigned char>(*at_++);
    return value < 0x80U || long_varint(value);
  }
  [[nodiscard, gnu::always_inline]] bool key(WireKey& key) noexcept {
    std::uint64_t value = 0;
    if (!varint(value) || value >> 32U != 0) return false;
    key = {static_cast<std::uint32_t>(value >> 3U), static_cast<std::uint32_t>(value & 7U)};
    return key.number != 0;
  }
  [[nodiscard, gnu::always_inline]] bool chunk(std::string_view& bytes) noexcept {
    std::uint64_t size = 0;
    return varint(size) && take(size, bytes);
  }
  // Reads a number of eight bytes in little-endian order.
  [[nodiscard]] bool fixed64(double& value) noexcept {
    std::string_view bytes;
    if (!take(sizeof(double), bytes)) return false;
    std::uint64_t bits = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) bits = bits << 8U | static_cast<unsigned char>(bytes[i]);
    value = std::bit_cast<double>(bits);
    return true;
  }
  // Reads a further member with the same key, if there is one. The bytes of the key are `begin` to `end`.
  [[nodiscard]] bool repeats(const char* begin, const char* end) noexcept {
    const auto size = static_cast<std::size_t>(end - begin);
    if (static_cast<std::size_t>(end_ - at_) < size || *at_ != *begin) return false;
    if (std::string_view(at_, size) != std::string_view(begin, size)) return false;
    at_ += size;
    return true;
  }
  // Skips the value of a member. `is_set` receives whether it was set: an unset member that is no pointer is encoded as
  // a zero value.
  [[nodiscard]] bool skip(std::uint32_t type, bool& is_set) noexcept {
    std::uint64_t number = 0;
    std::string_view bytes;
    switch (type) {
      case WireKey::varint:
        if (!varint(number)) return false;
        is_set = number != 0;
        return true;
      case WireKey::chunk:
        if (!chunk(bytes)) return false;
        is_set = !bytes.empty();
        return true;
      case WireKey::fixed64:
      case WireKey::fixed32:
        if (!take(type == WireKey::fixed64 ? 8 : 4, bytes)) return false;
        is_set = bytes.find_first_not_of('\0') != std::string_view::npos;
        return true;
      default: return false;
    }
  }

 private:
  [[nodiscard, gnu::always_inline]] bool take(std::uint64_t size, std::string_view& bytes) noexcept {
    if (size > static_cast<std::uint64_t>(end_ - at_)) return false;
    bytes = {at_, static_cast<std::size_t>(size)};
    at_ += size;
    return true;
  }
  [[nodiscard, gnu::noinline]] bool long_varint(std::uint64_t& value) noexcept {
    value &= 0x7fU;
    for (unsigned shift = 7; shift < 64 && at_ != end_; shift += 7) {
      const auto byte = static_cast<unsigned char>(*at_++);
      value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
      if (byte < 0x80U) return true;
    }
    return false;
  }

  const char* at_;
  const char* end_;
};

// The members of a message that is a single value in JSON, such as a quantity or a time. The number of a member is its
// index + 1; others are skipped.
struct WireParts {
  [[nodiscard]] bool read(std::string_view bytes) noexcept {
    for (Wire in(bytes); !in.done();) {
      WireKey key;
      bool is_set = false;
      if (!in.key(key)) return false;
      const std::uint32_t index = key.number - 1;
      const bool is_read = index < 3 && key.type == WireKey::varint  ? in.varint(numbers[index])
                           : index < 3 && key.type == WireKey::chunk ? in.chunk(chunks[index])
                                                                     : in.skip(key.type, is_set);
      if (!is_read) return false;
    }
    return true;
  }

  std::uint64_t numbers[3] = {};
  std::string_view chunks[3] = {};
};

}  // namespace pintle::json
