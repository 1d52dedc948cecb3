// SPDX-License-Identifier: Apache-2.0
// first error: this_text_is_not_a_value_of_the_enumeration
#include <pintle/pintle.hpp>

enum class Mode { fast, careful };
constexpr auto enum_names(Mode) { return pintle::names_of<Mode>({{Mode::fast, "Fast"}, {Mode::careful, "Careful"}}); }

struct Spec {
#ifdef WITH_ERROR
  pintle::Choice<Mode> mode = "Carefull";
#else
  pintle::Choice<Mode> mode = "Careful";
#endif
  static constexpr auto fields() { return pintle::fields(pintle::field("mode", &Spec::mode)); }
};
