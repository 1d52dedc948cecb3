// Types of shop, version v1. Written by `pintle gen types`, which writes it anew.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/time.hpp>
#include <pintle/json/value.hpp>
#include <pintle/object/bytes.hpp>
#include <pintle/object/condition.hpp>
#include <pintle/object/fields.hpp>
#include <pintle/object/int_or_string.hpp>
#include <pintle/object/metadata.hpp>
#include <pintle/object/optional_box.hpp>
#include <pintle/object/quantity.hpp>

namespace shop::v1 {

// A database that another operator manages.
struct Database {
  static constexpr pintle::Type type{"shop.example.com/v1", "Database"};
  static constexpr std::array<std::string_view, 1> short_names{"db"};
  static constexpr std::array<std::string_view, 1> categories{"all"};
  static constexpr bool foreign = true;

  struct Spec {
    enum class Engine { postgres, my_sql, _8_0_legacy };
    friend constexpr auto enum_names(Engine) {
      return pintle::names_of<Engine>({
          {Engine::postgres, "Postgres"},
          {Engine::my_sql, "MySQL"},
          {Engine::_8_0_legacy, "8.0-legacy"},
      });
    }

    enum class Mode { fast, safe };
    friend constexpr auto enum_names(Mode) {
      return pintle::names_of<Mode>({
          {Mode::fast, "fast"},
          {Mode::safe, "safe"},
      });
    }

    enum class Level { low, high };
    friend constexpr auto enum_names(Level) {
      return pintle::names_of<Level>({
          {Level::low, "low"},
          {Level::high, "high"},
      });
    }

    struct User {
      enum class Grant { read, write };
      friend constexpr auto enum_names(Grant) {
        return pintle::names_of<Grant>({
            {Grant::read, "read"},
            {Grant::write, "write"},
        });
      }

      std::string name{};
      std::string class_{};
      std::vector<Grant> grants{};

      static constexpr auto fields() {
        return pintle::Fields{
            pintle::field("name", &User::name).required(),
            pintle::field("class", &User::class_).default_value(""),
            pintle::field("grants", &User::grants),
            pintle::rule(
                R"(self.name != 'postgres' || self.grants.exists(grant, grant == 'write') || self.class == 'system')",
                "the user postgres writes or is of the system"),
        };
      }
    };

    struct Backup {
      struct BackupSpec {
        std::optional<std::int32_t> keep{};

        static constexpr auto fields() {
          return pintle::Fields{
              pintle::field("keep", &BackupSpec::keep),
          };
        }
      };

      std::optional<std::string> schedule{};
      pintle::OptionalBox<BackupSpec> spec{};

      static constexpr auto fields() {
        return pintle::Fields{
            pintle::field("schedule", &Backup::schedule),
            pintle::field("spec", &Backup::spec),
        };
      }
    };

    struct Tuning {
      std::optional<std::string>
          shared_buffers_including_those_of_the_replicas_that_follow_the_leader_without_any_delay_at_all{};

      static constexpr auto fields() {
        return pintle::Fields{
            pintle::field(
                "sharedBuffersIncludingThoseOfTheReplicasThatFollowTheLeaderWithoutAnyDelayAtAll",
                &Tuning::shared_buffers_including_those_of_the_replicas_that_follow_the_leader_without_any_delay_at_all)
                .min_length(2)
                .max_length(10),
        };
      }
    };

    // Which program it is.
    Engine engine{};
    Mode mode = Mode::safe;
    Level level = Level::low;
    // Where the program comes from, with a tag. This sentence goes on for a while, so that a comment has to be broken.
    std::string image{};
    // How many.
    std::int32_t replicas = 3;
    std::optional<std::int64_t> huge{};
    std::optional<double> ratio{};
    bool public_ = false;
    pintle::IntOrString port = 5432;
    std::optional<pintle::Quantity> storage{};
    std::optional<pintle::Bytes> certificate{};
    std::optional<pintle::WallTime> not_before{};
    std::map<std::string, std::string> settings{};
    std::vector<std::string> sorted{};
    std::vector<std::vector<std::int64_t>> matrix{};
    std::vector<pintle::json::Value> flags{};
    std::vector<User> users{};
    pintle::OptionalBox<Backup> backup{};
    Tuning tuning{};
    std::optional<pintle::json::Value> template_{};

    static constexpr auto fields() {
      return pintle::Fields{
          pintle::field("engine", &Spec::engine).required(),
          pintle::field("mode", &Spec::mode),
          pintle::field("level", &Spec::level).default_value(Level::low),
          pintle::field("image", &Spec::image)
              .required()
              .min_length(1)
              .max_length(253)
              .pattern(R"(^[a-z0-9]+(\.[a-z0-9]+)*/[^"\\]*$)"),
          pintle::field("replicas", &Spec::replicas).minimum(1).maximum(9),
          pintle::field("huge", &Spec::huge).nullable().multiple_of(10),
          pintle::field("ratio", &Spec::ratio).minimum(0.25),
          pintle::field("public", &Spec::public_).default_value(false),
          pintle::field("port", &Spec::port),
          pintle::field("storage", &Spec::storage),
          pintle::field("certificate", &Spec::certificate),
          pintle::field("notBefore", &Spec::not_before),
          pintle::field("settings", &Spec::settings),
          pintle::field("sorted", &Spec::sorted).list_set().min_items(1).max_items(4),
          pintle::field("matrix", &Spec::matrix),
          pintle::field("flags", &Spec::flags),
          pintle::field("users", &Spec::users)
              .list_map("name", "class")
              .rule("self.all(user, user.name != 'root')", "nobody is root"),
          pintle::field("backup", &Spec::backup),
          pintle::field("tuning", &Spec::tuning).default_json("{}"),
          pintle::field("template", &Spec::template_),
      };
    }
  };

  struct Status {
    std::optional<std::string> phase{};
    std::vector<pintle::StatusCondition> conditions{};

    static constexpr auto fields() {
      return pintle::Fields{
          pintle::field("phase", &Status::phase),
          pintle::field("conditions", &Status::conditions),
      };
    }
  };

  pintle::Metadata metadata{};
  Spec spec{};
  Status status{};
};

}  // namespace shop::v1
// Checksum of the lines above: 80277d773e95e37a
