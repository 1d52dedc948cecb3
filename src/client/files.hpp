// Small files of a cluster's configuration: tokens, certificates, kubeconfigs.
#pragma once

#include <string>

#include <pintle/base/result.hpp>

namespace pintle {

// The whole of a file of at most 16 MiB. Error: invalid, "PATH: No such file or directory".
[[nodiscard]] Result<std::string> read_file(const std::string& path);

[[nodiscard]] bool file_exists(const std::string& path);

// `path` as seen from the folder of `file`; an absolute one as it is.
[[nodiscard]] std::string beside(const std::string& file, const std::string& path);

// `text` without white space at both ends.
[[nodiscard]] std::string trimmed(std::string_view text);

}  // namespace pintle
