// SPDX-License-Identifier: Apache-2.0
#include <pintle/testing/random_object.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include <pintle/base/time.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/object/bytes.hpp>

namespace pintle::testkit {
namespace {

using Names = std::vector<std::string_view>;

bool has(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

class Draw {
 public:
  explicit Draw(Random& random) : random_(random) {}

  json::Value value(json::View schema) {
    if (const json::View choices = schema.member("enum"); !choices.empty()) {
      return choices.element(random_.below(choices.size())).to_value();
    }
    const std::string_view type = schema.member("type").text();
    if (type == "object") return object(schema);
    if (type == "array") return list(schema);
    if (type == "string") return json::Value(text(schema));
    if (type == "integer") return integer(schema);
    if (type == "number") return number(schema);
    if (type == "boolean") return is_heads();
    if (schema.member("x-kubernetes-int-or-string") == true) return int_or_string(schema);
    return is_heads() ? json::Value(word()) : json::Value(json::object{{word(), random_.below(9)}});
  }

 private:
  bool is_heads() { return random_.below(2) == 0; }

  std::int64_t between(std::int64_t lowest, std::int64_t highest) {
    const std::uint64_t span = static_cast<std::uint64_t>(highest) - static_cast<std::uint64_t>(lowest);
    const std::uint64_t step =
        span == std::numeric_limits<std::uint64_t>::max() ? random_.next() : random_.below(span + 1);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(lowest) + step);
  }

  // Returns an allowed count, at most three above the minimum.
  std::int64_t count(json::View least, json::View most) {
    const std::int64_t low = least.as_integer().value_or(0);
    return between(low, std::max(low, std::min(most.as_integer().value_or(low + 3), low + 3)));
  }

  json::Value integer(json::View schema) {
    using Narrow = std::numeric_limits<std::int32_t>;
    using Wide = std::numeric_limits<std::int64_t>;
    const bool is_narrow = schema.member("format") == "int32";
    const std::int64_t low = schema.member("minimum").as_integer().value_or(is_narrow ? Narrow::min() : Wide::min());
    const std::int64_t high = schema.member("maximum").as_integer().value_or(is_narrow ? Narrow::max() : Wide::max());
    const std::int64_t step = schema.member("multipleOf").as_integer().value_or(1);
    // Errors are most likely at the ends of the range.
    const std::int64_t drawn = random_.below(4) == 0 ? (is_heads() ? low : high) : between(low, high);
    const std::int64_t below = drawn - drawn % step;
    return below < low ? below + step : below;
  }

  json::Value number(json::View schema) {
    const double low = schema.member("minimum").as_double().value_or(-1e6);
    const double high = schema.member("maximum").as_double().value_or(std::max(low, 1e6));
    return low + (high - low) * random_.unit();
  }

  std::string word() { return letters(between(1, 8)); }
  std::string letters(std::int64_t length) {
    static constexpr std::string_view alphabet[] = {"a", "b", "c", "x", "y", "z", "0", "9", "-", "\u00e9"};
    std::string out;
    for (std::int64_t i = 0; i < length; ++i) out += alphabet[random_.below(std::size(alphabet))];
    return out;
  }

  std::string text(json::View schema) {
    const std::string_view format = schema.member("format").text();
    if (format == "date-time") {
      return format_micro_time(WallTime(std::chrono::microseconds(between(0, 4'000'000'000'000'000))));
    }
    if (format == "duration") return std::to_string(between(0, 1'000'000)) + "ms";
    if (format == "byte") return Bytes(word()).to_base64();
    return letters(count(schema.member("minLength"), schema.member("maxLength")));
  }

  json::Value int_or_string(json::View schema) {
    const std::int64_t whole = between(0, 10'000);
    if (schema.member("pattern").exists()) return json::Value(std::to_string(whole) + (is_heads() ? "m" : "Mi"));
    return is_heads() ? json::Value(whole) : json::Value(std::to_string(whole % 100) + "%");
  }

  json::Value list(json::View schema) {
    json::array out;
    const std::int64_t wanted = count(schema.member("minItems"), schema.member("maxItems"));
    constexpr std::int64_t max_repeated = 20;  // more: the schema has too few different elements
    for (std::int64_t i = 0; i < wanted + max_repeated && std::cmp_less(out.size(), wanted); ++i) {
      json::Value drawn = value(schema.member("items"));
      if (!is_repeated(schema, drawn, out)) out.push_back(std::move(drawn));
    }
    return out;
  }

  // Whether the element, or its keys, are already in a list whose elements must be different.
  static bool is_repeated(json::View schema, const json::Value& element, const json::array& list) {
    const json::View type = schema.member("x-kubernetes-list-type");
    const auto is_same = [&](const json::Value& other) {
      if (type == "set") return json::equal(element, other);
      for (const json::View key : schema.member("x-kubernetes-list-map-keys").elements()) {
        const std::string at = "/" + json::escape_token(key.text());
        const json::Value* a = json::find(element, at);
        const json::Value* b = json::find(other, at);
        if (a == nullptr || b == nullptr ? a != b : !json::equal(*a, *b)) return false;
      }
      return type == "map";
    };
    return std::any_of(list.begin(), list.end(), is_same);
  }

  json::Value object(json::View schema) {
    Names wanted;
    Names excluded;
    for (const json::View name : schema.member("required").elements()) wanted.push_back(name.text());
    draw_one(schema, wanted, excluded);
    for (const json::View part : schema.member("allOf").elements()) draw_one(part, wanted, excluded);

    json::object out;
    for (const auto [name, property] : schema.member("properties").members()) {
      if (has(excluded, name)) continue;
      if (has(wanted, name) || random_.below(4) != 0) out[name] = value(property);
    }
    const json::View entries = schema.member("additionalProperties");
    if (!entries.is_object()) return out;
    const std::int64_t size = count(schema.member("minProperties"), schema.member("maxProperties"));
    while (std::cmp_less(out.size(), size)) out[word()] = value(entries);
    return out;
  }

  // Chooses one of the members that exclude one another: oneOf has { required: [name] } for each of them, and another
  // entry if all of them may be missing.
  void draw_one(json::View schema, Names& wanted, Names& excluded) {
    const json::View each = schema.member("oneOf");
    const std::size_t drawn = random_.below(each.size());
    for (std::size_t i = 0; i < each.size(); ++i) {
      const json::View name = each.element(i)["/required/0"];
      if (name.exists()) (i == drawn ? wanted : excluded).push_back(name.text());
    }
  }

  Random& random_;
};

}  // namespace

void remove_kept_fields(json::Value& object) {
  json::erase(object, "/metadata/annotations/" + json::escape_token(conversion_annotation));
}

json::Value random_value(json::View schema, Random& random) { return Draw(random).value(schema); }

void add_kept_fields(const json::Value& converted, std::set<std::string>& fields) {
  const auto kept = json::Document::parse(Object(converted).annotation(conversion_annotation));
  if (!kept) return;
  for (const auto [version, entries] : kept->root().members()) {
    for (const auto [pointer, entry] : entries.members()) fields.insert(std::string(version) + std::string(pointer));
  }
}

}  // namespace pintle::testkit
