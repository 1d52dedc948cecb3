// SPDX-License-Identifier: Apache-2.0
// The rules of PersistentVolume, PersistentVolumeClaim and StorageClass.
#include <fmt/format.h>

#include <pintle/base/text.hpp>

#include "../../cells.hpp"
#include "../../rules.hpp"
#include "apiserver/registry/names/name_rules.hpp"
#include "apiserver/registry/values.hpp"
#include "claim_rules.hpp"

namespace pintle::apiserver {
namespace {

using json::object;
using json::Value;
using json::View;

constexpr std::string_view claim_protection = "kubernetes.io/pvc-protection";
constexpr std::string_view volume_protection = "kubernetes.io/pv-protection";

// Does the same as the admission plugin StorageObjectInUseProtection.
void protect(Value& object, std::string_view finalizer) {
  Value& finalizers = metadata_in(object)["finalizers"];
  if (!finalizers.is_array()) finalizers.emplace_array();
  for (const Value& one : finalizers.get_array()) {
    if (one == Value(finalizer)) return;
  }
  finalizers.get_array().emplace_back(finalizer);
}

std::string modes_cell(View modes) {
  std::string out;
  for (const View mode : modes.elements()) {
    const std::string_view text = mode.text();
    const std::string_view shown = text == "ReadWriteOnce"      ? "RWO"
                                   : text == "ReadOnlyMany"     ? "ROX"
                                   : text == "ReadWriteMany"    ? "RWX"
                                   : text == "ReadWriteOncePod" ? "RWOP"
                                                                : text;
    out += fmt::format("{}{}", out.empty() ? "" : ",", shown);
  }
  return out;
}

// Returns the storage class. An annotation contained it before there was a field.
std::string class_cell(View object) {
  const std::string_view named = object["/metadata/annotations/volume.beta.kubernetes.io~1storage-class"].text();
  return std::string(named.empty() ? object["/spec/storageClassName"].text() : named);
}

class VolumeClaim final : public BuiltinStrategy {
 public:
  using BuiltinStrategy::BuiltinStrategy;

  bool has_own_cells() const override { return true; }
  bool gives_up(std::string_view finalizer) const override { return finalizer == claim_protection; }

  void prepare_create(Value& claim) const override {
    BuiltinStrategy::prepare_create(claim);
    object_in(claim, "status")["phase"] = "Pending";
    protect(claim, claim_protection);
  }

  void validate(const Value& next, const Value* old, std::vector<StatusCause>& causes) const override {
    BuiltinStrategy::validate(next, old, causes);
    const Value& spec = *member(next, "spec");
    const Value* before = old == nullptr ? nullptr : member(*old, "spec");
    if (before != nullptr && identical(spec, *before)) return;
    const json::Document document(spec);
    validate_claim(document.root(), "spec", causes);
    if (before != nullptr) validate_claim_change(next, *old, causes);
  }

 protected:
  void set_defaults(Value& claim) const override { set_default(object_in(claim, "spec"), "volumeMode", "Filesystem"); }

  Value cell(std::string_view column, View claim, WallTime /*now*/) const override {
    const std::string_view volume = claim["/spec/volumeName"].text();
    if (column == "Status") {
      return Value(claim["/metadata/deletionTimestamp"].exists() ? "Terminating" : claim["/status/phase"].text());
    }
    if (column == "Volume") return Value(volume);
    // The capacity is known only after the claim is bound.
    if (column == "Capacity") return Value(volume.empty() ? "" : claim["/status/capacity/storage"].text());
    if (column == "Access Modes") return Value(volume.empty() ? "" : modes_cell(claim["/status/accessModes"]));
    if (column == "StorageClass") return Value(class_cell(claim));
    if (column == "VolumeAttributesClass") return Value(text_cell(claim["/spec/volumeAttributesClassName"], "<unset>"));
    return Value(text_cell(claim["/spec/volumeMode"], "<unset>"));
  }
};

class Volume final : public BuiltinStrategy {
 public:
  using BuiltinStrategy::BuiltinStrategy;

  bool has_own_cells() const override { return true; }
  bool gives_up(std::string_view finalizer) const override { return finalizer == volume_protection; }

