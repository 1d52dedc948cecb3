// SPDX-License-Identifier: Apache-2.0
#include "admission_webhook.hpp"

#include <utility>

#include "apiserver/expressions/expression_compiler.hpp"

namespace pintle::apiserver {
namespace {

using json::View;

std::string review_version(View versions) {
  for (const View version : versions.elements()) {
    if (version == "v1" || version == "v1beta1") return std::string(version.text());
  }
  return "v1";
}

// A part that cannot be read is an error of the webhook, which is then not skipped.
AdmissionWebhook read_webhook(View hook) {
  AdmissionWebhook out;
  out.name = hook.member("name").text();
  out.target = webhook_target(hook.member("clientConfig"));
  out.match = read_webhook_criteria(hook);
  const ExpressionCompiler compiler;
  for (const View condition : hook.member("matchConditions").elements()) {
    auto program = compiler.compile(ExpressionUse::condition, condition.member("expression").text());
    if (program) {
      out.conditions.push_back(std::move(*program));
    } else {
      out.error = program.error().message;
    }
  }
  out.ignores_failures = hook.member("failurePolicy") == "Ignore";
  out.may_be_reinvoked = hook.member("reinvocationPolicy") == "IfNeeded";
  out.timeout = std::chrono::seconds(hook.member("timeoutSeconds").as_integer().value_or(10));
  out.review_version = review_version(hook.member("admissionReviewVersions"));
  return out;
}

}  // namespace

std::vector<AdmissionWebhook> read_webhooks(const std::vector<Object>& configurations) {
  std::vector<AdmissionWebhook> out;
  for (const Object& configuration : configurations) {
    for (const View hook : configuration["/webhooks"].elements()) out.push_back(read_webhook(hook));
  }
  return out;
}

}  // namespace pintle::apiserver
