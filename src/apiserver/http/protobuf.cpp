#include "protobuf.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <pintle/base/time.hpp>
#include <pintle/object/bytes.hpp>

namespace pintle::apiserver {
namespace {

using json::Value;

// What a field of a message is in JSON.
enum class Form { text, bytes, integer, boolean, message, text_map, bytes_map, time, micro_time };

struct Field;
using Message = std::span<const Field>;

struct Field {
  std::uint32_t number;
  const char* name;
  Form form = Form::text;
  bool repeated = false;
  Message message{};
};

constexpr std::array owner_reference{
    Field{1, "kind"},
    Field{3, "name"},
    Field{4, "uid"},
    Field{5, "apiVersion"},
    Field{6, "controller", Form::boolean},
    Field{7, "blockOwnerDeletion", Form::boolean},
};
constexpr std::array object_meta{
    Field{1, "name"},
    Field{2, "generateName"},
    Field{3, "namespace"},
    Field{5, "uid"},
    Field{6, "resourceVersion"},
    Field{7, "generation", Form::integer},
    Field{8, "creationTimestamp", Form::time},
    Field{9, "deletionTimestamp", Form::time},
    Field{10, "deletionGracePeriodSeconds", Form::integer},
    Field{11, "labels", Form::text_map},
    Field{12, "annotations", Form::text_map},
    Field{13, "ownerReferences", Form::message, true, owner_reference},
    Field{14, "finalizers", Form::text, true},
};
constexpr std::array config_map{
    Field{1, "metadata", Form::message, false, object_meta},
    Field{2, "data", Form::text_map},
    Field{3, "binaryData", Form::bytes_map},
    Field{4, "immutable", Form::boolean},
};
constexpr std::array secret{
    Field{1, "metadata", Form::message, false, object_meta},
    Field{2, "data", Form::bytes_map},
    Field{3, "type"},
    Field{4, "stringData", Form::text_map},
    Field{5, "immutable", Form::boolean},
};
constexpr std::array namespace_spec{Field{1, "finalizers", Form::text, true}};
constexpr std::array namespace_status{Field{1, "phase"}};
constexpr std::array namespace_message{
    Field{1, "metadata", Form::message, false, object_meta},
    Field{2, "spec", Form::message, false, namespace_spec},
    Field{3, "status", Form::message, false, namespace_status},
};
constexpr std::array lease_spec{
    Field{1, "holderIdentity"},
    Field{2, "leaseDurationSeconds", Form::integer},
    Field{3, "acquireTime", Form::micro_time},
    Field{4, "renewTime", Form::micro_time},
    Field{5, "leaseTransitions", Form::integer},
    Field{6, "strategy"},
    Field{7, "preferredHolder"},
};
constexpr std::array lease{
    Field{1, "metadata", Form::message, false, object_meta},
    Field{2, "spec", Form::message, false, lease_spec},
};
constexpr std::array token_review_spec{Field{1, "token"}, Field{2, "audiences", Form::text, true}};
constexpr std::array token_review{
    Field{1, "metadata", Form::message, false, object_meta},
    Field{2, "spec", Form::message, false, token_review_spec},
};
constexpr std::array self_subject_review{Field{1, "metadata", Form::message, false, object_meta}};
constexpr std::array resource_attributes{
    Field{1, "namespace"}, Field{2, "verb"},        Field{3, "group"}, Field{4, "version"},
    Field{5, "resource"},  Field{6, "subresource"}, Field{7, "name"},
};
constexpr std::array non_resource_attributes{Field{1, "path"}, Field{2, "verb"}};
// That of a SelfSubjectAccessReview has the first two alone.
constexpr std::array access_review_spec{
    Field{1, "resourceAttributes", Form::message, false, resource_attributes},
    Field{2, "nonResourceAttributes", Form::message, false, non_resource_attributes},
    Field{3, "user"},
    Field{4, "groups", Form::text, true},
    Field{6, "uid"},
};
constexpr std::array access_review{
    Field{1, "metadata", Form::message, false, object_meta},
    Field{2, "spec", Form::message, false, access_review_spec},
};
constexpr std::array rules_review_spec{Field{1, "namespace"}};
constexpr std::array rules_review{
    Field{1, "metadata", Form::message, false, object_meta},
    Field{2, "spec", Form::message, false, rules_review_spec},
};
constexpr std::array preconditions{Field{1, "uid"}, Field{2, "resourceVersion"}};
constexpr std::array deletion{
    Field{1, "gracePeriodSeconds", Form::integer}, Field{2, "preconditions", Form::message, false, preconditions},
    Field{3, "orphanDependents", Form::boolean},   Field{4, "propagationPolicy"},
    Field{5, "dryRun", Form::text, true},
};
constexpr std::array type_meta{Field{1, "apiVersion"}, Field{2, "kind"}};
constexpr std::array envelope{
    Field{1, "typeMeta", Form::message, false, type_meta},
    Field{2, "raw"},
};

struct Kind {
  std::string_view api_version;
  std::string_view kind;
  Message message;
};
constexpr std::array kinds{
    Kind{"v1", "ConfigMap", config_map},
    Kind{"v1", "Secret", secret},
    Kind{"v1", "Namespace", namespace_message},
    Kind{"coordination.k8s.io/v1", "Lease", lease},
    Kind{"authentication.k8s.io/v1", "TokenReview", token_review},
    Kind{"authentication.k8s.io/v1", "SelfSubjectReview", self_subject_review},
    Kind{"authorization.k8s.io/v1", "SelfSubjectAccessReview", access_review},
    Kind{"authorization.k8s.io/v1", "SelfSubjectRulesReview", rules_review},
    Kind{"authorization.k8s.io/v1", "SubjectAccessReview", access_review},
};

// Thrown inside the reader alone; decode_protobuf() makes a Result of it.
struct Malformed {};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  [[nodiscard]] bool done() const noexcept { return bytes_.empty(); }

  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1).front());
      value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
      if (byte < 0x80) return value;
    }
    throw Malformed{};
  }

  std::string_view chunk() { return take(varint()); }

  void skip(std::uint32_t wire_type) {
    switch (wire_type) {
      case 0: (void)varint(); break;
      case 1: (void)take(8); break;
      case 2: (void)chunk(); break;
      case 5: (void)take(4); break;
      default: throw Malformed{};
    }
  }

 private:
  std::string_view take(std::uint64_t size) {
    if (size > bytes_.size()) throw Malformed{};
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }

  std::string_view bytes_;
};

