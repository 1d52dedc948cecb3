// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/trace.hpp>

#include <algorithm>
#include <span>

namespace pintle {
namespace {

constexpr std::string_view digits = "0123456789abcdef";

std::string to_hex(std::span<const std::uint8_t> bytes) {
  std::string text;
  text.reserve(2 * bytes.size());
  for (const std::uint8_t byte : bytes) {
    text += digits[byte >> 4U];
    text += digits[byte & 15U];
  }
  return text;
}

// Accepts only lower-case digits, as W3C Trace Context requires.
bool from_hex(std::string_view text, std::span<std::uint8_t> bytes) {
  if (text.size() != 2 * bytes.size() || text.find_first_not_of(digits) != std::string_view::npos) return false;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::uint8_t>(digits.find(text[2 * i]) << 4U | digits.find(text[2 * i + 1]));
  }
  return true;
}

bool is_zero(std::span<const std::uint8_t> bytes) {
  return std::ranges::all_of(bytes, [](std::uint8_t byte) { return byte == 0; });
}

constexpr std::uint8_t sampled_flag = 1;

}  // namespace

// W3C Trace Context, section 3.2: a later version starts with the same fields and may have more fields after another
// "-".
Result<SpanContext> SpanContext::parse(std::string_view traceparent) {
  constexpr std::size_t length = 55;
  constexpr std::uint8_t no_version = 0xff;
  const auto bad = [&](const char* why) {
    return fail(ErrorCode::invalid, "traceparent \"" + std::string(traceparent.substr(0, 2 * length)) + "\" " + why);
  };
  SpanContext context;
  std::array<std::uint8_t, 1> version{};
  std::array<std::uint8_t, 1> flags{};
  const bool has_fields =
      traceparent.size() >= length && traceparent[2] == '-' && traceparent[35] == '-' && traceparent[52] == '-' &&
      from_hex(traceparent.substr(0, 2), version) && from_hex(traceparent.substr(3, 32), context.trace_id) &&
      from_hex(traceparent.substr(36, 16), context.span_id) && from_hex(traceparent.substr(53, 2), flags);
  if (!has_fields || version[0] == no_version) return bad("is not of the form 00-TRACE-SPAN-FLAGS");
  if (traceparent.size() > length && (version[0] == 0 || traceparent[length] != '-')) return bad("is too long");
  if (!context.is_valid()) return bad("has a trace id or span id of zeros only");
  context.sampled = (flags[0] & sampled_flag) != 0;
  return context;
}

bool SpanContext::is_valid() const noexcept { return !is_zero(trace_id) && !is_zero(span_id); }

std::string SpanContext::traceparent() const {
  return "00-" + trace_id_text() + "-" + span_id_text() + (sampled ? "-01" : "-00");
}

std::string SpanContext::trace_id_text() const { return to_hex(trace_id); }
std::string SpanContext::span_id_text() const { return to_hex(span_id); }

}  // namespace pintle
