// SPDX-License-Identifier: Apache-2.0
#include <pintle/testing/rbac_recorder.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <pintle/json/value.hpp>

#include "requested_permission.hpp"

namespace pintle::testkit {
namespace {

constexpr std::size_t max_lacking = 1000;

std::string qualified(const std::string& resource, const std::string& group) {
  return group.empty() ? resource : resource + "." + group;
}

// Returns the declaration of the permission in a controller.
std::string declaration(const RequestInfo& info, const std::vector<RbacRole>& roles, const std::string& cluster) {
  const bool is_confined =
      std::any_of(roles.begin(), roles.end(), [](const RbacRole& role) { return !role.namespace_.empty(); });
  const bool is_cluster_wide = is_confined && info.namespace_.empty();
  std::string rest = is_cluster_wide ? ", {}, true" : "";
  if (cluster != home_cluster) rest = fmt::format(R"(, {{}}, {}, "{}")", is_cluster_wide, cluster);
  return fmt::format(R"(.rbac_rules = {{{{"{}", "{}", {{"{}"}}{}}}}})", info.group, info.resource, info.verb, rest);
}

}  // namespace

RbacRecorder::RbacRecorder(Executor& executor, http::Handler& server, RbacMode mode)
    : server_(server), mode_(mode), mutex_(executor) {}

void RbacRecorder::set_roles(std::string name, std::vector<RbacRole> roles, std::string cluster) {
  const MutexLock lock(mutex_);
  name_ = std::move(name);
  roles_ = std::move(roles);
  cluster_ = std::move(cluster);
  used_.clear();
}

http::Response RbacRecorder::handle(const http::Request& request) {
  const auto info = request_info(request);
  if (!info) return server_.handle(request);
  if (!is_allowed(*info) && mode_ == RbacMode::enforce) return forbidden(*info);
  if (info->verb == "watch" && request.target.find("sendInitialEvents=true") != std::string::npos) {
    // A cache lists if the server does not support the stream, so it needs that permission too.
    RequestInfo list = *info;
    list.verb = "list";
    (void)is_allowed(list);
  }
  if (may_create(request, *info) && !is_there(request)) {
    RequestInfo create = *info;
    create.verb = "create";
    if (!is_allowed(create) && mode_ == RbacMode::enforce) return forbidden(create);
  }
  return server_.handle(request);
}

bool RbacRecorder::is_there(const http::Request& request) {
  return server_
             .handle({.target = request.target.substr(0, request.target.find('?')),
                      .headers = {{"Authorization", std::string(request.headers.get("Authorization").value_or(""))}},
                      .endpoint = request.endpoint})
             .status != 404;
}

bool RbacRecorder::is_allowed(const RequestInfo& info) {
  const MutexLock lock(mutex_);
  bool allowed = false;
  for (std::size_t role = 0; role < roles_.size(); ++role) {
    for (std::size_t rule = 0; rule < roles_[role].rules.size(); ++rule) {
      if (!is_allowed_by(info, roles_[role], roles_[role].rules[rule])) continue;
      used_.insert({role, {rule, info.verb}});
      allowed = true;
    }
  }
  if (!allowed) note_missing(info);
  return allowed;
}

void RbacRecorder::note_missing(const RequestInfo& info) {
  const std::string where =
      info.namespace_.empty() ? "in the whole cluster" : fmt::format("in namespace \"{}\"", info.namespace_);
  std::string line = fmt::format("{} {} {}: not in the roles of manager {}{}; add .owns, .watches or {}", info.verb,
                                 qualified(info.resource, info.group), where, name_, in_cluster(),
                                 declaration(info, roles_, cluster_));
  const bool is_known = std::find(missing_.begin(), missing_.end(), line) != missing_.end();
  if (!is_known && missing_.size() < max_lacking) missing_.push_back(std::move(line));
}

// Messages do not name the home cluster.
std::string RbacRecorder::in_cluster() const { return cluster_ == home_cluster ? "" : " in cluster " + cluster_; }

http::Response RbacRecorder::forbidden(const RequestInfo& info) const {
  const std::string resource = info.resource.substr(0, info.resource.find('/'));
  const std::string scope =
      info.namespace_.empty() ? "at the cluster scope" : fmt::format("in the namespace \"{}\"", info.namespace_);
  const MutexLock lock(mutex_);
  const std::string message = fmt::format(
      R"({}{} is forbidden: User "{}" cannot {} resource "{}" in API group "{}" {})", qualified(resource, info.group),
      info.name.empty() ? "" : " \"" + info.name + "\"", name_, info.verb, info.resource, info.group, scope);
  json::object details;
  if (!info.name.empty()) details["name"] = info.name;
  if (!info.group.empty()) details["group"] = info.group;
  details["kind"] = resource;
  const json::Value status{
      {"kind", "Status"},   {"apiVersion", "v1"},    {"metadata", json::object{}},    {"status", "Failure"},
      {"message", message}, {"reason", "Forbidden"}, {"details", std::move(details)}, {"code", 403}};
  return {.status = 403, .headers = {{"Content-Type", "application/json"}}, .body = json::print(status)};
}

std::vector<std::string> RbacRecorder::missing() const {
  const MutexLock lock(mutex_);
  return missing_;
}

std::vector<std::string> RbacRecorder::unused() const {
  const MutexLock lock(mutex_);
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < roles_.size(); ++at) {
    const RbacRole& role = roles_[at];
    for (std::size_t rule = 0; rule < role.rules.size(); ++rule) {
      const RbacRule& right = role.rules[rule];
      if (right.resource.ends_with("/finalizers")) continue;
      std::vector<std::string> idle;
      for (const std::string& verb : right.verbs) {
        if (!used_.contains({at, {rule, verb}})) idle.push_back(verb);
      }
      if (idle.empty()) continue;
      lines.push_back(fmt::format("{} {}: in {}Role {}{}, but not used", fmt::join(idle, ", "),
                                  qualified(right.resource, right.group), role.namespace_.empty() ? "Cluster" : "",
                                  role.name, in_cluster()));
    }
  }
  return lines;
}

}  // namespace pintle::testkit
