// Analyses strings with Lucene's StandardAnalyzer. Input: one string per line, as hexadecimal UTF-16 code units. Output: the
// version of Lucene, then the tokens of each string per line, as position:digits separated by spaces.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.util.Version;

public final class Analyse {
  private static final int DIGITS = 4;
  private static final HexFormat HEX = HexFormat.of();

  private Analyse() {}

  private static String decode(String line) {
    StringBuilder text = new StringBuilder();
    for (int at = 0; at < line.length(); at += DIGITS) {
      text.append((char) HexFormat.fromHexDigits(line, at, at + DIGITS));
    }
    return text.toString();
  }

  private static void encode(StringBuilder answer, CharSequence term) {
    for (int at = 0; at < term.length(); at += 1) {
      answer.append(HEX.toHexDigits(term.charAt(at)));
    }
  }

  private static String analyse(StandardAnalyzer analyzer, String text) throws IOException {
    StringBuilder answer = new StringBuilder();
    try (TokenStream stream = analyzer.tokenStream("text", text)) {
      CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
      PositionIncrementAttribute step = stream.addAttribute(PositionIncrementAttribute.class);
      int position = -1;
      stream.reset();
      while (stream.incrementToken()) {
        position += step.getPositionIncrement();
        if (answer.length() > 0) {
          answer.append(' ');
        }
        answer.append(position).append(':');
        encode(answer, term);
      }
      stream.end();
    }
    return answer.toString();
  }

  public static void main(String[] arguments) throws IOException {
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.US_ASCII);
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    out.println(Version.LATEST);
    try (StandardAnalyzer analyzer = new StandardAnalyzer()) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        out.println(analyse(analyzer, decode(line)));
      }
    }
    out.flush();
  }
}
