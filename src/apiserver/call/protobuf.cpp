#include "protobuf.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <pintle/base/time.hpp>
#include <pintle/base/utf8.hpp>
#include <pintle/object/bytes.hpp>

#include "apiserver/call/table/messages.hpp"
#include "apiserver/registry/table/table.hpp"
#include "apiserver/registry/words.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

// Thrown only inside the reader; decode_protobuf() turns them into a Result.
struct Malformed {};
struct Unknown {
  std::string what;
};

enum class Wire : std::uint32_t { varint = 0, fixed64 = 1, chunk = 2, fixed32 = 5 };

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

  struct Key {
    std::uint64_t number;
    Wire wire;
  };
  Key key() {
    const std::uint64_t key = varint();
    return {key >> 3U, static_cast<Wire>(key & 7U)};
  }

  // Skips a value and returns whether it was set. An unset member is encoded as a zero value, unless it is a pointer.
  bool skip(Wire wire) {
    const auto is_set = [](std::string_view bytes) { return bytes.find_first_not_of('\0') != std::string_view::npos; };
    switch (wire) {
      case Wire::varint: return varint() != 0;
      case Wire::fixed64: return is_set(take(8));
      case Wire::fixed32: return is_set(take(4));
      case Wire::chunk: return !chunk().empty();
    }
    throw Malformed{};
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

// Calls `take` for each member. If `take` does not read a member, it returns false and the member is skipped.
template <class Take>
void read_members(std::string_view bytes, Take take) {
  for (Reader reader(bytes); !reader.done();) {
    const auto [number, wire] = reader.key();
    if (!take(reader, number, wire)) reader.skip(wire);
  }
}

// Returns the text of member `wanted`; "" if there is none.
std::string_view text_of_member(std::string_view bytes, std::uint64_t wanted) {
  std::string_view text;
  read_members(bytes, [&](Reader& reader, std::uint64_t number, Wire wire) {
    const bool is_it = number == wanted && wire == Wire::chunk;
    if (is_it) text = reader.chunk();
    return is_it;
  });
  return text;
}

// Returns the number of member `wanted`; 0 if there is none.
std::int64_t number_of_member(std::string_view bytes, std::uint64_t wanted) {
  std::uint64_t found = 0;
  read_members(bytes, [&](Reader& reader, std::uint64_t number, Wire wire) {
    const bool is_it = number == wanted && wire == Wire::varint;
    if (is_it) found = reader.varint();
    return is_it;
  });
  return static_cast<std::int64_t>(found);
}

Value read_time(std::string_view bytes, bool micro) {
  const std::int64_t seconds = number_of_member(bytes, 1);
  const std::int64_t nanos = number_of_member(bytes, 2);
  constexpr std::int64_t not_set = -62'135'596'800;      // the year 1, the zero time of Go
  constexpr std::int64_t representable = 9'000'000'000;  // from 1684 to 2255
  if (seconds <= not_set || (seconds == 0 && nanos == 0)) return nullptr;
  if (std::abs(seconds) > representable || nanos < 0 || nanos >= 1'000'000'000) throw Malformed{};
  const WallTime time{std::chrono::seconds(seconds) + std::chrono::nanoseconds(nanos)};
  return Value(micro ? format_micro_time(time) : format_time(time));
}

Value checked_text(std::string_view bytes) {
  if (sanitize_utf8(bytes) != bytes) throw Malformed{};
  return Value(bytes);
}

Value read_int_or_string(std::string_view bytes) {
  if (number_of_member(bytes, 1) != 0) return checked_text(text_of_member(bytes, 3));
  return number_of_member(bytes, 2);
}

Value read_json(std::string_view text) {
  if (text.empty()) return nullptr;
  auto parsed = json::parse(text);
  if (!parsed) throw Malformed{};
  return std::move(*parsed);
}

Value read_texts(std::string_view bytes) {
  json::array texts;
  read_members(bytes, [&](Reader& reader, std::uint64_t number, Wire wire) {
    const bool is_one = number == 1 && wire == Wire::chunk;
    if (is_one) texts.push_back(checked_text(reader.chunk()));
    return is_one;
  });
  return texts;
}

// One parsed line of MessageFacts::fields.
struct Field {
  std::string_view name{};
  std::string_view type{};
  bool omits = false;  // a zero or an empty text is left out
};

const MessageFacts* find_message(std::string_view name) {
  const auto messages = protobuf_messages();
  const auto found = std::ranges::lower_bound(messages, name, {}, &MessageFacts::name);
  return found == messages.end() || found->name != name ? nullptr : &*found;
}

Field find_field(const MessageFacts& message, std::uint64_t number) {
  for (std::string_view rest = message.fields; !rest.empty();) {
    const auto [line, behind] = cut(rest, '\n');
    rest = behind;
    const auto [digits, words] = cut(line, ' ');
    std::uint64_t found = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), found);
    if (found != number) continue;
    const auto [name, type_and_mark] = cut(words, ' ');
    const auto [type, mark] = cut(type_and_mark, ' ');
    return {name, type, mark == "omit"};
  }
  return {};
}

bool is_number(std::string_view type) { return type == "int" || type == "bool"; }

json::object read_message(std::string_view bytes, std::string_view name);

Value read_number(std::uint64_t number, std::string_view type) {
  if (type == "bool") return number != 0;
  return static_cast<std::int64_t>(number);
}

