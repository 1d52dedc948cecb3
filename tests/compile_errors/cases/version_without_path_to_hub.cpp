// SPDX-License-Identifier: Apache-2.0
// error: all versions or none must convert to the hub
#include <pintle/pintle.hpp>

struct Spec {
  std::string text{};
  static constexpr auto fields() { return pintle::fields(pintle::field("text", &Spec::text)); }
};

struct Hub;
struct First {
  static constexpr pintle::Type type{"example.com/v1", "Gate"};
  pintle::Metadata metadata{};
  Spec spec{};
  void to(Hub&) const {}
  void from(const Hub&) {}
};
struct Second {
  static constexpr pintle::Type type{"example.com/v3", "Gate"};
  pintle::Metadata metadata{};
  Spec spec{};
#ifndef WITH_ERROR
  void to(Hub&) const {}
  void from(const Hub&) {}
#endif
};
struct Hub {
  static constexpr pintle::Type type{"example.com/v2", "Gate"};
  pintle::Metadata metadata{};
  Spec spec{};
};

const auto crd = pintle::Versions<Hub, First, Second>::crd();
