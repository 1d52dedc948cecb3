// SPDX-License-Identifier: Apache-2.0
// Token: the smallest parts of an expression.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pintle::cel {

enum class TokenKind : std::uint8_t {
  end,
  identifier,
  escaped_identifier,  // in backticks
  integer,
  unsigned_integer,
  number,
  string,
  bytes,
  symbol,  // an operator, a bracket, or one of the words in, true, false and null
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::size_t offset = 0;
  std::string_view text{};

  [[nodiscard]] bool is(std::string_view symbol) const noexcept { return kind == TokenKind::symbol && text == symbol; }
};

}  // namespace pintle::cel
