// SPDX-License-Identifier: Apache-2.0
#include "health.hpp"

#include <algorithm>
#include <set>

#include <pintle/base/exceptions.hpp>

#include "manager/debug/console.hpp"

namespace pintle {
namespace {

http::Response text_response(int status, std::string body, std::string type = "text/plain; charset=utf-8") {
  return {.status = status, .headers = {{"Content-Type", std::move(type)}}, .body = std::move(body)};
}

http::Response no_such_page() { return text_response(404, "not found; available: /healthz, /readyz and /metrics\n"); }

std::set<std::string, std::less<>> excluded_by(const http::Target& target) {
  std::set<std::string, std::less<>> names;
  for (const auto& [name, value] : target.parameters) {
    if (name == "exclude") names.insert(value);
  }
  return names;
}

// Returns one line for each check, as Kubernetes programs print them.
std::string verbose_text(const std::vector<CheckResult>& results, std::set<std::string, std::less<>> excluded) {
  std::string text;
  for (const auto& [name, result] : results) {
    const bool is_excluded = excluded.erase(name) != 0;
    text += is_excluded ? "[+]" + name + " excluded: ok\n"
            : result    ? "[+]" + name + " ok\n"
                        : "[-]" + name + " failed: " + result.error().message + "\n";
  }
  for (const std::string& unknown : excluded) text += "warn: there is no check " + unknown + " to exclude\n";
  return text;
}

}  // namespace

std::vector<Error> validate(const std::vector<Page>& pages) {
  std::vector<Error> errors;
  std::set<std::string> paths;
  for (const Page& page : pages) {
    const std::string& path = page.path.value();
    const auto wrong = [&](const std::string& what) {
      errors.push_back(make_error(ErrorCode::invalid, "page \"" + path + "\" " + what));
    };
    const auto is_below = [&](std::string_view taken) {
      return path.starts_with(taken) && (path.size() == taken.size() || path[taken.size()] == '/');
    };
    if (!path.starts_with("/") || path.find_first_of("?#") != std::string::npos) {
      wrong("has an invalid .path; it must begin with \"/\" and have no query");
    }
    if (path == "/" || is_below("/healthz") || is_below("/readyz") || is_below("/metrics") || is_below("/debug") ||
        is_below("/console")) {
      wrong("has the .path of a built-in page; choose another one");
    }
    if (!paths.insert(path).second) wrong("exists twice; change the .path of one of them");
    if (!page.handle.value()) wrong("has an empty .handle; set the function");
  }
  return errors;
}

std::string Health::why_not_ready() const {
  std::string body;
  if (checks_.missing) {
    for (const std::string& one : checks_.missing()) body += one + "\n";
  }
  return body.empty() ? "the operator is starting or stopping\n" : body;
}

// /healthz does not depend on the caches, because a restart would not fill them sooner.
std::vector<CheckResult> Health::results(HealthProbe probe) const {
  std::vector<CheckResult> all{{"ping", Result<void>()}};
  if (probe == HealthProbe::alive) {
    auto alive = checks_.check_alive();
    if (!alive) alive.error().message = alive.error().to_string();
    all.emplace_back("leader-election", std::move(alive));
    if (checks_.check_webhooks) all.emplace_back("webhooks", checks_.check_webhooks());
  } else {
    if (checks_.check_served) all.emplace_back("definitions", checks_.check_served());
    std::string missing = checks_.is_ready() ? "" : why_not_ready();
    if (!missing.empty()) missing.pop_back();
    if (missing.empty() && checks_.problems) {
      for (const std::string& one : checks_.problems()) missing += (missing.empty() ? "" : "\n") + one;
    }
    all.emplace_back("caches", missing.empty() ? Result<void>() : fail(ErrorCode::unavailable, std::move(missing)));
  }
  if (!checks_.own) return all;
  for (auto& [name, result] : checks_.own(probe)) {
    if (!result) result.error().message.insert(0, "check " + name + ": ");
    all.emplace_back(std::move(name), std::move(result));
  }
  return all;
}

// Without `verbose`, the body of a failure has the reasons only.
http::Response Health::probe_page(HealthProbe probe, const http::Target& target) const {
  const auto excluded = excluded_by(target);
  const std::vector<CheckResult> all = results(probe);
  std::string failures;
  for (const auto& [name, result] : all) {
    if (!result && !excluded.contains(name)) failures += result.error().message + "\n";
  }
  const int status = failures.empty() ? 200 : probe == HealthProbe::alive ? 500 : 503;
  if (!target.parameter("verbose")) return text_response(status, failures.empty() ? "ok\n" : failures);
  const std::string page = probe == HealthProbe::alive ? "healthz" : "readyz";
  return text_response(status,
                       verbose_text(all, excluded) + page + " check " + (status == 200 ? "passed\n" : "failed\n"));
}

// An exact path takes precedence over the page of a folder, and a longer folder over a shorter one.
const Page* Health::page_at(std::string_view path) const {
  const Page* found = nullptr;
  for (const Page& page : checks_.pages) {
    const std::string& own = page.path.value();
    if (own == path) return &page;
    const bool is_above = own.ends_with('/') && path.starts_with(own);
    if (is_above && (found == nullptr || own.size() > found->path.value().size())) found = &page;
  }
  return found;
}

http::Response Health::serve(const Page& page, const http::Request& request) const {
  try {
    return page.handle.value()(request);
  } catch (...) {
    checks_.log.error("a page threw an exception", {{"path", page.path.value()}, {"error", describe_exception()}});
    return text_response(500, "the page failed; the log of the operator has the error\n");
  }
}

http::Response Health::handle(const http::Request& request) {
  const http::Target target = http::parse_target(request.target);
  const std::string& path = target.path;
  const bool is_profile = path == "/debug/profile" || path == "/debug/heap";
  if (checks_.profile != nullptr && is_profile) return checks_.profile->handle(request);
  if (checks_.debug != nullptr && path.starts_with("/debug")) return checks_.debug->handle(request);
  if (const Page* page = page_at(path)) return serve(*page, request);
  if (checks_.debug == nullptr && is_console_path(path)) return no_such_page();
  if (request.method != "GET" && request.method != "HEAD") return text_response(405, "only GET is allowed\n");
  if (path == "/healthz") return probe_page(HealthProbe::alive, target);
  if (path == "/readyz") return probe_page(HealthProbe::ready, target);
  if (path == "/metrics" && checks_.before_metrics) checks_.before_metrics();
  if (path == "/metrics") return text_response(200, metrics_.text(), "text/plain; version=0.0.4; charset=utf-8");
  if (auto file = console_page(path)) return std::move(*file);
  return no_such_page();
}

}  // namespace pintle
