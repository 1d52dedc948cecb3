// SPDX-License-Identifier: Apache-2.0
// Result<T>: a value or an Error. Its interface is that of std::expected, which will replace tl::expected.
#pragma once

#include <string>
#include <utility>

#include <tl/expected.hpp>

#include <pintle/base/error.hpp>

namespace pintle {

/// The return type of every operation that can fail. Thread-safety: that of T.
template <class T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
  using Base = tl::expected<T, Error>;

 public:
  using Base::Base;
  Result(Base base) : Base(std::move(base)) {}                   // NOLINT(google-explicit-constructor)
  Result(Error error) : Base(tl::unexpect, std::move(error)) {}  // NOLINT(google-explicit-constructor)

  /// Returns this result. If it is an error, adds the operation `what` to it, as Error::with_operation() does.
  [[nodiscard]] Result with_operation(std::string what) && {
    if (!this->has_value()) return Result(std::move(this->error()).with_operation(std::move(what)));
    return std::move(*this);
  }
};

/// Creates an error that converts to any Result: `return fail(ErrorCode::invalid, "…");`
[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string message) {
  return tl::unexpected<Error>(make_error(code, std::move(message)));
}

/// Converts an existing error to any Result: `if (!made) return fail(std::move(made.error()));`
[[nodiscard]] inline tl::unexpected<Error> fail(Error error) { return tl::unexpected<Error>(std::move(error)); }

}  // namespace pintle
