// SPDX-License-Identifier: Apache-2.0
#include "shown_value.hpp"

#include <string>

#include <gmock/gmock.h>

#include <pintle/json/value.hpp>

namespace pintle {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

Object object(const char* text) { return Object::parse(text).value(); }

TEST(ShownValue, IsTheJsonText) {
  const Object pod = object(R"({"kind": "Pod", "spec": {"a": [1, true, null, "x"], "b~/c": {"d": 1.5}}})");
  EXPECT_EQ(shown_value(pod, "/spec/a"), R"([1,true,null,"x"])");
  EXPECT_EQ(shown_value(pod, "/spec/b~0~1c/d"), "1.5");
  EXPECT_EQ(shown_value(pod, "/spec/missing"), "");
  EXPECT_EQ(shown_value(Object(), "/spec"), "");
}

TEST(ShownValue, IsCutBetweenCharacters) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "ü";
  const std::string shown = shown_value(Object(json::Value{{"text", "x" + text}}), "/text");
  EXPECT_LE(shown.size(), 205U);
  EXPECT_THAT(shown, EndsWith("ü…"));
}

TEST(ShownValue, HidesTheDataOfSecrets) {
  const Object secret = object(
      R"({"apiVersion": "v1", "kind": "Secret", "data": {"a": "cGFzcw=="}, "stringData": {"b": "pass"}, "type": "t"})");
  EXPECT_EQ(shown_value(secret, "/data/a"), "\"(hidden)\"");
  EXPECT_EQ(shown_value(secret, "/data"), R"_({"a":"(hidden)"})_");
  EXPECT_EQ(shown_value(secret, "/stringData"), R"_({"b":"(hidden)"})_");
  EXPECT_EQ(shown_value(secret, "/type"), R"("t")");
  const Object map = object(R"({"apiVersion": "v1", "kind": "ConfigMap", "data": {"a": "text"}})");
  EXPECT_EQ(shown_value(map, "/data/a"), R"("text")");
}

TEST(ShownValue, HidesMembersWithASecretName) {
  for (const char* name : {"password", "adminPassword", "DB_PASSWD", "accessToken", "client-secret", "apiKey",
                           "credentials", "kubeconfig", "Authorization", "privateKey", "secrets", "appSecrets"}) {
    const Object made(json::Value{{"spec", {{name, "s3cret"}, {"other", "open"}}}});
    EXPECT_THAT(shown_value(made, "/spec"), Not(HasSubstr("s3cret"))) << name;
    EXPECT_THAT(shown_value(made, "/spec"), HasSubstr("open"));
    EXPECT_EQ(shown_value(made, "/spec/" + std::string(name)), "\"(hidden)\"");
  }
  const Object list = object(R"({"spec": {"secrets": ["s3cret"], "more_secrets": [{"name": "a", "text": "s3cret"}]}})");
  EXPECT_THAT(shown_value(list, "/spec"), Not(HasSubstr("s3cret")));
  EXPECT_THAT(shown_value(list, "/spec/more_secrets/0/text"), Not(HasSubstr("s3cret")));
  const Object nested(json::Value{{"spec", {{"credentials", {{"user", "u"}, {"list", json::array{"s3cret"}}}}}}});
  EXPECT_THAT(shown_value(nested, "/spec"), Not(HasSubstr("s3cret")));
  EXPECT_THAT(shown_value(nested, "/spec/credentials/list/0"), Not(HasSubstr("s3cret")));
}

TEST(ShownValue, ShowsReferencesToSecretsAndNumbers) {
  const Object made = object(R"({"spec": {"secretName": "tls", "secretKeyRef": {"name": "db", "key": "p"},
      "imagePullSecrets": [{"name": "pull"}], "globalImagePullSecrets": ["pull"], "secrets": [{"name": "a"}],
      "tokenExpirationSeconds": 60, "automountServiceAccountToken": false}})");
  EXPECT_EQ(shown_value(made, "/spec/secretName"), R"("tls")");
  EXPECT_EQ(shown_value(made, "/spec/secretKeyRef"), R"({"name":"db","key":"p"})");
  EXPECT_EQ(shown_value(made, "/spec/imagePullSecrets"), R"([{"name":"pull"}])");
  EXPECT_EQ(shown_value(made, "/spec/globalImagePullSecrets"), R"(["pull"])");
  EXPECT_EQ(shown_value(made, "/spec/secrets"), R"([{"name":"a"}])");
  EXPECT_EQ(shown_value(made, "/spec/secrets/0/name"), R"("a")");
  EXPECT_EQ(shown_value(made, "/spec/tokenExpirationSeconds"), "60");
  EXPECT_EQ(shown_value(made, "/spec/automountServiceAccountToken"), "false");
}

TEST(ShownValue, HidesEnvironmentVariablesWithASecretName) {
  const Object made = object(R"({"spec": {"env": [{"name": "DB_PASSWORD", "value": "s3cret"},
                                                  {"name": "LEVEL", "value": "debug"}]}})");
  EXPECT_EQ(shown_value(made, "/spec/env"),
            R"_([{"name":"DB_PASSWORD","value":"(hidden)"},{"name":"LEVEL","value":"debug"}])_");
  EXPECT_EQ(shown_value(made, "/spec/env/0/value"), "\"(hidden)\"");
  EXPECT_EQ(shown_value(made, "/spec/env/1/value"), R"("debug")");
}

