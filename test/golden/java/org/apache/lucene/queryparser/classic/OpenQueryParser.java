// Lucene's own query parser with the one hook that it keeps inside its package: what `~` after a word means.
package org.apache.lucene.queryparser.classic;

import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.search.Query;

public abstract class OpenQueryParser extends QueryParser {
  protected OpenQueryParser(String field, Analyzer analyzer) {
    super(field, analyzer);
  }

  /** The query of a word with `~`; `mark` is what stands after the tilde, perhaps nothing. */
  protected abstract Query fuzzyWord(String field, String word, String mark);

  @Override
  Query handleBareFuzzy(String field, Token slop, String word) {
    return fuzzyWord(field, word, slop.image.substring(1));
  }
}
