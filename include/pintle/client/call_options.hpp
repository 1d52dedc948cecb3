// SPDX-License-Identifier: Apache-2.0
// The options of the calls of Client.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <pintle/base/time.hpp>
#include <pintle/client/watch_event.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

struct GetOptions {
  bool metadata_only = false;      ///< request only metadata; the object has its own kind, not PartialObjectMetadata
  std::string subresource{};       ///< "scale", "status"; empty: the object itself
  std::string resource_version{};  ///< the result is not older than this version; "0": any version
  Duration timeout{};              ///< maximum duration of the call; zero: ClientOptions::timeout
};

struct ListOptions {
  std::string namespace_{};  ///< empty: all namespaces
  std::string label_selector{};
  std::string field_selector{};
  std::string resource_version{};
  std::string resource_version_match{};
  std::uint64_t limit = 0;  ///< objects per page; 0: the server decides
  std::string continue_{};
  bool metadata_only = false;  ///< request only metadata; the objects have their own kind, not PartialObjectMetadata
  Duration timeout{};          ///< maximum time without data; zero: ClientOptions::timeout
  /// For list_request(): the response may be protobuf instead of JSON, unless ClientOptions::protobuf is off. Only for
  /// the whole objects of built-in kinds. A json::Reader with `messages` parses both.
  bool accepts_protobuf = false;
};

struct WatchOptions {
  std::string namespace_{};
  std::string label_selector{};
  std::string field_selector{};
  std::string resource_version{};
  std::chrono::seconds timeout{300};  ///< after this time the server ends the watch, which is not an error
  bool metadata_only = false;         ///< as in ListOptions
  /// The watch begins with an added event for each existing object, in no particular order of versions, followed by a
  /// bookmark with ends_initial_events. Error: invalid if the server does not support it.
  bool send_initial_events = false;
  bool accepts_protobuf = false;  ///< as in ListOptions, for watch_request()
};

template <class T>
struct TypedWatchEvent {
  WatchEventType type{};
  T object{};
};

struct ObjectList {
  std::vector<Object> items{};
  std::string resource_version{};
  std::string continue_{};  ///< not empty: there are more pages
};

/// The reaction of the server to fields that the schema of the kind does not have, and to duplicate fields.
enum class FieldValidation {
  server_default,  ///< the server decides; a Kubernetes API server warns
  ignore,
  warn,    ///< the write succeeds, and the client logs the warning of the server once
  strict,  ///< the write fails with `invalid`; the message names the fields
};

struct WriteOptions {
  std::string field_manager{};  ///< empty: ClientOptions::field_manager
  bool force = false;           ///< for apply: take over fields from other managers
  bool dry_run = false;
  std::string subresource{};  ///< "status", "scale"; empty: the object itself
  FieldValidation field_validation = FieldValidation::server_default;
  Duration timeout{};  ///< maximum duration of the call; zero: ClientOptions::timeout
};

enum class DeletionPropagation { background, foreground, orphan };

struct DeleteOptions {
  std::string uid{};               ///< delete only if the object has this uid
  std::string resource_version{};  ///< delete only if the object has this version
  DeletionPropagation propagation = DeletionPropagation::background;
  /// Time in which the object may shut down, for kinds that support it, such as Pods. Zero deletes immediately. None:
  /// the value in the object.
  std::optional<std::chrono::seconds> grace_period{};
  bool dry_run = false;
  Duration timeout{};  ///< maximum duration of the call; zero: ClientOptions::timeout
};

/// Selects objects of one kind for Client::remove_all().
struct Selection {
  std::string namespace_{};  ///< required for a namespaced kind
  std::string label_selector{};
  std::string field_selector{};
};

/// The log of one container of a Pod.
struct LogOptions {
  std::string container{};                      ///< may be empty if the Pod has one container
  bool follow = false;                          ///< continue until the container ends
  bool previous = false;                        ///< of the previous instance of the container
  bool timestamps = false;                      ///< each line begins with its time in RFC 3339 and a space
  std::optional<std::chrono::seconds> since{};  ///< only lines that are not older than this; at least one second
  std::optional<std::uint64_t> tail_lines{};    ///< only the last lines
  std::optional<std::uint64_t> max_bytes{};     ///< the server ends the log after this number of bytes
  Duration timeout{};  ///< maximum time without data, not applied with `follow`; zero: ClientOptions::timeout
};

}  // namespace pintle
