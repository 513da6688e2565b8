// query_string: Lucene's classic language with Elasticsearch's rules by field type.
package golden;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.lucene.queryparser.classic.OpenQueryParser;
import org.apache.lucene.queryparser.classic.ParseException;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.automaton.RegExp;

final class QueryStrings extends OpenQueryParser {
  private static final String EXISTS = "_exists_";
  private static final int MAX_REGEX = 1000;

  private final Fields fields;
  private final FieldQueries fieldQueries;
  private final TextQueries texts;
  /** Fields of words without a field name; null: {@link #getField}. */
  private final Map<String, Float> defaults;

  TextQueries.Kind kind = TextQueries.Kind.WORDS;
  float tie = 0f;
  Fuzziness fuzziness = Fuzziness.AUTO;
  int fuzzyExpansions = 50;
  boolean transpositions = true;
  String quoteSuffix = null;

  QueryStrings(Fields fields, FieldQueries fieldQueries, TextQueries texts, String field, Map<String, Float> defaults) {
    super(field, Analysis.STANDARD);
    this.fields = fields;
    this.fieldQueries = fieldQueries;
    this.texts = texts;
    this.defaults = defaults;
    texts.empty = TextQueries.Empty.DROP;
    setAllowLeadingWildcard(true);
    setMultiTermRewriteMethod(MultiTermQuery.CONSTANT_SCORE_REWRITE);
  }

  @Override
  public Query parse(String query) throws ParseException {
    return query.isBlank() ? new MatchNoDocsQuery("no terms present") : super.parse(query);
  }

  private Map<String, Float> expand(String field, boolean quoted) {
    Map<String, Float> found = field == null ? defaults : FieldNames.resolve(fields, Map.of(field, 1f));
    if (!quoted || quoteSuffix == null) return found;
    Map<String, Float> renamed = new java.util.LinkedHashMap<>();
    found.forEach((path, boost) -> renamed.put(fields.get(path + quoteSuffix) == null ? path : path + quoteSuffix, boost));
    return renamed;
  }

  /** Combines the queries of the fields by the best score; without fields matches nothing. */
  private Query each(String field, Function<Field, Query> make) {
    Map<String, Float> found = expand(field, false);
    if (found.isEmpty()) return new MatchNoDocsQuery("unmapped field [" + field + "]");
    List<Query> queries = new ArrayList<>();
    found.forEach((path, boost) -> {
      Field one = fields.get(path);
      Query query;
      try {
        query = one == null ? new MatchNoDocsQuery("unmapped field [" + path + "]") : make.apply(one);
      } catch (Refused refused) {
        if (!texts.lenient) throw refused;
        query = new MatchNoDocsQuery("failed [" + path + "] query");
      }
      queries.add(TextQueries.boosted(query, boost));
    });
    return TextQueries.best(queries, tie);
  }

  @Override
  protected Query getFieldQuery(String field, String text, boolean quoted) throws ParseException {
    if (EXISTS.equals(field)) return fieldQueries.exists(text);
    if (quoted) return getFieldQuery(field, text, getPhraseSlop());
    if (field != null && text.length() > 1 && (text.charAt(0) == '>' || text.charAt(0) == '<')) {
      boolean closed = text.length() > 2 && text.charAt(1) == '=';
      String bound = text.substring(closed ? 2 : 1);
      boolean above = text.charAt(0) == '>';
      return getRangeQuery(field, above ? bound : null, above ? null : bound, closed || !above, closed || above);
    }
    return text(kind, field, text, false);
  }

  @Override
  protected Query getFieldQuery(String field, String text, int slop) throws ParseException {
    if (EXISTS.equals(field)) return fieldQueries.exists(text);
    int before = texts.slop;
    texts.slop = slop;
    try {
      return text(TextQueries.Kind.PHRASE, field, text, true);
    } finally {
      texts.slop = before;
    }
  }

  private Query text(TextQueries.Kind kind, String field, String text, boolean quoted) {
    Map<String, Float> found = expand(field, quoted);
    if (found.isEmpty()) return new MatchNoDocsQuery("unmapped field [" + field + "]");
    return texts.several(kind, found, text, null, tie);
  }

  @Override
  protected Query getRangeQuery(String field, String lower, String upper, boolean withLower, boolean withUpper) {
    return each(field, (one) -> fieldQueries.range(one,
        new FieldQueries.Range(bound(one, lower), bound(one, upper), withLower, withUpper)));
  }

  private static String bound(Field field, String text) {
    return text == null || text.equals("*") ? null : Analysis.normalised(field, text);
  }

  @Override
  protected Query fuzzyWord(String field, String word, String mark) {
    int edits = (mark.isEmpty() ? fuzziness : Fuzziness.read(mark)).of(word);
    FieldQueries.Fuzzy how =
        new FieldQueries.Fuzzy((one, text) -> edits, getFuzzyPrefixLength(), fuzzyExpansions, transpositions);
    return each(field, (one) -> fieldQueries.fuzzy(one, Analysis.normalised(one, word), how));
  }

  @Override
  protected Query getPrefixQuery(String field, String start) {
    return each(field, (one) -> fieldQueries.prefix(one, Analysis.normalised(one, start), false));
  }

  @Override
  protected Query getWildcardQuery(String field, String pattern) throws ParseException {
    String asked = field == null ? getField() : field;
    if (pattern.equals("*") && asked != null) {
      return asked.equals(FieldNames.ALL) ? new MatchAllDocsQuery() : fieldQueries.exists(asked);
    }
    if (!getAllowLeadingWildcard() && (pattern.startsWith("*") || pattern.startsWith("?"))) {
      throw new ParseException("'*' or '?' not allowed as first character in WildcardQuery");
    }
    return each(field, (one) -> pattern.equals("*")
        ? fieldQueries.exists(one.path)
        : fieldQueries.wildcard(one, Analysis.normalisedPattern(one, pattern), false));
  }

  @Override
  protected Query getRegexpQuery(String field, String pattern) {
    if (pattern.length() > MAX_REGEX) throw new Refused("The length of regex [" + pattern.length() + "] has exceeded the allowed maximum of [" + MAX_REGEX + "]");
    return each(field, (one) -> one.isString()
        ? fieldQueries.regexp(one, Analysis.normalised(one, pattern), RegExp.ALL, false, getMaxDeterminizedStates())
        : new MatchNoDocsQuery("a field without terms"));
  }

  @Override
  protected Query getBooleanQuery(List<BooleanClause> clauses) throws ParseException {
    Query query = super.getBooleanQuery(clauses);
    return query == null ? null : MinimumShouldMatch.fixNegative(query);
  }
}