Value read_time(std::string_view bytes, bool micro) {
  std::int64_t seconds = 0;
  std::int64_t nanos = 0;
  for (Reader reader(bytes); !reader.done();) {
    const std::uint64_t key = reader.varint();
    if (key == (1U << 3U)) {
      seconds = static_cast<std::int64_t>(reader.varint());
    } else if (key == (2U << 3U)) {
      nanos = static_cast<std::int64_t>(reader.varint());
    } else {
      reader.skip(key & 7U);
    }
  }
  constexpr std::int64_t year_zero = -62'135'596'800;  // how Go writes a time that is not set
  if (seconds <= year_zero || (seconds == 0 && nanos == 0)) return nullptr;
  if (seconds > 9'000'000'000) throw Malformed{};
  const WallTime time{std::chrono::seconds(seconds) + std::chrono::nanoseconds(nanos)};
  return Value(micro ? format_micro_time(time) : format_time(time));
}

std::pair<std::string, std::string> read_entry(std::string_view bytes) {
  std::pair<std::string, std::string> entry;
  for (Reader reader(bytes); !reader.done();) {
    const std::uint64_t key = reader.varint();
    if (key == ((1U << 3U) | 2U)) {
      entry.first = reader.chunk();
    } else if (key == ((2U << 3U) | 2U)) {
      entry.second = reader.chunk();
    } else {
      reader.skip(key & 7U);
    }
  }
  return entry;
}

json::object read_message(std::string_view bytes, Message message);

Value read_value(Reader& reader, const Field& field) {
  switch (field.form) {
    case Form::integer: return static_cast<std::int64_t>(reader.varint());
    case Form::boolean: return reader.varint() != 0;
    case Form::bytes: return Value(Bytes(reader.chunk()).to_base64());
    case Form::message: return read_message(reader.chunk(), field.message);
    case Form::time: return read_time(reader.chunk(), false);
    case Form::micro_time: return read_time(reader.chunk(), true);
    default: return Value(reader.chunk());
  }
}

void read_field(Reader& reader, const Field& field, json::object& out) {
  if (field.form == Form::text_map || field.form == Form::bytes_map) {
    auto [key, value] = read_entry(reader.chunk());
    Value& map = out[field.name];
    if (!map.is_object()) map.emplace_object();
    map.get_object()[key] = field.form == Form::bytes_map ? Bytes(std::move(value)).to_base64() : value;
  } else if (field.repeated) {
    Value& list = out[field.name];
    if (!list.is_array()) list.emplace_array();
    list.get_array().push_back(read_value(reader, field));
  } else {
    out[field.name] = read_value(reader, field);
  }
}

json::object read_message(std::string_view bytes, Message message) {
  json::object out;
  for (Reader reader(bytes); !reader.done();) {
    const std::uint64_t key = reader.varint();
    const auto wire_type = static_cast<std::uint32_t>(key & 7U);
    const Field* known = nullptr;
    for (const Field& field : message) {
      const bool is_number = field.form == Form::integer || field.form == Form::boolean;
      if (field.number == key >> 3U && wire_type == (is_number ? 0U : 2U)) known = &field;
    }
    if (known == nullptr) {
      reader.skip(wire_type);
    } else {
      read_field(reader, *known, out);
    }
  }
  return out;
}

}  // namespace

Result<Value> decode_protobuf(std::string_view body) {
  constexpr std::string_view magic("k8s\0", 4);
  if (!body.starts_with(magic)) return fail(ErrorCode::invalid, "the body is not in the protobuf of Kubernetes");
  try {
    const json::object outer = read_message(body.substr(magic.size()), envelope);
    const auto text = [](const json::object& object, const char* name) {
      const Value* value = object.if_contains(name);
      return value == nullptr ? std::string() : std::string(value->as_string());
    };
    const Value* meta = outer.if_contains("typeMeta");
    if (meta == nullptr) return fail(ErrorCode::invalid, "the body does not say what it is");
    const std::string api_version = text(meta->as_object(), "apiVersion");
    const std::string kind = text(meta->as_object(), "kind");
    Message message;
    if (kind == "DeleteOptions") message = deletion;
    for (const Kind& known : kinds) {
      if (known.api_version == api_version && known.kind == kind) message = known.message;
    }
    if (message.empty())
      return fail(ErrorCode::unsupported, fmt::format("{} {} is not read from protobuf", api_version, kind));
    json::object out = read_message(text(outer, "raw"), message);
    out["apiVersion"] = api_version;
    out["kind"] = kind;
    return Value(std::move(out));
  } catch (const Malformed&) {
    return fail(ErrorCode::invalid, "the body ends early or is not protobuf");
  }
}

}  // namespace pintle::apiserver