  void prepare_create(Value& volume) const override {
    BuiltinStrategy::prepare_create(volume);
    const std::string created(text_at(volume, "/metadata/creationTimestamp"));
    object& status = object_in(volume, "status");
    status["phase"] = "Pending";
    status["lastPhaseTransitionTime"] = created;
    protect(volume, volume_protection);
  }

 protected:
  void set_defaults(Value& volume) const override {
    object& spec = object_in(volume, "spec");
    set_default(spec, "persistentVolumeReclaimPolicy", "Retain");
    set_default(spec, "volumeMode", "Filesystem");
    if (object* host = object_at(volume, "/spec/hostPath")) host->emplace("type", "");
  }

  Value cell(std::string_view column, View volume, WallTime /*now*/) const override {
    const View spec = volume.member("spec");
    const View claim = spec.member("claimRef");
    if (column == "Capacity") return Value(spec["/capacity/storage"].text());
    if (column == "Access Modes") return Value(modes_cell(spec.member("accessModes")));
    if (column == "Reclaim Policy") return Value(spec.member("persistentVolumeReclaimPolicy").text());
    if (column == "Status") {
      return Value(volume["/metadata/deletionTimestamp"].exists() ? "Terminating" : volume["/status/phase"].text());
    }
    if (column == "Claim") {
      if (!claim.exists()) return "";
      return Value(fmt::format("{}/{}", claim.member("namespace").text(), claim.member("name").text()));
    }
    if (column == "StorageClass") return Value(class_cell(volume));
    if (column == "VolumeAttributesClass") return Value(text_cell(spec.member("volumeAttributesClassName"), "<unset>"));
    if (column == "Reason") return Value(volume["/status/reason"].text());
    return Value(text_cell(spec.member("volumeMode"), "<unset>"));
  }
};

class StorageClass final : public BuiltinStrategy {
 public:
  using BuiltinStrategy::BuiltinStrategy;

  bool has_own_cells() const override { return true; }

  void validate(const Value& next, const Value* old, std::vector<StatusCause>& causes) const override {
    BuiltinStrategy::validate(next, old, causes);
    const std::string_view provisioner = text_at(next, "/provisioner");
    if (provisioner.empty()) {
      causes.push_back(required("provisioner"));
    } else {
      add_errors("provisioner", provisioner, label_key_errors(to_lower_ascii(provisioner)), causes);
    }
    if (old == nullptr) return;
    const auto same = [&](const char* name) {
      const Value* is = member(next, name);
      const Value* was = member(*old, name);
      return is == nullptr || was == nullptr ? is == was : json::equal(*is, *was);
    };
    for (const char* name : {"parameters", "provisioner", "reclaimPolicy"}) {
      if (!same(name)) causes.push_back(forbidden_field(name, fmt::format("updates to {} are forbidden.", name)));
    }
    if (same("volumeBindingMode")) return;
    causes.push_back(immutable_field("volumeBindingMode", Value(text_at(next, "/volumeBindingMode"))));
  }

 protected:
  void set_defaults(Value& value) const override {
    set_default(value.as_object(), "reclaimPolicy", "Delete");
    set_default(value.as_object(), "volumeBindingMode", "Immediate");
  }

  Value cell(std::string_view column, View object, WallTime /*now*/) const override {
    if (column == "Provisioner") return Value(object.member("provisioner").text());
    if (column == "ReclaimPolicy") return Value(object.member("reclaimPolicy").text());
    if (column == "VolumeBindingMode") return Value(object.member("volumeBindingMode").text());
    return object.member("allowVolumeExpansion") == true;
  }
};

}  // namespace

StrategyPtr volume_claim_strategy(BuiltinKind kind) { return std::make_shared<VolumeClaim>(std::move(kind)); }
StrategyPtr volume_strategy(BuiltinKind kind) { return std::make_shared<Volume>(std::move(kind)); }
StrategyPtr storage_class_strategy(BuiltinKind kind) { return std::make_shared<StorageClass>(std::move(kind)); }

}  // namespace pintle::apiserver
