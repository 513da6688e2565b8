// simple_query_string: Lucene's tolerant language over several fields with summed scores.
package golden;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.lucene.queryparser.simple.SimpleQueryParser;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;

final class SimpleStrings extends SimpleQueryParser {
  private final Fields fields;
  private final FieldQueries fieldQueries;
  private final TextQueries texts;

  int fuzzyPrefix = 0;
  int fuzzyExpansions = 50;
  boolean transpositions = true;

  SimpleStrings(Fields fields, FieldQueries fieldQueries, TextQueries texts, Map<String, Float> weights, int flags) {
    super(Analysis.STANDARD, weights, flags);
    this.fields = fields;
    this.fieldQueries = fieldQueries;
    this.texts = texts;
    texts.empty = TextQueries.Empty.DROP;
  }

  @Override
  public void setDefaultOperator(Occur operator) {
    super.setDefaultOperator(operator);
    texts.occur = operator;
  }

  @Override
  protected Query newDefaultQuery(String text) {
    return texts.several(TextQueries.Kind.WORDS, weights, text, null, 1f);
  }

  @Override
  protected Query newPhraseQuery(String text, int slop) {
    texts.slop = slop;
    try {
      return texts.several(TextQueries.Kind.PHRASE, weights, text, null, 0f);
    } finally {
      texts.slop = 0;
    }
  }

  @Override
  protected Query newFuzzyQuery(String text, int edits) {
    FieldQueries.Fuzzy how = new FieldQueries.Fuzzy((field, word) -> edits, fuzzyPrefix, fuzzyExpansions, transpositions);
    return each((field) -> fieldQueries.fuzzy(field, Analysis.normalised(field, text), how));
  }

  @Override
  protected Query newPrefixQuery(String text) {
    return each((field) -> fieldQueries.prefix(field, Analysis.normalised(field, text), false));
  }

  private Query each(Function<Field, Query> make) {
    List<Query> queries = new ArrayList<>();
    weights.forEach((path, boost) -> {
      Field field = fields.get(path);
      try {
        queries.add(field == null ? new MatchNoDocsQuery("unmapped field [" + path + "]") : TextQueries.boosted(make.apply(field), boost));
      } catch (Refused refused) {
        if (!texts.lenient) throw refused;
        queries.add(new MatchNoDocsQuery("failed query, caused by " + refused.getMessage()));
      }
    });
    return TextQueries.best(queries, 1f);
  }
}
