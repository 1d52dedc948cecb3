// Files that the generators write.
#pragma once

#include <map>
#include <string>

#include <pintle/base/result.hpp>

namespace pintle::tools {

// Writes each text to its path, making the folders on the way. A file that says so already is left alone. Error:
// unavailable, naming the file and the reason.
[[nodiscard]] Result<void> write_files(const std::map<std::string, std::string>& files);

}  // namespace pintle::tools
