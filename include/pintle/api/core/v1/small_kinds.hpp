// Some types of core, version v1. Written by `pintle gen types`, which writes it anew.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/time.hpp>
#include <pintle/object/bytes.hpp>
#include <pintle/object/choice.hpp>
#include <pintle/object/declared.hpp>
#include <pintle/object/kind.hpp>
#include <pintle/object/metadata.hpp>

namespace pintle::api::core::v1 {

struct PINTLE_EXPORT ConfigMap {
  static constexpr Type type{"v1", "ConfigMap"};
  Metadata metadata{};
  std::map<std::string, Bytes> binary_data{};
  std::map<std::string, std::string> data{};
  std::optional<bool> immutable{};

  static FieldTable fields();
};

struct PINTLE_EXPORT LocalObjectReference {
  std::optional<std::string> name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT NamespaceSpec {
  std::vector<std::string> finalizers{};

  static FieldTable fields();
};

struct PINTLE_EXPORT NamespaceCondition {
  std::optional<WallTime> last_transition_time{};
  std::optional<std::string> message{};
  std::optional<std::string> reason{};
  std::string status{};
  std::string type{};

  static FieldTable fields();
};

struct PINTLE_EXPORT NamespaceStatus {
  enum class Phase { unset, active, terminating };
  friend PINTLE_EXPORT EnumTable enum_names(Phase);
  friend consteval std::string_view enum_texts(Phase) { return "Active|Terminating"; }

  std::vector<NamespaceCondition> conditions{};
  Choice<Phase> phase{};

  static FieldTable fields();
};

struct PINTLE_EXPORT Namespace {
  static constexpr Type type{"v1", "Namespace"};
  Metadata metadata{};
  NamespaceSpec spec{};
  NamespaceStatus status{};
};

struct PINTLE_EXPORT ObjectReference {
  std::optional<std::string> api_version{};
  std::optional<std::string> field_path{};
  std::optional<std::string> kind{};
  std::optional<std::string> name{};
  std::optional<std::string> namespace_{};
  std::optional<std::string> resource_version{};
  std::optional<std::string> uid{};

  static FieldTable fields();
};

struct PINTLE_EXPORT Secret {
  static constexpr Type type{"v1", "Secret"};
  Metadata metadata{};
  std::map<std::string, Bytes> data{};
  std::optional<bool> immutable{};
  std::map<std::string, std::string> string_data{};
  std::optional<std::string> type_{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ServiceAccount {
  static constexpr Type type{"v1", "ServiceAccount"};
  Metadata metadata{};
  std::optional<bool> automount_service_account_token{};
  std::vector<LocalObjectReference> image_pull_secrets{};
  std::vector<ObjectReference> secrets{};

  static FieldTable fields();
};

}  // namespace pintle::api::core::v1
