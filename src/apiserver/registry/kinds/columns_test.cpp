// SPDX-License-Identifier: Apache-2.0
// The table columns of the kinds without further rules, and what kube-apiserver refuses of simple kinds.
#include "apiserver/test_server.hpp"

namespace pintle {
namespace {

class Columns : public ServerTest {
 protected:
  // Creates an object and returns the cells of its row after the name, separated by " | "; ages are left out.
  std::string cells_of(const std::string& collection, const std::string& name, const std::string& body) {
    const auto made = post(collection, R"({"metadata":{"name":")" + name + "\"}," + body + "}");
    EXPECT_EQ(made.status, 201) << made.body;
    const auto table = get(collection + "/" + name, "application/json;as=Table;v=v1;g=meta.k8s.io");
    std::string out;
    const json::array& columns = json::find(table.json, "/columnDefinitions")->as_array();
    for (std::size_t i = 1; i < columns.size(); ++i) {
      if (columns[i].at("name") == json::Value("Age")) continue;
      out += (out.empty() ? "" : " | ") + table.at("/rows/0/cells/" + std::to_string(i));
    }
    return out;
  }
};

TEST_F(Columns, OfKindsWithoutRulesHaveValues) {
  const std::string flow = "/apis/flowcontrol.apiserver.k8s.io/v1/";
  EXPECT_EQ(cells_of(flow + "flowschemas", "f",
                     R"("spec":{"matchingPrecedence":5,"priorityLevelConfiguration":{"name":"l"},
                        "distinguisherMethod":{"type":"ByUser"}})"),
            "l | 5 | ByUser | ?");
  EXPECT_EQ(
      cells_of(flow + "prioritylevelconfigurations", "l",
               R"("spec":{"type":"Limited","limited":{"nominalConcurrencyShares":7,"limitResponse":{"type":"Queue",
                        "queuing":{"queues":64,"handSize":6,"queueLengthLimit":50}}}})"),
      "Limited | 7 | 64 | 6 | 50");
  EXPECT_EQ(cells_of(flow + "prioritylevelconfigurations", "e", R"("spec":{"type":"Exempt"})"),
            "Exempt | <none> | <none> | <none> | <none>");

  const std::string networking = "/apis/networking.k8s.io/v1/";
  EXPECT_EQ(cells_of(networking + "servicecidrs", "r", R"("spec":{"cidrs":["10.0.0.0/24"]})"), "10.0.0.0/24");
  EXPECT_EQ(cells_of(networking + "ipaddresses", "10.0.0.1",
                     R"("spec":{"parentRef":{"group":"","resource":"services","namespace":"n","name":"s"}})"),
            "services/n/s");
  EXPECT_EQ(cells_of(networking + "ingressclasses", "i", R"("spec":{"controller":"x.dev/c",
                     "parameters":{"apiGroup":"x.dev","kind":"P","name":"p","scope":"Cluster"}})"),
            "x.dev/c | P.x.dev/p");
  EXPECT_EQ(cells_of("/apis/node.k8s.io/v1/runtimeclasses", "v", R"("handler":"vm")"), "vm");
}

TEST_F(Columns, OfStorageAndDevicesHaveValues) {
  const std::string storage = "/apis/storage.k8s.io/v1/";
  EXPECT_EQ(
      cells_of(storage + "csidrivers", "d.x.dev", R"("spec":{"podInfoOnMount":true,"tokenRequests":[{"audience":"a"}],
                     "volumeLifecycleModes":["Persistent"]})"),
      "true | true | false | a | false | Persistent");
  EXPECT_EQ(cells_of(storage + "csinodes", "n", R"("spec":{"drivers":[{"name":"d.x.dev","nodeID":"n"}]})"), "1");
  EXPECT_EQ(cells_of(storage + "volumeattachments", "a",
                     R"("spec":{"attacher":"d.x.dev","nodeName":"n","source":{"persistentVolumeName":"p"}})"),
            "d.x.dev | p | n | false");
  EXPECT_EQ(cells_of(storage + "volumeattributesclasses", "c", R"("driverName":"d.x.dev")"), "d.x.dev");
  EXPECT_EQ(cells_of("/apis/resource.k8s.io/v1/namespaces/default/resourceclaims", "c", R"("spec":{})"), "pending");
  EXPECT_EQ(cells_of("/apis/apps/v1/namespaces/default/controllerrevisions", "r", R"("revision":3)"), "<none> | 3");
}

