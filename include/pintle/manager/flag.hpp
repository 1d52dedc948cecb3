// Flag: a setting of an operator's own, beside those that every operator has.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include <pintle/base/time.hpp>

namespace pintle {

// Given as any other flag is: --greeting on the command line, PINTLE_GREETING in the environment, greeting in the file
// of --config. --help shows it with the value it has before. `value` has to live until start() or run_until_signal()
// has returned; it is written once, before anything is done, and has to stay as it is while controllers read it. Not
// for a secret: others see command lines and environments, so take the name of a file.
//
//   std::string greeting = "Hello";
//   pintle::Manager manager{{.args = {argc, argv}, .flags = {{"greeting", "What to say", &greeting}}}};
struct Flag {
  std::string name{};  // lower-case letters, digits and hyphens
  std::string help{};  // one sentence
  std::variant<std::string*, bool*, std::int64_t*, double*, Duration*> value;
};

}  // namespace pintle
