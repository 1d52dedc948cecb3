// SPDX-License-Identifier: Apache-2.0
// Flaky: a fake of a system outside the cluster whose calls a test can make fail.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <pintle/testing/call_recorder.hpp>

namespace pintle::testkit {

/// Passes calls to a fake through a CallRecorder, so that they can fail, take long, lose their response, or arrive
/// twice. The faults happen between the operator and the fake: the fake does not receive a call that fails, but it
/// receives a call whose response is lost. `T` is any class whose functions return Result. If several workers call the
/// fake, `T` must be thread-safe. testkit::simulate() injects the faults by itself if Subject::outside contains
/// `&flaky.calls()`.
///
///   struct FlakyTickets final : Tickets {
///     Result<int> open(std::string title) override { return fake.call("open", &FakeTickets::open, title); }
///     testkit::Flaky<FakeTickets> fake;
///   };
template <class T>
class Flaky {
 public:
  /// `executor` must outlive this object. The other arguments are those of a constructor of the fake.
  template <class... A>
  explicit Flaky(Executor& executor, A&&... arguments) : calls_(executor), fake_(std::forward<A>(arguments)...) {}

  /// Calls a function of the fake. `what` is the name of the call in the recorder. If the first argument is a text, it
  /// becomes the key of the recorded call. Errors: those of the fake, and those that the test injects.
  template <class R, class... P, class... A>
  Result<R> call(std::string what, Result<R> (T::*function)(P...), const A&... arguments) {
    return pass_on<R>(std::move(what), function, arguments...);
  }
  template <class R, class... P, class... A>
  Result<R> call(std::string what, Result<R> (T::*function)(P...) const, const A&... arguments) {
    return pass_on<R>(std::move(what), function, arguments...);
  }

  /// Sets faults, and contains the calls.
  [[nodiscard]] CallRecorder& calls() noexcept { return calls_; }
  /// The fake itself, for what a test checks and prepares.
  [[nodiscard]] T& fake() noexcept { return fake_; }

 private:
  template <class R, class Function, class... A>
  Result<R> pass_on(std::string what, Function function, const A&... arguments) {
    std::optional<Result<R>> result;
    const auto done = calls_.call(std::move(what), key_of(arguments...), {},
                                  [&] { result.emplace(std::invoke(function, fake_, arguments...)); });
    if (!done) return fail(done.error());
    return std::move(*result);
  }
  static std::string key_of() { return {}; }
  template <class First, class... Rest>
  static std::string key_of(const First& first, const Rest&...) {
    if constexpr (std::is_convertible_v<const First&, std::string_view>) {
      return std::string(std::string_view(first));
    } else {
      return {};
    }
  }

  CallRecorder calls_;
  T fake_;
};

}  // namespace pintle::testkit
