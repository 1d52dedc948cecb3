// SPDX-License-Identifier: Apache-2.0
#include "volume_rules.hpp"

#include <array>
#include <cstdint>
#include <set>

#include <fmt/format.h>

#include <pintle/object/quantity.hpp>

#include "../../cells.hpp"
#include "apiserver/registry/names/name_rules.hpp"
#include "apiserver/registry/refusal.hpp"
#include "path_rules.hpp"
#include "variable_rules.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

using Causes = std::vector<StatusCause>;

// The kinds of volumes, in the order in which the server reads them.
constexpr std::array<std::string_view, 30> volume_kinds{"emptyDir",
                                                        "hostPath",
                                                        "gitRepo",
                                                        "gcePersistentDisk",
                                                        "awsElasticBlockStore",
                                                        "secret",
                                                        "nfs",
                                                        "iscsi",
                                                        "glusterfs",
                                                        "flocker",
                                                        "persistentVolumeClaim",
                                                        "rbd",
                                                        "cinder",
                                                        "cephfs",
                                                        "quobyte",
                                                        "downwardAPI",
                                                        "fc",
                                                        "flexVolume",
                                                        "configMap",
                                                        "azureFile",
                                                        "vsphereVolume",
                                                        "azureDisk",
                                                        "photonPersistentDisk",
                                                        "portworxVolume",
                                                        "storageos",
                                                        "projected",
                                                        "scaleIO",
                                                        "csi",
                                                        "ephemeral",
                                                        "image"};

void validate_mode(View mode, const std::string& field, Causes& causes) {
  constexpr std::int64_t highest_mode = 0777;
  if (!mode.exists()) return;
  const std::int64_t number = integer_cell(mode);
  if (number >= 0 && number <= highest_mode) return;
  causes.push_back(invalid_value(field, Value(number), "must be a number between 0 and 0777 (octal), both inclusive"));
}

void require_text(View object, std::string_view name, const std::string& field, Causes& causes) {
  if (object.member(name).text().empty()) causes.push_back(required(fmt::format("{}.{}", field, name)));
}

using Paths = std::set<std::string_view>;

// Finds two files of a projected volume at one path.
void note_path(std::string_view path, const std::string& field, std::string_view owner, Paths* paths, Causes& causes) {
  if (paths == nullptr || path.empty() || paths->insert(path).second) return;
  causes.push_back(invalid_value(field, Value(owner), "conflicting duplicate paths"));
}

// `items` of a ConfigMap or Secret. `whole` is the path of the projected volume.
void validate_items(View source, const std::string& field, const std::string& whole, Paths* paths, Causes& causes) {
  std::size_t i = 0;
  for (const View item : source.member("items").elements()) {
    const std::string at = fmt::format("{}.items[{}]", field, i++);
    require_text(item, "key", at, causes);
    require_text(item, "path", at, causes);
    validate_local_path(item.member("path").text(), at + ".path", causes);
    validate_mode(item.member("mode"), at + ".mode", causes);
    note_path(item.member("path").text(), whole, source.member("name").text(), paths, causes);
  }
}

// The server reports the errors of a file at the volume.
void validate_pod_files(View source, const std::string& field, const std::string& whole, Paths* paths, Causes& causes) {
  for (const View file : source.member("items").elements()) {
    const std::string_view path = file.member("path").text();
    require_text(file, "path", field, causes);
    validate_local_path(path, field + ".path", causes);
    const View of_pod = file.member("fieldRef");
    const View of_container = file.member("resourceFieldRef");
    if (of_pod.exists()) {
      validate_field_reference(of_pod, FieldUser::file, field + ".fieldRef", causes);
      if (of_container.exists()) {
        causes.push_back(invalid_value(field, Value("resource"),
                                       "fieldRef and resourceFieldRef can not be specified simultaneously"));
      }
    } else if (of_container.exists()) {
      validate_resource_reference(of_container, FieldUser::file, field + ".resourceFieldRef", causes);
    } else {
      causes.push_back(required(field, "one of fieldRef and resourceFieldRef is required"));
    }
    validate_mode(file.member("mode"), field + ".mode", causes);
    note_path(path, whole, path, paths, causes);
  }
}

