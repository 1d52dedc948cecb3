// SPDX-License-Identifier: Apache-2.0
// Messages of kube-apiserver that kubectl shows.
#include "../test_server.hpp"

namespace pintle {
namespace {

const std::string described_deployments = "/apis/apps/v1/namespaces/default/deployments";

class Messages : public ServerTest {
 protected:
  void SetUp() override {
    ASSERT_EQ(post(config_maps, config_map("a")).status, 201);
    ASSERT_EQ(post(described_deployments, R"({"metadata":{"name":"d"},"spec":{"replicas":2,"selector":
        {"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":
        [{"name":"c","image":"i"}]}}},"status":{}})")
                  .status,
              201);
  }
  std::string message(const TestReply& reply) { return std::to_string(reply.status) + " " + reply.at("/message"); }
  std::string patched(const std::string& body) {
    return message(call("PATCH", described_deployments + "/d", body, "application/json-patch+json"));
  }
};

TEST_F(Messages, AboutAValueOfTheWrongType) {
  const std::string wrong = R"({"metadata":{"name":"d"},"spec":{"replicas":"two"}})";
  const std::string why =
      "json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32";
  const std::string whole = "400 Deployment in version \"v1\" cannot be handled as a Deployment: " + why;

  EXPECT_EQ(message(post(described_deployments, wrong)), whole);
  EXPECT_EQ(message(put(described_deployments + "/d", wrong)), whole);
  EXPECT_EQ(message(post(config_maps, R"({"metadata":{"name":"b","labels":{"a":1}}})")),
            "400 ConfigMap in version \"v1\" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go "
            "struct field ObjectMeta.metadata.labels of type string");
  const auto by_patch = patched(R"([{"op":"replace","path":"/spec/replicas","value":"two"}])");
  EXPECT_TRUE(by_patch.starts_with("422 ") && by_patch.ends_with(why)) << by_patch;
}

TEST_F(Messages, AboutJsonPatches) {
  const std::string begin = "400 error decoding patch: ";
  const std::string value = begin + "json: cannot unmarshal ";
  EXPECT_EQ(patched(R"({"op":"remove"})"), value + "object into Go value of type []handlers.jsonPatchOp");
  EXPECT_EQ(patched("[7]"), value + "number into Go value of type handlers.jsonPatchOp");
  EXPECT_EQ(patched(R"([{"op":7}])"), value + "number into Go struct field jsonPatchOp.op of type string");
  EXPECT_EQ(patched("[{]"), begin + "invalid character ']' looking for beginning of object key string");
  EXPECT_EQ(
      message(call("PATCH", described_deployments + "/d?fieldValidation=Ignore", "{}", "application/json-patch+json")),
      "400 json: cannot unmarshal object into Go value of type jsonpatch.Patch");
  const std::string failed = "422 the server rejected our request due to an error in our request";
  EXPECT_EQ(patched(R"([{"op":"test","path":"/spec/replicas","value":7}])"), failed);
  EXPECT_EQ(patched(R"([{"op":"remove","path":"/spec/nothing"}])"), failed);
}

TEST_F(Messages, AboutUnknownMembersOfAJsonPatch) {
  const std::string target = described_deployments + "/d?fieldValidation=Strict";
  const auto refused = call("PATCH", target, R"([{"op":"add","path":"/metadata/labels","value":{},"x":1,"op":"add"}])",
                            "application/json-patch+json");
  EXPECT_TRUE(
      refused.at("/message")
          .ends_with(R"(strict decoding error: json patch duplicate field "[0].op", json patch unknown field "[0].x")"))
      << refused.body;
}

