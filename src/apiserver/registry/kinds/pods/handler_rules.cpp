// SPDX-License-Identifier: Apache-2.0
#include "handler_rules.hpp"

#include <string_view>

#include <fmt/format.h>

#include "../../cells.hpp"
#include "apiserver/registry/names/name_rules.hpp"
#include "apiserver/registry/refusal.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

using Causes = std::vector<StatusCause>;

// A number, or the name of a port of the container.
void validate_target_port(View port, const std::string& field, Causes& causes) {
  if (port.is_string()) {
    add_errors(field, port.text(), port_name_errors(port.text()), causes);
  } else {
    add_errors(field, integer_cell(port), port_errors(integer_cell(port)), causes);
  }
}

void validate_http_get(View get, const std::string& field, Causes& causes) {
  validate_target_port(get.member("port"), field + ".port", causes);
  for (const View header : get.member("httpHeaders").elements()) {
    const std::string_view name = header.member("name").text();
    add_errors(field + ".httpHeaders", name, header_name_errors(name), causes);
  }
}

void validate_sleep(View sleep, const GracePeriod& period, const std::string& field, Causes& causes) {
  const std::int64_t seconds = integer_cell(sleep.member("seconds"));
  if (!period || (seconds >= 0 && seconds <= *period)) return;
  causes.push_back(
      invalid_value(field, Value(seconds),
                    fmt::format("must be non-negative and less than terminationGracePeriodSeconds ({})", *period)));
}

void validate_handler(View handler, const GracePeriod& period, const std::string& field, Causes& causes) {
  bool has_one = false;
  for (const std::string_view name : {"exec", "httpGet", "tcpSocket", "grpc", "sleep"}) {
    const View how = handler.member(name);
    if (!how.exists()) continue;
    const std::string at = fmt::format("{}.{}", field, name);
    if (has_one) {
      causes.push_back(forbidden_field(at, "may not specify more than 1 handler type"));
      continue;
    }
    has_one = true;
    if (name == "exec") {
      if (how.member("command").empty()) causes.push_back(required(at + ".command"));
    } else if (name == "httpGet") {
      validate_http_get(how, at, causes);
    } else if (name == "sleep") {
      validate_sleep(how, period, at, causes);
    } else {
      validate_target_port(how.member("port"), at + ".port", causes);
    }
  }
  if (!has_one) causes.push_back(required(field, "must specify a handler type"));
}

void validate_probe(View probe, std::string_view name, const GracePeriod& period, const std::string& field,
                    Causes& causes) {
  if (!probe.exists()) return;
  validate_handler(probe, period, field, causes);
  for (const char* number :
       {"initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"}) {
    const std::int64_t value = integer_cell(probe.member(number));
    if (value >= 0) continue;
    causes.push_back(
        invalid_value(fmt::format("{}.{}", field, number), Value(value), "must be greater than or equal to 0"));
  }
  const View own_period = probe.member("terminationGracePeriodSeconds");
  const std::string at = field + ".terminationGracePeriodSeconds";
  if (own_period.exists() && integer_cell(own_period) <= 0) {
    causes.push_back(invalid_value(at, own_period.to_value(), "must be greater than 0"));
  }
  if (name == "readinessProbe") {
    if (own_period.exists()) {
      causes.push_back(invalid_value(at, own_period.to_value(), "must not be set for readinessProbes"));
    }
    return;
  }
  const std::int64_t successes = integer_cell(probe.member("successThreshold"));
  if (successes != 1) causes.push_back(invalid_value(field + ".successThreshold", Value(successes), "must be 1"));
}

}  // namespace

void validate_handlers(View container, const GracePeriod& period, const std::string& field, Causes& causes) {
  for (const char* hook : {"postStart", "preStop"}) {
    const View handler = container.member("lifecycle").member(hook);
    if (handler.exists()) validate_handler(handler, period, fmt::format("{}.lifecycle.{}", field, hook), causes);
  }
  for (const std::string_view name : {"livenessProbe", "readinessProbe", "startupProbe"}) {
    validate_probe(container.member(name), name, period, fmt::format("{}.{}", field, name), causes);
  }
}

}  // namespace pintle::apiserver
