// Converts JSON documents to Lucene documents: one for each nested object, then one for the document.
package golden;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.DoublePoint;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.FloatPoint;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.NumericUtils;

final class Documents {
  static final String ID = "_id";
  /** Type marker of a Lucene document: `.` for the root, else the path of the nested object. */
  static final String PLACE = "_nested_path";
  static final String ROOT = ".";

  private static final FieldType TEXT = type(true, IndexOptions.DOCS_AND_FREQS_AND_POSITIONS);
  private static final FieldType KEYWORD = type(false, IndexOptions.DOCS);

  private final Fields fields;
  /** Hosts of the URLs in the documents, extracted by the project's rule. */
  private final Map<String, Object> hosts;

  Documents(Fields fields, Map<String, Object> hosts) {
    this.fields = fields;
    this.hosts = hosts;
  }

  private static FieldType type(boolean tokenised, IndexOptions options) {
    FieldType type = new FieldType();
    type.setTokenized(tokenised);
    type.setOmitNorms(!tokenised);
    type.setIndexOptions(options);
    type.freeze();
    return type;
  }

  /** Builds the block of a document: nested objects, deepest first, then the root. */
  List<Document> block(String id, Map<String, Object> source) {
    List<Document> block = new ArrayList<>();
    object("", ROOT, id, source, block);
    return block;
  }

  private void object(String prefix, String place, String id, Map<String, Object> source, List<Document> block) {
    Document document = new Document();
    document.add(new org.apache.lucene.document.Field(PLACE, place, KEYWORD));
    document.add(new org.apache.lucene.document.Field(ID, id, KEYWORD));
    document.add(new SortedSetDocValuesField(ID, new BytesRef(id)));
    properties(prefix, id, source, document, block);
    block.add(document);
  }

  private void properties(String prefix, String id, Map<String, Object> source, Document document, List<Document> block) {
    source.forEach((name, value) -> property(prefix + name, id, value, document, block));
  }

  @SuppressWarnings("unchecked")
  private void property(String path, String id, Object value, Document document, List<Document> block) {
    if (value instanceof List<?> list) {
      for (Object item : list) property(path, id, item, document, block);
    } else if (fields.isObject(path)) {
      if (value == null) return;
      Map<String, Object> inner = (Map<String, Object>) value;
      if (fields.isNested(path)) object(path + ".", path, id, inner, block);
      else properties(path + ".", id, inner, document, block);
    } else if (fields.get(path) != null) {
      add(fields.get(path), value, document);
      for (Field variant : fields.variants(path)) add(variant, value, document);
    }
  }

  private void add(Field field, Object given, Document document) {
    Object value = given == null && !field.isText() ? field.nullValue : given;
    if (value == null || field.kind == Field.Kind.BINARY) return;
    String name = field.path;
    switch (field.kind) {
      case TEXT -> {
        Object text = field.hostOnly ? hosts.get(value.toString()) : value;
        if (field.indexed && text != null) document.add(new org.apache.lucene.document.Field(name, text.toString(), TEXT));
      }
      case KEYWORD -> {
        if (value.toString().length() > field.ignoreAbove) return;
        if (field.indexed) document.add(new org.apache.lucene.document.Field(name, value.toString(), KEYWORD));
        document.add(new SortedSetDocValuesField(name, new BytesRef(value.toString())));
      }
      case BOOLEAN -> {
        boolean yes = FieldQueries.truth(value);
        if (field.indexed) document.add(new org.apache.lucene.document.Field(name, yes ? "T" : "F", KEYWORD));
        document.add(new SortedNumericDocValuesField(name, yes ? 1 : 0));
      }
      case DATE -> {
        long time = field.dates.parse(value.toString());
        if (field.indexed) document.add(new LongPoint(name, time));
        document.add(new SortedNumericDocValuesField(name, time));
      }
      default -> number(field, value, document);
    }
  }

  private static void number(Field field, Object value, Document document) {
    String name = field.path;
    long sortable = switch (field.kind) {
      case FLOAT -> NumericUtils.floatToSortableInt(Numbers.read(value).floatValue());
      case DOUBLE -> NumericUtils.doubleToSortableLong(Numbers.read(value).doubleValue());
      default -> Numbers.whole(value);
    };
    document.add(new SortedNumericDocValuesField(name, sortable));
    if (!field.indexed) return;
    document.add(switch (field.kind) {
      case FLOAT -> new FloatPoint(name, Numbers.read(value).floatValue());
      case DOUBLE -> new DoublePoint(name, Numbers.read(value).doubleValue());
      case LONG -> new LongPoint(name, sortable);
      default -> new IntPoint(name, Math.toIntExact(sortable));
    });
  }
}
