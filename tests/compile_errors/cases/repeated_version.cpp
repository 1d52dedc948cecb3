// SPDX-License-Identifier: Apache-2.0
// error: versions must have different version names
#include <pintle/pintle.hpp>

struct Spec {
  std::string text{};
  static constexpr auto fields() { return pintle::fields(pintle::field("text", &Spec::text)); }
};

#ifdef WITH_ERROR
constexpr std::string_view other = "example.com/v1";
#else
constexpr std::string_view other = "example.com/v3";
#endif

struct First {
  static constexpr pintle::Type type{"example.com/v1", "Gate"};
  pintle::Metadata metadata{};
  Spec spec{};
};
struct Second {
  static constexpr pintle::Type type{other, "Gate"};
  pintle::Metadata metadata{};
  Spec spec{};
};
struct Hub {
  static constexpr pintle::Type type{"example.com/v2", "Gate"};
  pintle::Metadata metadata{};
  Spec spec{};
};

const auto crd = pintle::Versions<Hub, First, Second>::crd();
