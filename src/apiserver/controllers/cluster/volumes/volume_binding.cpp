// SPDX-License-Identifier: Apache-2.0
#include "volume_binding.hpp"

#include <optional>
#include <string>

#include <pintle/object/quantity.hpp>
#include <pintle/object/selector.hpp>

#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

constexpr std::string_view collection_of_claims = "persistentvolumeclaims";
constexpr std::string_view collection_of_volumes = "persistentvolumes";
constexpr std::string_view bound_by_controller = "pv.kubernetes.io/bound-by-controller";
constexpr std::string_view bind_completed = "pv.kubernetes.io/bind-completed";

std::string_view storage_class_of(const Object& object) {
  const std::string_view named = object.annotation("volume.beta.kubernetes.io/storage-class");
  return named.empty() ? object["/spec/storageClassName"].text() : named;
}

// True if the volume is reserved for the claim, with or without its uid.
bool refers_to(View reference, const Object& claim) {
  const std::string_view uid = reference.member("uid").text();
  return reference.member("name") == claim.name() && reference.member("namespace") == claim.namespace_() &&
         (uid.empty() || uid == claim.uid());
}

bool has_all_modes(View offered, View requested) {
  for (const View mode : requested.elements()) {
    bool is_offered = false;
    for (const View one : offered.elements()) is_offered = is_offered || one == mode.text();
    if (!is_offered) return false;
  }
  return true;
}

Quantity storage_at(View amounts) { return Quantity::from_json(amounts.member("storage")).value_or(Quantity()); }

bool is_enough(const Object& volume, const Object& claim) {
  return storage_at(volume["/spec/capacity"]) >= storage_at(claim["/spec/resources/requests"]);
}

bool has_form(const Object& volume, const Object& claim) {
  return !volume.is_deleting() && storage_class_of(volume) == storage_class_of(claim) && is_enough(volume, claim) &&
         volume["/spec/volumeMode"] == claim["/spec/volumeMode"].text() &&
         has_all_modes(volume["/spec/accessModes"], claim["/spec/accessModes"]);
}

bool is_selected_by(const Object& volume, const Object& claim) {
  const View selector = claim["/spec/selector"];
  if (!selector.exists()) return true;
  const auto parsed = LabelSelector::from_json(selector);
  return parsed && parsed->matches(volume.labels());
}

void annotate_bound(Value& object, std::string_view name) {
  metadata_in(object);
  object_in(object.get_object()["metadata"], "annotations")[name] = "yes";
}

void set_phase(ClusterObjects& objects, const Object& volume, std::string_view phase) {
  if (volume["/status/phase"] == phase) return;
  const std::string now = format_time(objects.wall_now());
  objects.edit(
      collection_of_volumes, volume,
      [&](Value& next) {
        object_in(next, "status")["phase"] = phase;
        object_in(next, "status")["lastPhaseTransitionTime"] = now;
      },
      "status");
}

}  // namespace

Instant VolumeClaims::reconcile(const Object& claim) {
  const std::string_view named = claim["/spec/volumeName"].text();
  if (named.empty() && waits_for_consumer(claim)) return Instant::max();
  const Object volume =
      named.empty() ? volume_for(claim) : objects_.get({std::string(collection_of_volumes), storage_key("", named)});
  if (volume) {
    if (const Object taken = take(volume, claim)) bind(claim, taken);
  } else if (claim["/status/phase"] == "Bound") {
    objects_.edit(
        collection_of_claims, claim, [](Value& next) { object_in(next, "status")["phase"] = "Lost"; }, "status");
  }
  return Instant::max();
}

bool VolumeClaims::waits_for_consumer(const Object& claim) const {
  const Object storage_class =
      objects_.get({"storageclasses.storage.k8s.io", storage_key("", storage_class_of(claim))});
  if (!storage_class || storage_class["/volumeBindingMode"] != "WaitForFirstConsumer") return false;
  for (const Object& pod : objects_.list("pods", claim.namespace_())) {
    for (const View volume : pod["/spec/volumes"].elements()) {
      if (volume["/persistentVolumeClaim/claimName"] == claim.name()) return false;
    }
  }
  return true;
}

// Returns the volume that is reserved for the claim, or the smallest one that fits.
Object VolumeClaims::volume_for(const Object& claim) const {
  Object smallest;
  for (const Object& volume : objects_.list(collection_of_volumes)) {
    const View reference = volume["/spec/claimRef"];
    if (!has_form(volume, claim)) continue;
    if (reference.exists() && refers_to(reference, claim)) return volume;
    if (reference.exists() || !is_selected_by(volume, claim)) continue;
    if (!smallest || storage_at(volume["/spec/capacity"]) < storage_at(smallest["/spec/capacity"])) smallest = volume;
  }
  return smallest;
}

Object VolumeClaims::take(const Object& volume, const Object& claim) {
  const bool is_named = volume["/spec/claimRef"].exists();
  auto taken = objects_.edit(collection_of_volumes, volume, [&](Value& next) {
    const Object current(next);
    const View reference = current["/spec/claimRef"];
    if (reference.exists() && (!refers_to(reference, claim) || reference.member("uid") == claim.uid())) return;
    object_in(next, "spec")["claimRef"] = json::object{{"kind", "PersistentVolumeClaim"},
                                                       {"apiVersion", "v1"},
                                                       {"namespace", claim.namespace_()},
                                                       {"name", claim.name()},
                                                       {"uid", claim.uid()},
                                                       {"resourceVersion", claim.resource_version()}};
    if (!is_named) annotate_bound(next, bound_by_controller);
  });
  if (!taken || (*taken)["/spec/claimRef/uid"] != claim.uid()) return {};
  set_phase(objects_, *taken, "Bound");
  return *taken;
}

void VolumeClaims::bind(const Object& claim, const Object& volume) {
  const bool is_named = !claim["/spec/volumeName"].text().empty();
  const auto bound = objects_.edit(collection_of_claims, claim, [&](Value& next) {
    annotate_bound(next, bind_completed);
    if (is_named) return;
    annotate_bound(next, bound_by_controller);
    object_in(next, "spec")["volumeName"] = volume.name();
  });
  if (!bound || (*bound)["/status/phase"] == "Bound") return;
  objects_.edit(
      collection_of_claims, *bound,
      [&](Value& next) {
        json::object& status = object_in(next, "status");
        status["phase"] = "Bound";
        status["accessModes"] = volume["/spec/accessModes"].to_value();
        status["capacity"] = volume["/spec/capacity"].to_value();
      },
      "status");
}

Instant Volumes::reconcile(const Object& volume) {
  const View reference = volume["/spec/claimRef"];
  const std::string_view uid = reference.member("uid").text();
  if (uid.empty()) {
    set_phase(objects_, volume, "Available");
    return Instant::max();
  }
  const Object claim =
      objects_.get({std::string(collection_of_claims),
                    storage_key(reference.member("namespace").text(), reference.member("name").text())});
  if (claim && claim.uid() == uid) {
    set_phase(objects_, volume, "Bound");
  } else if (volume["/spec/persistentVolumeReclaimPolicy"] == "Delete") {
    objects_.remove(collection_of_volumes, volume);
  } else {
    set_phase(objects_, volume, "Released");
  }
  return Instant::max();
}

}  // namespace pintle::apiserver
