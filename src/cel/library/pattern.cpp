// SPDX-License-Identifier: Apache-2.0
#include "pattern.hpp"

#include <string_view>

#include <fmt/format.h>

namespace pintle::cel {
namespace {

std::string_view mistake_in(const re2::RE2& pattern) {
  switch (pattern.error_code()) {
    case re2::RE2::ErrorBadEscape: return "invalid escape sequence";
    case re2::RE2::ErrorBadCharClass: return "invalid character class";
    case re2::RE2::ErrorBadCharRange: return "invalid character class range";
    case re2::RE2::ErrorMissingBracket: return "missing closing ]";
    case re2::RE2::ErrorMissingParen: return "missing closing )";
    case re2::RE2::ErrorUnexpectedParen: return "unexpected )";
    case re2::RE2::ErrorTrailingBackslash: return "trailing backslash at end of expression";
    case re2::RE2::ErrorRepeatArgument: return "missing argument to repetition operator";
    case re2::RE2::ErrorRepeatSize: return "invalid repeat count";
    case re2::RE2::ErrorRepeatOp: return "invalid nested repetition operator";
    case re2::RE2::ErrorBadPerlOp: return "invalid or unsupported Perl syntax";
    case re2::RE2::ErrorBadUTF8: return "invalid UTF-8";
    case re2::RE2::ErrorBadNamedCapture: return "invalid named capture";
    case re2::RE2::ErrorPatternTooLarge: return "expression too large";
    default: return "regexp/syntax: internal error";
  }
}

}  // namespace

std::string describe_pattern_error(const re2::RE2& pattern) {
  const bool ends_early = pattern.error_code() == re2::RE2::ErrorTrailingBackslash;
  return fmt::format("error parsing regexp: {}: `{}`", mistake_in(pattern), ends_early ? "" : pattern.error_arg());
}

}  // namespace pintle::cel
