// SPDX-License-Identifier: Apache-2.0
// The code of docs/types.md.
#include <gtest/gtest.h>

#include <pintle/json/pointer.hpp>
#include <pintle/object/box.hpp>
#include <pintle/object/codec.hpp>
#include <pintle/object/condition.hpp>
#include <pintle/object/int_or_string.hpp>
#include <pintle/object/quantity.hpp>
#include <pintle/object/schema/crd.hpp>
#include <pintle/object/schema/explain.hpp>
#include <pintle/object/versions.hpp>

namespace {

using namespace std::chrono_literals;

namespace v1beta1 {

struct Shop {
  static constexpr pintle::Type type{"demo.pintle.dev/v1beta1", "Shop"};
  pintle::Metadata metadata{};

  static constexpr auto fields() { return pintle::fields(); }
  template <class Stored>
  void to(Stored&) const {}
  template <class Stored>
  void from(const Stored&) {}
};

}  // namespace v1beta1

// [mode]
enum class Mode { fast, careful };
constexpr auto enum_names(Mode) { return pintle::names_of<Mode>({{Mode::fast, "Fast"}, {Mode::careful, "Careful"}}); }
// [/mode]

struct Port {
  std::int32_t number = 0;
  std::string protocol = "TCP";

  static constexpr auto fields() {
    return pintle::fields(
        pintle::field("port", &Port::number, "Where it listens.").required().minimum(1).maximum(65535),
        pintle::field("protocol", &Port::protocol).one_of({"TCP", "UDP"}));
  }
};

// [shop]
struct Shop {
  static constexpr pintle::Type type{"demo.pintle.dev/v1", "Shop"};
  static constexpr std::string_view description = "Sells things.";
  static constexpr std::array short_names{"sh"};

  struct Spec {
    std::int32_t clerks = 1;
    std::optional<bool> open{};
    Mode mode = Mode::careful;
    std::string street{};
    pintle::Quantity floor = "120m";
    pintle::Duration lunch = 30min;
    std::optional<pintle::IntOrString> reserve{};
    std::vector<Port> ports{};
    std::vector<std::string> tags{};
    std::map<std::string, std::int32_t> prices{};
    std::optional<double> low{};
    std::optional<double> high{};

    static constexpr auto fields() {
      return pintle::fields(
          pintle::field("clerks", &Spec::clerks, "How many serve.").minimum(0).maximum(20).column("Clerks"),
          pintle::field("open", &Spec::open).default_value(true), pintle::field("mode", &Spec::mode),
          pintle::field("street", &Spec::street).required().min_length(1).max_length(80).immutable(),
          pintle::field("floor", &Spec::floor), pintle::field("lunch", &Spec::lunch),
          pintle::field("reserve", &Spec::reserve, "A number, or per cent of the clerks."),
          pintle::field("ports", &Spec::ports).list_map("port", "protocol"),
          pintle::field("tags", &Spec::tags).list_set().max_items(10).items([](auto tag) { return tag.min_length(1); }),
          pintle::field("prices", &Spec::prices).items([](auto price) { return price.minimum(1); }),
          pintle::field("low", &Spec::low), pintle::field("high", &Spec::high),
          pintle::rule("!has(self.low) || !has(self.high) || self.low <= self.high", "low is at most high"));
    }
  };
  struct Status {
    std::vector<pintle::StatusCondition> conditions{};

    static constexpr auto fields() {
      return pintle::fields(pintle::field("conditions", &Status::conditions).column("Ready"));
    }
  };

  pintle::Metadata metadata{};
  Spec spec{};
  Status status{};
};
// [/shop]

struct EmptyDir {
  std::optional<pintle::Quantity> size_limit{};
  static constexpr auto fields() { return pintle::fields(pintle::field("sizeLimit", &EmptyDir::size_limit)); }
};
struct HostPath {
  std::string path{};
  static constexpr auto fields() { return pintle::fields(pintle::field("path", &HostPath::path).required()); }
};

// [volume]
struct Volume {
  std::string name{};
  std::variant<EmptyDir, HostPath> source{};

  static constexpr auto fields() {
    return pintle::fields(pintle::field("name", &Volume::name).required(),
                          pintle::union_of(&Volume::source, {{"emptyDir", "A folder that goes with the pod."},
                                                             {"hostPath", "A folder of the node."}}));
  }
};
// [/volume]

// [filter]
struct Filter {
  std::string field{};
  std::optional<pintle::Box<Filter>> otherwise{};

