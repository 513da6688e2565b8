// Shows queries as a form: saved ones, typed ones and those of a sentence.
import type { Query } from '../../../shared/api/query.ts';
import type { SavedSearch } from '../../../shared/api/saved-searches.ts';
import type { Family } from '../../../shared/families/index.ts';
import { dslToConditions, filtersToConditions } from '../../../shared/query/form-conditions.ts';
import type { FormCondition } from '../../../shared/query/form-query.ts';
import {
  changeFamily,
  createDraft,
  DSL_EXAMPLE,
  getDerivedName,
  getTitle,
  parseDraft,
  preferOpenJobs,
  type QueryInput,
  type SearchDraft,
  type SearchForm,
  setForm,
  toForm,
} from './draft.ts';
import { parseQuery } from './parse-query.ts';

/** What is stored of a search, with the conditions as entered if they are known. */
export type StoredSearch = Pick<SavedSearch, 'family' | 'query' | 'columns' | 'name'> & {
  conditions?: readonly FormCondition[] | undefined;
};

/** Converts the form's query to DSL text; returns the example if the DSL can't express it. */
function formToDsl({ family, input: { form } }: SearchDraft): string {
  const { query } = parseDraft({ family, input: { kind: 'form', form } }, true);
  return query !== undefined && 'es_dsl' in query ? JSON.stringify(query.es_dsl, null, 2) : DSL_EXAMPLE;
}

/** Shows the text's query as a form. Keeps queries that are too complex for the form, and invalid text. */
function showAsForm(draft: SearchDraft, text: string): QueryInput {
  const { family, input } = draft;
  const parsed = parseQuery(text);
  if (text === formToDsl(draft) || !parsed.ok) return { kind: 'form', form: input.form, text };
  const form = dslToForm(family, parsed.query, true);
  if (form === undefined) return { kind: 'unchanged', form: input.form, query: parsed.query, text };
  return { kind: 'form', form: { ...form, carried: input.form.carried }, text };
}

/** Switches between form and text without losing input. */
export function switchInput(draft: SearchDraft, mode: 'form' | 'dsl'): SearchDraft {
  const { input } = draft;
  if (input.kind === 'dsl')
    return mode === 'dsl' ? draft : { ...draft, input: showAsForm(draft, input.text) };
  if (mode === 'form') return draft;
  return { ...draft, input: { kind: 'dsl', form: input.form, text: input.text ?? formToDsl(draft) } };
}

/** Creates the draft of a saved search: a form if it can express the query, else DSL. Keeps the destination. */
export function fromSavedSearch(saved: StoredSearch, current: SearchDraft): SearchDraft {
  const { family, query, conditions: entered, columns, name } = saved;
  const empty = createDraft(family);
  const { form: emptyForm } = empty.input;
  const { destination, pages, provenance } = current;
  const draft: SearchDraft = {
    ...empty,
    destination: 'tableId' in destination ? { ...destination, tableId: '' } : destination,
    pages,
    provenance,
    title: name,
    columns: columns === undefined || columns.length === 0 ? empty.columns : columns,
  };
  const asEntered = entered && showConditions(family, entered, query);
  if (asEntered !== undefined) return setForm(draft, asEntered);
  if ('filters' in query) {
    const conditions = filtersToConditions(family, query.filters);
    return conditions === undefined
      ? { ...draft, input: { kind: 'unchanged', form: emptyForm, query } }
      : setForm(draft, toForm(family, conditions, ''));
  }
  const body = 'text' in query ? { query: { query_string: { query: query.text } } } : query.es_dsl;
  const options = query.any_fields === true ? { any_fields: true } : {};
  const form = dslToForm(family, { es_dsl: body, ...options });
  if (form !== undefined) return setForm(draft, form);
  const text = JSON.stringify({ ...body, ...options }, null, 2);
  return { ...draft, input: { kind: 'dsl', form: emptyForm, text } };
}

/** A name that comes from the conditions changes with them. */
export const followConditions = (draft: SearchDraft): SearchDraft =>
  [getDerivedName(draft), getTitle({ ...draft, title: '' })].includes(draft.title)
    ? { ...draft, title: '' }
    : draft;

export const openSavedSearch = (saved: SavedSearch, current: SearchDraft): SearchDraft =>
  followConditions({ ...fromSavedSearch(saved, current), savedId: saved.id });

/** Returns the sort order of a query; '' for the default one. */
function getSort(query: Query): string {
  const [sort] = 'es_dsl' in query && Array.isArray(query.es_dsl.sort) ? query.es_dsl.sort : [];
  return typeof sort === 'string' ? sort : '';
}

/**
 * Shows conditions in the form; undefined if they do not make the query.
 * @param asDsl - also if they make it of named filters: the form runs those
 */
function showConditions(
  family: Family,
  conditions: readonly FormCondition[],
  query: Query,
  asDsl?: boolean,
): SearchForm | undefined {
  const form = toForm(family, conditions, getSort(query));
  const parsed = parseDraft({ family, input: { kind: 'form', form } }, asDsl);
  return JSON.stringify(parsed.query) === JSON.stringify(query) ? form : undefined;
}

/** Converts a query to a form; undefined if the form cannot express it. */
const dslToForm = (
  family: Family,
  query: Extract<Query, { es_dsl: unknown }>,
  asDsl?: boolean,
): SearchForm | undefined =>
  showConditions(family, dslToConditions(family, query.es_dsl.query), query, asDsl);

/** Returns the conditions of a query without its sort order; undefined if the form can’t express it. */
export const toConditions = (
  family: Family,
  query: Exclude<Query, { text: string }>,
): FormCondition[] | undefined =>
  'filters' in query ? filtersToConditions(family, query.filters) : dslToForm(family, query)?.conditions;

/** Replaces the conditions of the form. Keeps columns and destination, unless the family changes. */
export function fillForm(
  draft: SearchDraft,
  family: Family,
  conditions: readonly FormCondition[],
): SearchDraft {
  const base = family === draft.family ? draft : changeFamily(draft, family);
  const form = toForm(family, conditions, base.input.form.sort);
  return setForm(base, { ...form, conditions: preferOpenJobs(form.conditions) });
}
