// SPDX-License-Identifier: Apache-2.0
// translate_patch_paths(): the paths of grafana-app-sdk in JSON patches, as paths of Kubernetes.
#pragma once

#include <pintle/base/annotations.hpp>
#include <pintle/base/result.hpp>
#include <pintle/json/patch.hpp>

namespace pintle::watcher {

/// Translates the paths of the operations, also in `from`. A path that is not in this table stays as it is:
///
/// | path | becomes |
/// |---|---|
/// | `/metadata` | an error |
/// | `/metadata/extraFields` | an error |
/// | `/metadata/extraFields/x/y` | `/metadata/x/y` |
/// | `/metadata/x/y`, and `x` is not a member of the metadata of Kubernetes | `/metadata/annotations/grafana.com~1x~1y`
/// |
///
/// If the path becomes an annotation by the last row, the operation `replace` becomes `add`, because the annotation may
/// be missing. Values do not change. As with any patch, the API server rejects an `add` of an annotation if the object
/// has no annotations.
///
/// Error: invalid, with the number of the operation, also for an operation without a path. Thread-safe.
[[nodiscard]] PINTLE_EXPORT Result<json::Patch> translate_patch_paths(json::Patch patch);

}  // namespace pintle::watcher
