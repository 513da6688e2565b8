// The bench's Lucene: makes an index in a folder, or answers queries from one, a line each.
package golden;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopScoreDocCollector;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.search.similarity.LegacyBM25Similarity;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.MMapDirectory;

/**
 * `index REQUEST DOCUMENTS FOLDER` or `serve REQUEST FOLDER`. The request is `{"mapping", "now", "queries": [query, …]}`,
 * documents are JSON Lines with an `id`. A question is `QUERY REPEAT HITS`; its answer `NANOSECONDS TOTAL ID:SCORE …`.
 */
public final class Serve {
  private final Map<String, Object> request;
  private final Fields fields;

  private Serve(Path request) throws IOException {
    this.request = Params.object("request", Json.parse(Files.readString(request)));
    fields = new Fields(Params.object("mapping", this.request.get("mapping")));
  }

  public static void main(String[] args) throws IOException {
    BooleanQuery.setMaxClauseCount(1024);
    Serve serve = new Serve(Path.of(args[1]));
    if (args[0].equals("index")) serve.index(Path.of(args[2]), Path.of(args[3]));
    else serve.answer(Path.of(args[2]));
  }

  @SuppressWarnings("deprecation") // Elasticsearch's scores are those of the similarity that Lucene now calls legacy.
  private static Similarity similarity() {
    return new LegacyBM25Similarity(1.2f, 0.75f);
  }

  private void index(Path lines, Path folder) throws IOException {
    Documents documents = new Documents(fields, Map.of());
    // Merges of neighbours keep the documents in their order, which decides between equal scores.
    IndexWriterConfig config = new IndexWriterConfig(Analysis.STANDARD)
        .setSimilarity(similarity())
        .setRAMBufferSizeMB(256)
        .setMergePolicy(new LogDocMergePolicy());
    try (IndexWriter writer = new IndexWriter(FSDirectory.open(folder), config); Stream<String> all = Files.lines(lines)) {
      for (String line : (Iterable<String>) all::iterator) {
        Map<String, Object> source = Params.object("document", Json.parse(line));
        writer.addDocuments(documents.block(source.get("id").toString(), source));
      }
      writer.forceMerge(1);
    }
  }

  private void answer(Path folder) throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(new MMapDirectory(folder))) {
      LeafReader leaf = reader.leaves().get(0).reader();
      IndexSearcher searcher = new IndexSearcher(reader);
      searcher.setSimilarity(similarity());
      Clauses clauses = new Clauses(fields, new FieldQueries(fields, (Long) request.get("now")), leaf);
      Sorting sorting = new Sorting(fields, leaf);
      List<Query> queries = new ArrayList<>();
      for (Object query : (List<?>) request.get("queries")) queries.add(clauses.top(query));
      BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String line = questions.readLine(); line != null; line = questions.readLine()) {
        String[] asked = line.split(" ");
        answer(searcher, sorting, queries.get(Integer.parseInt(asked[0])), Integer.parseInt(asked[1]), Integer.parseInt(asked[2]));
      }
    }
  }

  private static void answer(IndexSearcher searcher, Sorting sorting, Query query, int repeat, int size) throws IOException {
    long total = 0;
    List<String> hits = List.of();
    long start = System.nanoTime();
    for (int left = repeat; left > 0; left--) {
      TopScoreDocCollector collector = TopScoreDocCollector.create(size, Integer.MAX_VALUE);
      searcher.search(query, collector);
      TopDocs found = collector.topDocs();
      total = found.totalHits.value;
      hits = new ArrayList<>();
      for (ScoreDoc hit : found.scoreDocs) hits.add(sorting.id(hit.doc) + ":" + hit.score);
    }
    long nanoseconds = System.nanoTime() - start;
    System.out.println(nanoseconds + " " + total + " " + String.join(" ", hits));
    System.out.flush();
  }
}
