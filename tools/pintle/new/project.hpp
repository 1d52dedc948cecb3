// SPDX-License-Identifier: Apache-2.0
// The files of a new project.
#pragma once

#include <map>
#include <string>

#include <pintle/base/result.hpp>

namespace pintle::tools {

// The choices of the user, which must be valid.
struct ProjectOptions {
  std::string name{};
  std::string group{};
  std::string kind{};
  std::string pattern = "plain";
  bool webhook = false;
  std::string url{};             // Git repository of pintle; empty: none
  std::string tag{};             // tag, branch or commit of it
  std::string pintle_version{};  // of this program
};

// Returns the text of each file by its path in the project. Error: invalid, if a template is broken; the message names
// it.
[[nodiscard]] Result<std::map<std::string, std::string>> project_files(const ProjectOptions& options);

}  // namespace pintle::tools
