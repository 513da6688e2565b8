// Clauses of Elasticsearch that the sandbox doesn't support, with the reason.

const script = 'scripts cannot run here';
const geo = 'there are no fields with places on a map';
const vector = 'there are no fields with vectors';
const join = 'there are no documents that are parents of others';
const span = 'words are related to each other by match_phrase with a slop';
const functions = 'scores are those of the text alone';
const inference = 'no model runs here';
const special = 'there are no fields of the type that it needs';

const reasons = {
  script,
  script_score: script,
  terms_set: script,
  template: script,
  function_score: functions,
  boosting: functions,
  distance_feature: functions,
  pinned: functions,
  rule: functions,
  rule_query: functions,
  geo_bounding_box: geo,
  geo_distance: geo,
  geo_grid: geo,
  geo_polygon: geo,
  geo_shape: geo,
  shape: geo,
  xy_shape: geo,
  knn: vector,
  exact_knn: vector,
  sparse_vector: vector,
  weighted_tokens: vector,
  neural: inference,
  neural_sparse: inference,
  semantic: inference,
  text_expansion: inference,
  hybrid: inference,
  has_child: join,
  has_parent: join,
  parent_id: join,
  percolate: special,
  rank_feature: special,
  more_like_this: 'documents are not compared with each other',
  combined_fields: 'fields are not scored as if they were one',
  intervals: span,
  span_containing: span,
  span_field_masking: span,
  field_masking_span: span,
  span_first: span,
  span_gap: span,
  span_multi: span,
  span_near: span,
  span_not: span,
  span_or: span,
  span_term: span,
  span_within: span,
  wrapper: 'queries are read as they stand, not from another encoding',
} as const satisfies Readonly<Record<string, string>>;

/** The unsupported clauses, with the reason for each. */
export const unsupportedClauses: ReadonlyMap<string, string> = new Map(Object.entries(reasons));
