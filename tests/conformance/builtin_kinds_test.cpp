// SPDX-License-Identifier: Apache-2.0
// Compares discovery and stored objects of the built-in kinds with recordings of a real API server.
#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include <gtest/gtest.h>

#include <pintle/apiserver/server.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/sim/simulated_executor.hpp>

namespace pintle::conformance {
namespace {

using json::Value;

class BuiltinKinds : public testing::Test {
 protected:
  void SetUp() override { call("POST", "/api/v1/namespaces", R"({"metadata":{"name":"d"}})"); }

  const Value& facts(const std::string& name) {
    std::ifstream file("tests/data/k8s/" + name + ".json");
    std::stringstream text;
    text << file.rdbuf();
    return facts_[name] = json::parse(text.str()).value();
  }

  Value call(std::string method, std::string target, std::string body = "", std::string type = "application/json",
             std::string accept = "") {
    http::Request request{.method = std::move(method), .target = std::move(target), .body = std::move(body)};
    if (!accept.empty()) request.headers.set("Accept", std::move(accept));
    if (!request.body.empty()) request.headers.set("Content-Type", std::move(type));
    http::Response response = server_.handle(request);
    if (response.deferred) response = response.deferred();
    http::read_full_body(response);
    status_ = response.status;
    auto parsed = json::parse(response.body);
    return parsed ? std::move(*parsed) : Value(response.body);
  }

  void create_recorded() {
    for (const Value& one : facts("stored-objects").as_array()) {
      call("POST", std::string(one.at("path").as_string()), json::print(one.at("sent")));
    }
  }

