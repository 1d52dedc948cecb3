// SPDX-License-Identifier: Apache-2.0
// The metadata that grafana-app-sdk adds to an object, in annotations and a label.
#pragma once

#include <string_view>

namespace pintle::watcher {

/// The prefix of the annotations in which grafana-app-sdk keeps metadata that Kubernetes does not have.
inline constexpr std::string_view annotation_prefix = "grafana.com/";
inline constexpr std::string_view created_by_annotation = "grafana.com/createdBy";              ///< name of a user
inline constexpr std::string_view updated_by_annotation = "grafana.com/updatedBy";              ///< name of a user
inline constexpr std::string_view update_timestamp_annotation = "grafana.com/updateTimestamp";  ///< RFC 3339
/// The label with the version of the kind in which the object was written, for example "v1".
inline constexpr std::string_view version_label = "grafana-app-sdk-resource-version";

}  // namespace pintle::watcher
