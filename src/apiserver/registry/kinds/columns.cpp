// SPDX-License-Identifier: Apache-2.0
// The table columns of the kinds without further rules, and the ranges of a ServiceCIDR.
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "../cells.hpp"
#include "../rules.hpp"
#include "apiserver/registry/names/address_rules.hpp"
#include "apiserver/registry/refusal.hpp"
#include "apiserver/registry/words.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

using ShowCell = Value (*)(std::string_view column, View object);

class ShownKind : public BuiltinStrategy {
 public:
  ShownKind(BuiltinKind kind, ShowCell show) : BuiltinStrategy(std::move(kind)), show_(show) {}

  bool has_own_cells() const override { return true; }

 protected:
  Value cell(std::string_view column, View object, WallTime /*now*/) const override { return show_(column, object); }

 private:
  const ShowCell show_;
};

Value number_or_none(View value) { return value.exists() ? Value(integer_cell(value)) : Value("<none>"); }

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

// "deployment.apps/web"
std::string reference_cell(std::string_view kind, std::string_view group, std::string_view name) {
  return fmt::format("{}{}{}/{}", kind, group.empty() ? "" : ".", group, name);
}

Value show_flow_schema(std::string_view column, View object) {
  if (column == "PriorityLevel") return Value(object["/spec/priorityLevelConfiguration/name"].text());
  if (column == "MatchingPrecedence") return Value(integer_cell(object["/spec/matchingPrecedence"]));
  if (column == "DistinguisherMethod") return Value(text_cell(object["/spec/distinguisherMethod/type"]));
  for (const View condition : object["/status/conditions"].elements()) {
    if (condition.member("type") == "Dangling") return Value(condition.member("status").text());
  }
  return Value("?");
}

Value show_priority_level(std::string_view column, View object) {
  if (column == "Type") return Value(object["/spec/type"].text());
  const View limited = object["/spec/limited"];
  if (column == "NominalConcurrencyShares") return number_or_none(limited.member("nominalConcurrencyShares"));
  const View queuing = limited["/limitResponse/queuing"];
  if (column == "Queues") return number_or_none(queuing.member("queues"));
  return number_or_none(queuing.member(column == "HandSize" ? "handSize" : "queueLengthLimit"));
}

Value show_service_range(std::string_view /*CIDRs*/, View object) { return Value(list_cell(object["/spec/cidrs"])); }

Value show_address(std::string_view /*ParentRef*/, View object) {
  const View parent = object["/spec/parentRef"];
  if (!parent.is_object()) return Value("<none>");
  const std::string space(parent.member("namespace").text());
  return Value(reference_cell(lower_case(parent.member("resource").text()), lower_case(parent.member("group").text()),
                              space + (space.empty() ? "" : "/") + std::string(parent.member("name").text())));
}

Value show_ingress_class(std::string_view column, View object) {
  if (column == "Controller") return Value(object["/spec/controller"].text());
  const View parameters = object["/spec/parameters"];
  if (!parameters.is_object()) return Value("<none>");
  return Value(reference_cell(parameters.member("kind").text(), parameters.member("apiGroup").text(),
                              parameters.member("name").text()));
}

Value show_runtime_class(std::string_view /*Handler*/, View object) { return Value(object.member("handler").text()); }

Value show_revision(std::string_view column, View object) {
  if (column == "Revision") return Value(integer_cell(object.member("revision")));
  for (const View owner : object["/metadata/ownerReferences"].elements()) {
    if (owner.member("controller") != true) continue;
    const auto [group, version] = cut(owner.member("apiVersion").text(), '/');
    return Value(reference_cell(lower_case(owner.member("kind").text()), version.empty() ? std::string_view{} : group,
                                owner.member("name").text()));
  }
  return Value("<none>");
}

