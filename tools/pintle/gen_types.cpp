// SPDX-License-Identifier: Apache-2.0
#include "gen_types.hpp"

#include <cstdio>
#include <deque>
#include <map>
#include <utility>

#include <fmt/format.h>

#include <pintle/base/executor.hpp>
#include <pintle/base/file.hpp>
#include <pintle/base/terminal.hpp>
#include <pintle/base/text.hpp>
#include <pintle/json/document.hpp>
#include <pintle/json/value.hpp>

#include "base/progress_line.hpp"
#include "gen_crd.hpp"
#include "gen_files.hpp"
#include "gen_names.hpp"
#include "gen_openapi.hpp"
#include "gen_print.hpp"

namespace pintle::tools {
namespace {

// The content of all files.
class Input {
 public:
  explicit Input(const GenTypesOptions& options) : options_(options) {}

  Result<Headers> read() {
    if (auto added = add_files(); !added) return fail(std::move(added.error()));
    if (auto read = schemas_.read(options_.root, headers_, warnings); !read) return fail(std::move(read.error()));
    if (headers_.empty()) return fail(ErrorCode::invalid, "these files contain no schema that becomes a struct");
    return std::move(headers_);
  }

  std::vector<std::string> warnings{};

 private:
  Result<void> add_files() {
    const auto executor = make_real_executor();
    ProgressLine progress(*executor, "files", options_.files.size());
    for (const std::string& file : options_.files) {
      if (auto added = add_file(file); !added) return added;
      progress.add();
    }
    return {};
  }

  Result<void> add_file(const std::string& file) {
    auto text = read_file(file);
    if (!text) return fail(std::move(text.error()));
    auto documents = json::parse_yaml_stream(*text);
    if (!documents) return fail(ErrorCode::invalid, file + ": " + documents.error().message);
    std::size_t used = 0;
    std::size_t number = 0;
    for (json::Value& value : *documents) {
      const json::View document = documents_.emplace_back(std::move(value)).root();
      const Place place{file, documents->size() == 1 ? "" : fmt::format("document {}: ", ++number)};
      if (auto added = add_document(document, place, used); !added) return added;
    }
    if (used == 0) {
      return fail(ErrorCode::invalid,
                  file + ": neither an OpenAPI v3 document with components.schemas nor a CustomResourceDefinition");
    }
    return {};
  }

  // Other objects in the same stream are skipped, because manifests of operators contain them.
  Result<void> add_document(json::View document, const Place& place, std::size_t& used) {
    if (OpenApiSchemas::is_openapi(document)) return ++used, schemas_.add(document, place);
    if (is_crd(document)) return ++used, add_crd(document, place);
    std::size_t index = 0;
    for (const json::View item : document.member("items").elements()) {
      const Place at = place.at("items").at(std::to_string(index++));
      if (!is_crd(item)) continue;
      ++used;
      if (auto read = add_crd(item, at); !read) return read;
    }
    return {};
  }

  Result<void> add_crd(json::View crd, const Place& place) {
    if (!options_.sources.empty()) {
      return fail(ErrorCode::invalid, place.file + ": is a CRD, and the tables that --sources writes cannot contain " +
                                          "its rules; remove --sources");
    }
    return read_crd(crd, place, headers_, warnings);
  }

  const GenTypesOptions& options_;
  std::deque<json::Document> documents_;
  OpenApiSchemas schemas_;
  Headers headers_;
};

int print_errors_of_types(const Error& error) {
  fmt::print(stderr, "pintle gen types: {}\n", escape_for_terminal(error.message));
  return error.code == ErrorCode::invalid ? 2 : 1;
}

Result<void> write_types(const Headers& headers, const GenTypesOptions& options) {
  const PrintOptions print{.root = options.root, .is_split = !options.sources.empty()};
  std::map<std::string, std::string> files;
  Headers whole;  // one source has the tables of all parts
  for (const auto& [name, header] : headers) {
    files[fmt::format("{}/{}", options.out, name.path())] = print_header(name, header, print);
    whole[{name.folder, name.version}].structs.insert(header.structs.begin(), header.structs.end());
  }
  for (const auto& [name, header] : whole) {
    if (!print.is_split) break;
    files[fmt::format("{}/{}_{}.cpp", options.sources, name.folder, name.version)] = print_source(name, header, print);
  }
  if (options.root != builtin_root) {
    for (auto& [path, text] : files) text = with_checksum(text);
  }
  if (!options.out.empty()) {
    if (auto checked = options.force ? Result<void>() : check_replaced(files); !checked) return checked;
    return write_files(files);
  }
  if (files.size() > 1) return fail(ErrorCode::invalid, "these types need several files; set --out to a folder");
  std::fputs(files.begin()->second.c_str(), stdout);
  return {};
}

}  // namespace

int run_gen_types(const GenTypesOptions& options) {
  if (!options.root.empty() && !is_namespace(options.root)) {
    const std::string what = "--namespace " + quote(options.root) + " is not a name such as acme or acme::operators";
    return print_errors_of_types(Error{.code = ErrorCode::invalid, .message = what});
  }
  Input input(options);
  auto headers = input.read();
  if (!headers) return print_errors_of_types(headers.error());
  if (auto written = write_types(*headers, options); !written) return print_errors_of_types(written.error());
  for (const std::string& warning : input.warnings) {
    fmt::print(stderr, "pintle gen types: {}\n", escape_for_terminal(warning));
  }
  return 0;
}

}  // namespace pintle::tools
