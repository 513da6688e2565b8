// Numbers in documents and queries, by Elasticsearch's rules.
package golden;

import java.math.BigDecimal;
import java.util.List;
import org.apache.lucene.document.DoublePoint;
import org.apache.lucene.document.FloatPoint;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;

final class Numbers {
  private static final BigDecimal LONG_LEAST = BigDecimal.valueOf(Long.MIN_VALUE);
  private static final BigDecimal LONG_MOST = BigDecimal.valueOf(Long.MAX_VALUE);

  private Numbers() {}

  /** Parses a number; invalid text is rejected with the message of the JDK, like in the engine. */
  static BigDecimal read(Object value) {
    String text = value.toString();
    try {
      double number = Double.parseDouble(text);
      if (Double.isNaN(number) || Double.isInfinite(number)) throw new Refused("[" + text + "] is not a finite number");
      return new BigDecimal(text.trim());
    } catch (NumberFormatException error) {
      throw new Refused(error.getMessage() == null ? "For input string: \"" + text + "\"" : error.getMessage());
    }
  }

  /** Returns the integer part of a number in a document. */
  static long whole(Object value) {
    return read(value).longValue();
  }

  private static BigDecimal least(Field field) {
    return field.kind == Field.Kind.INTEGER ? BigDecimal.valueOf(Integer.MIN_VALUE) : LONG_LEAST;
  }

  private static BigDecimal most(Field field) {
    return field.kind == Field.Kind.INTEGER ? BigDecimal.valueOf(Integer.MAX_VALUE) : LONG_MOST;
  }

  private static boolean isWhole(BigDecimal number) {
    return number.stripTrailingZeros().scale() <= 0;
  }

  /** Matches documents with the number; none if it is out of the field's range. */
  static Query term(Field field, Object value) {
    BigDecimal number = read(value);
    if (field.kind == Field.Kind.FLOAT) return FloatPoint.newExactQuery(field.path, number.floatValue());
    if (field.kind == Field.Kind.DOUBLE) return DoublePoint.newExactQuery(field.path, number.doubleValue());
    if (!isWhole(number)) return new MatchNoDocsQuery("a decimal part");
    if (number.compareTo(least(field)) < 0 || number.compareTo(most(field)) > 0) return new MatchNoDocsQuery("out of range");
    return field.kind == Field.Kind.INTEGER
        ? IntPoint.newExactQuery(field.path, number.intValue())
        : LongPoint.newExactQuery(field.path, number.longValue());
  }

  /** Matches documents with any of the numbers; ignores those out of the field's range. */
  static Query terms(Field field, List<?> values) {
    List<BigDecimal> numbers = values.stream().map(Numbers::read).toList();
    if (field.kind == Field.Kind.FLOAT) {
      float[] all = new float[numbers.size()];
      for (int i = 0; i < all.length; i++) all[i] = numbers.get(i).floatValue();
      return FloatPoint.newSetQuery(field.path, all);
    }
    if (field.kind == Field.Kind.DOUBLE) {
      return DoublePoint.newSetQuery(field.path, numbers.stream().mapToDouble(BigDecimal::doubleValue).toArray());
    }
    List<BigDecimal> held = numbers.stream().filter(Numbers::isWhole)
        .filter((number) -> number.compareTo(least(field)) >= 0 && number.compareTo(most(field)) <= 0).toList();
    if (held.isEmpty()) return new MatchNoDocsQuery("no value that the field can hold");
    return field.kind == Field.Kind.INTEGER
        ? IntPoint.newSetQuery(field.path, held.stream().mapToInt(BigDecimal::intValue).toArray())
        : LongPoint.newSetQuery(field.path, held.stream().mapToLong(BigDecimal::longValue).toArray());
  }

  /** Matches documents in a range. Bounds of integer fields are rounded inwards and clamped to the field's range. */
  static Query range(Field field, Object lower, Object upper, boolean withLower, boolean withUpper) {
    if (field.kind == Field.Kind.FLOAT) {
      float low = lower == null ? Float.NEGATIVE_INFINITY : read(lower).floatValue();
      float high = upper == null ? Float.POSITIVE_INFINITY : read(upper).floatValue();
      return FloatPoint.newRangeQuery(field.path, withLower || lower == null ? low : FloatPoint.nextUp(low),
          withUpper || upper == null ? high : FloatPoint.nextDown(high));
    }
    if (field.kind == Field.Kind.DOUBLE) {
      double low = lower == null ? Double.NEGATIVE_INFINITY : read(lower).doubleValue();
      double high = upper == null ? Double.POSITIVE_INFINITY : read(upper).doubleValue();
      return DoublePoint.newRangeQuery(field.path, withLower || lower == null ? low : DoublePoint.nextUp(low),
          withUpper || upper == null ? high : DoublePoint.nextDown(high));
    }
    BigDecimal low = lower == null ? least(field) : inside(read(lower), withLower, 1);
    BigDecimal high = upper == null ? most(field) : inside(read(upper), withUpper, -1);
    low = low.max(least(field));
    high = high.min(most(field));
    if (low.compareTo(high) > 0) return new MatchNoDocsQuery("an empty range");
    return field.kind == Field.Kind.INTEGER
        ? IntPoint.newRangeQuery(field.path, low.intValueExact(), high.intValueExact())
        : LongPoint.newRangeQuery(field.path, low.longValueExact(), high.longValueExact());
  }

  private static BigDecimal inside(BigDecimal bound, boolean included, int inwards) {
    if (isWhole(bound)) return (included ? bound : bound.add(BigDecimal.valueOf(inwards))).setScale(0);
    return bound.setScale(0, inwards > 0 ? java.math.RoundingMode.CEILING : java.math.RoundingMode.FLOOR);
  }
}
