// Files that the generators write.
#pragma once

#include <map>
#include <string>

#include <pintle/base/result.hpp>

namespace pintle::tools {

// Writes each text to its path, making the folders on the way. A file that says so already is left alone. Error:
// unavailable, naming the file and the reason.
[[nodiscard]] Result<void> write_files(const std::map<std::string, std::string>& files);

// The text with a last line by which a later run sees whether somebody has changed the file.
[[nodiscard]] std::string with_checksum(const std::string& text);

// Whether these texts may replace what is at their paths. Error: invalid, naming a file that was changed by hand, or
// that has types which its new text has not.
[[nodiscard]] Result<void> check_replaced(const std::map<std::string, std::string>& files);

}  // namespace pintle::tools
