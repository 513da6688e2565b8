// Reads and writes JSON, which the JDK cannot.
package golden;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Objects become Map, arrays List, numbers Long, BigInteger or Double. */
final class Json {
  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  /** Parses a JSON value. Throws IllegalArgumentException with the position of the error. */
  static Object parse(String text) {
    Json json = new Json(text);
    Object value = json.value();
    json.blanks();
    if (json.at < text.length()) throw json.broken();
    return value;
  }

  private IllegalArgumentException broken() {
    return new IllegalArgumentException("broken JSON at " + at);
  }

  private void blanks() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
  }

  private boolean skip(char expected) {
    blanks();
    if (at >= text.length() || text.charAt(at) != expected) return false;
    at++;
    return true;
  }

  private void need(char expected) {
    if (!skip(expected)) throw broken();
  }

  private Object value() {
    blanks();
    if (at >= text.length()) throw broken();
    char c = text.charAt(at);
    if (c == '{') return object();
    if (c == '[') return array();
    if (c == '"') return string();
    if (word("true")) return Boolean.TRUE;
    if (word("false")) return Boolean.FALSE;
    if (word("null")) return null;
    return number();
  }

  private boolean word(String word) {
    if (!text.startsWith(word, at)) return false;
    at += word.length();
    return true;
  }

  private Map<String, Object> object() {
    Map<String, Object> map = new LinkedHashMap<>();
    need('{');
    if (skip('}')) return map;
    do {
      blanks();
      String key = string();
      need(':');
      map.put(key, value());
    } while (skip(','));
    need('}');
    return map;
  }

  private List<Object> array() {
    List<Object> list = new ArrayList<>();
    need('[');
    if (skip(']')) return list;
    do list.add(value()); while (skip(','));
    need(']');
    return list;
  }

  private String string() {
    need('"');
    StringBuilder out = new StringBuilder();
    while (true) {
      if (at >= text.length()) throw broken();
      char c = text.charAt(at++);
      if (c == '"') return out.toString();
      out.append(c == '\\' ? escaped() : c);
    }
  }

  private char escaped() {
    char c = text.charAt(at++);
    if (c == 'u') {
      at += 4;
      return (char) Integer.parseInt(text.substring(at - 4, at), 16);
    }
    int known = "bfnrt".indexOf(c);
    return known < 0 ? c : "\b\f\n\r\t".charAt(known);
  }

  private Object number() {
    int from = at;
    while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) at++;
    String digits = text.substring(from, at);
    if (digits.isEmpty()) throw broken();
    if (digits.matches("-?\\d+")) {
      BigInteger whole = new BigInteger(digits);
      return whole.bitLength() < 64 ? (Object) whole.longValue() : whole;
    }
    return Double.valueOf(digits);
  }

  /** Writes a value without spaces; a Float with its shortest exact digits. */
  static String write(Object value) {
    StringBuilder out = new StringBuilder();
    write(value, out);
    return out.toString();
  }

  private static void write(Object value, StringBuilder out) {
    if (value instanceof Map<?, ?> map) {
      String sign = "{";
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        out.append(sign);
        quote(entry.getKey().toString(), out);
        out.append(':');
        write(entry.getValue(), out);
        sign = ",";
      }
      out.append(map.isEmpty() ? "{}" : "}");
    } else if (value instanceof List<?> list) {
      out.append('[');
      for (int i = 0; i < list.size(); i++) {
        if (i > 0) out.append(',');
        write(list.get(i), out);
      }
      out.append(']');
    } else if (value instanceof String string) {
      quote(string, out);
    } else if (value instanceof Float number && number == Math.rint(number) && Math.abs(number) < 1e6) {
      out.append(number.intValue());
    } else {
      out.append(value);
    }
  }

  private static void quote(String string, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < string.length(); i++) {
      char c = string.charAt(i);
      if (c == '"' || c == '\\') out.append('\\').append(c);
      else if (c < ' ' || Character.isSurrogate(c)) out.append(String.format("\\u%04x", (int) c));
      else out.append(c);
    }
    out.append('"');
  }
}