  static constexpr auto fields() {
    return pintle::fields(pintle::field("field", &Filter::field), pintle::field("otherwise", &Filter::otherwise));
  }
};
// [/filter]

// [plugin]
struct Plugin {
  std::string name{};
  pintle::json::object settings{};

  static constexpr auto fields() {
    return pintle::fields(pintle::field("name", &Plugin::name).required(), pintle::unknown_fields(&Plugin::settings));
  }
};
// [/plugin]

// [colour]
struct Colour {
  std::string name{};

  static pintle::Result<Colour> from_json(pintle::json::View value) {
    if (value == "red" || value == "blue") return Colour{std::string(value.text())};
    return pintle::fail(pintle::ErrorCode::invalid, "expected red or blue");
  }
  pintle::json::Value to_json() const { return pintle::json::Value(name); }
  static pintle::json::object json_schema() {
    return {{"type", "string"}, {"enum", pintle::json::array{"red", "blue"}}};
  }
};
// [/colour]

TEST(TypesPage, ShowsAValidKind) {
  const auto sound = pintle::validate_crd(pintle::crd_of<Shop>());
  EXPECT_TRUE(sound) << sound.error().message;
  const pintle::json::Value shop = pintle::encode(Shop{.spec = {.reserve = "25%", .ports = {{.number = 80}}}});
  EXPECT_EQ(pintle::json::print(shop.at("spec")),
            R"({"clerks":1,"mode":"Careful","street":"","floor":"120m","lunch":"30m0s","reserve":"25%",)"
            R"("ports":[{"port":80,"protocol":"TCP"}]})");
}

TEST(TypesPage, ShowsHowToExplain) {
  // [explain]
  const std::string text = pintle::explain<Shop>("spec.ports").value();
  // [/explain]
  EXPECT_EQ(text,
            "demo.pintle.dev/v1 Shop\n"
            "\n"
            "spec.ports  <[]object>\n"
            "\n"
            "Fields:\n"
            "  port  <integer (int32)>\n"
            "    Where it listens.\n"
            "    required; 1 to 65535\n"
            "  protocol  <string>\n"
            "    default TCP; one of TCP, UDP\n");
}

template <class T>
std::string round_trip(const char* text) {
  struct Reader {
    static bool read(pintle::json::View from, T& to) {
      pintle::internal::Reading reading;
      return pintle::internal::Operations<T>::read(from, &to, pintle::internal::Place{}, reading);
    }
  };
  T value{};
  if (!Reader::read(pintle::json::Document::parse(text)->root(), value)) return "refused";
  return pintle::json::print(pintle::internal::Operations<T>::write(&value));
}

TEST(TypesPage, ShowsStructsThatAreReadAndWritten) {
  const char* volume = R"({"name":"v","hostPath":{"path":"/"}})";
  EXPECT_EQ(round_trip<Volume>(volume), volume);
  EXPECT_EQ(round_trip<Volume>(R"({"name":"v"})"), "refused");
  const char* filter = R"({"field":"a","otherwise":{"field":"b"}})";
  EXPECT_EQ(round_trip<Filter>(filter), filter);
  const char* plugin = R"({"name":"p","depth":3})";
  EXPECT_EQ(round_trip<Plugin>(plugin), plugin);
  EXPECT_EQ(round_trip<Colour>("\"red\""), "\"red\"");
  EXPECT_EQ(round_trip<Colour>("\"grey\""), "refused");
}

TEST(TypesPage, ShowsQuantities) {
  // [quantity]
  const auto parsed = pintle::Quantity::parse("1.5Gi");
  pintle::Quantity sum = *parsed + pintle::Quantity("512Mi");
  // [/quantity]
  EXPECT_EQ(sum.to_string(), "2Gi");
  const std::map<std::string, pintle::Quantity> requests{{"cpu", pintle::Quantity("250m")}};
  EXPECT_EQ(requests.at("cpu").milli_value(), 250);
}

TEST(TypesPage, ShowsVersions) {
  // [versions]
  using ShopVersions = pintle::Versions<Shop, v1beta1::Shop>;
  const pintle::json::Value crd = ShopVersions::crd();
  const pintle::AnyConversion conversion = ShopVersions::conversion();  // manager.add(conversion)
  // [/versions]
  EXPECT_EQ(conversion.crd, crd);
  EXPECT_TRUE(pintle::validate_crd(ShopVersions::crd({.service = "shop-operator", .namespace_ = "shops"})));
}

}  // namespace
