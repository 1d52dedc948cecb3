// SPDX-License-Identifier: Apache-2.0
#include <pintle/testing/golden.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>

#include <pintle/base/environment.hpp>
#include <pintle/base/file.hpp>
#include <pintle/manager/manager_host.hpp>

namespace pintle::testkit {
namespace {

// The line of a text that contains a position, with its number.
struct GoldenLine {
  std::size_t number = 1;
  std::string text{};
};

GoldenLine line_at(std::string_view text, std::size_t position) {
  const std::string_view before = text.substr(0, position);
  const std::size_t begin = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return {.number = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1,
          .text = begin == text.size() ? "(the end of the text)"
                                       : std::string(text.substr(begin, text.find('\n', begin) - begin))};
}

std::string first_difference(std::string_view stored, std::string_view text) {
  const auto place = std::ranges::mismatch(stored, text).in1 - stored.begin();
  const GoldenLine old = line_at(stored, static_cast<std::size_t>(place));
  const GoldenLine current = line_at(text, static_cast<std::size_t>(place));
  return ":" + std::to_string(old.number) + ": the file has\n  " + old.text + "\ninstead of\n  " + current.text;
}

CheckResult write_golden(const std::string& path, std::string_view text) {
  const std::filesystem::path file(path);
  std::error_code ignored;
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), ignored);
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  if ((out << text).flush()) return {.holds = true, .message = path + " is written"};
  return {.holds = false, .message = path + ": cannot write this file"};
}

// Takes the text that a program prints.
class OutputHost final : public ManagerHost {
 public:
  explicit OutputHost(std::vector<std::string> arguments) : arguments_(std::move(arguments)) {}

  void prepare(ManagerOptions& options) override {
    // The first manager of the program is the one that prints.
    if (!argv_.empty()) return;
    arguments_.insert(arguments_.begin(), options.name);
    for (std::string& one : arguments_) argv_.push_back(one.data());
    argv_.push_back(nullptr);
    options.args = {static_cast<int>(arguments_.size()), argv_.data(), &no_environment_};
  }
  int run(Manager&) override { return 0; }
  int print(Manager&, const std::function<Result<std::string>()>& output) override {
    text = output();
    return *text ? 0 : 2;
  }

  std::optional<Result<std::string>> text{};

 private:
  std::vector<std::string> arguments_;
  std::vector<char*> argv_{};
  char* no_environment_ = nullptr;
};

}  // namespace

CheckResult golden_file(const std::string& path, std::string_view text) {
  const auto stored = read_file(path);
  if (stored && *stored == text) return {.holds = true, .message = path + " has the same text"};
  if (!environment_variable(update_golden_variable).empty()) return write_golden(path, text);
  const std::string remedy = "\n" + std::string(update_golden_variable) + "=1 writes this file";
  if (!stored) return {.holds = false, .message = stored.error().message + remedy};
  return {.holds = false, .message = path + first_difference(*stored, text) + remedy};
}

Result<std::string> output_of_program(const std::function<int()>& program, const std::vector<std::string>& arguments) {
  OutputHost host(arguments);
  const HostedThread hosted(host);
  const int code = program();
  if (host.text) return std::move(*host.text);
  std::string all;
  for (const std::string& one : arguments) all += (all.empty() ? "" : " ") + one;
  return fail(ErrorCode::invalid, "the program printed nothing for the arguments \"" + all + "\" (exit code " +
                                      std::to_string(code) + "); use a flag such as --print-crds");
}

std::function<int()> program_of(ManagerOptions options, std::function<void(Manager&)> add_controllers) {
  return [options = std::move(options), add_controllers = std::move(add_controllers)] {
    Manager manager(options);
    add_controllers(manager);
    return run_until_signal(manager);
  };
}

}  // namespace pintle::testkit