TEST_F(Messages, AboutOtherPatches) {
  const auto patched_as = [&](const std::string& body, const std::string& type) {
    const std::string query = type == "apply-patch+yaml" ? "?fieldManager=m" : "";
    return message(call("PATCH", described_deployments + "/d" + query, body, "application/" + type));
  };
  const std::string not_a_map = "json: cannot unmarshal array into Go value of type map[string]interface {}";
  EXPECT_EQ(patched_as("[]", "merge-patch+json"), "400 error decoding patch: " + not_a_map);
  EXPECT_EQ(patched_as("null", "merge-patch+json"), "400 Invalid JSON Patch");
  EXPECT_EQ(patched_as("{", "merge-patch+json"), "400 error decoding patch: unexpected end of JSON input");
  EXPECT_EQ(patched_as("[]", "strategic-merge-patch+json"), "400 " + not_a_map);
  EXPECT_EQ(patched_as("{} x", "strategic-merge-patch+json"), "400 invalid character 'x' after top-level value");
  EXPECT_EQ(patched_as("[]", "apply-patch+yaml"),
            "400 error decoding YAML: error unmarshaling JSON: while decoding JSON: " + not_a_map);
  EXPECT_EQ(patched_as(R"({"kind":"Deployment"})", "apply-patch+yaml"), "400 invalid object type: /, Kind=Deployment");
  EXPECT_EQ(patched_as(R"({"apiVersion":"apps/v1"})", "apply-patch+yaml"), "400 invalid object type: apps/v1, Kind=");
  EXPECT_EQ(message(call("PATCH", config_maps + "/missing?fieldManager=m", R"({"apiVersion":"v1","kind":"ConfigMap"})",
                         "application/apply-patch+yaml")),
            "400 the name of the object (missing based on URL) was undeterminable: name must be provided");
}

TEST_F(Messages, AboutDuplicatesInYaml) {
  const std::string body = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\ndata:\n  k: a\n  k: b\n  k: c\n";
  const std::string errors =
      "yaml: unmarshal errors:\n  line 6: key \"k\" already set in map\n  line 7: key \"k\" "
      "already set in map";
  EXPECT_EQ(message(call("POST", config_maps + "?fieldValidation=Strict", body, "application/yaml")),
            "400 ConfigMap in version \"v1\" cannot be handled as a ConfigMap: strict decoding error: " + errors);
  EXPECT_EQ(message(apply(config_maps + "/b?fieldManager=m&fieldValidation=Strict", body)),
            "400 error strict decoding YAML: error converting YAML to JSON: " + errors);
  EXPECT_EQ(apply(config_maps + "/b?fieldManager=m", body).headers.get_all("Warning").size(), 2U);
}

TEST_F(Messages, AboutProtobuf) {
  const auto posted = [&](const std::string& body) {
    return message(call("POST", config_maps, body, "application/vnd.kubernetes.protobuf"));
  };
  EXPECT_EQ(
      posted("{}"),
      "400 the object provided is unrecognized (must be of type ConfigMap): provided data does not appear to be a "
      "protobuf message, expected prefix [107 56 115 0] ({})");
}

TEST_F(Messages, AboutStrategicMergePatches) {
  const auto containers = [&](const std::string& items) {
    return message(call("PATCH", described_deployments + "/d",
                        R"({"spec":{"template":{"spec":{"containers":)" + items + "}}}}",
                        "application/strategic-merge-patch+json"));
  };
  EXPECT_EQ(containers(R"([{"image":"j"}])"), "500 map: map[image:j] does not contain declared merge key: name");
  EXPECT_EQ(containers(R"([{"name":"c","$patch":"explode"}])"),
            "500 unknown patch type: explode in map: map[$patch:explode name:c]");
  const auto volumes = call("PATCH", described_deployments + "/d",
                            R"({"spec":{"strategy":{"$retainKeys":["type"],"rollingUpdate":{}}}})",
                            "application/strategic-merge-patch+json");
  EXPECT_EQ(message(volumes), "400 invalid patch format of retainKeys");
}

