// SPDX-License-Identifier: Apache-2.0
// first error: without fields(), a kind has only metadata, spec and status; give it fields() for other members
#include <pintle/pintle.hpp>

struct Backup {
  static constexpr pintle::Type type{"example.com/v1", "Backup"};
  struct Spec {
    std::string folder{};
    static constexpr auto fields() {
      return pintle::fields(pintle::field("folder", &Spec::folder, "The folder to copy."));
    }
  };
  pintle::Metadata metadata{};
  Spec spec{};
#ifdef WITH_ERROR
  std::string data{};
#endif
};

auto controller() {
  return pintle::erase_type(pintle::Controller<Backup>{
      .reconcile = [](const Backup&, pintle::Context&) -> pintle::Outcome { return pintle::done; }});
}
