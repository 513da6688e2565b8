// Runs a search body: query, sort order and page. Returns the exact total and the hits.
package golden;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopScoreDocCollector;

final class Search {
  /** Maximum number of hits in an answer. */
  static final int KEPT = 50;
  private static final int WINDOW = 10_000;

  private final IndexSearcher searcher;
  private final Clauses clauses;
  private final Sorting sorting;

  Search(IndexSearcher searcher, Clauses clauses, Sorting sorting) {
    this.searcher = searcher;
    this.clauses = clauses;
    this.sorting = sorting;
  }

  /** A hit with its sort values; null for missing ones. */
  record Hit(String id, float score, List<Object> values) {}

  /** Returns `{"total", "hits": [[id, score], …]}`; the score is null if it is not part of the sort order. */
  Map<String, Object> run(Map<String, Object> body) throws IOException {
    Params params = new Params("search", body);
    Object asked = params.take("query");
    List<Sorting.Key> keys = sorting.keys(params.list("sort"));
    int from = params.whole("from", 0);
    int size = params.whole("size", KEPT);
    List<?> after = params.list("search_after");
    params.take("track_total_hits");
    params.done();
    if (from + size > WINDOW) {
      throw new Refused("Result window is too large, from + size must be less than or equal to: [" + WINDOW + "] but was [" + (from + size) + "]");
    }
    Query query = clauses.top(asked == null ? Map.of("match_all", Map.of()) : asked);
    List<Hit> hits = all(query, keys);
    int total = hits.size();
    hits.sort(order(keys));
    if (!after.isEmpty()) {
      List<Object> cursor = sorting.cursor(keys, after);
      hits.removeIf((hit) -> sorting.compare(keys, hit.values(), cursor) <= 0);
    }
    boolean scored = keys.stream().anyMatch(Sorting.Key::isScore);
    List<Object> page = new ArrayList<>();
    for (Hit hit : hits.subList(Math.min(from, hits.size()), Math.min(from + Math.min(size, KEPT), hits.size()))) {
      List<Object> pair = new ArrayList<>(List.of(hit.id()));
      pair.add(scored ? hit.score() : null);
      page.add(pair);
    }
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("total", total);
    answer.put("hits", page);
    return answer;
  }

  private Comparator<Hit> order(List<Sorting.Key> keys) {
    Comparator<Hit> byKeys = (one, other) -> sorting.compare(keys, one.values(), other.values());
    return byKeys.thenComparing(Hit::id, Sorting::compareIds);
  }

  private List<Hit> all(Query query, List<Sorting.Key> keys) throws IOException {
    int most = Math.max(1, searcher.getIndexReader().maxDoc());
    TopScoreDocCollector collector = TopScoreDocCollector.create(most, null, Integer.MAX_VALUE);
    searcher.search(query, collector);
    List<Hit> hits = new ArrayList<>();
    for (ScoreDoc found : collector.topDocs().scoreDocs) {
      hits.add(new Hit(sorting.id(found.doc), found.score, sorting.values(keys, found.doc, found.score)));
    }
    return hits;
  }
}