TEST(ShownValue, HidesArgumentsWithASecretName) {
  const Object made = object(R"({"spec": {"args": ["--db-password=s3cret", "TOKEN=s3cret", "--token", "s3cret", "-v=3",
      "--token-file=/run/token", "--kubeconfig", "/etc/kubeconfig", "the token=s3cret", "--level", "debug"]}})");
  EXPECT_EQ(shown_value(made, "/spec/args"),
            R"_(["(hidden)","(hidden)","--token","(hidden)","-v=3","--token-file=/run/token","--kubeconfig",)_"
            R"_("/etc/kubeconfig","(hidden)","--level","debug"])_");
  EXPECT_EQ(shown_value(made, "/spec/args/0"), "\"(hidden)\"");
  EXPECT_EQ(shown_value(made, "/spec/args/3"), "\"(hidden)\"");
  EXPECT_EQ(shown_value(made, "/spec/args/7"), R"("/etc/kubeconfig")");
}

bool is_hidden(const std::string& text) {
  return shown_value(Object(json::Value{{"data", text}}), "/data") == "\"(hidden)\"";
}

constexpr const char* web_token = "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJrdWJlcm5ldGVzIn0.c2lnbmF0dXJl";

TEST(ShownValue, HidesTextsThatLookSecret) {
  for (const std::string& text :
       {std::string("-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----"), std::string(web_token),
        std::string("the token is ") + web_token + ", keep it", std::string("curl -H 'X-Auth: ") + web_token + "'",
        std::string("Authorization: Bearer ") + web_token, std::string("use Bearer 0123456789abcdef"),
        std::string("use bearer abcdefghijklmnopqrstuvwx"), std::string("the header is Basic dXNlcjpwYXNz"),
        std::string("clone with ghp_0123456789abcdefABCDEF now"), std::string("glpat-0123456789abcdefgh"),
        std::string("xoxb-1234-5678-abcdefgh")}) {
    EXPECT_TRUE(is_hidden(text)) << text;
  }
  for (const std::string text :
       {"-----BEGIN CERTIFICATE-----", "eyJ", "Bearer authentication failed", "Basic authentication",
        "a bearer of news", "ghp_ is the prefix of tokens", "forbearer 0123456789abcdef"}) {
    EXPECT_FALSE(is_hidden(text)) << text;
  }
}

TEST(ShownValue, HidesUrlsWithASecret) {
  for (const std::string text :
       {"postgres://user:s3cret@host/db", "see http://host/a and postgres://user:s3cret@host/db",
        "https://0123456789abcdef0123@host/repo.git", "https://user:s3@cret@host/", "redis://:s3cret@host:6379",
        "https://host/?access_token=s3cret", "jdbc:mysql://host/db?user=u&password=s3cret"}) {
    EXPECT_TRUE(is_hidden(text)) << text;
  }
  for (const std::string text : {"http://host/a@b:c", "http://user@host", "ssh://git@host/a:b", "a://b c:d@e",
                                 "https://host:443/path?user=u&page=2"}) {
    EXPECT_FALSE(is_hidden(text)) << text;
  }
}

TEST(ShownValue, HidesTextsWithASecretNameAndAValue) {
  for (const std::string text :
       {"host=db user=app password=s3cret", "[db]\nhost = a\npassword = s3cret\n", "host: a\npassword: s3cret\n",
        "users:\n- name: a\n  user:\n    token: s3cret\n", "password:\n  of_user: s3cret\n", "password: |\n  s3cret\n",
        R"({"host":"a","password":"s3cret"})", R"({\"host\":\"a\",\"password\":\"s3cret\"})",
        "{host: a, password: s3cret}", "mysql --user a --password s3cret", "export DB_PASSWORD='s3cret'",
        "Password=s3cret;Server=a",
        "client-key-data: LS0tLS1CRUdJTg==", R"({"auths":{"a":{"auth":"dXNlcjpzM2NyZXQ="}}})", "api_key: s3cret",
        "a=b&client_secret=s3cret", R"({"credentials": {"user": "s3cret"}})"}) {
    EXPECT_TRUE(is_hidden(text)) << text;
  }
}

TEST(ShownValue, ShowsTextsWithoutASecret) {
  for (const std::string text :
       {"there is no such secret: default/tls", "the Secret default/a has no key password", "password=",
        "token_path=/run/token", "--token-file /run/token", "secretName: tls\n", "imagePullSecrets:\n- name: pull\n",
        R"({"imagePullSecrets":[{"name":"pull"}]})", "automountServiceAccountToken: false\n", "enable-token=true",
        "self.token == oldSelf.token", "token:\n", "auth: required", "level=debug\nport=80", "password_ref=a"}) {
    EXPECT_FALSE(is_hidden(text)) << text;
  }
}

TEST(ShownValue, OfALongTextIsSearchedBeyondWhatIsShown) {
  EXPECT_TRUE(is_hidden(std::string(190, '#') + "\npassword: " + std::string(4000, 'x')));
  EXPECT_FALSE(is_hidden(std::string(100'000, '#') + "\npassword: s3cret")) << "this part is not shown";
}

TEST(ShownValue, HidesTheAnnotationOfKubectl) {
  const Object made = object(
      R"({"metadata": {"annotations": {"kubectl.kubernetes.io/last-applied-configuration": "s3cret", "a": "b"}}})");
  EXPECT_EQ(shown_value(made, "/metadata/annotations"),
            R"_({"kubectl.kubernetes.io/last-applied-configuration":"(hidden)","a":"b"})_");
}

}  // namespace
}  // namespace pintle
