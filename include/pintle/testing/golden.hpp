// SPDX-License-Identifier: Apache-2.0
// Golden files: compares texts, such as the manifests that an operator prints, with files under version control.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result.hpp>
#include <pintle/manager/manager.hpp>
#include <pintle/testing/call_recorder.hpp>

namespace pintle::testkit {

/// The environment variable that makes golden_file() write the files.
inline constexpr const char* update_golden_variable = "PINTLE_UPDATE_GOLDEN";

/// Compares a text with a file. A relative path is relative to the working directory of the test. The message shows the
/// first lines that differ. If PINTLE_UPDATE_GOLDEN is set, writes the text to the file instead, if it differs, and
/// creates missing folders; the result is a failure only if that is not possible.
[[nodiscard]] PINTLE_EXPORT CheckResult golden_file(const std::string& path, std::string_view text);

/// Calls main() of an operator and returns the text that it prints for these arguments, such as {"--print-crds"},
/// {"--print-rbac", "--leader-elect"} or {"--help"}. They replace the arguments in ManagerOptions::args. Environment
/// variables have no effect. Error: the one that the operator would print; invalid, if the arguments request no text or
/// `program` does not call run_until_signal() on this thread.
[[nodiscard]] PINTLE_EXPORT Result<std::string> output_of_program(const std::function<int()>& program,
                                                                  const std::vector<std::string>& arguments);

/// Does the work of main() for an operator whose controllers are added by a function.
[[nodiscard]] PINTLE_EXPORT std::function<int()> program_of(ManagerOptions options,
                                                            std::function<void(Manager&)> add_controllers);

}  // namespace pintle::testkit
