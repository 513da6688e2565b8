// Exposes a package-private hook of Lucene's query parser: the meaning of `~` after a word.
package org.apache.lucene.queryparser.classic;

import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.search.Query;

public abstract class OpenQueryParser extends QueryParser {
  protected OpenQueryParser(String field, Analyzer analyzer) {
    super(field, analyzer);
  }

  /** Builds the query of a word with `~`; `mark` is the text after the tilde. */
  protected abstract Query fuzzyWord(String field, String word, String mark);

  @Override
  Query handleBareFuzzy(String field, Token slop, String word) {
    return fuzzyWord(field, word, slop.image.substring(1));
  }
}
