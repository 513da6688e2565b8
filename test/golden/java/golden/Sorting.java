// The order of hits: by score or field values. Missing values come last.
package golden;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.NumericUtils;

final class Sorting {
  /** A sort key; without a field: the score. */
  record Key(Field field, boolean descending) {
    boolean isScore() {
      return field == null;
    }
  }

  private final Fields fields;
  private final LeafReader reader;

  Sorting(Fields fields, LeafReader reader) {
    this.fields = fields;
    this.reader = reader;
  }

  /** Parses `sort`: names, `{name: "desc"}` or `{name: {"order": "desc"}}`; default: the score. */
  List<Key> keys(List<?> sort) {
    List<Key> keys = new ArrayList<>();
    for (Object entry : sort) {
      if (entry instanceof Map<?, ?> map) map.forEach((name, order) -> keys.add(key(name.toString(), order)));
      else keys.add(key(entry.toString(), null));
    }
    return keys.isEmpty() ? List.of(new Key(null, true)) : keys;
  }

  private Key key(String name, Object order) {
    Object asked = order instanceof Map<?, ?> map ? map.get("order") : order;
    boolean isScore = name.equals("_score");
    if (asked != null && !asked.equals("asc") && !asked.equals("desc")) {
      throw new Refused("No enum constant org.elasticsearch.search.sort.SortOrder." + asked.toString().toUpperCase());
    }
    boolean descending = asked == null ? isScore : asked.equals("desc");
    if (isScore) return new Key(null, descending);
    Field field = fields.get(name);
    if (field == null) throw new Refused("No mapping found for [" + name + "] in order to sort on");
    if (field.isText()) throw new Refused("Text fields are not optimised for operations that require per-document field data");
    return new Key(field, descending);
  }

  /** Returns the id of a document. */
  String id(int document) throws IOException {
    SortedSetDocValues values = DocValues.getSortedSet(reader, Documents.ID);
    if (!values.advanceExact(document)) throw new IllegalStateException("a document without an id");
    return values.lookupOrd(values.nextOrd()).utf8ToString();
  }

  /** Returns the sort value of a hit: the minimum of several values, or the maximum for descending order. */
  List<Object> values(List<Key> keys, int document, float score) throws IOException {
    List<Object> values = new ArrayList<>();
    for (Key key : keys) values.add(key.isScore() ? (Object) (double) score : value(key, document));
    return values;
  }

  private Object value(Key key, int document) throws IOException {
    Field field = key.field();
    if (field.kind == Field.Kind.KEYWORD) {
      SortedSetDocValues values = DocValues.getSortedSet(reader, field.path);
      if (!values.advanceExact(document)) return null;
      long chosen = values.nextOrd();
      for (long next = chosen; next != SortedSetDocValues.NO_MORE_ORDS && key.descending(); next = values.nextOrd()) chosen = next;
      return BytesRef.deepCopyOf(values.lookupOrd(chosen));
    }
    SortedNumericDocValues values = DocValues.getSortedNumeric(reader, field.path);
    if (!values.advanceExact(document)) return null;
    long chosen = values.nextValue();
    for (int i = 1; i < values.docValueCount() && key.descending(); i++) chosen = values.nextValue();
    return switch (field.kind) {
      case FLOAT -> (Object) (double) NumericUtils.sortableIntToFloat((int) chosen);
      case DOUBLE -> NumericUtils.sortableLongToDouble(chosen);
      default -> chosen;
    };
  }

  /** Parses the values of `search_after`. */
  List<Object> cursor(List<Key> keys, List<?> after) {
    if (after.size() != keys.size()) {
      throw new Refused("search_after has " + after.size() + " value(s) but sort has " + keys.size() + ".");
    }
    List<Object> cursor = new ArrayList<>();
    for (int i = 0; i < after.size(); i++) cursor.add(bound(keys.get(i), after.get(i)));
    return cursor;
  }

  private static Object bound(Key key, Object value) {
    if (value == null) return null;
    if (key.isScore()) return (double) Numbers.read(value).floatValue();
    return switch (key.field().kind) {
      case KEYWORD -> new BytesRef(value.toString());
      case FLOAT, DOUBLE -> Numbers.read(value).doubleValue();
      case DATE -> value instanceof Long millis ? millis : (Object) key.field().dates.parse(value.toString());
      case BOOLEAN -> (Object) (FieldQueries.truth(value) ? 1L : 0L);
      default -> Numbers.whole(value);
    };
  }

  /** Compares two hits by all sort keys. */
  int compare(List<Key> keys, List<Object> one, List<Object> other) {
    for (int i = 0; i < keys.size(); i++) {
      int order = compare(one.get(i), other.get(i), keys.get(i).descending());
      if (order != 0) return order;
    }
    return 0;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static int compare(Object one, Object other, boolean descending) {
    if (one == null || other == null) return one == other ? 0 : one == null ? 1 : -1;
    int order = ((Comparable) one).compareTo(other);
    return descending ? -order : order;
  }

  /** Compares numeric ids as numbers, others as text. */
  static int compareIds(String one, String other) {
    boolean numbers = one.matches("\\d+") && other.matches("\\d+");
    int byLength = numbers ? Integer.compare(one.length(), other.length()) : 0;
    return byLength != 0 ? byLength : one.compareTo(other);
  }
}