TEST_F(Messages, AboutTheParametersOfAList) {
  EXPECT_EQ(message(get(config_maps + "?limit=x")), "400 strconv.ParseInt: parsing \"x\": invalid syntax");
  EXPECT_EQ(message(get(config_maps + "?watch=1&timeoutSeconds=x")),
            "400 strconv.ParseInt: parsing \"x\": invalid syntax");
  EXPECT_EQ(message(get(config_maps + "?timeoutSeconds=x")), "400 strconv.ParseInt: parsing \"x\": invalid syntax");
  EXPECT_EQ(message(get(config_maps + "?limit=")), "400 strconv.ParseInt: parsing \"\": invalid syntax");
  EXPECT_EQ(message(get(config_maps + "?limit=9223372036854775808")),
            "400 strconv.ParseInt: parsing \"9223372036854775808\": value out of range");
  EXPECT_EQ(get(config_maps + "?limit=%2B1").status, 200);
  EXPECT_EQ(message(remove(config_maps + "?limit=x")), "400 strconv.ParseInt: parsing \"x\": invalid syntax");
  const std::string version = "resourceVersion: Invalid value: \"x\": strconv.ParseUint: parsing \"x\": invalid syntax";
  EXPECT_EQ(message(get(config_maps + "?resourceVersion=x")), "400 invalid resource version: " + version);
  EXPECT_EQ(message(get(config_maps + "?watch=1&resourceVersion=x")), "500 " + version);
  EXPECT_EQ(message(get(config_maps + "/a?resourceVersion=x")), "500 " + version);
  EXPECT_EQ(message(get(config_maps + "/a?export=1")),
            "400 the export parameter, deprecated since v1.14, is no longer supported");
}

