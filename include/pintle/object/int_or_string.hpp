// IntOrString: a member that is a number or a text, such as a port or how many may be unavailable.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <pintle/base/result_fwd.hpp>
#include <pintle/json/fwd.hpp>

namespace pintle {

// Converts from both: `.target_port = 8080`, `.target_port = "http"`, `.max_unavailable = "25%"`. A plain value; 0 when
// nothing is said.
class IntOrString {
 public:
  IntOrString() = default;
  IntOrString(std::int32_t number) : number_(number) {}                          // NOLINT(google-explicit-constructor)
  IntOrString(std::string text) : is_integer_(false), text_(std::move(text)) {}  // NOLINT(google-explicit-constructor)
  IntOrString(std::string_view text) : IntOrString(std::string(text)) {}         // NOLINT(google-explicit-constructor)
  IntOrString(const char* text) : IntOrString(std::string(text)) {}              // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool is_integer() const noexcept { return is_integer_; }
  // The number, or 0 of a text; the text, or "" of a number.
  [[nodiscard]] std::int32_t integer() const noexcept { return number_; }
  [[nodiscard]] std::string_view text() const noexcept { return text_; }
  [[nodiscard]] std::string to_string() const;  // "8080", "http"

  enum class Round { down, up };
  // The number itself, or so many per cent of `total`. Error: invalid for a text that is no percentage such as "25%",
  // and for a result that no int32 holds.
  [[nodiscard]] Result<std::int32_t> of_total(std::int32_t total, Round round) const;

  // As the number of a port. Error: invalid for a number outside 1 to 65535, and for a text, which names a port that
  // only the containers of a pod know.
  [[nodiscard]] Result<std::uint16_t> port() const;

  // Error: invalid for what is neither an integer of 32 bits nor a text.
  [[nodiscard]] static Result<IntOrString> from_json(json::View value);
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static json::object json_schema();

  friend bool operator==(const IntOrString&, const IntOrString&) = default;

 private:
  // In place of a std::variant, which costs the headers of built-in kinds more than all other value types together.
  bool is_integer_ = true;
  std::int32_t number_ = 0;
  std::string text_{};
};

}  // namespace pintle