Value read_chunk(std::string_view bytes, std::string_view type) {
  if (type == "string") return checked_text(bytes);
  if (type == "bytes") return Value(Bytes(bytes).to_base64());
  if (type == "time") return read_time(bytes, false);
  if (type == "microtime") return read_time(bytes, true);
  if (type == "quantity") return checked_text(text_of_member(bytes, 1));
  if (type == "int-or-string") return read_int_or_string(bytes);
  if (type == "json") return read_json(text_of_member(bytes, 1));
  if (type == "list") return read_texts(bytes);
  return read_message(bytes, type);
}

// Reads one entry of a map: its key and its value.
void read_entry(std::string_view bytes, std::string_view type, json::object& map) {
  map[checked_text(text_of_member(bytes, 1)).get_string()] =
      is_number(type) ? read_number(static_cast<std::uint64_t>(number_of_member(bytes, 2)), type)
                      : read_chunk(text_of_member(bytes, 2), type);
}

json::array& list_in(json::object& out, std::string_view name) {
  Value& list = out[name];
  return list.is_array() ? list.get_array() : list.emplace_array();
}
json::object& map_in(json::object& out, std::string_view name) {
  Value& map = out[name];
  return map.is_object() ? map.get_object() : map.emplace_object();
}

void read_field(Reader& reader, Wire wire, const Field& field, json::object& out) {
  const bool is_list = field.type.starts_with("[]");
  const std::string_view type = is_list ? field.type.substr(2) : field.type;
  if (is_number(type)) {
    // The numbers of a list may be packed into one chunk.
    if (wire != Wire::varint && !(is_list && wire == Wire::chunk)) throw Malformed{};
    if (!is_list) {
      const std::uint64_t number = reader.varint();
      if (number != 0 || !field.omits) out[field.name] = read_number(number, type);
      return;
    }
    json::array& list = list_in(out, field.name);
    if (wire == Wire::varint) {
      list.push_back(read_number(reader.varint(), type));
      return;
    }
    for (Reader numbers(reader.chunk()); !numbers.done();) list.push_back(read_number(numbers.varint(), type));
    return;
  }
  if (wire != Wire::chunk) throw Malformed{};
  const std::string_view bytes = reader.chunk();
  if (is_list) {
    list_in(out, field.name).push_back(read_chunk(bytes, type));
  } else if (type.starts_with("{}")) {
    read_entry(bytes, type.substr(2), map_in(out, field.name));
  } else if (field.name == "-") {
    for (auto& [name, value] : read_message(bytes, type)) out[name] = std::move(value);
  } else if (!bytes.empty() || !field.omits) {
    out[field.name] = read_chunk(bytes, type);
  }
}

// `name` must be in the table.
json::object read_message(std::string_view bytes, std::string_view name) {
  const MessageFacts& message = *find_message(name);
  json::object out;
  read_members(bytes, [&](Reader& reader, std::uint64_t number, Wire wire) {
    const Field field = find_field(message, number);
    if (!field.name.empty()) {
      read_field(reader, wire, field, out);
    } else if (reader.skip(wire)) {
      throw Unknown{fmt::format("member {} of {}", number, name)};
    }
    return true;
  });
  return out;
}

// "rbac.authorization.k8s.io/v1" and "Role" → "rbac.v1.Role"; "" if the group is not built in.
std::string message_of(std::string_view api_version, std::string_view kind) {
  if (kind == "DeleteOptions") return "meta.v1.DeleteOptions";
  if (api_version.find('/') == std::string_view::npos) return fmt::format("core.{}.{}", api_version, kind);
  const auto [group, version] = cut(api_version, '/');
  if (std::ranges::find(builtin_kinds(), group, &KindFacts::group) == builtin_kinds().end()) return "";
  return fmt::format("{}.{}.{}", group.substr(0, group.find('.')), version, kind);
}

std::size_t depth_of(const Value& value) {
  std::size_t inside = 0;
  if (const json::object* members = value.if_object()) {
    for (const auto& member : *members) inside = std::max(inside, depth_of(member.value()));
  } else if (const json::array* elements = value.if_array()) {
    for (const Value& element : *elements) inside = std::max(inside, depth_of(element));
  } else {
    return 0;
  }
  return inside + 1;
}

}  // namespace

Result<Value> decode_protobuf(std::string_view body) {
  constexpr std::string_view magic("k8s\0", 4);
  if (!body.starts_with(magic)) return fail(ErrorCode::invalid, "the body is not Kubernetes protobuf");
  body.remove_prefix(magic.size());
  try {
    const std::string_view type = text_of_member(body, 1);
    const std::string_view api_version = text_of_member(type, 1);
    const std::string_view kind = text_of_member(type, 2);
    Value type_meta{{"apiVersion", checked_text(api_version)}, {"kind", checked_text(kind)}};
    if (kind.empty()) return fail(ErrorCode::invalid, "the body has no kind");
    const std::string message = message_of(api_version, kind);
    if (find_message(message) == nullptr) throw Unknown{fmt::format("{} {}", api_version, kind)};
    Value out = read_message(text_of_member(body, 2), message);
    if (depth_of(out) > json::max_depth) throw Malformed{};  // embedded JSON adds its own depth
    for (auto& [name, value] : type_meta.get_object()) out.get_object()[name] = std::move(value);
    return out;
  } catch (const Malformed&) {
    return fail(ErrorCode::invalid, "the body is truncated or not protobuf");
  } catch (const Unknown& unknown) {
    return fail(ErrorCode::unsupported,
                fmt::format("{} is not supported in protobuf: send the object as application/json", unknown.what));
  }
}

}  // namespace pintle::apiserver
