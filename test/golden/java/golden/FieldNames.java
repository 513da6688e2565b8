// Parses `fields` of a query: names with boosts and wildcards.
package golden;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

final class FieldNames {
  static final String ALL = "*";

  private FieldNames() {}

  /** Parses `title^3`; boosts of repeated names multiply. */
  static Map<String, Float> read(List<?> names) {
    Map<String, Float> found = new LinkedHashMap<>();
    for (Object name : names) {
      String[] sides = name.toString().split("\\^", 2);
      float boost = 1f;
      try {
        if (sides.length > 1) boost = Float.parseFloat(sides[1]);
      } catch (NumberFormatException error) {
        throw new Refused(error.getMessage());
      }
      found.merge(sides[0], boost, (one, other) -> one * other);
    }
    return found;
  }

  /** Returns all matching fields. */
  static Map<String, Float> resolve(Fields fields, Map<String, Float> names) {
    Map<String, Float> found = new LinkedHashMap<>();
    names.forEach((name, boost) -> {
      for (String path : fields.matching(name)) {
        Field field = fields.get(path);
        if (field == null || (name.contains(ALL) && field.kind == Field.Kind.BINARY)) continue;
        found.merge(path, boost, (one, other) -> one * other);
      }
    });
    return found;
  }
}
