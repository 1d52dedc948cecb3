// SPDX-License-Identifier: Apache-2.0
#include <pintle/webhook/admission.hpp>

#include <algorithm>
#include <cctype>
#include <set>

#include <pintle/object/selector.hpp>

namespace pintle {
namespace {

constexpr std::size_t max_match_conditions = 64;

bool is_dns_label(const std::string& name) {
  const auto is_valid = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  return !name.empty() && name.size() <= 63 && name.front() != '-' && name.back() != '-' &&
         std::all_of(name.begin(), name.end(), is_valid);
}

class AdmissionErrors {
 public:
  explicit AdmissionErrors(const AnyAdmission& admission) : admission_(admission), errors_(admission.errors) {}

  void require(bool condition, const std::string& message) {
    if (condition) return;
    errors_.push_back(make_error(ErrorCode::invalid, "admission " + admission_.name + ": " + message).terminal());
  }
  void require_selector(const char* member, const std::string& selector) {
    if (const auto parsed = LabelSelector::parse(selector); !parsed) {
      require(false, std::string(".") + member + ": " + parsed.error().message);
    } else {
      const auto is_numeric = [](const LabelSelector::Requirement& one) {
        using Operator = LabelSelector::Requirement::Operator;
        return one.op == Operator::greater_than || one.op == Operator::less_than;
      };
      require(std::none_of(parsed->requirements.begin(), parsed->requirements.end(), is_numeric),
              std::string(".") + member + ": a webhook cannot compare labels with < or >; use =, in or notin");
    }
  }
  [[nodiscard]] std::vector<Error> take() { return std::move(errors_); }

 private:
  const AnyAdmission& admission_;
  std::vector<Error> errors_;
};

void check_conditions(const AnyAdmission& admission, AdmissionErrors& errors) {
  errors.require(admission.match_conditions.size() <= max_match_conditions,
                 ".match_conditions: Kubernetes accepts at most 64");
  std::set<std::string> names;
  for (const MatchCondition& one : admission.match_conditions) {
    errors.require(!one.name.empty() && !one.expression.empty(),
                   ".match_conditions: each needs a name and an expression");
    errors.require(names.insert(one.name).second, ".match_conditions: the name " + one.name + " is used twice");
  }
}

}  // namespace

std::vector<Error> validate(const AnyAdmission& admission) {
  AdmissionErrors errors(admission);
  const auto has = [&](AdmissionOperation one) {
    return std::find(admission.operations.begin(), admission.operations.end(), one) != admission.operations.end();
  };
  errors.require(is_dns_label(admission.name),
                 ".name must be a DNS label: at most 63 lower-case letters, digits and '-'");
  errors.require(!admission.kind.empty() && !admission.kind.version.empty(),
                 ".kind must name a version and a kind, for example {\"apps/v1\", \"Deployment\"}");
  errors.require(admission.mutate || admission.validate,
                 "it has no function; set .defaults, .mutate, .validate or .effect");
  errors.require(!admission.operations.empty(), ".operations is empty; the webhook would never be called");
  errors.require(!admission.mutate || admission.validate || has(AdmissionOperation::create) ||
                     has(AdmissionOperation::update) || has(AdmissionOperation::connect),
                 ".operations contains only a deletion, which cannot be changed; set .validate instead of .mutate");
  errors.require(admission.timeout >= std::chrono::seconds(1) && admission.timeout <= std::chrono::seconds(30) &&
                     admission.timeout % std::chrono::seconds(1) == Duration::zero(),
                 ".timeout must be a number of seconds from 1 to 30, got " + format_duration(admission.timeout));
  errors.require(!admission.only_subresources || !admission.subresources.empty(),
                 ".only_subresources is set, but .subresources is empty; the webhook would never be called");
  errors.require_selector("namespace_selector", admission.namespace_selector);
  errors.require_selector("object_selector", admission.object_selector);
  check_conditions(admission, errors);
  return errors.take();
}

namespace internal {

json::Patch admission_changes(const Object& before, const json::Value& after) {
  return json::diff(before.to_value(), after);
}

// The API server applies the patch to the object that it sent, so a test of its resourceVersion has no use.
json::Patch without_tests(json::Patch patch) {
  json::array kept;
  for (json::Value& one : patch.operations) {
    if (one.at("op") != "test") kept.push_back(std::move(one));
  }
  patch.operations = std::move(kept);
  return patch;
}

void set_admission_defaults(AnyAdmission& admission, bool has_effect) {
  if (admission.name.empty()) {
    for (const char c : admission.kind.kind) {
      admission.name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  if (admission.resource.empty()) admission.resource = default_plural(admission.kind.kind);
  if (has_effect && admission.side_effects == SideEffects::none) {
    admission.errors.push_back(
        make_error(ErrorCode::invalid,
                   "admission " + admission.name + ": .effect requires .side_effects = SideEffects::none_on_dry_run")
            .terminal());
  }
}

}  // namespace internal
}  // namespace pintle