void validate_token(View token, const std::string& field, const std::string& whole, Causes& causes) {
  constexpr std::int64_t shortest = 600;
  constexpr std::int64_t longest = std::int64_t{1} << 32;
  const std::int64_t seconds = integer_cell(token.member("expirationSeconds"));
  const std::string at = field + ".expirationSeconds";
  if (seconds < shortest) {
    causes.push_back(invalid_value(at, Value(seconds), "may not specify a duration less than 10 minutes"));
  }
  if (seconds > longest) {
    causes.push_back(invalid_value(at, Value(seconds), "may not specify a duration larger than 2^32 seconds"));
  }
  require_text(token, "path", whole, causes);
  validate_local_path(token.member("path").text(), whole + ".path", causes);
}

void validate_projected(View volume, const std::string& field, Causes& causes) {
  validate_mode(volume.member("defaultMode"), field + ".defaultMode", causes);
  Paths paths;
  std::size_t i = 0;
  for (const View source : volume.member("sources").elements()) {
    const std::string at = fmt::format("{}.sources[{}]", field, i++);
    for (const std::string_view kind : {"secret", "configMap"}) {
      const View content = source.member(kind);
      const std::string place = fmt::format("{}.{}", at, kind);
      if (!content.exists()) continue;
      require_text(content, "name", place, causes);
      validate_items(content, place, field, &paths, causes);
    }
    validate_pod_files(source.member("downwardAPI"), at + ".downwardAPI", field, &paths, causes);
    if (const View token = source.member("serviceAccountToken")) {
      validate_token(token, at + ".serviceAccountToken", field, causes);
    }
    if (source.size() > 1) {
      causes.push_back(forbidden_field(at, "may not specify more than 1 volume type per source"));
    }
  }
}

void validate_content(std::string_view kind, View content, const std::string& field, Causes& causes) {
  if (kind == "emptyDir") {
    const auto limit = Quantity::from_json(content.member("sizeLimit"));
    if (limit && limit->is_negative()) {
      causes.push_back(forbidden_field(field + ".sizeLimit", "SizeLimit field must be a valid resource quantity"));
    }
  } else if (kind == "hostPath") {
    require_text(content, "path", field, causes);
    validate_no_backsteps(content.member("path").text(), field + ".path", causes);
  } else if (kind == "secret" || kind == "configMap") {
    require_text(content, kind == "secret" ? "secretName" : "name", field, causes);
    validate_mode(content.member("defaultMode"), field + ".defaultMode", causes);
    validate_items(content, field, field, nullptr, causes);
  } else if (kind == "persistentVolumeClaim") {
    require_text(content, "claimName", field, causes);
  } else if (kind == "nfs") {
    require_text(content, "server", field, causes);
    require_text(content, "path", field, causes);
    if (!content.member("path").text().starts_with('/')) {
      causes.push_back(
          invalid_value(field + ".path", Value(content.member("path").text()), "must be an absolute path"));
    }
  } else if (kind == "downwardAPI") {
    validate_mode(content.member("defaultMode"), field + ".defaultMode", causes);
    validate_pod_files(content, field, field, nullptr, causes);
  } else if (kind == "projected") {
    validate_projected(content, field, causes);
  } else if (kind == "csi") {
    require_text(content, "driver", field, causes);
  }
}

void validate_volume_source(View volume, const std::string& field, Causes& causes) {
  bool has_one = false;
  for (const std::string_view kind : volume_kinds) {
    const View content = volume.member(kind);
    if (!content.exists()) continue;
    const std::string at = fmt::format("{}.{}", field, kind);
    if (has_one) {
      causes.push_back(forbidden_field(at, "may not specify more than 1 volume type"));
    } else {
      validate_content(kind, content, at, causes);
    }
    has_one = true;
  }
  if (!has_one) causes.push_back(required(field, "must specify a volume type"));
}

bool has_claim(View volume) {
  return volume.member("persistentVolumeClaim").exists() || volume.member("ephemeral").exists() || !volume.exists();
}

struct Places {
  std::set<std::string_view> names{};
  std::set<std::string_view> paths{};

  Places(View list, std::string_view path) {
    for (const View one : list.elements()) {
      names.insert(one.member("name").text());
      paths.insert(one.member(path).text());
    }
  }
};

StatusCause unknown_volume(std::string field, std::string_view name) {
  return {.reason = "FieldValueNotFound",
          .message = fmt::format("Not found: {}", json::print(Value(name))),
          .field = std::move(field)};
}

