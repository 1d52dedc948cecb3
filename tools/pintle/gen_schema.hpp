// SPDX-License-Identifier: Apache-2.0
// Converts OpenAPI v3 schemas to types of C++.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/json/document.hpp>

#include "gen_model.hpp"

namespace pintle::tools {

// The type to which a schema was converted.
struct SchemaType {
  enum class Form { value, enumeration, structure, metadata, collection, incomplete };
  std::string cpp{};
  Form form = Form::value;
  bool is_open = false;        // for an enumeration: unknown values are read as `unset`
  bool is_atomic = false;      // for a structure: one writer owns it as a whole
  bool has_own_rules = false;  // for a structure: it has the rules in CEL of its schema
};

// Returns the type for any JSON value. Headers of built-in kinds only declare it and hold it in boxes, because its own
// header would take a third or more of their compile time.
[[nodiscard]] SchemaType any_json(bool is_builtin, std::string_view prefix, Header& header);

// Reads the schemas of one header. Not thread-safe.
class SchemaReader {
 public:
  // Returns the type that "$ref" names, and adds it to the `uses` of `owner` if it must precede `owner`.
  using Resolve = std::function<Result<SchemaType>(std::string_view ref, StructType& owner, const Place& place)>;

  struct Options {
    // Enumerations are open, because later versions add values, and the server sets the defaults.
    bool is_builtin = false;
    std::string prefix{};  // "pintle::" for types outside of that namespace
    Resolve resolve{};
  };
  SchemaReader(Options options, Header& header, std::vector<std::string>& warnings)
      : options_(std::move(options)), header_(header), warnings_(warnings) {}

  // Adds the members of an object schema to `owner`. Error: invalid, if the schema cannot be expressed in C++; the
  // message names the place.
  [[nodiscard]] Result<void> read_members(json::View schema, StructType& owner, const Place& place);
  // Warns of the rules for the whole object, except those in CEL.
  void warn_of_whole(json::View schema, const Place& place);

 private:
  [[nodiscard]] Result<MemberType> read_member(std::string_view name, json::View schema, bool is_required,
                                               StructType& owner, const Place& place);
  [[nodiscard]] Result<SchemaType> type_of(std::string_view name, json::View schema, StructType& owner,
                                           const Place& place);
  [[nodiscard]] Result<SchemaType> object_of(std::string_view name, json::View schema, StructType& owner,
                                             const Place& place);
  [[nodiscard]] Result<SchemaType> list_of(std::string_view name, json::View schema, StructType& owner,
                                           const Place& place);
  [[nodiscard]] Result<SchemaType> enum_of(std::string_view name, json::View schema, StructType& owner,
                                           const Place& place);
  [[nodiscard]] Result<std::string> initial_of(json::View value, const SchemaType& type, const StructType& owner,
                                               const Place& place);
  // Adds a rule for a default that equals the value of a default-initialized member, because the initializer does not
  // show it.
  void add_default(json::View given, const SchemaType& type, const StructType& owner, MemberType& member);
  void add_sharing(json::View schema, const SchemaType& type, MemberType& member, const Place& place);
  // Adds the rules of the schema that fields() supports, and warns of the others.
  void add_rules(json::View schema, const SchemaType& type, MemberType& member, const Place& place);
  [[nodiscard]] std::vector<std::string> cel_rules(json::View schema, const Place& place);
  // Warns of the rules for the elements of a list or the entries of a map, because this program does not write them.
  void warn_of_items(json::View items, const SchemaType& element, const Place& place);

  // Returns a type of the object layer and adds its header.
  SchemaType value(std::string_view name, std::string_view header);
  SchemaType standard(std::string_view name, std::string_view header);
  // Returns the type by which a struct, a list or a map holds a value: the type itself, or a Box of it.
  std::string held(const SchemaType& type);
  SchemaType any() { return any_json(options_.is_builtin, options_.prefix, header_); }

  [[nodiscard]] std::string nested_name(std::string wanted, const StructType& owner) const;
  void warn(const Place& place, std::string_view what) {
    warnings_.push_back(place.to_string() + ": " + std::string(what));
  }

  Options options_;
  Header& header_;
  std::vector<std::string>& warnings_;
  std::vector<std::string> enclosing_;  // names of the structs around the current schema
};

}  // namespace pintle::tools
