// SPDX-License-Identifier: Apache-2.0
// first error: a member of this struct is missing in fields(); add a field(), or mark the member with left_out()
#include <pintle/pintle.hpp>

struct Backup {
  static constexpr pintle::Type type{"example.com/v1", "Backup"};
  struct Spec {
    std::string folder{};
    std::int64_t copies = 1;
    bool is_fresh = false;
    static constexpr auto fields() {
      return pintle::fields(pintle::field("folder", &Spec::folder, "The folder to copy."),
#ifndef WITH_ERROR
                            pintle::field("copies", &Spec::copies, "The number of copies."),
#endif
                            pintle::left_out(&Spec::is_fresh));
    }
  };
  pintle::Metadata metadata{};
  Spec spec{};
};

auto controller() {
  return pintle::erase_type(pintle::Controller<Backup>{
      .reconcile = [](const Backup&, pintle::Context&) -> pintle::Outcome { return pintle::done; }});
}
