// SPDX-License-Identifier: Apache-2.0
// pintle new: writes the project of a new operator.
#pragma once

#include <string>

namespace pintle::tools {

struct NewOptions {
  std::string name{};
  std::string group = "example.com";
  std::string kind{};  // default: from the name
  std::string pattern = "plain";
  bool webhook = false;
  std::string out{};  // folder of the project; default: the name
  std::string url{};  // Git repository of pintle; empty: none
  std::string tag{};  // tag, branch or commit of it; empty: that of this program
  std::string version{};
};

// Writes the project and prints the next steps. The folder must be missing or empty. After an error nothing of the
// project remains, and no existing file is changed. An error is printed to standard error on one line. Returns the exit
// code: 0; 1 for an error of the system; 2 for invalid options.
[[nodiscard]] int run_new(const NewOptions& options);

}  // namespace pintle::tools
