// SPDX-License-Identifier: Apache-2.0
// Applies the manifests in a folder to a server in this process.
#pragma once

#include <string>

#include <pintle/apiserver/server.hpp>
#include <pintle/base/executor.hpp>
#include <pintle/base/result.hpp>

namespace pintle::tools {

// Applies every object in the files *.yaml, *.yml and *.json of a folder, as `kubectl apply --server-side
// --force-conflicts` does, with the field manager "pintle-load". Definitions and namespaces are applied first, and
// webhook configurations last; otherwise in the order of the names of the files. An object without a namespace is
// applied to "default". Waits until the definitions are served. Error: invalid, with one cause for each object or file
// that could not be applied; its `field` is the path of the file.
[[nodiscard]] Result<void> load_manifests(ApiServer& api, Executor& executor, const std::string& folder);

}  // namespace pintle::tools
