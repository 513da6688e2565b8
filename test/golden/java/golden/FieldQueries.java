// Queries on one field by its type: terms, ranges and patterns.
package golden;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.AutomatonQuery;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DocValuesFieldExistsQuery;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.NormsFieldExistsQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.RegexpQuery;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TermRangeQuery;
import org.apache.lucene.search.WildcardQuery;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.automaton.Automata;
import org.apache.lucene.util.automaton.Automaton;
import org.apache.lucene.util.automaton.Operations;
import org.apache.lucene.util.automaton.RegExp;

final class FieldQueries {
  private final Fields fields;
  /** The time of `now`, in milliseconds. */
  private final long now;

  FieldQueries(Fields fields, long now) {
    this.fields = fields;
    this.now = now;
  }

  static boolean truth(Object value) {
    String text = value.toString();
    if (text.equals("true") || text.equals("false")) return text.equals("true");
    throw new Refused("Can't parse boolean value [" + text + "], expected [true] or [false]");
  }

  private static BytesRef bytes(Field field, Object value) {
    if (field.kind == Field.Kind.BOOLEAN) return new BytesRef(truth(value) ? "T" : "F");
    return new BytesRef(value.toString());
  }

  /** Matches a value: scored for fields with terms, 1 for numbers and dates. */
  Query term(Field field, Object value) {
    if (field.kind == Field.Kind.BINARY) throw new Refused("Binary fields do not support searching");
    field.needIndexed();
    if (field.isNumber()) return Numbers.term(field, value);
    if (field.kind == Field.Kind.DATE) return range(field, new Range(value, value, true, true));
    return new TermQuery(new Term(field.path, bytes(field, value)));
  }

  /** Matches any of several values with score 1. */
  Query terms(Field field, List<?> values) {
    if (field.kind == Field.Kind.BINARY) throw new Refused("Binary fields do not support searching");
    field.needIndexed();
    if (field.isNumber()) return Numbers.terms(field, values);
    if (field.kind == Field.Kind.DATE) {
      BooleanQuery.Builder any = new BooleanQuery.Builder();
      for (Object value : values) any.add(term(field, value), Occur.SHOULD);
      return new ConstantScoreQuery(any.build());
    }
    return new TermInSetQuery(field.path, values.stream().map((value) -> bytes(field, value)).toList());
  }

  /** Bounds of a range, null if open, and the other parameters of the clause. */
  record Range(Object lower, Object upper, boolean withLower, boolean withUpper, Dates dates, java.time.ZoneId zone) {
    Range(Object lower, Object upper, boolean withLower, boolean withUpper) {
      this(lower, upper, withLower, withUpper, null, null);
    }
  }

  Query range(Field field, Range range) {
    field.needIndexed();
    Object lower = range.lower();
    Object upper = range.upper();
    if (field.isNumber()) return Numbers.range(field, lower, upper, range.withLower(), range.withUpper());
    if (field.kind == Field.Kind.BINARY) {
      throw new Refused("Field [" + field.path + "] of type [binary] does not support range queries");
    }
    if (field.kind != Field.Kind.DATE) {
      return new TermRangeQuery(field.path, lower == null ? null : bytes(field, lower),
          upper == null ? null : bytes(field, upper), range.withLower(), range.withUpper());
    }
    Dates dates = range.dates() == null ? field.dates : range.dates();
    long low = Long.MIN_VALUE;
    long high = Long.MAX_VALUE;
    if (lower != null) {
      low = dates.parse(lower.toString(), !range.withLower(), now, range.zone()) + (range.withLower() ? 0 : 1);
    }
    if (upper != null) {
      high = dates.parse(upper.toString(), range.withUpper(), now, range.zone()) - (range.withUpper() ? 0 : 1);
    }
    return LongPoint.newRangeQuery(field.path, low, high);
  }

  /** Matches documents with a value of a field, of matching fields, or below an object, with score 1. */
  Query exists(String pattern) {
    Collection<String> paths = fields.isObject(pattern) ? fields.matching(pattern + ".*") : fields.matching(pattern);
    BooleanQuery.Builder any = new BooleanQuery.Builder();
    boolean found = false;
    for (String path : paths) {
      Field field = fields.get(path);
      if (field == null) continue;
      found = true;
      any.add(field.isText() ? new NormsFieldExistsQuery(path) : new DocValuesFieldExistsQuery(path), Occur.SHOULD);
    }
    return found ? new ConstantScoreQuery(any.build()) : new MatchNoDocsQuery("unmapped field:" + pattern);
  }

  Query prefix(Field field, String start, boolean anyCase) {
    if (!field.isString()) throw field.onlyStrings("prefix");
    field.needIndexed();
    Term term = new Term(field.path, start);
    if (!anyCase) return new PrefixQuery(term);
    return automaton(term, Operations.concatenate(anyCase(start), Automata.makeAnyString()));
  }

  Query wildcard(Field field, String pattern, boolean anyCase) {
    if (!field.isString()) throw field.onlyStrings("wildcard");
    field.needIndexed();
    Term term = new Term(field.path, pattern);
    if (!anyCase) return new WildcardQuery(term);
    List<Automaton> parts = new ArrayList<>();
    for (int at = 0; at < pattern.length(); ) {
      int c = pattern.codePointAt(at);
      at += Character.charCount(c);
      if (c == '\\' && at < pattern.length()) {
        c = pattern.codePointAt(at);
        at += Character.charCount(c);
        parts.add(anyCase(c));
      } else {
        parts.add(c == '*' ? Automata.makeAnyString() : c == '?' ? Automata.makeAnyChar() : anyCase(c));
      }
    }
    return automaton(term, Operations.concatenate(parts));
  }

  Query regexp(Field field, String pattern, int flags, boolean anyCase, int maxStates) {
    if (!field.isString()) throw field.onlyStrings("regexp");
    field.needIndexed();
    return new RegexpQuery(new Term(field.path, pattern), flags, anyCase ? RegExp.ASCII_CASE_INSENSITIVE : 0, maxStates);
  }

  /** Fuzziness of a word, and the limits of its expansion. */
  record Fuzzy(BiFunction<Field, String, Integer> edits, int prefix, int expansions, boolean transpositions) {}

  Query fuzzy(Field field, String word, Fuzzy how) {
    if (!field.isString()) throw field.onlyStrings("fuzzy");
    field.needIndexed();
    return new FuzzyQuery(new Term(field.path, word), how.edits().apply(field, word), how.prefix(), how.expansions(),
        how.transpositions());
  }

  private static AutomatonQuery automaton(Term term, Automaton automaton) {
    return new AutomatonQuery(term, Operations.determinize(automaton, Operations.DEFAULT_MAX_DETERMINIZED_STATES));
  }

  private static Automaton anyCase(String text) {
    return Operations.concatenate(text.codePoints().mapToObj(FieldQueries::anyCase).toList());
  }

  /** Matches a letter in both cases; only ASCII letters have two. */
  private static Automaton anyCase(int c) {
    Set<Integer> cases = new LinkedHashSet<>(List.of(c));
    if (c < 128) cases.addAll(List.of(Character.toLowerCase(c), Character.toUpperCase(c)));
    return Operations.union(cases.stream().map(Automata::makeChar).toList());
  }
}
