// Result<T>: a value or an Error. Names are those of std::expected, which replaces the library below one day.
#pragma once

#include <string>
#include <utility>

#include <tl/expected.hpp>

#include <pintle/base/error.hpp>

namespace pintle {

// What every operation that can fail returns. Thread-safety: as that of T.
template <class T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
  using Base = tl::expected<T, Error>;

 public:
  using Base::Base;
  Result(Base base) : Base(std::move(base)) {}                   // NOLINT(google-explicit-constructor)
  Result(Error error) : Base(tl::unexpect, std::move(error)) {}  // NOLINT(google-explicit-constructor)

  // The same result; an error is told what was being done.
  [[nodiscard]] Result during(std::string what) && {
    if (!this->has_value()) return Result(std::move(this->error()).during(std::move(what)));
    return std::move(*this);
  }
};

// Error from a code and a message, as a Result of anything: `return fail(ErrorCode::invalid, "…");`
[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string message) {
  return tl::unexpected<Error>(make_error(code, std::move(message)));
}

// Passes an error on: `if (!made) return fail(std::move(made.error()));`
[[nodiscard]] inline tl::unexpected<Error> fail(Error error) { return tl::unexpected<Error>(std::move(error)); }

}  // namespace pintle