  SimulatedExecutor executor_;
  ApiServer server_{executor_, {}};
  std::map<std::string, Value> facts_;
  int status_ = 0;
};

std::string text_of(const Value& value) { return std::string(value.as_string()); }

// Replaces the parts that differ between two servers: generated names and addresses, and times.
std::string without_chance(std::string text) {
  static const std::pair<std::regex, const char*> made_up[] = {
      {std::regex("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"), "<uid>"},
      {std::regex("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ"), "<time>"},
      {std::regex("\\(\\w+ ago\\)"), "(<age> ago)"},
      {std::regex("^10\\.(9[6-9]|10\\d|11[01])\\.\\d+\\.\\d+$"), "<ip>"},
      {std::regex(":3\\d{4}/"), ":<port>/"},
  };
  for (const auto& [pattern, instead] : made_up) text = std::regex_replace(text, pattern, instead);
  return text;
}

// Replaces generated parts and sorts the members. resourceVersion and nodePort are replaced too.
Value comparable(const Value& value) {
  if (const auto* text = value.if_string()) return Value(without_chance(std::string(*text)));
  if (const json::array* list = value.if_array()) {
    json::array out;
    for (const Value& item : *list) out.push_back(comparable(item));
    return out;
  }
  const json::object* object = value.if_object();
  if (object == nullptr) return value;
  std::map<std::string, Value> sorted;
  for (const auto& [name, member] : *object) {
    const std::string key(name);
    if (key == "managedFields") continue;
    const bool number = key == "resourceVersion" || key == "nodePort";
    sorted.emplace(key, number ? Value("<number>") : comparable(member));
  }
  json::object out;
  for (auto& [name, member] : sorted) out.emplace(name, std::move(member));
  return out;
}

TEST_F(BuiltinKinds, AreDiscoveredLikeOnARealServer) {
  const std::string aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  for (const auto& [path, file] : {std::pair("/api", "discovery-api"), std::pair("/apis", "discovery-apis")}) {
    const Value got = call("GET", path, "", "", aggregated);
    const Value& want = facts(file);

    const json::array& groups = want.at("items").as_array();
    ASSERT_EQ(got.at("items").as_array().size(), groups.size());
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const Value& mine = got.at("items").as_array()[i];
      // Freshness is not recorded.
      for (std::size_t v = 0; v < groups[i].at("versions").as_array().size(); ++v) {
        const std::string at = "/versions/" + std::to_string(v);
        for (const char* part : {"/version", "/resources"}) {
          const Value* theirs = json::find(groups[i], at + part);
          const Value* ours = json::find(mine, at + part);
          ASSERT_NE(ours, nullptr) << json::print(groups[i].at("metadata"));
          EXPECT_EQ(json::print(comparable(*ours)), json::print(comparable(*theirs)));
        }
      }
      EXPECT_EQ(mine.at("metadata"), groups[i].at("metadata"));
    }
  }
}

TEST_F(BuiltinKinds, AreListedByPathLikeInAggregatedDiscovery) {
  for (const char* file : {"discovery-api", "discovery-apis"}) {
    const Value& wanted = facts(file);
    for (const Value& group : wanted.at("items").as_array()) {
      const Value* name = json::find(group, "/metadata/name");
      for (const Value& version : group.at("versions").as_array()) {
        const std::string path = name == nullptr ? "/api/" + text_of(version.at("version"))
                                                 : "/apis/" + text_of(*name) + "/" + text_of(version.at("version"));
        const Value listed = call("GET", path);

        std::vector<std::string> want;
        for (const Value& resource : version.at("resources").as_array()) {
          const std::string plural = text_of(resource.at("resource"));
          want.push_back(plural + " " + json::print(resource.at("verbs")));
          const Value* subs = json::find(resource, "/subresources");
          if (subs == nullptr) continue;
          for (const Value& sub : subs->as_array()) {
            want.push_back(plural + "/" + text_of(sub.at("subresource")) + " " + json::print(sub.at("verbs")));
          }
        }
        std::vector<std::string> got;
        for (const Value& resource : listed.at("resources").as_array()) {
          got.push_back(text_of(resource.at("name")) + " " + json::print(resource.at("verbs")));
        }
        std::sort(want.begin(), want.end());
        std::sort(got.begin(), got.end());
        EXPECT_EQ(got, want) << path;
      }
    }
  }
}

TEST_F(BuiltinKinds, AreStoredLikeOnARealServer) {
  for (const Value& one : facts("stored-objects").as_array()) {
    const Value got = call("POST", text_of(one.at("path")), json::print(one.at("sent")));

    EXPECT_EQ(status_, 201) << json::print(got);
    EXPECT_EQ(json::print(comparable(got)), json::print(comparable(one.at("stored")))) << text_of(one.at("path"));
  }
}

TEST_F(BuiltinKinds, CanBeReadListedPatchedAndDeleted) {
  create_recorded();
  for (const Value& one : facts("stored-objects").as_array()) {
    const std::string list = text_of(one.at("path"));
    const std::string path = list + "/" + text_of(*json::find(one, "/sent/metadata/name"));

    EXPECT_EQ(json::print(comparable(call("GET", path))), json::print(comparable(one.at("stored"))));
    EXPECT_GE(call("GET", list).at("items").as_array().size(), 1U) << list;
    for (const char* type : {"merge-patch", "strategic-merge-patch"}) {
      call("PATCH", path, R"({"metadata":{"labels":{"patched":"yes"}}})", "application/" + std::string(type) + "+json");
      EXPECT_EQ(status_, 200) << path;
    }
    const Value same = call("GET", path);
    const Value put = call("PUT", path, json::print(same));
    EXPECT_EQ(status_, 200) << path;
    EXPECT_EQ(json::print(put), json::print(same));
    call("PATCH", path + "?fieldManager=test&force=true",
         json::print(Value{{"apiVersion", same.at("apiVersion")},
                           {"kind", same.at("kind")},
                           {"metadata", {{"labels", {{"applied", "yes"}}}}}}),
         "application/apply-patch+yaml");
    EXPECT_EQ(status_, 200) << path;
    call("DELETE", path);
    EXPECT_EQ(status_, 200) << path;
    call("GET", path);
    EXPECT_EQ(status_, 404) << path;
  }
}

TEST_F(BuiltinKinds, RefuseUnknownFieldsWithStrictValidation) {
  for (const Value& one : facts("stored-objects").as_array()) {
    Value sent = one.at("sent");
    sent.as_object()["surprise"] = 1;

    const Value got = call("POST", text_of(one.at("path")) + "?fieldValidation=Strict", json::print(sent));

    EXPECT_EQ(status_, 400) << text_of(one.at("path"));
    EXPECT_NE(json::print(got).find("unknown field \\\"surprise\\\""), std::string::npos) << json::print(got);
  }
}

TEST_F(BuiltinKinds, HaveTheTableRowsOfARealServer) {
  create_recorded();
  std::map<std::string, std::string> paths;
  for (const Value& one : facts("stored-objects").as_array()) {
    paths.emplace(text_of(one.at("sent").at("apiVersion")) + " " + text_of(one.at("sent").at("kind")),
                  text_of(one.at("path")));
  }
  // The recorded quota limited nothing, because no controller had written its status.
  const std::string quotas = paths.at("v1 ResourceQuota");
  call("DELETE", quotas + "/rq");
  const Value& rows = facts("table-rows");
  for (const auto& [kind, recorded] : rows.as_object()) {
    const std::string list = paths.at(std::string(kind));
    if (list == quotas) call("POST", quotas, R"({"metadata":{"name":"rq"},"spec":{"hard":{"pods":"9"}}})");
    for (const Value& row : recorded.as_array()) {
      const std::string name = text_of(row.at("name"));
      if (const Value* spec = json::find(row, "/spec")) {
        call("POST", list, json::print(Value{{"metadata", {{"name", name}}}, {"spec", *spec}}));
      }
      if (const Value* status = json::find(row, "/status")) {
        call("PATCH", list + "/" + name + "/status", json::print(Value{{"status", *status}}),
             "application/merge-patch+json");
        ASSERT_EQ(status_, 200) << list << " " << name;
      }

      const Value table = call("GET", list + "/" + name, "", "", "application/json;as=Table;v=v1;g=meta.k8s.io");

      ASSERT_EQ(status_, 200) << list << " " << name;
      const json::array& columns = table.at("columnDefinitions").as_array();
      const json::array& cells = json::find(table, "/rows/0/cells")->as_array();
      ASSERT_EQ(columns.size(), cells.size());
      EXPECT_EQ(columns.size(), row.at("cells").as_object().size()) << std::string(kind);
      for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::string column = text_of(columns[i].at("name"));
        const Value* want = row.at("cells").as_object().if_contains(column);
        ASSERT_NE(want, nullptr) << std::string(kind) << " " << column;
        if (*want == Value("<age>")) continue;
        EXPECT_EQ(json::print(comparable(cells[i])), json::print(comparable(*want)))
            << std::string(kind) << " " << name << ", " << column;
      }
    }
  }
}

TEST_F(BuiltinKinds, AcceptTheFieldSelectorsOfARealServer) {
  const Value& selectors = facts("field-selectors");
  for (const auto& [path, labels] : selectors.as_object()) {
    const std::string list = std::regex_replace(std::string(path), std::regex("\\{namespace\\}"), "d");
    for (const Value& label : labels.as_array()) {
      call("GET", list + "?fieldSelector=" + text_of(label) + "%3Dx");
      EXPECT_EQ(status_, 200) << list << " " << text_of(label);
    }
    call("GET", list + "?fieldSelector=spec.bogus%3Dx");
    EXPECT_EQ(status_, 400) << list;
  }
}

}  // namespace
}  // namespace pintle::conformance