void validate_devices(View container, const Volumes& volumes, const std::string& field, Causes& causes) {
  const Places mounts(container.member("volumeMounts"), "mountPath");
  std::set<std::string_view> names;
  std::set<std::string_view> paths;
  std::size_t i = 0;
  for (const View device : container.member("volumeDevices").elements()) {
    const std::string at = fmt::format("{}.volumeDevices[{}]", field, i++);
    const std::string_view name = device.member("name").text();
    const std::string_view path = device.member("devicePath").text();
    const auto refuse_name = [&](std::string_view why) {
      causes.push_back(invalid_value(at + ".name", Value(name), why));
    };
    const auto refuse_path = [&](std::string_view why) {
      causes.push_back(invalid_value(at + ".devicePath", Value(path), why));
    };
    require_text(device, "name", at, causes);
    if (!name.empty() && !names.insert(name).second) refuse_name("must be unique");
    const auto volume = volumes.find(name);
    if (volume == volumes.end()) {
      causes.push_back(unknown_volume(at + ".name", name));
    } else if (!has_claim(volume->second)) {
      refuse_name("can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode");
    }
    require_text(device, "devicePath", at, causes);
    if (paths.contains(path)) refuse_path("must be unique");
    if (has_backsteps(path)) {
      refuse_path("can not contain backsteps ('..')");
    } else {
      paths.insert(path);
    }
    if (mounts.names.contains(name)) refuse_name("must not already exist in volumeMounts");
    if (mounts.paths.contains(path)) refuse_path("must not already exist as a path in volumeMounts");
  }
}

// The server reports the errors of a path inside the volume at the list.
void validate_sub_paths(View mount, const std::string& at, const std::string& list, Causes& causes) {
  const std::string_view path = mount.member("subPath").text();
  const std::string_view expression = mount.member("subPathExpr").text();
  if (!path.empty()) validate_descending_path(path, list + ".subPath", causes);
  if (expression.empty()) return;
  if (!path.empty()) {
    causes.push_back(
        invalid_value(at + ".subPathExpr", Value(expression), "subPathExpr and subPath are mutually exclusive"));
  }
  validate_descending_path(expression, list + ".subPathExpr", causes);
}

}  // namespace

Volumes validate_volumes(View volumes, const std::string& field, Causes& causes) {
  Volumes valid;
  std::size_t i = 0;
  for (const View volume : volumes.elements()) {
    const std::string at = fmt::format("{}[{}]", field, i++);
    const std::size_t before = causes.size();
    validate_volume_source(volume, at, causes);
    const std::string_view name = volume.member("name").text();
    if (name.empty()) {
      causes.push_back(required(at + ".name"));
    } else {
      add_errors(at + ".name", name, dns_label_errors(name), causes);
    }
    if (valid.contains(name)) causes.push_back(duplicate_value(at + ".name", Value(name)));
    if (causes.size() == before) valid.emplace(name, volume);
  }
  return valid;
}

void validate_mounts(View container, const Volumes& volumes, const std::string& field, Causes& causes) {
  const Places devices(container.member("volumeDevices"), "devicePath");
  const std::string list = field + ".volumeMounts";
  std::set<std::string_view> paths;
  std::size_t i = 0;
  for (const View mount : container.member("volumeMounts").elements()) {
    const std::string at = fmt::format("{}[{}]", list, i++);
    const std::string_view name = mount.member("name").text();
    const std::string_view path = mount.member("mountPath").text();
    require_text(mount, "name", at, causes);
    if (!volumes.contains(name)) causes.push_back(unknown_volume(at + ".name", name));
    require_text(mount, "mountPath", at, causes);
    if (!paths.insert(path).second) causes.push_back(invalid_value(at + ".mountPath", Value(path), "must be unique"));
    if (devices.names.contains(name)) {
      causes.push_back(invalid_value(at + ".name", Value(name), "must not already exist in volumeDevices"));
    }
    if (devices.paths.contains(path)) {
      causes.push_back(
          invalid_value(at + ".mountPath", Value(path), "must not already exist as a path in volumeDevices"));
    }
    validate_sub_paths(mount, at, list, causes);
    const bool is_privileged = container["/securityContext/privileged"] == true;
    if (mount.member("mountPropagation") == "Bidirectional" && !is_privileged) {
      causes.push_back(forbidden_field(list + ".mountPropagation",
                                       "Bidirectional mount propagation is available only to privileged containers"));
    }
  }
  validate_devices(container, volumes, field, causes);
}

}  // namespace pintle::apiserver
