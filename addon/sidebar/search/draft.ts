// What a person has filled into the search tab, and the order that comes of it.

import type { Query } from '../../../shared/api/query.ts';
import type { SavedSearch } from '../../../shared/api/saved-searches.ts';
import type { Family } from '../../../shared/families/index.ts';
import { previewFields } from '../../../shared/families/registry.ts';
import { dslToConditions, filtersToConditions } from '../../../shared/query/form-conditions.ts';
import { getFormFields, getInitialFormFields } from '../../../shared/query/form-fields.ts';
import { buildFormQuery, type FormCondition } from '../../../shared/query/form-query.ts';
import type { Provenance, SearchOrder } from '../../server/api/index.ts';
import { getFamilyLabel } from '../format.ts';
import { buildTarget, type Destination, defaultDestination } from '../parts/destination.tsx';
import { parseQuery } from './parse-query.ts';

/** The tab as it is filled. */
export interface SearchDraft extends Destination {
  family: Family;
  /** Form, or DSL as text. */
  input: 'form' | 'dsl';
  conditions: FormCondition[];
  dsl: string;
  /** The form beside which `dsl` was written: while the form says the same, the text is kept. */
  dslFormKey: string;
  /** A query that is too complex for the form: it runs unchanged. */
  unchangedQuery: Query | undefined;
  /** '' for the usual order. */
  sort: string;
  columns: string[];
  pages: number;
  provenance: Provenance;
  /** What the person calls it; '' for a name made of the conditions. */
  title: string;
}

/** What can be read out of a draft. */
export interface ParsedDraft {
  query: Query | undefined;
  problems: { name: string; message: string }[];
  /** What is wrong with the DSL's text. */
  dslProblem: string | undefined;
}

const DSL_EXAMPLE = `{
  "match": { "industry": "software" }
}`;
const MAX_TITLE_LENGTH = 60;

/** Scores and logos are seldom what someone wants in a sheet. */
const RARE_COLUMNS = new Set(['_score', 'logo']);

/** The columns that are chosen before anybody chooses. */
export function getDefaultColumns(family: Family): string[] {
  return previewFields[family].filter((name) => !RARE_COLUMNS.has(name)).slice(0, 8);
}

/** An empty draft. */
export function createDraft(family: Family): SearchDraft {
  return {
    family,
    input: 'form',
    conditions: getInitialFormFields(family).map((name) => ({ name, values: [] })),
    dsl: DSL_EXAMPLE,
    dslFormKey: '',
    unchangedQuery: undefined,
    sort: '',
    columns: getDefaultColumns(family),
    pages: 1,
    ...defaultDestination,
    provenance: 'none',
    title: '',
  };
}

/** Another family has other fields; where the rows go stays. */
export function changeFamily(draft: SearchDraft, family: Family): SearchDraft {
  const { conditions, columns, sort } = createDraft(family);
  return { ...draft, family, conditions, columns, sort, unchangedQuery: undefined, tableId: '' };
}

function addSort(query: Query, sort: string): Query {
  return 'es_dsl' in query && sort !== '' ? { es_dsl: { ...query.es_dsl, sort: [sort] } } : query;
}

/** Reads a draft's query. */
export function parseDraft({
  family,
  input,
  conditions,
  dsl,
  unchangedQuery,
  sort,
}: SearchDraft): ParsedDraft {
  if (unchangedQuery !== undefined) return { query: unchangedQuery, problems: [], dslProblem: undefined };
  if (input === 'dsl') {
    const checked = parseQuery(dsl);
    return checked.ok
      ? { query: checked.query, problems: [], dslProblem: undefined }
      : { query: undefined, problems: [], dslProblem: checked.sentence };
  }
  const made = buildFormQuery(family, conditions);
  return made.ok
    ? { query: addSort(made.query, sort), problems: [], dslProblem: undefined }
    : { query: undefined, problems: made.problems, dslProblem: undefined };
}

/** The form's query as DSL text, to go on from; the example where the form makes none. */
function formToDsl(draft: SearchDraft): string {
  const { query } = parseDraft({ ...draft, input: 'form', unchangedQuery: undefined });
  return query !== undefined && 'es_dsl' in query ? JSON.stringify(query.es_dsl, null, 2) : DSL_EXAMPLE;
}

/** Tells whether two forms say the same. */
const getFormKey = ({ family, conditions, sort }: SearchDraft): string =>
  JSON.stringify([family, conditions, sort]);

/** Shows the form's query as text; a text that was written before stays while the form says the same. */
function showAsDsl(draft: SearchDraft): SearchDraft {
  const dslForm = getFormKey(draft);
  const dsl = dslForm === draft.dslFormKey ? draft.dsl : formToDsl(draft);
  return { ...draft, input: 'dsl', unchangedQuery: undefined, dsl, dslFormKey: dslForm };
}

