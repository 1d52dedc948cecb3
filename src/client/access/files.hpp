// SPDX-License-Identifier: Apache-2.0
// Functions for the small files of a cluster configuration: tokens, certificates, kubeconfigs.
#pragma once

#include <string>

#include <pintle/base/file.hpp>

namespace pintle {

[[nodiscard]] bool file_exists(const std::string& path);

// Returns `path` relative to the folder of `file`, or `path` itself if it is absolute.
[[nodiscard]] std::string beside(const std::string& file, const std::string& path);

}  // namespace pintle
