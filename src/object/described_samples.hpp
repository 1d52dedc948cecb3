// SPDX-License-Identifier: Apache-2.0
// Kinds for the tests of described structs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <pintle/object/codec.hpp>
#include <pintle/object/fields.hpp>
#include <pintle/object/schema/crd.hpp>

namespace pintle::samples {

enum class Mode { fast, slow };
constexpr auto enum_names(Mode) { return names_of<Mode>({{Mode::fast, "Fast"}, {Mode::slow, "Slow"}}); }

struct Rule {
  std::string host{};
  std::optional<std::int32_t> port{};
  static constexpr auto fields() {
    return pintle::fields(field("host", &Rule::host, "Where to.").required(),
                          field("port", &Rule::port).minimum(1).maximum(65535));
  }
};

struct Limits {
  std::int64_t cpu = 1;
  std::int64_t memory = 0;
  static constexpr auto fields() {
    return pintle::fields(field("cpu", &Limits::cpu), field("memory", &Limits::memory));
  }
};

// One member of each type.
struct Widget {
  static constexpr Type type{"demo.pintle.dev/v1", "Widget"};
  static constexpr std::string_view description = "Something to try things on.";
  static constexpr std::array short_names{"wg"};
  struct Spec {
    bool on = true;
    std::int32_t replicas = 0;
    std::uint8_t percent = 50;
    std::uint64_t huge = 0;
    double ratio = 0.5;
    std::string image = "nginx";
    std::optional<std::string> note{};
    std::vector<Rule> rules{};
    std::map<std::string, std::string> labels{};
    Limits limits{};
    Limits wide{.cpu = 4};
    Mode mode = Mode::slow;
    Bytes blob{};
    json::Value extra{};
    static constexpr auto fields() {
      return pintle::fields(
          field("on", &Spec::on),
          field("replicas", &Spec::replicas, "How many.").minimum(0).maximum(10).column("Replicas"),
          field("percent", &Spec::percent), field("huge", &Spec::huge), field("ratio", &Spec::ratio).minimum(0.25),
          field("image", &Spec::image, "What to run.").min_length(1).max_length(256).pattern("^[a-z:.0-9/-]+$"),
          field("note", &Spec::note).deprecated("use labels"), field("rules", &Spec::rules),
          field("labels", &Spec::labels), field("limits", &Spec::limits), field("wide", &Spec::wide),
          field("mode", &Spec::mode).column("Mode"), field("blob", &Spec::blob), field("extra", &Spec::extra));
    }
  };
  struct Status {
    std::int64_t observed_generation = 0;
    std::optional<WallTime> last_seen{};
    std::string phase{};
    static constexpr auto fields() {
      return pintle::fields(field("observedGeneration", &Status::observed_generation),
                            field("lastSeen", &Status::last_seen).column("Seen"),
                            field("phase", &Status::phase).one_of({"", "Ready", "Broken"}));
    }
  };
  Metadata metadata{};
  Spec spec{};
  Status status{};
};

// Cluster-scoped, and with a required member.
struct Planet {
  static constexpr Type type{"space.pintle.dev/v1alpha1", "Planet"};
  static constexpr Scope scope = Scope::cluster;
  static constexpr std::string_view plural = "worlds";
  static constexpr std::array<std::string_view, 2> categories{"all", "space"};
  struct Spec {
    std::string star{};
    static constexpr auto fields() { return pintle::fields(field("star", &Spec::star).required()); }
  };
  Metadata metadata{};
  Spec spec{};
};

}  // namespace pintle::samples
