// OpenAPI v3 schemas to types of C++.
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

// What a schema became.
struct SchemaType {
  enum class Form { value, enumeration, structure, metadata, collection, incomplete };
  std::string cpp{};
  Form form = Form::value;
  bool is_open = false;    // of an enumeration
  bool is_atomic = false;  // of a structure that one writer owns as a whole
};

// What stands for anything. Headers of built-in kinds only name it, and hold it in boxes: its own header would be a
// third of what they cost the compiler, or more.
[[nodiscard]] SchemaType any_json(bool is_builtin, std::string_view prefix, Header& header);

// Reads the schemas of one header. Not thread-safe.
class SchemaReader {
 public:
  // What "$ref" names. `owner` learns what it has to stand behind.
  using Resolve = std::function<Result<SchemaType>(std::string_view ref, StructType& owner, const Place& place)>;

  struct Options {
    // Values to come: enumerations are open, and defaults are left to the server.
    bool is_builtin = false;
    std::string prefix{};  // "pintle::" outside of that namespace
    Resolve resolve{};
  };
  SchemaReader(Options options, Header& header, std::vector<std::string>& warnings)
      : options_(std::move(options)), header_(header), warnings_(warnings) {}

  // Adds the members of an object schema to `owner`. Error: invalid, with the place, for what C++ cannot say.
  [[nodiscard]] Result<void> read_members(json::View schema, StructType& owner, const Place& place);

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
  // Of one that the bare type has anyway, so that the initializer says nothing.
  void add_default(json::View given, const SchemaType& type, const StructType& owner, MemberType& member);
  void add_sharing(json::View schema, const SchemaType& type, MemberType& member);
  void add_rules(json::View schema, MemberType& member, const Place& place);
  [[nodiscard]] std::vector<std::string> cel_rules(json::View schema, const Place& place);
  void warn_of_items(json::View items, const Place& place);

  // A type of the object layer, with its header.
  SchemaType value(std::string_view name, std::string_view header);
  SchemaType standard(std::string_view name, std::string_view header);
  // How a struct, a list or a map holds one: as it is, or in a Box.
  std::string held(const SchemaType& type);
  SchemaType any() { return any_json(options_.is_builtin, options_.prefix, header_); }

  [[nodiscard]] std::string nested_name(std::string wanted, const StructType& owner) const;
  void warn(const Place& place, std::string_view what) {
    warnings_.push_back(place.to_string() + ": " + std::string(what));
  }

  Options options_;
  Header& header_;
  std::vector<std::string>& warnings_;
  std::vector<std::string> enclosing_;  // names of the structs around what is being read
};

}  // namespace pintle::tools
