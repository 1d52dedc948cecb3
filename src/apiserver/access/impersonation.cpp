// SPDX-License-Identifier: Apache-2.0
#include "impersonation.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <pintle/base/text.hpp>
#include <pintle/base/utf8.hpp>
#include <pintle/object/names.hpp>

#include "service_account.hpp"

namespace pintle::apiserver {
namespace {

constexpr std::string_view authentication_group = "authentication.k8s.io";
constexpr std::string_view extra_prefix = "impersonate-extra-";
constexpr std::string_view node_prefix = "system:node:";
constexpr std::string_view node_name_key = "authentication.kubernetes.io/node-name";
constexpr std::size_t many = 4;  // with so many groups or extra values, a right on "*" is checked first
constexpr std::size_t max_senders = 10'000;

enum class ImpersonationMode { associated_node, arbitrary_node, service_account, user_info, plain };
constexpr std::array impersonation_modes{ImpersonationMode::associated_node, ImpersonationMode::arbitrary_node,
                                         ImpersonationMode::service_account, ImpersonationMode::user_info,
                                         ImpersonationMode::plain};

std::string_view name_of(ImpersonationMode mode) {
  switch (mode) {
    case ImpersonationMode::associated_node: return "associated-node";
    case ImpersonationMode::arbitrary_node: return "arbitrary-node";
    case ImpersonationMode::service_account: return "serviceaccount";
    case ImpersonationMode::user_info: return "user-info";
    case ImpersonationMode::plain: break;
  }
  return "";
}

// Go syntax, because the message of kube-apiserver contains it.
std::string go_list(const std::vector<std::string>& texts) {
  std::string out = "[]string{";
  for (std::size_t i = 0; i < texts.size(); ++i) out += (i > 0 ? ", " : "") + json::print(json::Value(texts[i]));
  return out + "}";
}

std::string go_text(const User& user) {
  std::string extra;
  for (const auto& [key, values] : user.extra) {
    extra += (extra.empty() ? "" : ", ") + json::print(json::Value(key)) + ":" + go_list(values);
  }
  return fmt::format("&user.DefaultInfo{{Name:\"\", UID:{}, Groups:{}, Extra:map[string][]string{}}}",
                     json::print(json::Value(user.uid)), user.groups.empty() ? "[]string(nil)" : go_list(user.groups),
                     user.extra.empty() ? "(nil)" : "{" + extra + "}");
}

std::optional<std::string_view> node_of(std::string_view user) {
  if (!user.starts_with(node_prefix)) return std::nullopt;
  user.remove_prefix(node_prefix.size());
  if (names::validate_dns1123_subdomain(user)) return std::nullopt;
  return user;
}

bool is_on_node(const User& sender, std::string_view node) {
  const auto found = sender.extra.find(std::string(node_name_key));
  return parse_service_account(sender.name) && found != sender.extra.end() && found->second.size() == 1 &&
         found->second.front() == node;
}

bool applies(ImpersonationMode mode, const User& wanted, const User& sender) {
  const bool has_name_only = wanted.uid.empty() && wanted.groups.empty() && wanted.extra.empty();
  const auto node = node_of(wanted.name);
  switch (mode) {
    case ImpersonationMode::associated_node: return has_name_only && node && is_on_node(sender, *node);
    case ImpersonationMode::arbitrary_node: return has_name_only && node.has_value();
    case ImpersonationMode::service_account: return has_name_only && parse_service_account(wanted.name).has_value();
    case ImpersonationMode::user_info: return !node && !parse_service_account(wanted.name);
    case ImpersonationMode::plain: break;
  }
  return true;
}

// The checks of one mode for one user.
class ImpersonationAttempt {
 public:
  ImpersonationAttempt(const Authorizer& authorizer, ImpersonationMode mode, const User& sender, const User& wanted)
      : authorizer_(authorizer), mode_(mode), sender_(sender), wanted_(wanted) {
    verb_ = mode == ImpersonationMode::plain ? "impersonate" : fmt::format("impersonate:{}", name_of(mode));
  }

  StatusOr<User> run(const Action& request) {
    if (mode_ != ImpersonationMode::plain) {
      Action on = request;
      on.verb = fmt::format("impersonate-on:{}:{}", name_of(mode_), request.verb);
      if (auto allowed = authorizer_.check(sender_, on); !allowed) return refuse(std::move(allowed.error()));
    }
    for (const auto check : {&ImpersonationAttempt::check_name, &ImpersonationAttempt::check_uid,
                             &ImpersonationAttempt::check_groups, &ImpersonationAttempt::check_extra}) {
      if (auto allowed = (this->*check)(); !allowed) return refuse(std::move(allowed.error()));
    }
    return result();
  }

 private:
  // Users and groups are in the core group for the verb "impersonate" only.
  [[nodiscard]] Action action(std::string resource, std::string name, bool is_core) const {
    return {
        .verb = verb_,
        .group = std::string(is_core && mode_ == ImpersonationMode::plain ? std::string_view{} : authentication_group),
        .resource = std::move(resource),
        .name = std::move(name)};
  }

