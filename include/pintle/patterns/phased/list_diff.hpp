// SPDX-License-Identifier: Apache-2.0
// ListDiff: the changes that turn the existing objects into the expected objects.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/json/value.hpp>
#include <pintle/object/object.hpp>
#include <pintle/patterns/phased/diff.hpp>

namespace pintle::phased {

/// An annotation that records which members of an object were last expected. It distinguishes members that are no
/// longer expected from members that other clients have added. Its value is a copy of the expected object. Because only
/// the names of the members are needed, 0 replaces each string, number and boolean, and each list that contains neither
/// objects nor lists. Older versions stored the whole object; their annotations are read too.
inline constexpr std::string_view last_applied_annotation = "pintle.dev/last-applied";
/// A label with the phase that an object belongs to: phase_label_value() of the name of the phase.
inline constexpr std::string_view phase_label = "pintle.dev/phase";

struct DiffOptions {
  /// Members that are neither compared nor changed: "/spec/replicas". An element of a list is given by its index, and
  /// must have the same index in the expected and in the existing object.
  std::vector<std::string> pointers{};
  bool status = true;  ///< ignores the status
};

/// An existing object, and the merge patch that turns it into the expected object.
struct ObjectUpdate {
  Object current{};
  json::Value patch{};
};

/// A value type.
struct PINTLE_EXPORT ListDiff {
  std::vector<json::Value> create{};
  std::vector<ObjectUpdate> update{};
  std::vector<Object> remove{};
  std::vector<Object> unclaimed{};  ///< neither expected nor part of the phase; they are not changed
  std::vector<Object> ending{};     ///< expected, but being deleted; they are created again when they are gone

  /// Which kinds of change there are, and a description with one object in each line: "create v1 ConfigMap default/a".
  [[nodiscard]] K8sDiff summary() const;
};

/// The value of phase_label for a phase of this name: the name itself if it is a valid label value; otherwise "x", as
/// much of the name as fits, "-" and a hash of the name. In this part of the name, "-" replaces each character other
/// than a letter or digit. All versions of pintle return the same value for the same name.
[[nodiscard]] PINTLE_EXPORT std::string phase_label_value(std::string_view phase);

/// Two objects are the same if their group, kind, namespace and name are equal. An object that is expected and does not
/// exist is to be created. An object that exists and is not expected is to be removed. An object that is expected and
/// exists is to be updated if a three-way diff of the last expected, the existing and the expected object finds a
/// difference, or if its last_applied_annotation does not have the members of the expected object. An object without a
/// valid annotation is not updated for this reason. An object that is being deleted is not changed; if it is expected,
/// need_update of the summary is true. Metadata that the server maintains is not compared. The owner references of an
/// existing object are a map by uid: the expected ones are added, and none is removed, except that an expected
/// controller replaces another one.
///
/// `mark` is the value of phase_label for the phase (see phase_label_value). If it is empty, the label does not matter.
/// Otherwise an expected object that exists without this mark is to be updated: it gets the mark. An unexpected object
/// is then to be removed only if it has this mark; without the mark it is unclaimed.
///
/// Errors: `invalid`, for an expected object without apiVersion, kind or name, for two expected objects that are the
/// same, for annotations of an expected object that are larger than servers accept, and for a malformed pointer.
[[nodiscard]] PINTLE_EXPORT Result<ListDiff> diff_lists(const std::vector<json::Value>& expected,
                                                        const std::vector<Object>& current,
                                                        const DiffOptions& ignore = {}, const std::string& mark = {});

/// Returns the expected object with last_applied_annotation, which the next diff reads.
[[nodiscard]] PINTLE_EXPORT json::Value with_last_applied(json::Value expected);
/// Returns the expected object with this phase_label. Call it after with_last_applied().
[[nodiscard]] PINTLE_EXPORT json::Value with_phase(json::Value expected, const std::string& mark);

}  // namespace pintle::phased
