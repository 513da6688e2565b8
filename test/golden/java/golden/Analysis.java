// Elasticsearch's standard analyzer on Lucene's tokenizer: no stop words, a gap of 100 between the values of a field.
package golden;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

final class Analysis extends Analyzer {
  static final Analysis STANDARD = new Analysis();
  private static final int GAP = 100;

  @Override
  protected TokenStreamComponents createComponents(String field) {
    StandardTokenizer tokens = new StandardTokenizer();
    tokens.setMaxTokenLength(255);
    return new TokenStreamComponents(tokens, new LowerCaseFilter(tokens));
  }

  @Override
  protected TokenStream normalize(String field, TokenStream in) {
    return new LowerCaseFilter(in);
  }

  @Override
  public int getPositionIncrementGap(String field) {
    return GAP;
  }

  /** Returns the tokens of a text at consecutive positions. */
  static List<String> tokens(String text) {
    List<String> found = new ArrayList<>();
    try (TokenStream stream = STANDARD.tokenStream("", text)) {
      CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
      stream.reset();
      while (stream.incrementToken()) found.add(term.toString());
      stream.end();
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
    return found;
  }

  /** Normalises part of a word: lower case for text fields, unchanged for others. */
  static String normalised(Field field, String text) {
    return field.isText() ? STANDARD.normalize(field.path, text).utf8ToString() : text;
  }

  /** Normalises a pattern; `*`, `?` and escaped characters stay. */
  static String normalisedPattern(Field field, String pattern) {
    if (!field.isText()) return pattern;
    StringBuilder out = new StringBuilder();
    int from = 0;
    for (int at = 0; at < pattern.length(); at++) {
      char c = pattern.charAt(at);
      if (c != '*' && c != '?' && c != '\\') continue;
      out.append(normalised(field, pattern.substring(from, at))).append(c);
      if (c == '\\' && at + 1 < pattern.length()) out.append(pattern.charAt(++at));
      from = at + 1;
    }
    return from < pattern.length() ? out.append(normalised(field, pattern.substring(from))).toString() : out.toString();
  }
}
