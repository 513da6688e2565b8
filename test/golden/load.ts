// The golden set as typed data, without a file system, for workerd and Node.

import { isFamily } from '../../shared/families/index.ts';
import { indexFields } from '../../shared/families/registry.ts';
import type { Mapping } from '../../shared/index-fields/mapping.ts';
import csvAnswers from './answers/companies-csv.json' with { type: 'json' };
import baseAnswers from './answers/company_base.json' with { type: 'json' };
import cleanAnswers from './answers/company_clean.json' with { type: 'json' };
import digestsJson from './answers/documents.json' with { type: 'json' };
import employeeBaseAnswers from './answers/employee_base.json' with { type: 'json' };
import employeeCleanAnswers from './answers/employee_clean.json' with { type: 'json' };
import postAnswers from './answers/employee_post.json' with { type: 'json' };
import jobAnswers from './answers/job_base.json' with { type: 'json' };
import rulesAnswers from './answers/rules.json' with { type: 'json' };
import familiesJson from './families.json' with { type: 'json' };
import csvQueries from './queries/companies-csv.json' with { type: 'json' };
import baseQueries from './queries/company_base.json' with { type: 'json' };
import cleanQueries from './queries/company_clean.json' with { type: 'json' };
import employeeBaseQueries from './queries/employee_base.json' with { type: 'json' };
import employeeCleanQueries from './queries/employee_clean.json' with { type: 'json' };
import postQueries from './queries/employee_post.json' with { type: 'json' };
import jobQueries from './queries/job_base.json' with { type: 'json' };
import rulesQueries from './queries/rules.json' with { type: 'json' };
import { type Json, toList, toNumber, toObject, toText } from './read.ts';
import rulesMapping from './rules/mapping.json' with { type: 'json' };

/** Queries and answers of each index. Add a family here and in families.json. */
const files = {
  company_clean: { queries: cleanQueries, answers: cleanAnswers },
  company_base: { queries: baseQueries, answers: baseAnswers },
  employee_clean: { queries: employeeCleanQueries, answers: employeeCleanAnswers },
  employee_base: { queries: employeeBaseQueries, answers: employeeBaseAnswers },
  job_base: { queries: jobQueries, answers: jobAnswers },
  employee_post: { queries: postQueries, answers: postAnswers },
  rules: { queries: rulesQueries, answers: rulesAnswers },
  'companies-csv': { queries: csvQueries, answers: csvAnswers },
} as const;

export type GoldenIndex = keyof typeof files;

/** The indexes of the golden set. */
export const goldenIndexes: readonly GoldenIndex[] = [
  'company_clean',
  'company_base',
  'employee_clean',
  'employee_base',
  'job_base',
  'employee_post',
  'rules',
  'companies-csv',
];

/** Source of the documents of an index; documents.ts reads them. */
export interface DocumentSource {
  /** `records`: frozen records of the service; `file`: hand-written documents; `csv`: an optional table. */
  kind: 'records' | 'file' | 'csv';
  /** Relative to this folder; for a table, to the project. */
  path: string;
}

/** A query and its clause. */
export interface GoldenQuery {
  /** Unique in its index. */
  name: string;
  /** The covered clause, or `refused` if the engine must reject it. */
  clause: string;
  /** A search body: `query`, optional `sort`, `from`, `size` and `search_after`. */
  body: Json;
}

/** A hit: the document's id and its score, null if the score is not part of the sort order. */
export type GoldenHit = readonly [id: string, score: number | null];

/** The total and the first 50 hits, ties by ascending id; or the engine's error. */
export type GoldenAnswer = { total: number; hits: readonly GoldenHit[] } | { error: string };

/** An index without its documents. */
export interface GoldenSet {
  index: GoldenIndex;
  mapping: Mapping;
  documents: DocumentSource;
  /** Digest of the documents behind the answers; undefined if there are no answers yet. */
  digest: { count: number; sha256: string } | undefined;
  queries: readonly GoldenQuery[];
  /** By the query's name. */
  answers: ReadonlyMap<string, GoldenAnswer>;
}

const settings = toObject(familiesJson);

/** The time of `now` in all queries, in milliseconds since 1970. */
export const goldenNow = Date.parse(toText(settings.now));

function readSource(value: unknown): DocumentSource {
  const source = toObject(value);
  for (const kind of ['csv', 'file'] as const) {
    if (source[kind] !== undefined) return { kind, path: toText(source[kind]) };
  }
  return { kind: 'records', path: toText(source.records) };
}

function readQuery([name, value]: [string, unknown]): GoldenQuery {
  const query = toObject(value);
  return { name, clause: toText(query.clause), body: toObject(query.body) };
}

function readHit(value: unknown): GoldenHit {
  const [id, score] = toList(value);
  return [toText(id), score === null ? null : toNumber(score)];
}

function readAnswer(value: unknown): GoldenAnswer {
  const answer = toObject(value);
  if (answer.error !== undefined) return { error: toText(answer.error) };
  return { total: toNumber(answer.total), hits: toList(answer.hits).map(readHit) };
}

/** Narrows the mapping of the hand-written index. */
function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && 'properties' in value;
}

function readMapping(name: unknown): Mapping {
  if (name === undefined && isMapping(rulesMapping)) return rulesMapping;
  const family = toText(name);
  if (!isFamily(family)) throw new TypeError(`there is no index mapping ${family}`);
  return indexFields[family];
}

/**
 * Loads an index of the golden set without its documents.
 * @throws TypeError if the data is invalid
 */
export function loadGoldenSet(index: GoldenIndex): GoldenSet {
  const entry = toObject(toObject(settings.indexes)[index]);
  const digest = toObject(digestsJson)[index];
  const made = digest === undefined ? undefined : toObject(digest);
  return {
    index,
    mapping: readMapping(entry.mapping),
    documents: readSource(entry.documents),
    digest: made && { count: toNumber(made.count), sha256: toText(made.sha256) },
    queries: Object.entries(toObject(files[index].queries)).map(readQuery),
    answers: new Map(
      Object.entries(toObject(files[index].answers)).map(([name, value]) => [name, readAnswer(value)]),
    ),
  };
}
