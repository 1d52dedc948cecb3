// Small files of a cluster's configuration: tokens, certificates, kubeconfigs.
#pragma once

#include <string>
#include <string_view>

#include <pintle/base/file.hpp>

namespace pintle {

[[nodiscard]] bool file_exists(const std::string& path);

// `path` as seen from the folder of `file`; an absolute one as it is.
[[nodiscard]] std::string beside(const std::string& file, const std::string& path);

// `text` without white space at both ends.
[[nodiscard]] std::string trimmed(std::string_view text);

}  // namespace pintle
