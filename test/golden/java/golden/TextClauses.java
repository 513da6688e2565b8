// Clauses with analysed text: the match family and both query string languages.
package golden;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.queryparser.classic.ParseException;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.queryparser.classic.TokenMgrError;
import org.apache.lucene.queryparser.simple.SimpleQueryParser;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.Query;

final class TextClauses {
  private static final Set<String> BY_FIELD = Set.of("match", "match_phrase", "match_phrase_prefix", "match_bool_prefix");
  private static final Map<String, Integer> FLAGS = Map.ofEntries(
      Map.entry("ALL", -1), Map.entry("NONE", 0), Map.entry("AND", SimpleQueryParser.AND_OPERATOR),
      Map.entry("NOT", SimpleQueryParser.NOT_OPERATOR), Map.entry("OR", SimpleQueryParser.OR_OPERATOR),
      Map.entry("PREFIX", SimpleQueryParser.PREFIX_OPERATOR), Map.entry("PHRASE", SimpleQueryParser.PHRASE_OPERATOR),
      Map.entry("PRECEDENCE", SimpleQueryParser.PRECEDENCE_OPERATORS), Map.entry("ESCAPE", SimpleQueryParser.ESCAPE_OPERATOR),
      Map.entry("WHITESPACE", SimpleQueryParser.WHITESPACE_OPERATOR), Map.entry("FUZZY", SimpleQueryParser.FUZZY_OPERATOR),
      Map.entry("NEAR", SimpleQueryParser.NEAR_OPERATOR), Map.entry("SLOP", SimpleQueryParser.NEAR_OPERATOR));

  private final Fields fields;
  private final FieldQueries fieldQueries;
  private final IndexReader reader;

  TextClauses(Fields fields, FieldQueries fieldQueries, IndexReader reader) {
    this.fields = fields;
    this.fieldQueries = fieldQueries;
    this.reader = reader;
  }

  boolean isByField(String name) {
    return BY_FIELD.contains(name);
  }

  /** Builds the query of a clause and takes its parameters. */
  Query clause(String name, Params params) {
    TextQueries texts = new TextQueries(fields, fieldQueries, reader);
    return switch (name) {
      case "multi_match" -> multiMatch(params, texts);
      case "query_string" -> queryString(params, texts);
      case "simple_query_string" -> simpleQueryString(params, texts);
      default -> match(name, params, texts);
    };
  }

  private Query match(String name, Params outer, TextQueries texts) {
    String path = outer.field().getKey();
    if (outer.field().getValue() instanceof List) throw new Refused("[" + name + "] unknown token [START_ARRAY] after [" + path + "]");
    Params params = outer.ofField("query");
    outer.take(path);
    float boost = params.boost();
    Object text = params.take("query");
    if (text == null) throw new Refused("No text specified for text query");
    empty(params, texts);
    TextQueries.Kind kind = switch (name) {
      case "match_phrase" -> TextQueries.Kind.PHRASE;
      case "match_phrase_prefix" -> TextQueries.Kind.PHRASE_PREFIX;
      case "match_bool_prefix" -> TextQueries.Kind.BOOL_PREFIX;
      default -> TextQueries.Kind.WORDS;
    };
    Object minimum = null;
    if (kind == TextQueries.Kind.PHRASE || kind == TextQueries.Kind.PHRASE_PREFIX) texts.slop = params.whole("slop", 0);
    if (kind == TextQueries.Kind.PHRASE_PREFIX) texts.expansions = params.whole("max_expansions", 50);
    if (kind == TextQueries.Kind.WORDS || kind == TextQueries.Kind.BOOL_PREFIX) {
      texts.occur = operator(params.text("operator", "or"));
      minimum = params.take("minimum_should_match");
      texts.fuzzy = fuzzy(params);
    }
    if (kind == TextQueries.Kind.WORDS) texts.lenient = params.flag("lenient", false);
    params.done();
    return TextQueries.boosted(MinimumShouldMatch.apply(texts.one(kind, path, text.toString()), minimum), boost);
  }

  private Query multiMatch(Params params, TextQueries texts) {
    Object text = params.take("query");
    if (text == null) throw new Refused("No text specified for multi_match query");
    String type = params.text("type", "best_fields");
    TextQueries.Kind kind = kind(type);
    texts.fuzzy = fuzzy(params);
    if (texts.fuzzy != null && type.startsWith("phrase")) throw new Refused("Fuzziness not allowed for type [" + type + "]");
    texts.occur = operator(params.text("operator", "or"));
    texts.slop = params.whole("slop", 0);
    empty(params, texts);
    List<?> names = params.has("fields") ? params.list("fields") : List.of(FieldNames.ALL);
    texts.lenient = params.flag("lenient", names.contains(FieldNames.ALL));
    float tie = params.number("tie_breaker", tie(type));
    Object minimum = params.take("minimum_should_match");
    return texts.several(kind, FieldNames.resolve(fields, FieldNames.read(names)), text.toString(), minimum, tie);
  }

