// SPDX-License-Identifier: Apache-2.0
#include "crd_installer.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <utility>

#include <pintle/base/backoff.hpp>
#include <pintle/http/transport.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/object/schema/crd.hpp>

#include "controller/start_retry.hpp"
#include "object/manager_mark.hpp"

namespace pintle {
namespace {

constexpr Backoff poll{.base = std::chrono::milliseconds(2), .factor = 2, .cap = std::chrono::seconds(5)};

// Returns whether the policy permits the replacement of an installed CRD.
bool replaces(CrdPolicy policy) { return policy == CrdPolicy::upgrade || policy == CrdPolicy::adopt; }

std::string name_of(const json::Value& crd) {
  const json::Value* name = json::find(crd, "/metadata/name");
  return name != nullptr && name->is_string() ? std::string(name->get_string()) : std::string();
}

// Returns the names of the versions that a CRD serves or stores.
std::set<std::string> versions_of(json::View crd) {
  std::set<std::string> names;
  for (std::string& name : CrdView(crd).served_versions()) names.insert(std::move(name));
  for (const json::View version : crd["/status/storedVersions"].elements()) names.emplace(version.text());
  return names;
}

// Returns whether a server may have added this member, because it means the same as a missing one.
bool is_empty_default(const json::Value& value) {
  return value == json::Value(false) || value == json::Value("") || value == json::Value(json::array{}) ||
         value == json::Value(json::object{});
}

void complete(json::object& ours, const json::Value* theirs) {
  if (theirs == nullptr || !theirs->is_object()) return;
  for (const auto& [name, value] : theirs->as_object()) {
    if (!ours.contains(name) && is_empty_default(value)) ours[name] = value;
  }
}

// If the authorities of the webhook are not known, another program may have set them.
void keep_authorities(json::Value& ours, const json::Value* theirs) {
  const std::string pointer = "/conversion/webhook/clientConfig/caBundle";
  const json::Value* installed = theirs == nullptr ? nullptr : json::find(*theirs, pointer);
  const bool is_webhook = json::find(ours, "/conversion/webhook/clientConfig") != nullptr;
  if (installed == nullptr || !is_webhook || json::find(ours, pointer) != nullptr) return;
  (void)!json::set(ours, pointer, *installed);
}

// Returns the declared spec with the members that the server adds, so that only real differences from the installed CRD
// remain. If the declared spec has no conversion, the installed one is kept, because stored objects may need it.
json::Value completed(const json::Value& wanted, const Object& there) {
  json::Value spec = wanted;
  const json::Value installed = there.to_value();
  json::object& ours = spec.as_object();
  complete(ours, json::find(installed, "/spec"));
  for (const char* member : {"conversion", "names/singular", "names/listKind"}) {
    const std::string pointer = std::string("/") + member;
    const json::Value* theirs = json::find(installed, "/spec" + pointer);
    if (theirs != nullptr && json::find(spec, pointer) == nullptr) (void)!json::set(spec, pointer, *theirs);
  }
  keep_authorities(spec, json::find(installed, "/spec"));
  for (json::Value& version : ours["versions"].as_array()) {
    const json::Value* theirs = json::find(installed, "/spec/versions");
    if (theirs == nullptr) break;
    for (const json::Value& candidate : theirs->as_array()) {
      if (candidate.at("name") == version.at("name")) complete(version.as_object(), &candidate);
    }
  }
  return spec;
}

bool is_foreign(const json::Value& crd) { return CrdView(json::Document(crd).root()).is_foreign(); }

Error clash(const std::string& name, const std::string& what) {
  return make_error(ErrorCode::conflict, "the installed CRD " + name + " " + what);
}

std::optional<unsigned long> as_number(std::string_view text) {
  unsigned long number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Removes the part before the next dot from the text and returns it.
std::string_view take_part(std::string_view& text) {
  const auto dot = text.find('.');
  const std::string_view part = text.substr(0, dot);
  text.remove_prefix(dot == std::string_view::npos ? text.size() : dot + 1);
  return part;
}

std::strong_ordering compare_dotted(std::string_view a, std::string_view b) {
  while (!a.empty() || !b.empty()) {
    if (a.empty() || b.empty()) return b.empty() <=> a.empty();
    const std::string_view x = take_part(a);
    const std::string_view y = take_part(b);
    const auto x_number = as_number(x);
    const auto y_number = as_number(y);
    // A number is less than a text.
    const auto order = x_number && y_number ? *x_number <=> *y_number
                       : x_number           ? std::strong_ordering::less
                       : y_number           ? std::strong_ordering::greater
                                            : x.compare(y) <=> 0;
    if (order != 0) return order;
  }
  return std::strong_ordering::equal;
}

}  // namespace

std::strong_ordering compare_semantic_versions(std::string_view a, std::string_view b) {
  const auto split = [](std::string_view text) {
    text = text.substr(text.starts_with('v') ? 1 : 0);
    text = text.substr(0, text.find('+'));
    const auto dash = text.find('-');
    return std::pair(text.substr(0, dash), dash == std::string_view::npos ? std::string_view() : text.substr(dash + 1));
  };
  const auto [a_core, a_pre] = split(a);
  const auto [b_core, b_pre] = split(b);
  if (const auto order = compare_dotted(a_core, b_core); order != 0) return order;
  // A release is greater than all its pre-releases.
  if (a_pre.empty() || b_pre.empty()) return a_pre.empty() <=> b_pre.empty();
  return compare_dotted(a_pre, b_pre);
}

Result<void> CrdInstaller::ensure(const std::function<json::Value()>& crd, const GroupVersionKind& kind,
                                  const std::stop_token& stop) {
  const StartRetry retry(client_.transport().executor(), log_, patience_);
  return retry.run(
      "install the CRD of " + kind.to_string(), [&] { return try_to_ensure(crd(), kind, stop); }, stop);
}

// A conflict with another instance that installs the same CRD is transient: the next attempt starts from its result.
Result<void> CrdInstaller::try_to_ensure(const json::Value& crd, const GroupVersionKind& kind,
                                         const std::stop_token& stop) {
  if (is_foreign(crd)) return wait_for_foreign(crd, kind, stop);
  const std::string name = name_of(crd);
  auto there = client_.get(crd_type, {.name = name}, stop);
  const bool is_forbidden = !there && there.error().code == ErrorCode::forbidden;
  if (!there && !is_forbidden && there.error().code != ErrorCode::not_found) return fail(std::move(there.error()));
  bool waits_for_others = policy_ == CrdPolicy::never || is_forbidden;
  if (there) {
    if (there->is_deleting()) return fail(ErrorCode::unavailable, "CRD " + name + " is being deleted");
    if (auto used = use(*there, crd, kind); !used) return used;
    if (replaces(policy_)) {
      if (auto upgraded = upgrade(*there, crd, stop); !upgraded) return upgraded;
    }
  } else if (!waits_for_others) {
    auto installed = install(crd, stop);
    waits_for_others = !installed && installed.error().code == ErrorCode::forbidden;
    if (!installed && !waits_for_others) return installed;
  }
  if (!waits_for_others) return wait_until_served(kind, patience_, stop);
  client_.invalidate_discovery(kind);
  const auto served = client_.resource(kind, stop);
  if (served) return {};
  if (served.error().code != ErrorCode::unsupported) return fail(served.error());
  if (policy_ == CrdPolicy::never) {
    return fail(ErrorCode::unsupported, "CRD " + name + " is not installed, and --crds is never; install it first " +
                                            "(--print-crds prints it), or start with --crds if_missing");
  }
  log_.warning("no permission to install the CRD; waiting until it is installed (--print-crds prints it)",
               {{"crd", name}});
  return wait_until_served(kind, Duration::max(), stop);
}

Result<void> CrdInstaller::restore(const json::Value& crd, const GroupVersionKind& kind, const std::stop_token& stop) {
  auto installed = install(crd, stop);
  // It exists if another instance has installed it, or if the server has not finished the deletion of the old one.
  if (!installed && installed.error().code != ErrorCode::already_exists) return installed;
  return wait_until_served(kind, patience_, stop);
}

Result<void> CrdInstaller::install(const json::Value& crd, const std::stop_token& stop) {
  json::Value marked = crd;
  mark_manager(marked, manager_, version_);
  if (auto created = client_.create(marked, {}, stop); !created) return fail(std::move(created.error()));
  log_.info("CRD installed", {{"crd", name_of(crd)}});
  return {};
}

// A foreign kind is checked by discovery only, so this requires no permission to read CRDs.
Result<void> CrdInstaller::wait_for_foreign(const json::Value& crd, const GroupVersionKind& kind,
                                            const std::stop_token& stop) {
  const std::string name = name_of(crd);
  client_.invalidate_discovery(kind);
  const auto served = client_.resource(kind, stop);
  if (served) return {};
  if (served.error().code != ErrorCode::unsupported) return fail(served.error());
  log_.warning("the CRD of a foreign kind is not installed; waiting until its owner installs it",
               {{"crd", name}, {"kind", kind.to_string()}});
  auto waited = wait_until_served(kind, patience_, stop);
  if (waited || waited.error().code != ErrorCode::timeout) return waited;
  return fail(ErrorCode::unsupported, "CRD " + name + " is not installed: " + kind.to_string() +
                                          " is a foreign kind, which this operator never installs; install its " +
                                          "owner first");
}

// Checks that the installed CRD can serve the watched kind.
Result<void> CrdInstaller::use(const Object& there, const json::Value& wanted, const GroupVersionKind& kind) {
  const json::Document ours_text(wanted);
  const CrdView theirs(there.root());
  const CrdView ours(ours_text.root());
  const std::string name(there.name());
  if (theirs.kind() != ours.kind()) {
    return fail(clash(name, "defines kind " + std::string(theirs.kind()) + ", not " + std::string(ours.kind()) +
                                "; change the group or the plural of one of the two"));
  }
  if (theirs.scope() != ours.scope()) {
    return fail(clash(name, "has scope " + std::string(to_string(theirs.scope())) + ", not " +
                                std::string(to_string(ours.scope())) +
                                "; change the scope of the described struct, or delete the CRD"));
  }
  if (theirs.serves(kind, ours.scope())) return {};
  if (replaces(policy_)) return {};  // upgrade() adds the version
  return fail(
      clash(name, "does not serve " + kind.version +
                      "; install the CRD of this operator (--print-crds prints it), or start with --crds upgrade"));
}

Result<void> CrdInstaller::upgrade(const Object& there, const json::Value& wanted, const std::stop_token& stop) {
  const std::string name(there.name());
  const std::string_view owner = there.annotation(manager_annotation);
  const bool adopts = owner.empty() && policy_ == CrdPolicy::adopt;
  if (owner != manager_ && !adopts) return fail(clash(name, not_owned(owner)));
  const std::string_view version = there.annotation(manager_version_annotation);
  if (!adopts && compare_semantic_versions(version, version_) > 0) {
    log_.info("CRD kept: a newer version of this operator installed it", {{"crd", name}, {"its_version", version}});
    return {};
  }
  const std::set<std::string> kept = versions_of(json::Document(wanted).root());
  for (const std::string& needed : versions_of(there.root())) {
    if (!kept.contains(needed))
      return fail(clash(name, "serves or stores version " + needed + ", which the CRD of this operator does not have"));
  }
  json::Value next = there.to_value();
  next.as_object()["spec"] = completed(wanted.at("spec"), there);
  mark_manager(next, manager_, version_);
  if (Object(next) == there) return {};
  const auto replaced = client_.replace(next, {}, stop);
  if (!replaced) return fail(replaced.error());
  if (replaced->resource_version() == there.resource_version()) return {};
  if (adopts) {
    log_.info("CRD adopted", {{"crd", name}, {"version", version_}});
  } else {
    log_.info("CRD upgraded", {{"crd", name}, {"from", version}, {"to", version_}});
  }
  return {};
}

std::string CrdInstaller::not_owned(std::string_view owner) const {
  if (owner.empty()) {
    return "was not installed by " + manager_ +
           " and is not replaced; start with --crds adopt to take it over, or with --crds if_missing to use it "
           "unchanged";
  }
  return "belongs to manager " + std::string(owner) + ", not to " + manager_ +
         ", and is not replaced; start with --crds if_missing to use it unchanged, or hand it over by removing its " +
         "annotation " + std::string(manager_annotation);
}

Result<void> CrdInstaller::wait_until_served(const GroupVersionKind& kind, Duration patience,
                                             const std::stop_token& stop) {
  Executor& executor = client_.transport().executor();
  const Instant deadline = after(executor.now(), patience);
  for (unsigned attempt = 0;; ++attempt) {
    client_.invalidate_discovery(kind);
    auto resource = client_.resource(kind, stop);
    if (resource) return {};
    const bool is_missing = resource.error().code == ErrorCode::unsupported;
    if (!is_missing && !is_transient(resource.error())) return fail(std::move(resource.error()));
    if (executor.now() >= deadline) {
      return fail(ErrorCode::timeout,
                  "the server does not serve " + kind.to_string() + " although its CRD is installed: " +
                      (is_missing ? "check the conditions of the CRD" : resource.error().to_string()));
    }
    if (!executor.sleep_for(poll.delay(attempt), stop)) return fail(ErrorCode::cancelled, "cancelled");
  }
}

}  // namespace pintle
