// Maximum number of edits of a word: 0, 1, 2, or AUTO by its length.
package golden;

import java.util.Locale;

record Fuzziness(int low, int high, int edits) {
  static final Fuzziness AUTO = new Fuzziness(3, 6, -1);

  /** Parses `AUTO`, `AUTO:low,high`, or a number; numbers above 2 are 2. */
  static Fuzziness read(Object value) {
    String text = value.toString().toUpperCase(Locale.ROOT);
    if (text.equals("AUTO")) return AUTO;
    try {
      if (!text.startsWith("AUTO:")) return new Fuzziness(0, 0, Math.min(2, (int) Float.parseFloat(text)));
      String[] limits = text.substring(5).split(",");
      if (limits.length != 2) throw new Refused("failed to find low and high distance values");
      return new Fuzziness(Integer.parseInt(limits[0]), Integer.parseInt(limits[1]), -1);
    } catch (NumberFormatException error) {
      throw new Refused("failed to parse [" + value + "] as a fuzziness");
    }
  }

  int of(String word) {
    if (edits >= 0) return edits;
    int length = word.codePointCount(0, word.length());
    return length < low ? 0 : length < high ? 1 : 2;
  }
}
