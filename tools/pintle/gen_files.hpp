// SPDX-License-Identifier: Apache-2.0
// Writes the files of the generators.
#pragma once

#include <map>
#include <string>

#include <pintle/base/result.hpp>

namespace pintle::tools {

// Writes each text to its path and creates missing folders. A file with the same content is not written. Error:
// unavailable; the message names the file and the reason.
[[nodiscard]] Result<void> write_files(const std::map<std::string, std::string>& files);

// Returns the text with a checksum as last line, so that a later run can detect changes of the file.
[[nodiscard]] std::string with_checksum(const std::string& text);

// Checks whether these texts may replace the existing files. Error: invalid; the message names a file that was changed
// by hand, or that has types that the new text does not have.
[[nodiscard]] Result<void> check_replaced(const std::map<std::string, std::string>& files);

}  // namespace pintle::tools
