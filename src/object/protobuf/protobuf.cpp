// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/protobuf.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

#include <pintle/object/bytes.hpp>

#include "messages.hpp"
#include "object/far_time.hpp"

namespace pintle {
namespace {

using Message = json::MessageTypes::Message;
using MessageField = json::MessageTypes::Field;
using Form = json::MessageTypes::Form;

constexpr std::uint32_t varint_type = 0;
constexpr std::uint32_t fixed64_type = 1;
constexpr std::uint32_t chunk_type = 2;

// The groups whose kinds have messages.
constexpr json::MessagePackage packages[] = {{"", "core"},
                                             {"admissionregistration.k8s.io", "admissionregistration"},
                                             {"apiextensions.k8s.io", "apiextensions"},
                                             {"apiregistration.k8s.io", "apiregistration"},
                                             {"apps", "apps"},
                                             {"authentication.k8s.io", "authentication"},
                                             {"authorization.k8s.io", "authorization"},
                                             {"autoscaling", "autoscaling"},
                                             {"batch", "batch"},
                                             {"certificates.k8s.io", "certificates"},
                                             {"coordination.k8s.io", "coordination"},
                                             {"discovery.k8s.io", "discovery"},
                                             {"events.k8s.io", "events"},
                                             {"flowcontrol.apiserver.k8s.io", "flowcontrol"},
                                             {"networking.k8s.io", "networking"},
                                             {"node.k8s.io", "node"},
                                             {"policy", "policy"},
                                             {"rbac.authorization.k8s.io", "rbac"},
                                             {"resource.k8s.io", "resource"},
                                             {"scheduling.k8s.io", "scheduling"},
                                             {"storage.k8s.io", "storage"}};

void append_varint(std::uint64_t value, std::string& out) {
  for (; value >= 0x80U; value >>= 7U) out += static_cast<char>(value | 0x80U);
  out += static_cast<char>(value);
}
void append_number(std::uint32_t number, std::uint64_t value, std::string& out) {
  append_varint(std::uint64_t{number} << 3U | varint_type, out);
  append_varint(value, out);
}

void append_real(std::uint32_t number, double value, std::string& out) {
  append_varint(std::uint64_t{number} << 3U | fixed64_type, out);
  const auto bits = std::bit_cast<std::uint64_t>(value);
  for (unsigned shift = 0; shift < 64; shift += 8) out += static_cast<char>(bits >> shift & 0xffU);
}

// Reads the members 1, 2, ... of a message that consists of chunks. Returns false if it is malformed.
bool read_chunks(std::string_view bytes, std::initializer_list<std::string_view*> chunks) {
  std::size_t at = 0;
  const auto varint = [&](std::uint64_t& value) {
    value = 0;
    for (unsigned shift = 0; shift < 64 && at < bytes.size(); shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes[at++]);
      value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
      if (byte < 0x80U) return true;
    }
    return false;
  };
  while (at < bytes.size()) {
    std::uint64_t key = 0;
    std::uint64_t size = 0;
    if (!varint(key) || (key & 7U) != chunk_type || !varint(size) || size > bytes.size() - at) return false;
    const std::uint64_t number = key >> 3U;
    if (number >= 1 && number <= chunks.size()) *chunks.begin()[number - 1] = bytes.substr(at, size);
    at += size;
  }
  return true;
}

// Encodes one object. The path of the current member is for errors.
class Printer {
 public:
  // Adds the number of members that belong to the message to `known`.
  [[nodiscard]] Result<void> members(json::View object, const Message& message, std::size_t& known, std::string& out) {
    for (const MessageField& field : message.fields) {
      if (field.is_inline) {
        std::string inside;
        if (auto printed = members(object, *field.message, known, inside); !printed) return printed;
        append_chunk(field.number, inside, out);
        continue;
      }
      const json::View value = object.member(field.name);
      if (value.exists()) ++known;
      const std::size_t size = path_.size();
      path_.append(".").append(field.name);
      if (auto printed = member(value, field, out); !printed) return printed;
      path_.resize(size);
    }
    return {};
  }

