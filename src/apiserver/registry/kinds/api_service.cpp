// SPDX-License-Identifier: Apache-2.0
// The rules of APIService. controllers/api_services reports its status.
#include <string>
#include <utility>

#include <fmt/format.h>

#include <pintle/object/names.hpp>

#include "../rules.hpp"
#include "apiserver/registry/refusal.hpp"
#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

constexpr std::int64_t highest_group_priority = 20'000;
constexpr std::int64_t highest_version_priority = 1'000;

class ApiServiceStrategy final : public BuiltinStrategy {
 public:
  using BuiltinStrategy::BuiltinStrategy;

  bool has_own_cells() const override { return true; }

  // validate() checks the name, because it depends on the specification.
  names::ValidationError validate_name(std::string_view) const override { return {}; }

  void validate(const Value& next, const Value* old, std::vector<StatusCause>& causes) const override {
    BuiltinStrategy::validate(next, old, causes);
    const std::string_view group = text_at(next, "/spec/group");
    const std::string_view version = text_at(next, "/spec/version");
    const std::string name = fmt::format("{}.{}", version, group);
    if (text_at(next, "/metadata/name") != name) {
      causes.push_back(invalid_value("metadata.name", Value(text_at(next, "/metadata/name")),
                                     fmt::format("must be `spec.version+\".\"+spec.group`: \"{}\"", name)));
    }
    if (group.empty() && version != "v1") {
      causes.push_back({.reason = "FieldValueRequired",
                        .message = "Required value: only v1 may have an empty group and it better be legacy kube",
                        .field = "spec.group"});
    }
    check_priority(next, "groupPriorityMinimum", highest_group_priority, causes);
    check_priority(next, "versionPriority", highest_version_priority, causes);
    check_service(next, causes);
  }

 protected:
  Value cell(std::string_view column, View object, WallTime /*now*/) const override {
    if (column == "Service") {
      const View service = object["/spec/service"];
      if (!service.is_object()) return Value("Local");
      return Value(fmt::format("{}/{}", service.member("namespace").text(), service.member("name").text()));
    }
    for (const View condition : object["/status/conditions"].elements()) {
      if (condition.member("type") != "Available") continue;
      const auto status = condition.member("status").text();
      const auto reason = condition.member("reason").text();
      if (status == "True" || reason.empty()) return Value(status);
      return Value(fmt::format("{} ({})", status, reason));
    }
    return Value("Unknown");
  }

 private:
  static void check_priority(const Value& next, const std::string& name, std::int64_t highest,
                             std::vector<StatusCause>& causes) {
    const Value* found = json::find(next, "/spec/" + name);
    const std::int64_t priority = found != nullptr && found->is_int64() ? found->get_int64() : 0;
    if (priority > 0 && priority <= highest) return;
    causes.push_back(
        invalid_value("spec." + name, Value(priority), fmt::format("must be positive and less than {}", highest)));
  }

  static void check_service(const Value& next, std::vector<StatusCause>& causes) {
    const Value* service = json::find(next, "/spec/service");
    if (service != nullptr && service->is_object()) {
      for (const char* name : {"namespace", "name"}) {
        if (!text_at(*service, std::string("/") + name).empty()) continue;
        causes.push_back({.reason = "FieldValueRequired",
                          .message = "Required value",
                          .field = fmt::format("spec.service.{}", name)});
      }
      return;
    }
    const Value* skips = json::find(next, "/spec/insecureSkipTLSVerify");
    if (skips != nullptr && *skips == Value(true)) {
      causes.push_back(
          invalid_value("spec.insecureSkipTLSVerify", *skips, "local APIServices may not have insecureSkipTLSVerify"));
    }
  }
};

}  // namespace

StrategyPtr api_service_strategy(BuiltinKind kind) { return std::make_shared<ApiServiceStrategy>(std::move(kind)); }

}  // namespace pintle::apiserver
