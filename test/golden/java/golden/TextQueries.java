// The match family: analysed text against one or several fields. Both query string languages use it.
package golden;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.MultiPhraseQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.StringHelper;

final class TextQueries {
  /** How tokens are combined. The last one of PHRASE_PREFIX and BOOL_PREFIX is a prefix. */
  enum Kind { WORDS, PHRASE, PHRASE_PREFIX, BOOL_PREFIX }

  /** What text without tokens matches. DROP omits the clause. */
  enum Empty { NONE, ALL, DROP }

  private final Fields fields;
  private final FieldQueries fieldQueries;
  private final IndexReader reader;

  Occur occur = Occur.SHOULD;
  int slop = 0;
  /** Fuzziness of words; null: exact. */
  FieldQueries.Fuzzy fuzzy = null;
  int expansions = 50;
  boolean lenient = false;
  Empty empty = Empty.NONE;

  TextQueries(Fields fields, FieldQueries fieldQueries, IndexReader reader) {
    this.fields = fields;
    this.fieldQueries = fieldQueries;
    this.reader = reader;
  }

  /** Queries one field; null if text without tokens is dropped. */
  Query one(Kind kind, String path, String text) {
    Field field = fields.get(path);
    if (field == null) return new MatchNoDocsQuery("unmapped field:" + path);
    try {
      if (!field.isText()) return whole(kind, field, text);
      List<String> tokens = Analysis.tokens(text);
      if (tokens.isEmpty()) return nothing();
      return analysed(kind, field, tokens);
    } catch (Refused refused) {
      if (lenient) return new MatchNoDocsQuery("failed [" + path + "] query, caused by " + refused.getMessage());
      throw refused;
    }
  }

  private Query nothing() {
    return switch (empty) {
      case NONE -> new MatchNoDocsQuery("no terms present");
      case ALL -> new MatchAllDocsQuery();
      case DROP -> null;
    };
  }

  /** Queries a field without analysis for the whole text. */
  private Query whole(Kind kind, Field field, String text) {
    if (kind == Kind.BOOL_PREFIX && field.kind == Field.Kind.KEYWORD) return fieldQueries.prefix(field, text, false);
    if (kind == Kind.PHRASE_PREFIX) {
      throw new Refused("Can only use phrase prefix queries on text fields - not on [" + field.path
          + "] which is of type [" + field.type + "]");
    }
    return word(field, text);
  }

  private Query word(Field field, String word) {
    return fuzzy == null ? fieldQueries.term(field, word) : fieldQueries.fuzzy(field, word, fuzzy);
  }

  private Query analysed(Kind kind, Field field, List<String> tokens) {
    field.needIndexed();
    int last = tokens.size() - 1;
    if (kind == Kind.PHRASE_PREFIX) return phrasePrefix(field, tokens);
    if (last == 0) return kind == Kind.BOOL_PREFIX ? fieldQueries.prefix(field, tokens.get(0), false) : word(field, tokens.get(0));
    if (kind == Kind.PHRASE) {
      PhraseQuery.Builder phrase = new PhraseQuery.Builder().setSlop(slop);
      for (String token : tokens) phrase.add(new Term(field.path, token));
      return phrase.build();
    }
    BooleanQuery.Builder bool = new BooleanQuery.Builder();
    for (int i = 0; i <= last; i++) {
      boolean start = i == last && kind == Kind.BOOL_PREFIX;
      bool.add(start ? fieldQueries.prefix(field, tokens.get(i), false) : word(field, tokens.get(i)), occur);
    }
    return bool.build();
  }

  /** Builds a phrase whose last word is one of the first index terms with this prefix. */
  private Query phrasePrefix(Field field, List<String> tokens) {
    int last = tokens.size() - 1;
    List<Term> ends = starting(field, tokens.get(last));
    if (ends.isEmpty()) return new MatchNoDocsQuery("no term starts so");
    MultiPhraseQuery.Builder phrase = new MultiPhraseQuery.Builder().setSlop(slop);
    for (String token : tokens.subList(0, last)) phrase.add(new Term(field.path, token));
    return phrase.add(ends.toArray(Term[]::new)).build();
  }

  private List<Term> starting(Field field, String start) {
    List<Term> found = new ArrayList<>();
    BytesRef prefix = new BytesRef(start);
    try {
      for (LeafReaderContext leaf : reader.leaves()) {
        if (leaf.reader().terms(field.path) == null) continue;
        TermsEnum terms = leaf.reader().terms(field.path).iterator();
        if (terms.seekCeil(prefix) == TermsEnum.SeekStatus.END) continue;
        for (BytesRef term = terms.term(); term != null && StringHelper.startsWith(term, prefix); term = terms.next()) {
          if (found.size() == expansions) return found;
          found.add(new Term(field.path, BytesRef.deepCopyOf(term)));
        }
      }
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
    return found;
  }

  /** Queries several fields with boosts: the best score, plus the others times `tie`. */
  Query several(Kind kind, Map<String, Float> paths, String text, Object minimum, float tie) {
    if (paths.keySet().stream().allMatch((path) -> fields.get(path) == null)) {
      return new MatchNoDocsQuery("unmapped fields " + paths.keySet());
    }
    List<Query> queries = new ArrayList<>();
    paths.forEach((path, boost) -> {
      if (fields.get(path) == null) return;
      Query query = MinimumShouldMatch.apply(one(kind, path, text), minimum);
      if (query != null) queries.add(boosted(query, boost));
    });
    return queries.isEmpty() ? nothing() : best(queries, tie);
  }

  static Query best(List<Query> queries, float tie) {
    return queries.size() == 1 ? queries.get(0) : new DisjunctionMaxQuery(queries, tie);
  }

  static Query boosted(Query query, float boost) {
    return boost == 1f || query instanceof MatchNoDocsQuery ? query : new BoostQuery(query, boost);
  }
}