  private static TextQueries.Kind kind(String type) {
    return switch (type) {
      case "best_fields", "most_fields" -> TextQueries.Kind.WORDS;
      case "phrase" -> TextQueries.Kind.PHRASE;
      case "phrase_prefix" -> TextQueries.Kind.PHRASE_PREFIX;
      case "bool_prefix" -> TextQueries.Kind.BOOL_PREFIX;
      default -> throw new Refused("failed to parse [multi_match] query type [" + type + "]. unknown type.");
    };
  }

  private static float tie(String type) {
    return type.equals("most_fields") || type.equals("bool_prefix") ? 1f : 0f;
  }

  private static Occur operator(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "or" -> Occur.SHOULD;
      case "and" -> Occur.MUST;
      default -> throw new Refused("No enum constant org.elasticsearch.index.query.Operator." + name.toUpperCase(Locale.ROOT));
    };
  }

  private static void empty(Params params, TextQueries texts) {
    String rule = params.text("zero_terms_query", "none");
    texts.empty = switch (rule.toLowerCase(Locale.ROOT)) {
      case "none" -> TextQueries.Empty.NONE;
      case "all" -> TextQueries.Empty.ALL;
      default -> throw new Refused("Unsupported zero_terms_query value [" + rule + "]");
    };
  }

  private static FieldQueries.Fuzzy fuzzy(Params params) {
    Object given = params.take("fuzziness");
    int prefix = params.whole("prefix_length", 0);
    int expansions = params.whole("max_expansions", 50);
    boolean transpositions = params.flag("fuzzy_transpositions", true);
    if (given == null) return null;
    Fuzziness fuzziness = Fuzziness.read(given);
    return new FieldQueries.Fuzzy((field, word) -> fuzziness.of(word), prefix, expansions, transpositions);
  }

  private Query queryString(Params params, TextQueries texts) {
    String text = params.text("query", null);
    if (text == null) throw new Refused("[query_string] must be provided with a [query]");
    String field = params.text("default_field", null);
    List<?> names = params.list("fields");
    if (field != null && !names.isEmpty()) throw new Refused("cannot use [fields] parameter in conjunction with [default_field]");
    if (field == null && names.isEmpty()) field = FieldNames.ALL;
    texts.lenient = params.flag("lenient", FieldNames.ALL.equals(field) || names.contains(FieldNames.ALL));
    Map<String, Float> defaults = field == null ? FieldNames.resolve(fields, FieldNames.read(names)) : Map.of();
    QueryStrings parser = new QueryStrings(fields, fieldQueries, texts, field, defaults);
    texts.occur = operator(params.text("default_operator", "or"));
    parser.setDefaultOperator(texts.occur == Occur.MUST ? QueryParser.Operator.AND : QueryParser.Operator.OR);
    String type = params.text("type", "best_fields");
    parser.kind = kind(type);
    parser.tie = params.number("tie_breaker", tie(type));
    parser.fuzziness = Fuzziness.read(params.take("fuzziness", "AUTO"));
    parser.setFuzzyPrefixLength(params.whole("fuzzy_prefix_length", 0));
    parser.fuzzyExpansions = params.whole("fuzzy_max_expansions", 50);
    parser.transpositions = params.flag("fuzzy_transpositions", true);
    parser.setPhraseSlop(params.whole("phrase_slop", 0));
    parser.quoteSuffix = params.text("quote_field_suffix", null);
    parser.setAllowLeadingWildcard(params.flag("allow_leading_wildcard", true));
    String parsed = params.flag("escape", false) ? QueryParser.escape(text) : text;
    Object minimum = params.take("minimum_should_match");
    try {
      return MinimumShouldMatch.apply(MinimumShouldMatch.fixNegative(parser.parse(parsed)), minimum);
    } catch (ParseException | TokenMgrError error) {
      throw new Refused("Failed to parse query [" + text + "]");
    }
  }

  private Query simpleQueryString(Params params, TextQueries texts) {
    String text = params.text("query", null);
    if (text == null) throw new Refused("[simple_query_string] query text missing");
    List<?> names = params.has("fields") ? params.list("fields") : List.of(FieldNames.ALL);
    texts.lenient = params.flag("lenient", names.contains(FieldNames.ALL));
    int flags = 0;
    for (String flag : params.text("flags", "ALL").split("\\|")) {
      if (!FLAGS.containsKey(flag.toUpperCase(Locale.ROOT))) throw new Refused("Unknown simple_query_string flag [" + flag + "]");
      flags |= FLAGS.get(flag.toUpperCase(Locale.ROOT));
    }
    SimpleStrings parser = new SimpleStrings(fields, fieldQueries, texts, FieldNames.resolve(fields, FieldNames.read(names)), flags);
    parser.setDefaultOperator(operator(params.text("default_operator", "or")));
    parser.fuzzyPrefix = params.whole("fuzzy_prefix_length", 0);
    parser.fuzzyExpansions = params.whole("fuzzy_max_expansions", 50);
    parser.transpositions = params.flag("fuzzy_transpositions", true);
    return MinimumShouldMatch.apply(parser.parse(text), params.take("minimum_should_match"));
  }
}
