// Types of authorization, version v1. Written by `pintle gen types`, which writes it anew.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <pintle/api/meta/v1.hpp>
#include <pintle/base/annotations.hpp>
#include <pintle/object/declared.hpp>
#include <pintle/object/kind.hpp>
#include <pintle/object/metadata.hpp>
#include <pintle/object/optional_box.hpp>

namespace pintle::api::authorization::v1 {

struct PINTLE_EXPORT FieldSelectorAttributes {
  std::optional<std::string> raw_selector{};
  std::vector<meta::v1::FieldSelectorRequirement> requirements{};

  static FieldTable fields();
};

struct PINTLE_EXPORT LabelSelectorAttributes {
  std::optional<std::string> raw_selector{};
  std::vector<meta::v1::LabelSelectorRequirement> requirements{};

  static FieldTable fields();
};

struct PINTLE_EXPORT NonResourceAttributes {
  std::optional<std::string> path{};
  std::optional<std::string> verb{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ResourceAttributes {
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

struct PINTLE_EXPORT SubjectAccessReviewSpec {
  std::map<std::string, std::vector<std::string>> extra{};
  std::vector<std::string> groups{};
  OptionalBox<NonResourceAttributes> non_resource_attributes{};
  OptionalBox<ResourceAttributes> resource_attributes{};
  std::optional<std::string> uid{};
  std::optional<std::string> user{};

  static FieldTable fields();
};

struct PINTLE_EXPORT SubjectAccessReviewStatus {
  bool allowed = false;
  std::optional<bool> denied{};
  std::optional<std::string> evaluation_error{};
  std::optional<std::string> reason{};

  static FieldTable fields();
};

struct PINTLE_EXPORT LocalSubjectAccessReview {
  static constexpr Type type{"authorization.k8s.io/v1", "LocalSubjectAccessReview"};
  Metadata metadata{};
  SubjectAccessReviewSpec spec{};
  SubjectAccessReviewStatus status{};
};

struct PINTLE_EXPORT NonResourceRule {
  std::vector<std::string> non_resource_urls{};
  std::vector<std::string> verbs{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ResourceRule {
  std::vector<std::string> api_groups{};
  std::vector<std::string> resource_names{};
  std::vector<std::string> resources{};
  std::vector<std::string> verbs{};

  static FieldTable fields();
};

struct PINTLE_EXPORT SelfSubjectAccessReviewSpec {
  OptionalBox<NonResourceAttributes> non_resource_attributes{};
  OptionalBox<ResourceAttributes> resource_attributes{};

  static FieldTable fields();
};

struct PINTLE_EXPORT SelfSubjectAccessReview {
  static constexpr Type type{"authorization.k8s.io/v1", "SelfSubjectAccessReview"};
  Metadata metadata{};
  SelfSubjectAccessReviewSpec spec{};
  SubjectAccessReviewStatus status{};
};

struct PINTLE_EXPORT SelfSubjectRulesReviewSpec {
  std::optional<std::string> namespace_{};

  static FieldTable fields();
};

struct PINTLE_EXPORT SubjectRulesReviewStatus {
  std::optional<std::string> evaluation_error{};
  bool incomplete = false;
  std::vector<NonResourceRule> non_resource_rules{};
  std::vector<ResourceRule> resource_rules{};

  static FieldTable fields();
};

struct PINTLE_EXPORT SelfSubjectRulesReview {
  static constexpr Type type{"authorization.k8s.io/v1", "SelfSubjectRulesReview"};
  Metadata metadata{};
  SelfSubjectRulesReviewSpec spec{};
  SubjectRulesReviewStatus status{};
};

struct PINTLE_EXPORT SubjectAccessReview {
  static constexpr Type type{"authorization.k8s.io/v1", "SubjectAccessReview"};
  Metadata metadata{};
  SubjectAccessReviewSpec spec{};
  SubjectAccessReviewStatus status{};
};

}  // namespace pintle::api::authorization::v1
