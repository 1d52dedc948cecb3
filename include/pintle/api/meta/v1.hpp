// Types of meta, version v1. Written by `pintle gen types`, which writes it anew.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/json/fwd.hpp>
#include <pintle/object/box.hpp>
#include <pintle/object/declared.hpp>
#include <pintle/object/optional_box.hpp>

namespace pintle::api::meta::v1 {

struct PINTLE_EXPORT APIResource {
  std::vector<std::string> categories{};
  std::optional<std::string> group{};
  std::string kind{};
  std::string name{};
  bool namespaced = false;
  std::vector<std::string> short_names{};
  std::string singular_name{};
  std::optional<std::string> storage_version_hash{};
  std::vector<std::string> verbs{};
  std::optional<std::string> version{};

  static FieldTable fields();
};

struct PINTLE_EXPORT APIResourceList {
  std::optional<std::string> api_version{};
  std::string group_version{};
  std::optional<std::string> kind{};
  std::vector<APIResource> resources{};

  static FieldTable fields();
};

struct PINTLE_EXPORT Preconditions {
  std::optional<std::string> resource_version{};
  std::optional<std::string> uid{};

  static FieldTable fields();
};

struct PINTLE_EXPORT DeleteOptions {
  std::optional<std::string> api_version{};
  std::vector<std::string> dry_run{};
  std::optional<std::int64_t> grace_period_seconds{};
  std::optional<bool> ignore_store_read_error_with_cluster_breaking_potential{};
  std::optional<std::string> kind{};
  std::optional<bool> orphan_dependents{};
  OptionalBox<Preconditions> preconditions{};
  std::optional<std::string> propagation_policy{};

  static FieldTable fields();
};

struct PINTLE_EXPORT FieldSelectorRequirement {
  std::string key{};
  std::string operator_{};
  std::vector<std::string> values{};

  static FieldTable fields();
};

struct PINTLE_EXPORT LabelSelectorRequirement {
  std::string key{};
  std::string operator_{};
  std::vector<std::string> values{};

  static FieldTable fields();
};

struct PINTLE_EXPORT LabelSelector {
  std::vector<LabelSelectorRequirement> match_expressions{};
  std::map<std::string, std::string> match_labels{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ShardInfo {
  std::string selector{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ListMeta {
  std::optional<std::string> continue_{};
  std::optional<std::int64_t> remaining_item_count{};
  std::optional<std::string> resource_version{};
  std::optional<std::string> self_link{};
  OptionalBox<ShardInfo> shard_info{};

  static FieldTable fields();
};

struct PINTLE_EXPORT StatusCause {
  std::optional<std::string> field{};
  std::optional<std::string> message{};
  std::optional<std::string> reason{};

  static FieldTable fields();
};

struct PINTLE_EXPORT StatusDetails {
  std::vector<StatusCause> causes{};
  std::optional<std::string> group{};
  std::optional<std::string> kind{};
  std::optional<std::string> name{};
  std::optional<std::int32_t> retry_after_seconds{};
  std::optional<std::string> uid{};

  static FieldTable fields();
};

struct PINTLE_EXPORT Status {
  std::optional<std::string> api_version{};
  std::optional<std::int32_t> code{};
  OptionalBox<StatusDetails> details{};
  std::optional<std::string> kind{};
  std::optional<std::string> message{};
  ListMeta metadata{};
  std::optional<std::string> reason{};
  std::optional<std::string> status{};

  static FieldTable fields();
};

struct PINTLE_EXPORT WatchEvent {
  Box<json::Value> object{};
  std::string type{};

  static FieldTable fields();
};

}  // namespace pintle::api::meta::v1
