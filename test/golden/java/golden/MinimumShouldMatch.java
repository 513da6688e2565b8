// Number of optional clauses that must match: `2`, `-1`, `75%`, `-25%`, `3<-1 5<50%`.
package golden;

import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Query;

final class MinimumShouldMatch {
  private MinimumShouldMatch() {}

  /** Applies the rule to a bool query; 0 or below counts as absent. */
  static Query apply(Query query, Object rule) {
    if (rule == null || !(query instanceof BooleanQuery bool)) return query;
    int optional = (int) bool.clauses().stream().filter((clause) -> clause.getOccur() == Occur.SHOULD).count();
    int least = count(optional, rule.toString().trim());
    if (least <= 0) return query;
    BooleanQuery.Builder builder = new BooleanQuery.Builder().setMinimumNumberShouldMatch(least);
    for (BooleanClause clause : bool) builder.add(clause);
    return builder.build();
  }

  private static int count(int optional, String rule) {
    if (rule.indexOf('<') >= 0) {
      int least = optional;
      for (String bracket : rule.replaceAll("\\s*<\\s*", "<").split(" ")) {
        String[] sides = bracket.split("<");
        if (optional <= whole(sides[0])) return least;
        least = count(optional, sides[1]);
      }
      return least;
    }
    boolean percent = rule.endsWith("%");
    int number = whole(percent ? rule.substring(0, rule.length() - 1) : rule);
    int part = percent ? (int) (optional * number * (1 / 100f)) : number;
    return Math.max(0, number < 0 ? optional + part : part);
  }

  private static int whole(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException error) {
      throw new Refused("For input string: \"" + text + "\"");
    }
  }

  /** Makes a bool of prohibited clauses match all other documents, with score 0. */
  static Query fixNegative(Query query) {
    if (!(query instanceof BooleanQuery bool) || bool.clauses().isEmpty()) return query;
    if (!bool.clauses().stream().allMatch(BooleanClause::isProhibited)) return query;
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    for (BooleanClause clause : bool) builder.add(clause);
    return builder.add(new org.apache.lucene.search.MatchAllDocsQuery(), Occur.FILTER).build();
  }
}
