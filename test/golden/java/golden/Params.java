// The parameters of a clause. Parameters that were not taken are rejected.
package golden;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

final class Params {
  private final String clause;
  private final Map<String, Object> left;

  Params(String clause, Object value) {
    this.clause = clause;
    left = new LinkedHashMap<>(object(clause, value));
    left.remove("_name");
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> object(String clause, Object value) {
    if (value instanceof Map<?, ?> map) return (Map<String, Object>) map;
    throw new Refused("[" + clause + "] query malformed, no start_object after query name");
  }

  boolean has(String name) {
    return left.containsKey(name);
  }

  Object take(String name) {
    return left.remove(name);
  }

  /** Takes a parameter, or its default. */
  Object take(String name, Object otherwise) {
    Object value = left.remove(name);
    return value == null ? otherwise : value;
  }

  String text(String name, String otherwise) {
    Object value = take(name, otherwise);
    return value == null ? null : value.toString();
  }

  boolean flag(String name, boolean otherwise) {
    return FieldQueries.truth(take(name, otherwise));
  }

  int whole(String name, int otherwise) {
    return Numbers.read(take(name, otherwise)).intValue();
  }

  float number(String name, float otherwise) {
    return Numbers.read(take(name, otherwise)).floatValue();
  }

  float boost() {
    float boost = number("boost", 1f);
    if (boost < 0) throw new Refused("negative [boost] are not allowed in [" + clause + "], use a value between 0 and 1 to deboost");
    return boost;
  }

  /** Takes an object or a list of objects. */
  List<?> list(String name) {
    Object value = left.remove(name);
    return value == null ? List.of() : value instanceof List<?> list ? list : List.of(value);
  }

  /** Takes the only field of a clause such as `{"term": {"name": …}}`, with its value. */
  Map.Entry<String, Object> field() {
    if (left.isEmpty()) throw new Refused("[" + clause + "] query malformed, no field");
    if (left.size() > 1) {
      List<String> names = List.copyOf(left.keySet());
      throw new Refused("[" + clause + "] query doesn't support multiple fields, found [" + names.get(0) + "] and [" + names.get(1) + "]");
    }
    return left.entrySet().iterator().next();
  }

  /** Returns the parameters of the only field; a bare value becomes the parameter `name`. */
  Params ofField(String name) {
    Object value = field().getValue();
    if (value instanceof List<?>) throw new Refused("[" + clause + "] query does not support array of values");
    Map<String, Object> bare = new LinkedHashMap<>();
    bare.put(name, value);
    return new Params(clause, value instanceof Map<?, ?> ? value : bare);
  }

  /** Rejects remaining parameters. */
  void done() {
    if (!left.isEmpty()) throw new Refused("[" + clause + "] query does not support [" + left.keySet().iterator().next() + "]");
  }

  /** Rejects remaining parameters with the message of the engine's newer parsers. */
  void doneStrictly() {
    if (!left.isEmpty()) throw new Refused("[" + clause + "] unknown field [" + left.keySet().iterator().next() + "]");
  }
}