  // A member that is neither in the message nor part of its type is an error.
  [[nodiscard]] Result<void> object(json::View object, const Message& message, bool has_kind, std::string& out) {
    if (object.exists() && !object.is_object() && !object.is_null()) return wrong("an object");
    std::size_t known = 0;
    if (auto printed = members(object, message, known, out); !printed) return printed;
    if (known == object.size()) return {};
    for (const auto [name, value] : object.members()) {
      const bool is_type = has_kind && (name == "apiVersion" || name == "kind");
      if (!value.is_null() && !is_type && !has(message, name)) {
        return fail(ErrorCode::unsupported, (path_ + ".").append(name) + " is not supported in protobuf");
      }
    }
    return {};
  }

 private:
  [[nodiscard]] static bool has(const Message& message, std::string_view name) {
    for (const MessageField& field : message.fields) {
      if (field.is_inline ? has(*field.message, name) : field.name == name) return true;
    }
    return false;
  }

  [[nodiscard]] Result<void> wrong(std::string_view expected) const {
    return fail(ErrorCode::invalid, path_ + " is not " + std::string(expected));
  }

  [[nodiscard]] Result<void> member(json::View value, const MessageField& field, std::string& out) {
    if (!value.exists()) {
      append_zero(field, out);
      return {};
    }
    if (value.is_null()) {
      // A time or embedded JSON is null in JSON if it is not set.
      const bool can_be_null = field.form == Form::time || field.form == Form::micro_time || field.form == Form::json;
      if (can_be_null && !field.is_null_if_absent && !field.is_list && !field.is_map)
        append_chunk(field.number, "", out);
      return {};
    }
    if (field.is_list) return list(value, field, out);
    if (field.is_map) return map(value, field, out);
    return value_of(value, field, field.number, out);
  }

  static void append_zero(const MessageField& field, std::string& out) {
    if (!field.omits_empty) return;
    if (field.form == Form::string) {
      append_chunk(field.number, "", out);
    } else {
      append_number(field.number, 0, out);
    }
  }

  [[nodiscard]] Result<void> list(json::View value, const MessageField& field, std::string& out) {
    if (!value.is_array()) return wrong("a list");
    for (const json::View element : value.elements()) {
      if (auto printed = value_of(element, field, field.number, out); !printed) return printed;
    }
    return {};
  }

  [[nodiscard]] Result<void> map(json::View value, const MessageField& field, std::string& out) {
    if (!value.is_object()) return wrong("an object");
    for (const auto [name, content] : value.members()) {
      std::string entry;
      append_chunk(1, name, entry);
      if (auto printed = value_of(content, field, 2, entry); !printed) return printed;
      append_chunk(field.number, entry, out);
    }
    return {};
  }

  [[nodiscard]] Result<void> value_of(json::View value, const MessageField& field, std::uint32_t number,
                                      std::string& out) {
    if (field.form == Form::integer) {
      const auto integer = value.as_integer();
      if (!integer) return wrong("an integer");
      append_number(number, static_cast<std::uint64_t>(*integer), out);
      return {};
    }
    if (field.form == Form::boolean) {
      const auto flag = value.as_bool();
      if (!flag) return wrong("true or false");
      append_number(number, *flag ? 1 : 0, out);
      return {};
    }
    if (field.form == Form::string) {
      if (!value.is_string()) return wrong("a string");
      append_chunk(number, value.text(), out);
      return {};
    }
    if (field.form == Form::real) {
      const auto real = value.as_double();
      if (!real) return wrong("a number");
      append_real(number, *real, out);
      return {};
    }
    std::string bytes;
    if (auto printed = content(value, field, bytes); !printed) return printed;
    append_chunk(number, bytes, out);
    return {};
  }

