// SPDX-License-Identifier: Apache-2.0
#include "doctor/commands.hpp"

#include <string_view>

#include "base/reference/shell_word.hpp"

namespace pintle::doctor {
namespace {

void insert_after(std::string& text, std::string_view command, const std::string& flags) {
  for (auto at = text.find(command); at != std::string::npos; at = text.find(command, at + command.size())) {
    text.insert(at + command.size(), flags);
  }
}

}  // namespace

void select_cluster(std::vector<Line>& lines, const DoctorOptions& options) {
  std::string flags;
  if (!options.kubeconfig.empty()) flags += "--kubeconfig " + shell_word(options.kubeconfig) + " ";
  if (!options.context.empty()) flags += "--context " + shell_word(options.context) + " ";
  if (flags.empty()) return;
  for (Line& line : lines) {
    for (const char* command : {"kubectl ", "pintle migrate-storage "}) insert_after(line.action, command, flags);
  }
}

}  // namespace pintle::doctor
