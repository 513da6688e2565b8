// The query DSL: dispatches clauses and builds compound ones.
package golden;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.join.QueryBitSetProducer;
import org.apache.lucene.search.join.ScoreMode;
import org.apache.lucene.search.join.ToParentBlockJoinQuery;
import org.apache.lucene.util.BytesRef;

final class Clauses {
  private static final Set<String> TEXT_CLAUSES = Set.of("match", "match_phrase", "match_phrase_prefix",
      "match_bool_prefix", "multi_match", "query_string", "simple_query_string");

  private final Fields fields;
  private final FieldQueries fieldQueries;
  private final LeafClauses leaves;
  private final TextClauses texts;

  Clauses(Fields fields, FieldQueries fieldQueries, IndexReader reader) {
    this.fields = fields;
    this.fieldQueries = fieldQueries;
    leaves = new LeafClauses(fields, fieldQueries);
    texts = new TextClauses(fields, fieldQueries, reader);
  }

  /** Builds the whole query on root documents. */
  Query top(Object query) {
    return new BooleanQuery.Builder()
        .add(clause(query, Documents.ROOT), Occur.MUST)
        .add(place(Documents.ROOT), Occur.FILTER)
        .build();
  }

  private static Query place(String path) {
    return new TermQuery(new Term(Documents.PLACE, path));
  }

  /** Builds a clause; `place` is the enclosing nested object. */
  private Query clause(Object json, String place) {
    if (!(json instanceof Map<?, ?> map)) throw new Refused("[_na] query malformed, must start with start_object");
    if (map.isEmpty()) throw new Refused("query malformed, empty clause found");
    Map.Entry<?, ?> first = map.entrySet().iterator().next();
    String name = (String) first.getKey();
    if (!(first.getValue() instanceof Map)) throw new Refused("[" + name + "] query malformed, no start_object after query name");
    Params params = new Params(name, first.getValue());
    float boost = name.equals("terms") || LeafClauses.BY_FIELD.contains(name) || texts.isByField(name) ? 1f : params.boost();
    Query query = switch (name) {
      case "match_all" -> new MatchAllDocsQuery();
      case "match_none" -> new MatchNoDocsQuery("match_none");
      case "bool" -> bool(params, place);
      case "dis_max" -> best(params, place);
      case "constant_score" -> constant(params, place);
      case "nested" -> nested(params, place);
      case "exists" -> exists(params);
      case "ids" -> ids(params);
      default -> TEXT_CLAUSES.contains(name) ? texts.clause(name, params) : leaves.clause(name, params);
    };
    if (name.equals("bool") || name.equals("ids")) params.doneStrictly();
    else params.done();
    if (map.size() > 1) throw new Refused("[" + name + "] malformed query, expected [END_OBJECT] but found [FIELD_NAME]");
    return TextQueries.boosted(query, boost);
  }

  private Query bool(Params params, String place) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    add(builder, params.list("must"), Occur.MUST, place);
    add(builder, params.list("must_not"), Occur.MUST_NOT, place);
    add(builder, params.list("should"), Occur.SHOULD, place);
    add(builder, params.list("filter"), Occur.FILTER, place);
    Object minimum = params.take("minimum_should_match");
    boolean adjust = params.flag("adjust_pure_negative", true);
    BooleanQuery query = builder.build();
    if (query.clauses().isEmpty()) return new MatchAllDocsQuery();
    Query least = MinimumShouldMatch.apply(query, minimum);
    return adjust ? MinimumShouldMatch.fixNegative(least) : least;
  }

  private void add(BooleanQuery.Builder builder, List<?> clauses, Occur occur, String place) {
    for (Object clause : clauses) builder.add(clause(clause, place), occur);
  }

  private Query best(Params params, String place) {
    List<Query> queries = params.list("queries").stream().map((query) -> clause(query, place)).toList();
    if (queries.isEmpty()) throw new Refused("[dis_max] requires 'queries' field with at least one clause");
    return new DisjunctionMaxQuery(queries, params.number("tie_breaker", 0f));
  }

  private Query constant(Params params, String place) {
    Object filter = params.take("filter");
    if (filter == null) throw new Refused("[constant_score] requires a 'filter' element");
    if (filter instanceof List) throw new Refused("unexpected token [START_ARRAY]");
    return new ConstantScoreQuery(clause(filter, place));
  }

  private Query nested(Params params, String place) {
    String path = params.text("path", null);
    Object inner = params.take("query");
    String mode = params.text("score_mode", "avg");
    boolean ignoreUnmapped = params.flag("ignore_unmapped", false);
    if (path == null) throw new Refused("[nested] requires 'path' field");
    if (inner == null) throw new Refused("[nested] requires 'query' field");
    ScoreMode score = switch (mode) {
      case "avg" -> ScoreMode.Avg;
      case "sum" -> ScoreMode.Total;
      case "min" -> ScoreMode.Min;
      case "max" -> ScoreMode.Max;
      case "none" -> ScoreMode.None;
      default -> throw new Refused("No score mode for child query [" + mode + "] found");
    };
    if (!fields.isObject(path)) {
      if (ignoreUnmapped) return new MatchNoDocsQuery("unmapped path");
      throw new Refused("[nested] failed to find nested object under path [" + path + "]");
    }
    if (!fields.isNested(path)) throw new Refused("[nested] nested object under path [" + path + "] is not of nested type");
    Query children = new BooleanQuery.Builder()
        .add(clause(inner, path), Occur.MUST)
        .add(place(path), Occur.FILTER)
        .build();
    return new ToParentBlockJoinQuery(children, new QueryBitSetProducer(place(place)), score);
  }

  private Query exists(Params params) {
    String field = params.text("field", null);
    if (field == null) throw new Refused("[exists] must be provided with a [field]");
    if (field.isEmpty()) throw new Refused("field name is null or empty");
    return fieldQueries.exists(field);
  }

  private Query ids(Params params) {
    List<BytesRef> ids = params.list("values").stream().map((id) -> new BytesRef(id.toString())).toList();
    return ids.isEmpty() ? new MatchNoDocsQuery("no ids") : new TermInSetQuery(Documents.ID, ids);
  }
}
