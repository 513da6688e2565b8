// One field of the index, as the mapping describes it.
package golden;

import java.util.Map;

/** Kinds of fields by indexing and querying. */
final class Field {
  enum Kind { TEXT, KEYWORD, INTEGER, LONG, FLOAT, DOUBLE, BOOLEAN, DATE, BINARY }

  final String path;
  /** Type name in the mapping. */
  final String type;
  final Kind kind;
  /** The nearest enclosing nested object, or null. */
  final String nestedPath;
  final boolean indexed;
  final Object nullValue;
  final int ignoreAbove;
  /** Indexes the host of a URL instead of the text. */
  final boolean hostOnly;
  final Dates dates;

  Field(String path, String nestedPath, Map<String, Object> property) {
    this.path = path;
    this.nestedPath = nestedPath;
    type = (String) property.get("type");
    kind = switch (type) {
      case "text" -> Kind.TEXT;
      case "keyword" -> Kind.KEYWORD;
      case "byte", "short", "integer" -> Kind.INTEGER;
      case "long" -> Kind.LONG;
      case "float" -> Kind.FLOAT;
      case "double" -> Kind.DOUBLE;
      case "boolean" -> Kind.BOOLEAN;
      case "date" -> Kind.DATE;
      case "binary" -> Kind.BINARY;
      default -> throw new IllegalArgumentException("No handler for type [" + type + "] declared on field [" + path + "]");
    };
    indexed = !Boolean.FALSE.equals(property.get("index"));
    nullValue = property.get("null_value");
    ignoreAbove = property.get("ignore_above") instanceof Long most ? most.intValue() : Integer.MAX_VALUE;
    hostOnly = "domain".equals(property.get("derive"));
    Object format = property.get("format");
    dates = kind == Kind.DATE ? new Dates(format == null ? Dates.DEFAULT_FORMAT : (String) format) : null;
  }

  boolean isText() {
    return kind == Kind.TEXT;
  }

  boolean isString() {
    return kind == Kind.TEXT || kind == Kind.KEYWORD;
  }

  boolean isNumber() {
    return kind == Kind.INTEGER || kind == Kind.LONG || kind == Kind.FLOAT || kind == Kind.DOUBLE;
  }

  /** Rejects queries on a field that is only stored. */
  void needIndexed() {
    if (!indexed) throw new Refused("Cannot search on field [" + path + "] since it is not indexed.");
  }

  /** Rejects queries that only string fields support. */
  Refused onlyStrings(String query) {
    return new Refused("Can only use " + query + " queries on keyword and text fields - not on [" + path
        + "] which is of type [" + type + "]");
  }
}
