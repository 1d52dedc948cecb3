#include "pass.hpp"

namespace pintle {

Result<Object> Pass::noted(const Site& where, Result<Object> answer) {
  if (answer && status && &where == site.get()) status->saw(*answer);
  return answer;
}

}  // namespace pintle