Value show_storage_driver(std::string_view column, View object) {
  const View spec = object.member("spec");
  if (column == "AttachRequired") return Value(spec.member("attachRequired") != false);
  if (column == "PodInfoOnMount") return Value(spec.member("podInfoOnMount") == true);
  if (column == "StorageCapacity") return Value(spec.member("storageCapacity") == true);
  if (column == "RequiresRepublish") return Value(spec.member("requiresRepublish") == true);
  if (column == "TokenRequests") {
    const View requests = spec.member("tokenRequests");
    return Value(requests.exists() ? list_cell(requests, "audience") : "<unset>");
  }
  const std::string modes = list_cell(spec.member("volumeLifecycleModes"));
  return Value(modes.empty() ? "<none>" : modes);
}

Value show_storage_node(std::string_view /*Drivers*/, View object) {
  std::int64_t count = 0;
  for ([[maybe_unused]] const View driver : object["/spec/drivers"].elements()) ++count;
  return Value(count);
}

Value show_capacity(std::string_view /*Created At*/, View object) {
  return Value(object["/metadata/creationTimestamp"].text());
}

Value show_attachment(std::string_view column, View object) {
  if (column == "Attacher") return Value(object["/spec/attacher"].text());
  if (column == "PV") return Value(object["/spec/source/persistentVolumeName"].text());
  if (column == "Node") return Value(object["/spec/nodeName"].text());
  return Value(object["/status/attached"] == true);
}

Value show_attributes_class(std::string_view /*DriverName*/, View object) {
  return Value(object.member("driverName").text());
}

Value show_claim(std::string_view /*State*/, View object) {
  const bool is_deleted = object["/metadata/deletionTimestamp"].exists();
  if (!object["/status/allocation"].is_object()) return Value(is_deleted ? "deleted" : "pending");
  const bool is_reserved = object["/status/reservedFor/0"].exists();
  return Value(fmt::format("{}allocated{}", is_deleted ? "deleted," : "", is_reserved ? ",reserved" : ""));
}

Value show_slice(std::string_view column, View object) {
  if (column == "Node") return Value(object["/spec/nodeName"].text());
  if (column == "Driver") return Value(object["/spec/driver"].text());
  return Value(object["/spec/pool/name"].text());
}

constexpr struct {
  std::string_view kind{};
  ShowCell show = nullptr;
} shown_kinds[] = {{"CSIDriver", show_storage_driver},
                   {"CSINode", show_storage_node},
                   {"CSIStorageCapacity", show_capacity},
                   {"ControllerRevision", show_revision},
                   {"FlowSchema", show_flow_schema},
                   {"IPAddress", show_address},
                   {"IngressClass", show_ingress_class},
                   {"PriorityLevelConfiguration", show_priority_level},
                   {"ResourceClaim", show_claim},
                   {"ResourceSlice", show_slice},
                   {"RuntimeClass", show_runtime_class},
                   {"VolumeAttachment", show_attachment},
                   {"VolumeAttributesClass", show_attributes_class}};

class ServiceRange final : public ShownKind {
 public:
  explicit ServiceRange(BuiltinKind kind) : ShownKind(std::move(kind), show_service_range) {}

  void validate(const Value& next, const Value* old, std::vector<StatusCause>& causes) const override {
    BuiltinStrategy::validate(next, old, causes);
    const json::Document document(next);
    const View ranges = document.root()["/spec/cidrs"];
    if (ranges.empty()) causes.push_back(required("spec.cidrs", "at least one CIDR required"));
    if (ranges.size() > 2) {
      causes.push_back(
          invalid_value("spec.cidrs", document.root().member("spec").to_value(), "may only hold up to 2 values"));
      return;
    }
    std::size_t i = 0;
    for (const View range : ranges.elements()) {
      add_errors(fmt::format("spec.cidrs[{}]", i++), range.text(), range_text_errors(range.text()), causes);
    }
  }
};

}  // namespace

StrategyPtr shown_strategy(BuiltinKind kind) {
  if (kind.facts.kind == "ServiceCIDR") return std::make_shared<ServiceRange>(std::move(kind));
  for (const auto& one : shown_kinds) {
    if (one.kind == kind.facts.kind) return std::make_shared<ShownKind>(std::move(kind), one.show);
  }
  return std::make_shared<BuiltinStrategy>(std::move(kind));
}

}  // namespace pintle::apiserver
