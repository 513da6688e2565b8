// The golden set as typed data, without a file system: usable inside workerd and in Node.

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
import { type Json, list, number, object, text } from './read.ts';
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

/** Where the documents of an index come from; documents.ts reads them. */
export interface DocumentSource {
  /** `records`: frozen records of the service · `file`: documents as they are · `csv`: a table that may be absent */
  kind: 'records' | 'file' | 'csv';
  /** From this folder, of a table from the project's. */
  path: string;
}

/** One query with what it is there for. */
export interface GoldenQuery {
  /** Unique in its index. */
  name: string;
  /** The clause that it counts for, or `refused` where the engine is to refuse it. */
  clause: string;
  /** Rows of rules/rows.json that it shows. */
  rules: readonly string[];
  /** A search body: `query`, and perhaps `sort`, `from`, `size`, `search_after`. */
  body: Json;
}

/** A hit: the document's id and its score, null where another order was asked without the score. */
export type GoldenHit = readonly [id: string, score: number | null];

/** The first 50 hits, equal ones by ascending id, and how many there are; or why the engine refuses. */
export type GoldenAnswer = { total: number; hits: readonly GoldenHit[] } | { error: string };

/** Everything about one index but its documents. */
export interface GoldenSet {
  index: GoldenIndex;
  mapping: Mapping;
  documents: DocumentSource;
  /** Of the documents that the answers were made of; undefined where there were none yet. */
  digest: { count: number; sha256: string } | undefined;
  queries: readonly GoldenQuery[];
  /** By the query's name. */
  answers: ReadonlyMap<string, GoldenAnswer>;
}

const settings = object(familiesJson);

/** The moment that `now` stands for in all queries, in milliseconds since 1970. */
export const goldenNow = Date.parse(text(settings.now));

function readSource(value: unknown): DocumentSource {
  const source = object(value);
  for (const kind of ['csv', 'file'] as const) {
    if (source[kind] !== undefined) return { kind, path: text(source[kind]) };
  }
  return { kind: 'records', path: text(source.records) };
}

function readQuery([name, value]: [string, unknown]): GoldenQuery {
  const query = object(value);
  const rules =
    query.rule === undefined ? [] : typeof query.rule === 'string' ? [query.rule] : list(query.rule);
  return { name, clause: text(query.clause), rules: rules.map(text), body: object(query.body) };
}

function readHit(value: unknown): GoldenHit {
  const [id, score] = list(value);
  return [text(id), score === null ? null : number(score)];
}

function readAnswer(value: unknown): GoldenAnswer {
  const answer = object(value);
  if (answer.error !== undefined) return { error: text(answer.error) };
  return { total: number(answer.total), hits: list(answer.hits).map(readHit) };
}

/** The mapping of the hand-written index is data of the test; its shape is what the rules need and no more. */
function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && 'properties' in value;
}

function readMapping(name: unknown): Mapping {
  if (name === undefined && isMapping(rulesMapping)) return rulesMapping;
  const family = text(name);
  if (!isFamily(family)) throw new TypeError(`there is no index mapping ${family}`);
  return indexFields[family];
}

/**
 * Everything about one index of the golden set but its documents.
 * @throws TypeError where the data is not of the form that it should have
 */
export function goldenSet(index: GoldenIndex): GoldenSet {
  const entry = object(object(settings.indexes)[index]);
  const digest = object(digestsJson)[index];
  const made = digest === undefined ? undefined : object(digest);
  return {
    index,
    mapping: readMapping(entry.mapping),
    documents: readSource(entry.documents),
    digest: made && { count: number(made.count), sha256: text(made.sha256) },
    queries: Object.entries(object(files[index].queries)).map(readQuery),
    answers: new Map(
      Object.entries(object(files[index].answers)).map(([name, value]) => [name, readAnswer(value)]),
    ),
  };
}
