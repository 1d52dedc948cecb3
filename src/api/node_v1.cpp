// Tables of node, version v1. Written by `pintle gen types`, which writes it anew.
#include <pintle/api/node/v1.hpp>

#include <pintle/object/field_table.hpp>

namespace pintle::api::node::v1 {
namespace {

constexpr FieldRules atomic{.is_set = true, .merge_strategy = MergeStrategy::atomic};

}  // namespace

FieldTable Overhead::fields() {
  static constexpr auto rows = field_rows({
      {"podFixed", member<&Overhead::pod_fixed>},
  });
  return rows;
}

FieldTable Scheduling::fields() {
  static constexpr auto rows = field_rows({
      {"nodeSelector", member<&Scheduling::node_selector>, atomic},
      {"tolerations", member<&Scheduling::tolerations>, atomic},
  });
  return rows;
}

FieldTable RuntimeClass::fields() {
  static constexpr auto rows = field_rows({
      {"handler", member<&RuntimeClass::handler>, required},
      {"overhead", member<&RuntimeClass::overhead>},
      {"scheduling", member<&RuntimeClass::scheduling>},
  });
  return rows;
}

}  // namespace pintle::api::node::v1