  [[nodiscard]] Result<void> content(json::View value, const MessageField& field, std::string& out) {
    switch (field.form) {
      case Form::union_: return union_member(value, *field.message, out);
      case Form::message: return object(value, *field.message, field.has_kind, out);
      case Form::json: append_chunk(1, value.print(), out); return {};
      case Form::quantity:
        // JSON may contain a number.
        append_chunk(1, value.is_string() ? std::string(value.text()) : value.print(), out);
        return {};
      case Form::int_or_string: return int_or_string(value, out);
      case Form::time:
      case Form::micro_time: return time(value, field.form == Form::micro_time, out);
      case Form::bytes: {
        auto bytes = Bytes::from_base64(value.text());
        if (!bytes) return wrong("base64");
        out = std::move(bytes->data);
        return {};
      }
      case Form::texts:
        if (!value.is_array()) return wrong("a list");
        for (const json::View text : value.elements()) append_chunk(1, text.text(), out);
        return {};
      default: return wrong("supported");
    }
  }

  // Appends the member of a message that can have a value. An object also sets a boolean member before it.
  [[nodiscard]] Result<void> union_member(json::View value, const Message& message, std::string& out) {
    for (const MessageField& field : message.fields) {
      if (value.is_array() && field.is_list) return list(value, field, out);
      if (field.is_list) continue;
      if (field.form == Form::boolean && value.is_object()) append_number(field.number, 1, out);
      if (value.is_object() == (field.form == Form::message) && !value.is_array()) {
        return value_of(value, field, field.number, out);
      }
    }
    return wrong("supported");
  }

  [[nodiscard]] Result<void> int_or_string(json::View value, std::string& out) const {
    const auto integer = value.as_integer();
    if (!integer && !value.is_string()) return wrong("an integer or a string");
    append_number(1, integer ? 0 : 1, out);
    append_number(2, static_cast<std::uint64_t>(integer.value_or(0)), out);
    append_chunk(3, value.text(), out);
    return {};
  }

  [[nodiscard]] Result<void> time(json::View value, bool micro, std::string& out) const {
    if (value.is_null()) return {};
    const auto time = FarTime::parse(value.text());
    if (!time) return wrong("a time");
    const std::int64_t nanos = micro ? time->nanos / 1000 * 1000 : 0;
    append_number(1, static_cast<std::uint64_t>(time->seconds), out);
    append_number(2, static_cast<std::uint64_t>(nanos), out);
    return {};
  }

  std::string path_;
};

}  // namespace

const json::MessageTypes& protobuf_types() {
  static const json::MessageTypes types(protobuf_messages(), packages);
  return types;
}

// The messages are not read for a custom resource.
const json::MessageTypes* protobuf_types_of(std::string_view api_version, std::string_view kind) {
  const std::size_t slash = api_version.find('/');
  const std::string_view group = slash == std::string_view::npos ? std::string_view() : api_version.substr(0, slash);
  const bool has_messages = std::ranges::find(packages, group, &json::MessagePackage::group) != std::end(packages);
  return has_messages && protobuf_types().find_kind(api_version, kind) != nullptr ? &protobuf_types() : nullptr;
}

Result<void> append_message(json::View object, const Message& message, std::string& out) {
  return Printer().object(object, message, true, out);
}

void append_chunk(std::uint32_t number, std::string_view bytes, std::string& out) {
  append_varint(std::uint64_t{number} << 3U | chunk_type, out);
  append_varint(bytes.size(), out);
  out += bytes;
}

std::optional<ProtobufEvent> read_protobuf_event(std::string_view bytes) {
  ProtobufEvent event;
  std::string_view extension;
  const bool is_read = read_chunks(bytes, {&event.type, &extension}) && read_chunks(extension, {&event.object});
  return is_read ? std::optional(event) : std::nullopt;
}

std::string protobuf_envelope(std::string_view api_version, std::string_view kind, std::string_view message) {
  std::string type;
  append_chunk(1, api_version, type);
  append_chunk(2, kind, type);
  std::string out("k8s\0", 4);
  append_chunk(1, type, out);
  append_chunk(2, message, out);
  append_chunk(3, "", out);
  append_chunk(4, "", out);
  return out;
}

}  // namespace pintle
