// Clauses on values of one field: term, terms, range, prefix, wildcard, regexp, fuzzy.
package golden;

import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.automaton.Operations;
import org.apache.lucene.util.automaton.RegExp;

final class LeafClauses {
  /** Clauses with the boost inside their field. */
  static final Set<String> BY_FIELD = Set.of("term", "range", "prefix", "wildcard", "regexp", "fuzzy");
  private static final Map<String, Integer> REGEXP_FLAGS = Map.of("INTERSECTION", RegExp.INTERSECTION, "COMPLEMENT",
      RegExp.COMPLEMENT, "EMPTY", RegExp.EMPTY, "ANYSTRING", RegExp.ANYSTRING, "INTERVAL", RegExp.INTERVAL, "NONE",
      RegExp.NONE, "ALL", RegExp.ALL);

  private final Fields fields;
  private final FieldQueries queries;

  LeafClauses(Fields fields, FieldQueries queries) {
    this.fields = fields;
    this.queries = queries;
  }

  /** Builds the query of a clause and takes its parameters. */
  Query clause(String name, Params params) {
    if (name.equals("terms")) return terms(params);
    if (!BY_FIELD.contains(name)) throw new Refused("unknown query [" + name + "]");
    Map.Entry<String, Object> entry = params.field();
    Field field = fields.get(entry.getKey());
    Params inner = name.equals("range") ? range(entry.getValue()) : params.ofField("value");
    params.take(entry.getKey());
    float boost = inner.boost();
    Query query = name.equals("range") ? range(entry.getKey(), field, inner) : one(name, field, inner);
    inner.done();
    return TextQueries.boosted(query, boost);
  }

  private Query one(String name, Field field, Params params) {
    Object value = name.equals("wildcard") && params.has("wildcard") ? params.take("wildcard") : params.take("value");
    if (value == null) throw new Refused(name.equals("term") ? "value cannot be null" : "No text specified for [" + name + "] query");
    if (value instanceof List || value instanceof Map) throw new Refused("[" + name + "] query does not support " + (value instanceof List ? "arrays" : "objects") + " as value");
    params.take("rewrite");
    boolean anyCase = !name.equals("term") && params.flag("case_insensitive", false);
    return switch (name) {
      case "term" -> field == null ? none() : queries.term(field, value);
      case "prefix" -> field == null ? none() : queries.prefix(field, value.toString(), anyCase);
      case "wildcard" -> field == null ? none() : queries.wildcard(field, value.toString(), anyCase);
      case "fuzzy" -> fuzzy(field, value.toString(), params);
      default -> regexp(field, value.toString(), params, anyCase);
    };
  }

  private static Query none() {
    return new MatchNoDocsQuery("unmapped field");
  }

  private Query fuzzy(Field field, String value, Params params) {
    Fuzziness fuzziness = Fuzziness.read(params.take("fuzziness", "AUTO"));
    FieldQueries.Fuzzy how = new FieldQueries.Fuzzy((one, word) -> fuzziness.of(word), params.whole("prefix_length", 0),
        params.whole("max_expansions", 50), params.flag("transpositions", true));
    return field == null ? none() : queries.fuzzy(field, value, how);
  }

  private Query regexp(Field field, String value, Params params, boolean anyCase) {
    int flags = 0;
    for (String flag : params.text("flags", "ALL").split("\\|")) flags |= REGEXP_FLAGS.getOrDefault(flag, 0);
    int states = params.whole("max_determinized_states", Operations.DEFAULT_MAX_DETERMINIZED_STATES);
    if (field == null) return none();
    try {
      return queries.regexp(field, value, flags, anyCase, states);
    } catch (IllegalArgumentException error) {
      throw new Refused(error.getMessage());
    }
  }

  private Query terms(Params params) {
    float boost = params.boost();
    Map.Entry<String, Object> entry = params.field();
    params.take(entry.getKey());
    if (!(entry.getValue() instanceof List<?> values)) throw new Refused("[terms] query does not support [" + entry.getKey() + "]");
    Field field = fields.get(entry.getKey());
    return field == null || values.isEmpty() ? none() : TextQueries.boosted(queries.terms(field, values), boost);
  }

  private static Params range(Object value) {
    if (!(value instanceof Map)) throw new Refused("[range] query does not support [" + value + "]");
    return new Params("range", value);
  }

  private Query range(String path, Field field, Params params) {
    boolean withLower = params.flag("include_lower", true);
    boolean withUpper = params.flag("include_upper", true);
    Object lower = params.take("from");
    Object upper = params.take("to");
    if (params.has("gt")) withLower = false;
    if (params.has("lt")) withUpper = false;
    lower = params.take("gte", params.take("gt", lower));
    upper = params.take("lte", params.take("lt", upper));
    String format = params.text("format", null);
    ZoneId zone = zone(params.text("time_zone", null));
    if (field == null) return none();
    if (lower == null && upper == null) return queries.exists(path);
    Dates dates = format == null ? null : new Dates(format);
    return queries.range(field, new FieldQueries.Range(lower, upper, withLower, withUpper, dates, zone));
  }

  private static ZoneId zone(String name) {
    try {
      return name == null ? null : ZoneId.of(name);
    } catch (DateTimeException error) {
      throw new Refused(error.getMessage());
    }
  }
}
