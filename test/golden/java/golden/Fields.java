// Fields of an index by full path, and its nested objects.
package golden;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

final class Fields {
  private final Map<String, Field> byPath = new LinkedHashMap<>();
  private final Map<String, List<Field>> subFields = new LinkedHashMap<>();
  private final Set<String> objects = new HashSet<>();
  private final Set<String> nested = new HashSet<>();

  Fields(Map<String, Object> mapping) {
    addAll("", null, mapping);
  }

  @SuppressWarnings("unchecked")
  private void addAll(String prefix, String nestedPath, Map<String, Object> holder) {
    Map<String, Object> properties = (Map<String, Object>) holder.getOrDefault("properties", Map.of());
    for (Map.Entry<String, Object> entry : properties.entrySet()) {
      String path = prefix + entry.getKey();
      Map<String, Object> property = (Map<String, Object>) entry.getValue();
      boolean isNested = "nested".equals(property.get("type"));
      if (isNested || property.containsKey("properties")) {
        objects.add(path);
        if (isNested) nested.add(path);
        addAll(path + ".", isNested ? path : nestedPath, property);
        continue;
      }
      byPath.put(path, new Field(path, nestedPath, property));
      Map<String, Object> more = (Map<String, Object>) property.getOrDefault("fields", Map.of());
      List<Field> subs = new ArrayList<>();
      for (Map.Entry<String, Object> sub : more.entrySet()) {
        String subPath = path + "." + sub.getKey();
        Field field = new Field(subPath, nestedPath, (Map<String, Object>) sub.getValue());
        byPath.put(subPath, field);
        subs.add(field);
      }
      subFields.put(path, subs);
    }
  }

  /** Returns the field of a path, or null. */
  Field get(String path) {
    return byPath.get(path);
  }

  /** Sub-fields of the field. */
  List<Field> variants(String path) {
    return subFields.getOrDefault(path, List.of());
  }

  boolean isObject(String path) {
    return objects.contains(path);
  }

  boolean isNested(String path) {
    return nested.contains(path);
  }

  Collection<Field> all() {
    return byPath.values();
  }

  /** Expands a name with `*` to paths; other names stay, mapped or not. */
  List<String> matching(String pattern) {
    if (pattern.indexOf('*') < 0) return List.of(pattern);
    String[] parts = pattern.split("\\*", -1);
    return byPath.keySet().stream().filter((path) -> matches(path, parts)).toList();
  }

  private static boolean matches(String path, String[] parts) {
    int from = parts[0].length();
    String tail = parts[parts.length - 1];
    int to = path.length() - tail.length();
    if (!path.startsWith(parts[0]) || !path.endsWith(tail) || from > to) return false;
    for (int i = 1; i < parts.length - 1; i++) {
      int found = path.indexOf(parts[i], from);
      if (found < 0 || found + parts[i].length() > to) return false;
      from = found + parts[i].length();
    }
    return true;
  }
}