  StatusOr<void> check_name() {
    Action on = action("users", wanted_.name, true);
    if (const auto node = node_of(wanted_.name); node && mode_ != ImpersonationMode::plain) {
      on.resource = "nodes";
      on.name = mode_ == ImpersonationMode::associated_node ? "*" : std::string(*node);
    } else if (const auto account = parse_service_account(wanted_.name)) {
      on.resource = "serviceaccounts";
      on.namespace_ = account->namespace_;
      on.name = account->name;
    }
    return authorizer_.check(sender_, on);
  }
  StatusOr<void> check_uid() {
    return wanted_.uid.empty() ? StatusOr<void>() : authorizer_.check(sender_, action("uids", wanted_.uid, false));
  }
  StatusOr<void> check_groups() {
    Action on = action("groups", "", true);
    if (mode_ != ImpersonationMode::plain) {
      if (wanted_.is_in("")) {
        return refuse(not_allowed(sender_, on, "impersonating the empty string group is not allowed"));
      }
      if (wanted_.is_in(masters_group)) {
        on.name = masters_group;
        return refuse(not_allowed(sender_, on, "impersonating the system:masters group is not allowed"));
      }
      on.name = "*";
      if (wanted_.groups.size() >= many && authorizer_.check(sender_, on)) return {};
    }
    for (const std::string& group : wanted_.groups) {
      on.name = group;
      if (auto allowed = authorizer_.check(sender_, on); !allowed) return allowed;
    }
    return {};
  }
  StatusOr<void> check_extra() {
    std::size_t count = 0;
    for (const auto& [key, values] : wanted_.extra) count += values.size();
    Action on = action("userextras", "*", false);
    on.subresource = "*";
    if (mode_ != ImpersonationMode::plain && count >= many && authorizer_.check(sender_, on)) return {};
    for (const auto& [key, values] : wanted_.extra) {
      on.subresource = key;
      for (const std::string& value : values) {
        on.name = value;
        if (auto allowed = authorizer_.check(sender_, on); !allowed) return allowed;
      }
    }
    return {};
  }

  [[nodiscard]] User result() const {
    User out = wanted_;
    if (out.groups.empty()) {
      if (const auto account = parse_service_account(out.name)) out.groups = account->groups();
      if (mode_ == ImpersonationMode::associated_node || mode_ == ImpersonationMode::arbitrary_node)
        out.groups = {"system:nodes"};
    }
    const bool is_anonymous = out.name == anonymous_user;
    const std::string_view common = is_anonymous ? unauthenticated_group : authenticated_group;
    if (!out.is_in(common) && !out.is_in(unauthenticated_group)) out.groups.emplace_back(common);
    return out;
  }

  const Authorizer& authorizer_;
  const ImpersonationMode mode_;
  const User& sender_;
  const User& wanted_;
  std::string verb_;
};

}  // namespace

StatusOr<std::optional<User>> impersonated_user(const http::Headers& headers) {
  User out;
  for (const auto& [name, value] : headers) {
    if (name.empty() || (name.front() != 'I' && name.front() != 'i')) continue;
    const std::string key = to_lower_ascii(name);
    if (key == "impersonate-user" && out.name.empty()) out.name = sanitize_utf8(value);
    if (key == "impersonate-uid" && out.uid.empty()) out.uid = sanitize_utf8(value);
    if (key == "impersonate-group") out.groups.push_back(sanitize_utf8(value));
    if (!key.starts_with(extra_prefix)) continue;
    out.extra[sanitize_utf8(http::percent_decode(key.substr(extra_prefix.size())))].push_back(sanitize_utf8(value));
  }
  const bool has_more = !out.uid.empty() || !out.groups.empty() || !out.extra.empty();
  if (!out.name.empty()) return out;
  if (!has_more) return std::nullopt;
  return refuse(bad_request(fmt::format("requested {} without impersonating a user name", go_text(out))));
}

StatusOr<User> Impersonation::effective_user(const User& sender, const User& named, const Action& action) const {
  std::vector<std::size_t> order;
  {
    const MutexLock lock(mutex_);
    if (const auto last = last_modes_.find(sender.name); last != last_modes_.end()) order.push_back(last->second);
  }
  for (std::size_t i = 0; i < impersonation_modes.size(); ++i) {
    if (order.empty() || order.front() != i) order.push_back(i);
  }
  std::optional<Refusal> first;
  for (const std::size_t mode : order) {
    if (!applies(impersonation_modes.at(mode), named, sender)) continue;
    auto user = ImpersonationAttempt(authorizer_, impersonation_modes.at(mode), sender, named).run(action);
    if (user) {
      const MutexLock lock(mutex_);
      if (last_modes_.size() >= max_senders) last_modes_.clear();
      last_modes_[sender.name] = mode;
      return user;
    }
    if (!first) first = std::move(user.error());
  }
  return refuse(std::move(*first));  // the last mode applies to every user
}

}  // namespace pintle::apiserver
