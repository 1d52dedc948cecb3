// SPDX-License-Identifier: Apache-2.0
#include "simulate.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <unistd.h>

#include <pintle/base/terminal.hpp>

namespace pintle::tools {

int run_simulate(const std::vector<std::string>& command) {
  if (command.empty()) {
    std::fputs("pintle: simulate needs a program: pintle simulate PROGRAM [OPTION]... [-- ARGUMENT...]\n", stderr);
    return 2;
  }
  std::vector<std::string> texts = command;
  texts.insert(texts.begin() + 1, "--simulate");
  std::vector<char*> arguments;
  for (std::string& text : texts) arguments.push_back(text.data());
  arguments.push_back(nullptr);
  // A trial makes and frees many small objects. With its usual cache of 7 blocks a size, malloc costs a tenth of the
  // time.
  ::setenv("GLIBC_TUNABLES", "glibc.malloc.tcache_count=1000", 0);
  ::execvp(arguments.front(), arguments.data());
  std::fprintf(stderr, "pintle: cannot run %s: %s\n", escape_for_terminal(texts.front()).c_str(), std::strerror(errno));
  return 2;
}

}  // namespace pintle::tools