TEST_F(Messages, AboutACombinationOfOptionsOfAList) {
  const std::string begin = "422 ListOptions.meta.k8s.io \"\" is invalid: ";
  const std::string field = "resourceVersionMatch: ";
  EXPECT_EQ(message(get(config_maps + "?resourceVersionMatch=No&continue=x")),
            begin + "[" + field + "Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided, " +
                field + "Forbidden: resourceVersionMatch is forbidden when continue is provided, " + field +
                R"(Unsupported value: "No": supported values: "Exact", "NotOlderThan", ""])");
  EXPECT_EQ(message(get(config_maps + "?watch=1&sendInitialEvents=1")),
            begin + field + "Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
}

TEST_F(Messages, AboutTheOptionsOfAWrite) {
  const auto posted = [&](const std::string& query) {
    return message(post(config_maps + "?" + query, config_map("b")));
  };
  const std::string begin = "422 CreateOptions.meta.k8s.io \"\" is invalid: ";
  EXPECT_EQ(posted("dryRun=Some"), begin + R"(dryRun: Unsupported value: ["Some"]: supported values: "All")");
  EXPECT_EQ(posted("dryRun="), begin + R"(dryRun: Unsupported value: [""]: supported values: "All")");
  EXPECT_EQ(posted("dryRun=All&dryRun=x"),
            begin + R"(dryRun: Unsupported value: ["All","x"]: supported values: "All")");
  EXPECT_EQ(posted("fieldValidation=x&dryRun=y"),
            begin +
                R"([dryRun: Unsupported value: ["y"]: supported values: "All", fieldValidation: Unsupported value: )" +
                R"("x": supported values: "", "Ignore", "Strict", "Warn"])");
  const auto patched = call("PATCH", config_maps + "/a?dryRun=x", "{}", "application/apply-patch+yaml");
  EXPECT_EQ(patched.causes(), "FieldValueRequired@fieldManager FieldValueNotSupported@dryRun");
}

TEST_F(Messages, AboutTheOptionsOfADeletion) {
  const auto by_query = [&](const std::string& query) { return message(remove(config_maps + "/a?" + query)); };
  const auto by_body = [&](const std::string& body) { return message(remove(config_maps + "/a", body)); };
  const std::string begin = "422 DeleteOptions.meta.k8s.io \"\" is invalid: ";
  const std::string known = R"(: supported values: "Foreground", "Background", "Orphan", "nil")";
  EXPECT_EQ(by_query("gracePeriodSeconds=x"), "400 strconv.ParseInt: parsing \"x\": invalid syntax");
  EXPECT_EQ(by_query("propagationPolicy=Foo"), begin + R"(propagationPolicy: Unsupported value: "Foo")" + known);
  EXPECT_EQ(by_query("propagationPolicy="), begin + R"(propagationPolicy: Unsupported value: "")" + known);
  EXPECT_EQ(by_query("propagationPolicy=Orphan&orphanDependents=1"),
            begin + R"(propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be )"
                    "both set");
  EXPECT_EQ(by_query("dryRun=x"), begin + R"(dryRun: Unsupported value: ["x"]: supported values: "All")");
  const std::string member = "400 json: cannot unmarshal string into Go struct field DeleteOptions.";
  EXPECT_EQ(by_body(R"({"gracePeriodSeconds":"x"})"), member + "gracePeriodSeconds of type int64");
  EXPECT_EQ(by_body(R"({"dryRun":"All"})"), member + "dryRun of type []string");
  EXPECT_EQ(by_body(R"({"propagationPolicy":"Foo"})"),
            begin + R"(propagationPolicy: Unsupported value: "Foo")" + known);
  const std::string parse = "400 couldn't get version/kind; json parse error: ";
  EXPECT_EQ(by_body("{"), parse + "unexpected end of JSON input");
  EXPECT_TRUE(by_body("[]").starts_with(parse + "json: cannot unmarshal array into Go value of type struct {"));
  EXPECT_EQ(by_body(R"({"kind":"Pod","apiVersion":"v1"})"),
            R"(400 no kind "Pod" is registered for version "v1" in scheme )"
            R"("pkg/apis/meta/internalversion/scheme/register.go:27")");
  EXPECT_EQ(remove(config_maps + "/a?resourceVersion=1").status, 409);
  EXPECT_EQ(remove(config_maps + "/a?uid=x").status, 409);
  EXPECT_EQ(names("configmaps"), "a");
}

TEST_F(Messages, AboutTheFormOfAResponse) {
  const std::string types = "application/json, application/yaml, application/vnd.kubernetes.protobuf";
  EXPECT_EQ(message(get(config_maps, "text/plain")), "406 only the following media types are accepted: " + types);
  EXPECT_EQ(message(call("POST", config_maps + "?dryRun=x", "a=b", "application/x-www-form-urlencoded")),
            "415 the body of the request was in an unknown format - accepted media types include: " + types);
  EXPECT_EQ(call("POST", config_maps, "{}", "text/yaml").status, 415);
  for (const char* accept : {"application/yaml", "application/yaml,application/json"}) {
    const auto refused = get(config_maps + "?watch=1", accept);
    EXPECT_EQ(refused.status, 406);
    EXPECT_NE(refused.body.find("only the following media types are accepted: application/json;stream=watch, "
                                "application/vnd.kubernetes.protobuf;stream=watch"),
              std::string::npos)
        << refused.body;
  }
  const std::string table = "application/json;as=Table;v=v1;g=meta.k8s.io";
  EXPECT_EQ(message(get(config_maps + "?includeObject=All", table)),
            "400 Unable to convert to Table as requested: includeObject: Invalid value: \"All\": must be 'Metadata', "
            "'Object', 'None', or empty");
  EXPECT_EQ(get(config_maps + "?includeObject=All").status, 200) << "no Table";
}

TEST_F(Messages, AboutAContinueToken) {
  const std::string wrong = "400 invalid continue token: continue key is not valid";
  EXPECT_EQ(message(get(config_maps + "?continue=x")), wrong + ": illegal base64 data at input byte 0");
  EXPECT_EQ(message(get(config_maps + "?continue=ab!d")), wrong + ": illegal base64 data at input byte 2");
  EXPECT_EQ(message(get(config_maps + "?continue=abcd")), wrong);
}

TEST_F(Messages, AboutALabelSelector) {
  const auto about = [&](const std::string& selector) {
    return message(get(config_maps + "?labelSelector=" + selector)).substr(4);
  };
  const std::string prefix = "unable to parse requirement: ";
  const std::string key_form =
      "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character "
      "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
      "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
  const std::string value_form =
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start "
      "and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation "
      "is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

  EXPECT_EQ(about("a%20b"), prefix + "found 'b', expected: in, notin, =, ==, !=, gt, lt");
  EXPECT_EQ(about("a%20in"), prefix + "found '' expected: '('");
  EXPECT_EQ(about("a%20in%20(b"), prefix + "found '', expected: ',' or ')'");
  EXPECT_EQ(about("a%20in%20(,"), prefix + "found '', expected: ',', or identifier");
  EXPECT_EQ(about("a%20in%20(="), prefix + "found '=', expected: ',', ')' or identifier");
  EXPECT_EQ(about("a=!"), prefix + "found '!', expected: identifier");
  EXPECT_EQ(about("!=a"), "found '!=', expected: !, identifier, or 'end of string'");
  EXPECT_EQ(about("!"), prefix + "found '', expected: identifier");
  EXPECT_EQ(about("a,"), "found '', expected: identifier after ','");
  EXPECT_EQ(about("!a=b"), "found '=', expected: ',' or 'end of string'");
  EXPECT_EQ(about("a%3Eb"),
            prefix + "values[0]: Invalid value: \"b\": for 'Gt', 'Lt' operators, the value must be an integer");
  EXPECT_EQ(about("a/b/c=d"), prefix + "<nil>: Invalid value: \"a/b/c\": a valid label key " + key_form +
                                  " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
  EXPECT_EQ(about("/b"), prefix + "<nil>: Invalid value: \"/b\": prefix part must be non-empty");
  EXPECT_EQ(about("a/=b"), prefix + "<nil>: Invalid value: \"a/\": name part must be non-empty; name part " + key_form);
  EXPECT_EQ(about("a%20in%20(b-,-b)"), prefix + "[values[0][a]: Invalid value: \"-b\": " + value_form +
                                           ", values[1][a]: Invalid value: \"b-\": " + value_form + "]");
  EXPECT_EQ(about("a=" + std::string(64, 'x')),
            prefix + "values[0][a]: Invalid value: \"" + std::string(64, 'x') + "\": must be no more than 63 bytes");
}

TEST_F(Messages, LabelSelectorsSelectAsInTheClient) {
  ASSERT_EQ(post(config_maps, config_map("b", R"("labels":{"tier":"x","n":"5"})")).status, 201);
  const auto selected = [&](const std::string& selector) {
    std::string out;
    const auto reply = get(config_maps + "?labelSelector=" + selector);
    EXPECT_EQ(reply.status, 200) << reply.body;
    for (const json::Value& item : reply.json.at("items").as_array()) {
      out += std::string(item.at("metadata").at("name").as_string()) + " ";
    }
    return out;
  };
  EXPECT_EQ(selected(""), "a b ");
  EXPECT_EQ(selected("tier"), "b ");
  EXPECT_EQ(selected("!tier"), "a ");
  EXPECT_EQ(selected("tier%20in%20(x,y),n%3E4"), "b ");
  EXPECT_EQ(selected("tier%20notin%20(,x)"), "a ");
  EXPECT_EQ(selected("tier="), "");
  EXPECT_EQ(selected("tier%20in%20()"), "");
  EXPECT_EQ(selected("in%20notin%20(in),tier==x"), "b ");
  EXPECT_EQ(selected("n%3C5"), "");
}

TEST_F(Messages, AboutAFieldSelector) {
  const auto about = [&](const std::string& collection, const std::string& selector) {
    return message(get(collection + "?fieldSelector=" + selector)).substr(4);
  };
  EXPECT_EQ(about(config_maps, "a,b%3E1"), "invalid selector: 'a,b>1'; can't understand 'a'");
  EXPECT_EQ(about(config_maps, "a=b=c"), "invalid field selector: unescaped character in value: 61");
  EXPECT_EQ(about(config_maps, "a=b%5Cx"), "invalid field selector: invalid escape sequence: \\x");
  EXPECT_EQ(about(config_maps, "a=b%5C"), "invalid field selector: invalid escape sequence: \\");
  EXPECT_EQ(about(config_maps, "data.b=1,data.a=1"),
            "\"data.a\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"");
  EXPECT_EQ(about("/api/v1/pods", "spec.none=1"), "field label not supported: spec.none");
  EXPECT_EQ(about("/apis/batch/v1/jobs", "spec.none=1"), "field label \"spec.none\" not supported for batchv1.Job");
}

TEST_F(Messages, AboutTheSelectorOfAWorkload) {
  const auto make = [&](const std::string& kind, const std::string& selector) {
    return post(
        "/apis/apps/v1/namespaces/default/" + kind + "?dryRun=All",
        R"({"metadata":{"name":"e"},"spec":{"serviceName":"e",)" + selector +
            R"("template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}})");
  };
  const auto causes = [&](const TestReply& reply) {
    std::string out;
    for (std::size_t i = 0; !reply.at("/details/causes/" + std::to_string(i) + "/field").empty(); ++i) {
      const std::string at = "/details/causes/" + std::to_string(i);
      out += reply.at(at + "/field") + ": " + reply.at(at + "/message") + "\n";
    }
    return out;
  };
  const std::string unmatched =
      "spec.template.metadata.labels: Invalid value: {\"a\":\"b\"}: `selector` does not match template `labels`\n";

  EXPECT_EQ(causes(make("deployments", "")), "spec.selector: Required value\n" + unmatched);
  EXPECT_EQ(causes(make("daemonsets", "")), unmatched);
  EXPECT_EQ(causes(make("statefulsets", R"("selector":{},)")),
            "spec.selector: Invalid value: {}: empty selector is invalid for statefulset\n");
  const std::string odd =
      R"("selector":{"matchExpressions":[{"key":"a","operator":"Is"},{"key":"a","operator":"Exists","values":["b"]}]},)";
  const std::string first =
      "spec.selector.matchExpressions[0].operator: Invalid value: \"Is\": not a valid selector operator\n"
      "spec.selector.matchExpressions[1].values: Forbidden: may not be specified when `operator` is 'Exists' or "
      "'DoesNotExist'\n";
  const std::string whole =
      "spec.selector: Invalid value: {\"matchExpressions\":[{\"key\":\"a\",\"operator\":\"Is\"},{\"key\":\"a\","
      "\"operator\":\"Exists\",\"values\":[\"b\"]}]}";
  EXPECT_EQ(causes(make("replicasets", odd)), first + whole + ": invalid label selector\n");
  EXPECT_EQ(causes(make("statefulsets", odd)), first + whole + "\n");
  EXPECT_EQ(causes(make("daemonsets", odd)), first);
  EXPECT_EQ(make("deployments", R"("selector":{"matchExpressions":[{"key":"-","operator":"In"}]},)").causes(),
            "FieldValueRequired@spec.selector.matchExpressions[0].values "
            "FieldValueInvalid@spec.selector.matchExpressions[0].key FieldValueInvalid@spec.selector");
}

TEST_F(Messages, AScaleIsATable) {
  const auto table = get(described_deployments + "/d/scale", "application/json;as=Table;v=v1;g=meta.k8s.io");
  EXPECT_EQ(table.at("/kind") + " " + table.at("/apiVersion"), "Table meta.k8s.io/v1") << table.body;
  EXPECT_EQ(table.at("/columnDefinitions/1/name") + " " + table.at("/columnDefinitions/2/name"), "Desired Available");
  EXPECT_EQ(table.at("/rows/0/cells/0") + " " + table.at("/rows/0/cells/1") + " " + table.at("/rows/0/cells/2"),
            "d 2 0");
  EXPECT_EQ(table.at("/rows/0/object/metadata/name"), "d");
  EXPECT_EQ(get(described_deployments + "/d/scale", "application/json").at("/kind"), "Scale");
}

}  // namespace
}  // namespace pintle
