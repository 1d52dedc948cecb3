// Types of authorization, version v1. Written by `pintle gen types`, which writes it anew.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <pintle/api/meta/v1.hpp>
#include <pintle/object/declared.hpp>
#include <pintle/object/kind.hpp>
#include <pintle/object/metadata.hpp>
#include <pintle/object/optional_box.hpp>

namespace pintle::api::authorization::v1 {

struct FieldSelectorAttributes {
  std::optional<std::string> raw_selector{};
  std::vector<meta::v1::FieldSelectorRequirement> requirements{};

  static FieldTable fields();
};

struct LabelSelectorAttributes {
  std::optional<std::string> raw_selector{};
  std::vector<meta::v1::LabelSelectorRequirement> requirements{};

  static FieldTable fields();
};

struct NonResourceAttributes {
  std::optional<std::string> path{};
  std::optional<std::string> verb{};

  static FieldTable fields();
};

struct ResourceAttributes {
  OptionalBox<FieldSelectorAttributes> field_selector{};
  std::optional<std::string> group{};
  OptionalBox<LabelSelectorAttributes> label_selector{};
  std::optional<std::string> name{};
  std::optional<std::string> namespace_{};
  std::optional<std::string> resource{};
  std::optional<std::string> subresource{};
  std::optional<std::string> verb{};
  std::optional<std::string> version{};

  static FieldTable fields();
};

struct SubjectAccessReviewSpec {
  std::map<std::string, std::vector<std::string>> extra{};
  std::vector<std::string> groups{};
  OptionalBox<NonResourceAttributes> non_resource_attributes{};
  OptionalBox<ResourceAttributes> resource_attributes{};
  std::optional<std::string> uid{};
  std::optional<std::string> user{};

  static FieldTable fields();
};

struct SubjectAccessReviewStatus {
  bool allowed = false;
  std::optional<bool> denied{};
  std::optional<std::string> evaluation_error{};
  std::optional<std::string> reason{};

  static FieldTable fields();
};

struct LocalSubjectAccessReview {
  static constexpr Type type{"authorization.k8s.io/v1", "LocalSubjectAccessReview"};
  Metadata metadata{};
  SubjectAccessReviewSpec spec{};
  SubjectAccessReviewStatus status{};
};

struct NonResourceRule {
  std::vector<std::string> non_resource_urls{};
  std::vector<std::string> verbs{};

  static FieldTable fields();
};

struct ResourceRule {
  std::vector<std::string> api_groups{};
  std::vector<std::string> resource_names{};
  std::vector<std::string> resources{};
  std::vector<std::string> verbs{};

  static FieldTable fields();
};

struct SelfSubjectAccessReviewSpec {
  OptionalBox<NonResourceAttributes> non_resource_attributes{};
  OptionalBox<ResourceAttributes> resource_attributes{};

  static FieldTable fields();
};

struct SelfSubjectAccessReview {
  static constexpr Type type{"authorization.k8s.io/v1", "SelfSubjectAccessReview"};
  Metadata metadata{};
  SelfSubjectAccessReviewSpec spec{};
  SubjectAccessReviewStatus status{};
};

struct SelfSubjectRulesReviewSpec {
  std::optional<std::string> namespace_{};

  static FieldTable fields();
};

struct SubjectRulesReviewStatus {
  std::optional<std::string> evaluation_error{};
  bool incomplete = false;
  std::vector<NonResourceRule> non_resource_rules{};
  std::vector<ResourceRule> resource_rules{};

  static FieldTable fields();
};

struct SelfSubjectRulesReview {
  static constexpr Type type{"authorization.k8s.io/v1", "SelfSubjectRulesReview"};
  Metadata metadata{};
  SelfSubjectRulesReviewSpec spec{};
  SubjectRulesReviewStatus status{};
};

struct SubjectAccessReview {
  static constexpr Type type{"authorization.k8s.io/v1", "SubjectAccessReview"};
  Metadata metadata{};
  SubjectAccessReviewSpec spec{};
  SubjectAccessReviewStatus status{};
};

}  // namespace pintle::api::authorization::v1
