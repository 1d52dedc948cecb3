// SPDX-License-Identifier: Apache-2.0
// Operators that the tests of simulate() share.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>

#include <pintle/pintle.hpp>
#include <pintle/testing/seeds.hpp>
#include <pintle/testing/simulate.hpp>

namespace pintle::testkit {

inline constexpr const char* too_long_for_a_sanitizer = "it takes long, and the oracles do not depend on the sanitizer";

struct Bulb {
  static constexpr Type type{"test.pintle.dev/v1", "Bulb"};
  struct Spec {
    std::int64_t watts = 1;
    static constexpr auto fields() { return pintle::fields(field("watts", &Spec::watts).minimum(1).maximum(9)); }
  };
  struct Status {
    std::int64_t count = 0;
    static constexpr auto fields() { return pintle::fields(field("count", &Status::count)); }
  };
  Metadata metadata{};
  Spec spec{};
  Status status{};
};

using BulbReconcile = std::function<Outcome(const Bulb&, Context&)>;

inline SubjectSetup operator_with(BulbReconcile reconcile) {
  return [reconcile](Subject& subject) {
    subject.add_controllers = [reconcile](Manager& manager) {
      manager.add(Controller<Bulb>{.owns = {ConfigMap::type}, .reconcile = reconcile});
    };
  };
}

inline Outcome light(const Bulb& lamp, Context& ctx) {
  return ctx.apply(ConfigMap{.metadata = owned_by(lamp), .data = {{"watts", std::to_string(lamp.spec.watts)}}});
}

struct Fitting {
  static constexpr Type type{"test.pintle.dev/v1", "Fitting"};
  struct Spec {
    std::int64_t watts = 1;
    static constexpr auto fields() { return pintle::fields(field("watts", &Spec::watts).minimum(1).maximum(9)); }
  };
  Metadata metadata{};
  Spec spec{};
};

// Sets the variable of a replay while it exists.
class ReplayVariable {
 public:
  explicit ReplayVariable(const std::string& value) { ::setenv("PINTLE_SIMULATE", value.c_str(), 1); }
  ~ReplayVariable() { ::unsetenv("PINTLE_SIMULATE"); }
  ReplayVariable(const ReplayVariable&) = delete;
  ReplayVariable& operator=(const ReplayVariable&) = delete;
};

// The value of PINTLE_SIMULATE in the command of a replay.
inline std::string variable_in(const std::string& replay) {
  const std::size_t begin = replay.find('\'') + 1;
  return replay.substr(begin, replay.find('\'', begin) - begin);
}

// The error depends on a change of the spec, so that one edit must remain of all events.
inline Outcome light_once(const Bulb& lamp, Context& ctx) {
  if (lamp.metadata.generation > 1) return done;
  return light(lamp, ctx);
}

}  // namespace pintle::testkit
