// SPDX-License-Identifier: Apache-2.0
#include "projector.hpp"

#include <algorithm>

#include <pintle/json/pointer.hpp>

namespace pintle::json {

Result<void> Projector::set(const Projection& projection) {
  for (const std::string& path : projection.keep) {
    if (auto added = add(path, &Rule::keeps); !added) return added;
  }
  for (const std::string& path : projection.drop) {
    if (auto added = add(path, &Rule::drops); !added) return added;
  }
  complete(root_rule_);
  const bool keeps_all = projection.keep.empty() || root_rule_.keeps;
  root_ = {keeps_all ? Mode::whole : Mode::path, root_rule_.below.empty() ? nullptr : &root_rule_};
  return {};
}

Result<void> Projector::add(const std::string& path, bool Rule::*what) {
  const auto tokens = split_pointer(path);
  if (!tokens) return fail(tokens.error());
  Rule* rule = &root_rule_;
  for (const std::string& token : *tokens) {
    auto& below = rule->below;
    const auto known = std::find_if(below.begin(), below.end(), [&](const Rule& one) { return one.name == token; });
    rule = known != below.end() ? &*known : &below.emplace_back(Rule{.name = token});
  }
  rule->*what = true;
  return {};
}

void Projector::complete(Rule& rule) {
  const auto wildcard = std::ranges::find(rule.below, "*", &Rule::name);
  for (Rule& one : rule.below) {
    if (wildcard != rule.below.end() && &one != &*wildcard) merge(one, *wildcard);
  }
  for (Rule& one : rule.below) complete(one);
  rule.leads_to_kept = rule.keeps || std::ranges::any_of(rule.below, &Rule::leads_to_kept);
}

void Projector::merge(Rule& into, const Rule& from) {
  into.keeps = into.keeps || from.keeps;
  into.drops = into.drops || from.drops;
  for (const Rule& one : from.below) {
    const auto known = std::ranges::find(into.below, one.name, &Rule::name);
    if (known == into.below.end()) {
      into.below.push_back(one);
    } else {
      merge(*known, one);
    }
  }
}

const Projector::Rule* Projector::rule_for(const std::vector<Rule>& rules, std::string_view name) noexcept {
  const Rule* for_all = nullptr;
  for (const Rule& rule : rules) {
    if (rule.name == name) return &rule;
    if (rule.name == "*") for_all = &rule;
  }
  return for_all;
}

Projector::State Projector::below(const State& state, std::string_view name) {
  const Rule* rule = state.rule == nullptr ? nullptr : rule_for(state.rule->below, name);
  if (rule != nullptr && rule->drops) return {Mode::skip, nullptr};
  const bool is_whole = state.mode == Mode::whole || (rule != nullptr && rule->keeps);
  if (!is_whole && (rule == nullptr || !rule->leads_to_kept)) return {Mode::skip, nullptr};
  return {is_whole ? Mode::whole : Mode::path, rule == nullptr || rule->below.empty() ? nullptr : rule};
}

bool Projector::enter_by_rule(bool is_container, bool is_list) {
  State state = root_;
  if (!levels_.empty()) state = levels_.back().is_list ? below(levels_.back().state, "*") : next_;
  if (state.mode == Mode::skip || (state.mode == Mode::path && !is_container)) {
    if (is_container) skipping_ = 1;
    return false;
  }
  if (!levels_.empty()) {
    ++levels_.back().kept;
    if (!levels_.back().is_list && state.mode == Mode::path) tape_.key(key_);
  }
  if (!is_container) return true;
  if (state.mode == Mode::whole && state.rule == nullptr) {
    passing_ = 1;
  } else {
    levels_.push_back({state, is_list, 0});
  }
  return true;
}

}  // namespace pintle::json
