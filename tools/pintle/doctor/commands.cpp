// SPDX-License-Identifier: Apache-2.0
#include "doctor/commands.hpp"

#include <cctype>
#include <string_view>

namespace pintle::doctor {
namespace {

void insert_after(std::string& text, std::string_view command, const std::string& flags) {
  for (auto at = text.find(command); at != std::string::npos; at = text.find(command, at + command.size())) {
    text.insert(at + command.size(), flags);
  }
}

}  // namespace

std::string shell_word(const std::string& text) {
  constexpr std::string_view harmless = "-_./=:,@%+";
  bool is_plain = !text.empty();
  for (const char c : text) {
    is_plain = is_plain && (std::isalnum(static_cast<unsigned char>(c)) != 0 || harmless.find(c) != harmless.npos);
  }
  if (is_plain) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

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