/** Shows the text's query as a form; one that is too complex for the form is kept, and so is a text that can't be read. */
function showAsForm(draft: SearchDraft): SearchDraft {
  const before: SearchDraft = {
    ...draft,
    input: 'form',
    unchangedQuery: undefined,
    dslFormKey: getFormKey(draft),
  };
  const checked = parseQuery(draft.dsl);
  if (draft.dsl === formToDsl(draft) || !checked.ok) return before;
  const form = dslToForm(draft, checked.query);
  if (form === undefined) return { ...before, unchangedQuery: checked.query };
  return { ...form, input: 'form', unchangedQuery: undefined, dslFormKey: getFormKey(form) };
}

/** Shows a draft as a form or as text, so that nothing is lost that a person typed. */
export function switchInput(draft: SearchDraft, way: SearchDraft['input']): SearchDraft {
  if (way === draft.input) return draft;
  return way === 'dsl' ? showAsDsl(draft) : showAsForm(draft);
}

/** A name made of what is searched. */
export function getTitle({ family, input, unchangedQuery, conditions, title }: SearchDraft): string {
  if (title.trim() !== '') return title.trim();
  const [subject = ''] = getFamilyLabel(family).split(',');
  const values =
    input === 'dsl' || unchangedQuery !== undefined
      ? []
      : conditions.flatMap(({ values }) => values.filter((value) => value.trim() !== ''));
  return (values.length === 0 ? subject : `${subject}: ${values.join(', ')}`).slice(0, MAX_TITLE_LENGTH);
}

/**
 * Makes the order.
 * @returns undefined while something is missing or wrong
 */
export function buildSearchOrder(draft: SearchDraft): SearchOrder | undefined {
  const { query } = parseDraft(draft);
  const { family, columns, pages, provenance } = draft;
  const target = buildTarget(draft);
  if (query === undefined || columns.length === 0 || target === undefined) return undefined;
  return {
    family,
    query,
    columns,
    pages,
    ...target,
    ...(provenance === 'none' ? {} : { provenance }),
    title: getTitle(draft),
  };
}

/** The draft of a saved search: as a form where the form can say it, as DSL otherwise. */
export function fromSavedSearch(saved: SavedSearch, before: SearchDraft): SearchDraft {
  const { family, query, columns, name } = saved;
  const empty = createDraft(family);
  const draft = {
    ...empty,
    where: before.where,
    mode: before.mode,
    pages: before.pages,
    provenance: before.provenance,
    title: name,
    columns: columns === undefined || columns.length === 0 ? empty.columns : columns,
  };
  if ('filters' in query) {
    const conditions = filtersToConditions(family, query.filters);
    return conditions === undefined
      ? { ...draft, unchangedQuery: query }
      : setConditions(draft, conditions, '');
  }
  const body = 'text' in query ? { query: { query_string: { query: query.text } } } : query.es_dsl;
  const takesAny = query.any_fields === true ? { any_fields: true } : {};
  return (
    dslToForm(draft, { es_dsl: body, ...takesAny }) ?? {
      ...draft,
      input: 'dsl',
      dsl: JSON.stringify({ ...body, ...takesAny }, null, 2),
      dslFormKey: getFormKey(draft),
    }
  );
}

/** The draft with a form that says what a query says; undefined where no form can. */
function dslToForm(draft: SearchDraft, query: Extract<Query, { es_dsl: unknown }>): SearchDraft | undefined {
  const body = query.es_dsl;
  const [sort] = Array.isArray(body.sort) ? body.sort : [];
  const empty: SearchDraft = {
    ...draft,
    input: 'form',
    unchangedQuery: undefined,
    conditions: createDraft(draft.family).conditions,
  };
  const conditions = dslToConditions(draft.family, body.query);
  const form = setConditions(empty, conditions, typeof sort === 'string' ? sort : '');
  const same = JSON.stringify(parseDraft(form).query) === JSON.stringify(query);
  return same ? form : undefined;
}

/** A draft whose form says these conditions, and offers the usual ones beside them. */
function setConditions(draft: SearchDraft, conditions: readonly FormCondition[], sort: string): SearchDraft {
  const open = draft.conditions.filter(({ name }) => !conditions.some((one) => one.name === name));
  return { ...draft, conditions: [...conditions, ...open], sort };
}

/** Whether the form of a family compiles to the DSL, which has an order of its own. */
export function hasDslForm(family: Family): boolean {
  return getFormFields(family).some(({ target }) => target !== undefined);
}
