// SPDX-License-Identifier: Apache-2.0
// The check webhooks: the configurations of admission webhooks, and the conversion webhooks of CRDs.
#include <string>
#include <utility>

#include <fmt/format.h>

#include <pintle/json/difference.hpp>

#include "doctor/checks/checks.hpp"
#include "doctor/service_reach.hpp"
#include "doctor/webhook_lock.hpp"

namespace pintle::doctor {
namespace {

const std::string admission_version = "admissionregistration.k8s.io/v1";
constexpr const char* configuration_kinds[] = {"MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"};

std::string resource_name(std::string_view kind) {
  return kind == configuration_kinds[0] ? "mutatingwebhookconfigurations" : "validatingwebhookconfigurations";
}

class WebhookCheck {
 public:
  WebhookCheck(const CheckInput& input, Lines& lines) : input_(input), lines_(lines) {}

  void report(const Object& configuration) {
    for (const json::View webhook : configuration["/webhooks"].elements()) {
      const std::string subject =
          fmt::format("{} {}: {}", configuration.kind(), configuration.name(), webhook.member("name").text());
      const std::string edit =
          fmt::format("kubectl edit {} {}", resource_name(configuration.kind()), configuration.name());
      report_reach(subject, webhook.member("clientConfig"), webhook.member("failurePolicy") != "Ignore", edit);
      report_lock(subject, webhook, edit);
    }
  }

  void report_conversion(const Object& crd) {
    const json::View config = crd["/spec/conversion/webhook/clientConfig"];
    if (!config.is_object() || crd["/spec/conversion/strategy"] != "Webhook") return;
    ++count_;
    report_reach(fmt::format("conversion of CRD {}", crd.name()), config, true,
                 fmt::format("kubectl edit crd {}", crd.name()));
  }

  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  void report_reach(const std::string& subject, json::View config, bool is_required, const std::string& edit) {
    const auto problems = check_reach(input_.cluster, config, edit);
    if (!problems) return lines_.unreadable(subject, problems.error(), {"", "services"});
    for (const ReachProblem& one : *problems) {
      lines_.add(is_required && one.is_broken ? LineState::fail : LineState::warn, subject, one.detail, one.action);
    }
  }

  void report_lock(const std::string& subject, json::View webhook, const std::string& edit) {
    ++count_;
    const auto locked = locked_resources(input_.cluster, webhook);
    if (!locked) return lines_.unreadable(subject, locked.error(), {"", "namespaces", "get"});
    if (locked->empty()) return;
    const std::string_view namespace_ = webhook["/clientConfig/service/namespace"].text();
    lines_.fail(
        subject,
        fmt::format("would lock the cluster: with failurePolicy Fail it receives {}, also those that its own "
                    "service in namespace {} needs to start",
                    *locked, namespace_),
        fmt::format("set failurePolicy: Ignore, or exclude the namespace by namespaceSelector: "
                    "{{matchExpressions: [{{key: kubernetes.io/metadata.name, operator: NotIn, values: [{}]}}]}}"
                    ": {}",
                    namespace_, edit));
  }

  const CheckInput& input_;
  Lines& lines_;
  std::size_t count_ = 0;  // webhooks
};

// Compares the configurations of the program, without the trust bundles, with the installed ones.
void compare_with_program(const CheckInput& input, Lines& lines) {
  const Program& program = *input.program;
  const std::string apply = fmt::format(
      "start the operator with --webhook-install upgrade, or: {} --print-webhooks | "
      "kubectl apply -f -",
      program.command);
  for (const Object& printed : program.webhooks) {
    const std::string subject = fmt::format("{} {}", printed.kind(), printed.name());
    const auto installed = input.cluster.get({admission_version, printed.kind()}, printed.key());
    if (!installed) {
      if (installed.error().code == ErrorCode::not_found) {
        lines.fail(subject, "is not installed, so that the webhooks of the program are not called", apply);
      } else {
        lines.unreadable(subject, installed.error(),
                         {"admissionregistration.k8s.io", resource_name(printed.kind()), "get"});
      }
      continue;
    }
    if ((*installed)["/webhooks"].size() != printed["/webhooks"].size()) {
      lines.fail(subject, "has not the same webhooks as the program", apply);
      continue;
    }
    for (const std::string& pointer : json::changed_pointers((*installed)["/webhooks"], printed["/webhooks"], 100)) {
      if (pointer.ends_with("/caBundle") || !printed["/webhooks"][pointer]) continue;
      lines.warn(subject, fmt::format("differs from the program at /webhooks{}", pointer), apply);
      break;
    }
  }
}

}  // namespace

void check_webhooks(const CheckInput& input, Lines& lines) {
  WebhookCheck check(input, lines);
  for (const char* kind : configuration_kinds) {
    const auto& configurations = input.cluster.list({admission_version, kind});
    if (!configurations) {
      lines.unreadable(std::string(kind) + "s", configurations.error(),
                       {"admissionregistration.k8s.io", resource_name(kind)});
      continue;
    }
    for (const Object& one : configurations->objects) check.report(one);
  }
  const auto& crds = input.cluster.list(crd_type);
  if (crds) {
    for (const Object& one : crds->objects) check.report_conversion(one);
  } else {
    lines.unreadable("conversions of CRDs", crds.error(), {"apiextensions.k8s.io", "customresourcedefinitions"});
  }
  if (input.program) {
    compare_with_program(input, lines);
    if (!input.program->webhooks_error.empty()) {
      lines.skip("webhooks of the program", input.program->webhooks_error,
                 "add the flags of the webhooks after PROGRAM, as in the Deployment");
    }
  }
  if (lines.empty()) lines.ok_of_all("webhooks", check.count(), "can be called, and none locks the cluster");
}

}  // namespace pintle::doctor
