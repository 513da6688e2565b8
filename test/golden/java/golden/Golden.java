// Answers queries like Elasticsearch, with Lucene. Generates the golden answers.
package golden;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.search.similarity.LegacyBM25Similarity;
import org.apache.lucene.store.ByteBuffersDirectory;

/**
 * Arguments: a request `{"mapping", "now", "hosts", "queries": {name: body}}`, documents as JSON Lines `{"id", "source"}`,
 * and where to write `{name: {"total", "hits"} | {"error"}}`.
 */
public final class Golden {
  private Golden() {}

  public static void main(String[] args) throws IOException {
    Map<String, Object> request = Params.object("request", Json.parse(Files.readString(Path.of(args[0]))));
    Fields fields = new Fields(Params.object("mapping", request.get("mapping")));
    Documents documents = new Documents(fields, Params.object("hosts", request.get("hosts")));
    BooleanQuery.setMaxClauseCount(1024);
    Similarity similarity = similarity();
    ByteBuffersDirectory directory = new ByteBuffersDirectory();
    index(directory, similarity, documents, Path.of(args[1]));
    Map<String, Object> answers = new LinkedHashMap<>();
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      Search search = search(reader, similarity, fields, (Long) request.get("now"));
      Params.object("queries", request.get("queries")).forEach((name, body) -> answers.put(name, answer(search, body)));
    }
    Files.writeString(Path.of(args[2]), Json.write(answers));
  }

  @SuppressWarnings("deprecation") // Elasticsearch's scores are those of the similarity that Lucene now calls legacy.
  private static Similarity similarity() {
    return new LegacyBM25Similarity(1.2f, 0.75f);
  }

  private static void index(ByteBuffersDirectory directory, Similarity similarity, Documents documents, Path lines) throws IOException {
    IndexWriterConfig config = new IndexWriterConfig(Analysis.STANDARD).setSimilarity(similarity);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (String line : Files.readAllLines(lines)) {
        if (line.isBlank()) continue;
        Map<String, Object> document = Params.object("document", Json.parse(line));
        List<Document> block = documents.block((String) document.get("id"), Params.object("source", document.get("source")));
        writer.addDocuments(block);
      }
      writer.forceMerge(1);
    }
  }

  private static Search search(DirectoryReader reader, Similarity similarity, Fields fields, long now) {
    if (reader.leaves().size() != 1) throw new IllegalStateException("the index is not one segment");
    LeafReader leaf = reader.leaves().get(0).reader();
    IndexSearcher searcher = new IndexSearcher(reader);
    searcher.setSimilarity(similarity);
    searcher.setQueryCache(null);
    FieldQueries fieldQueries = new FieldQueries(fields, now);
    return new Search(searcher, new Clauses(fields, fieldQueries, leaf), new Sorting(fields, leaf));
  }

  private static Map<String, Object> answer(Search search, Object body) {
    try {
      return search.run(Params.object("search", body));
    } catch (Refused | IllegalArgumentException refused) {
      return Map.of("error", refused.getMessage());
    } catch (BooleanQuery.TooManyClauses refused) {
      return Map.of("error", "maxClauseCount is set to " + BooleanQuery.getMaxClauseCount());
    } catch (IOException error) {
      throw new java.io.UncheckedIOException(error);
    }
  }
}
