// SPDX-License-Identifier: Apache-2.0
// Revisions: the templates that a StatefulSet or DaemonSet has had, as ControllerRevisions.
#pragma once

#include <set>
#include <string>

#include "cluster_objects.hpp"

namespace pintle::apiserver {

// The label of a Pod with the name of its revision: "NAME-HASH" of a StatefulSet, and "HASH" of a DaemonSet.
inline constexpr std::string_view revision_label = "controller-revision-hash";

// Makes the revision of the current template the newest one. Returns its hash.
[[nodiscard]] std::string current_revision(ClusterObjects& objects, const Object& owner);
// Returns the template of a revision, or the current one if the revision does not exist.
[[nodiscard]] json::Value template_of(const ClusterObjects& objects, const Object& owner, std::string_view hash);
// Deletes the oldest revisions beyond revisionHistoryLimit, except those in `used`.
void remove_revisions(ClusterObjects& objects, const Object& owner, const std::set<std::string>& used);

}  // namespace pintle::apiserver
