// SPDX-License-Identifier: Apache-2.0
#include "scenario_file.hpp"

#include <filesystem>

#include <fmt/format.h>

namespace pintle::apiserver {
namespace {

constexpr std::string_view tail = "\n]}\n";

}  // namespace

Result<void> ScenarioFile::open(const std::string& path) {
  path_ = path;
  file_.open(path, std::ios::in | std::ios::out | std::ios::trunc | std::ios::binary);
  const json::Value name(std::filesystem::path(path).stem().string());
  file_ << R"({"name":)" << json::print(name) << R"(,"about":"recorded by pintle dev --record",)"
        << R"("ignore":["*/managedFields","*/selfLink"],"steps":[)";
  end_ = file_.tellp();
  file_ << tail << std::flush;
  return check();
}

void ScenarioFile::append(const json::Value& step) {
  file_.seekp(end_);
  file_ << (has_steps_ ? ",\n" : "\n") << json::print(step);
  end_ = file_.tellp();
  has_steps_ = true;
  file_ << tail << std::flush;
}

Result<void> ScenarioFile::check() const {
  if (file_.good()) return {};
  return fail(ErrorCode::invalid, fmt::format("{}: the file cannot be written", path_));
}

}  // namespace pintle::apiserver