TEST_F(Columns, PriorityClassesOfTheSystemAreReserved) {
  const std::string classes = "/apis/scheduling.k8s.io/v1/priorityclasses";
  const auto make = [&](const std::string& name, const std::string& value) {
    return post(classes, R"({"metadata":{"name":")" + name + R"("},"value":)" + value + "}");
  };

  EXPECT_EQ(make("a", "1000000000").status, 201);
  const auto above = make("b", "1000000001");
  EXPECT_EQ(above.causes(), "FieldValueForbidden@value");
  EXPECT_EQ(above.at("/details/causes/0/message"),
            "Forbidden: maximum allowed value of a user defined priority is 1000000000");
  EXPECT_EQ(make("system-mine", "5").causes(), "FieldValueForbidden@metadata.name");
  EXPECT_EQ(make("system-node-critical", "5").causes(), "FieldValueForbidden@metadata.name");
  EXPECT_EQ(make("system-node-critical", "2000001000").status, 201);
}

TEST_F(Columns, SchedulesAreChecked) {
  const auto make = [&](const std::string& schedule) {
    return post("/apis/batch/v1/namespaces/default/cronjobs?dryRun=All",
                R"({"metadata":{"name":"c"},"spec":{"schedule":")" + schedule +
                    R"(","jobTemplate":{"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[
                    {"name":"c","image":"i"}]}}}}}})");
  };

  for (const char* right : {"0 3 * * *", "@daily", "@every 1h", "*/5 * * * MON-FRI"}) {
    EXPECT_EQ(make(right).status, 201) << right;
  }
  const auto wrong = make("every day");
  EXPECT_EQ(wrong.causes(), "FieldValueInvalid@spec.schedule");
  EXPECT_EQ(wrong.at("/details/causes/0/message"),
            "Invalid value: \"every day\": expected exactly 5 fields, found 2: [every day]");
  EXPECT_EQ(make("99 3 * * *").causes(), "FieldValueInvalid@spec.schedule");
  EXPECT_EQ(make("@every day").at("/details/causes/0/message"),
            "Invalid value: \"@every day\": failed to parse duration @every day: time: invalid duration \"day\"");
}

TEST_F(Columns, TheTimeZoneOfACronJobIsChecked) {
  const auto make = [&](const std::string& zone) {
    return post("/apis/batch/v1/namespaces/default/cronjobs?dryRun=All",
                R"({"metadata":{"name":"c"},"spec":{"schedule":"@daily","timeZone":")" + zone +
                    R"(","jobTemplate":{"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[
                    {"name":"c","image":"i"}]}}}}}})");
  };

  for (const char* right : {"UTC", "Europe/Berlin"}) EXPECT_EQ(make(right).status, 201) << right;
  const auto wrong = make("Mars/Base");
  EXPECT_EQ(wrong.status, 422);
  EXPECT_EQ(wrong.causes(), "FieldValueInvalid@spec.timeZone");
  EXPECT_EQ(wrong.at("/details/causes/0/message"), "Invalid value: \"Mars/Base\": unknown time zone Mars/Base");
  EXPECT_EQ(make("local").at("/details/causes/0/message"),
            "Invalid value: \"local\": timeZone must be an explicit time zone as defined in "
            "https://www.iana.org/time-zones");
}

TEST_F(Columns, NodePortsAreInTheirRange) {
  const auto make = [&](const std::string& type, const std::string& port) {
    return post(
        "/api/v1/namespaces/default/services?dryRun=All",
        R"({"metadata":{"name":"s"},"spec":{"type":")" + type + R"(","ports":[{"port":80,"nodePort":)" + port + "}]}}");
  };

  EXPECT_EQ(make("NodePort", "30000").status, 201);
  EXPECT_EQ(make("LoadBalancer", "32767").status, 201);
  const auto wrong = make("NodePort", "10");
  EXPECT_EQ(wrong.causes(), "FieldValueInvalid@spec.ports[0].nodePort");
  EXPECT_EQ(wrong.at("/details/causes/0/message"),
            "Invalid value: 10: provided port is not in the valid range. The range of valid ports is 30000-32767");
  EXPECT_EQ(make("NodePort", "32768").status, 422);
}

}  // namespace
}  // namespace pintle
