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
  type SearchDraft,
  setConditions,
} from './draft.ts';
import { parseQuery } from './parse-query.ts';

/** What is stored of a search, with the conditions as entered if they are known. */
export type StoredSearch = Pick<SavedSearch, 'family' | 'query' | 'columns' | 'name'> & {
  conditions?: readonly FormCondition[] | undefined;
};

/** Converts the form's query to DSL text; returns the example if the DSL can't express it. */
function formToDsl(draft: SearchDraft): string {
  const { query } = parseDraft({ ...draft, input: 'form', unchangedQuery: undefined }, true);
  return query !== undefined && 'es_dsl' in query ? JSON.stringify(query.es_dsl, null, 2) : DSL_EXAMPLE;
}

/** Key for comparing the forms of drafts. */
const getFormKey = ({ family, conditions, sort }: SearchDraft): string =>
  JSON.stringify([family, conditions, sort]);

/** Shows the form's query as text. Keeps earlier text while the form is unchanged. */
function showAsDsl(draft: SearchDraft): SearchDraft {
  const dslForm = getFormKey(draft);
  const dsl = dslForm === draft.dslFormKey ? draft.dsl : formToDsl(draft);
  return { ...draft, input: 'dsl', unchangedQuery: undefined, dsl, dslFormKey: dslForm };
}

/** Shows the text's query as a form. Keeps queries that are too complex for the form, and invalid text. */
function showAsForm(draft: SearchDraft): SearchDraft {
  const unchangedForm: SearchDraft = {
    ...draft,
    input: 'form',
    unchangedQuery: undefined,
    dslFormKey: getFormKey(draft),
  };
  const parsed = parseQuery(draft.dsl);
  if (draft.dsl === formToDsl(draft) || !parsed.ok) return unchangedForm;
  const form = dslToForm(draft, parsed.query, true);
  if (form === undefined) return { ...unchangedForm, unchangedQuery: parsed.query };
  return { ...form, input: 'form', unchangedQuery: undefined, dslFormKey: getFormKey(form) };
}

/** Switches between form and text without losing input. */
export function switchInput(draft: SearchDraft, input: SearchDraft['input']): SearchDraft {
  if (input === draft.input) return draft;
  return input === 'dsl' ? showAsDsl(draft) : showAsForm(draft);
}

/** Creates the draft of a saved search: a form if it can express the query, else DSL. Keeps the destination. */
export function fromSavedSearch(saved: StoredSearch, current: SearchDraft): SearchDraft {
  const { family, query, conditions: entered, columns, name } = saved;
  const empty = createDraft(family);
  const draft = {
    ...empty,
    where: current.where,
    mode: current.mode,
    pages: current.pages,
    provenance: current.provenance,
    title: name,
    columns: columns === undefined || columns.length === 0 ? empty.columns : columns,
  };
  const asEntered = entered && showConditions(draft, entered, query);
  if (asEntered !== undefined) return asEntered;
  if ('filters' in query) {
    const conditions = filtersToConditions(family, query.filters);
    return conditions === undefined
      ? { ...draft, unchangedQuery: query }
      : setConditions(draft, conditions, '');
  }
  const body = 'text' in query ? { query: { query_string: { query: query.text } } } : query.es_dsl;
  const options = query.any_fields === true ? { any_fields: true } : {};
  return (
    dslToForm(draft, { es_dsl: body, ...options }) ?? {
      ...draft,
      input: 'dsl',
      dsl: JSON.stringify({ ...body, ...options }, null, 2),
      dslFormKey: getFormKey(draft),
    }
  );
}

/** A name that comes from the conditions changes with them. */
export const followConditions = (draft: SearchDraft): SearchDraft =>
  [getDerivedName(draft), getTitle({ ...draft, title: '' })].includes(draft.title)
    ? { ...draft, title: '' }
    : draft;

/** Opens a saved search. */
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
  draft: SearchDraft,
  conditions: readonly FormCondition[],
  query: Query,
  asDsl?: boolean,
): SearchDraft | undefined {
  const empty: SearchDraft = {
    ...draft,
    input: 'form',
    unchangedQuery: undefined,
    conditions: createDraft(draft.family).conditions,
  };
  const form = setConditions(empty, conditions, getSort(query));
  return JSON.stringify(parseDraft(form, asDsl).query) === JSON.stringify(query) ? form : undefined;
}

/** Converts a query to a form; undefined if the form cannot express it. */
function dslToForm(
  draft: SearchDraft,
  query: Extract<Query, { es_dsl: unknown }>,
  asDsl?: boolean,
): SearchDraft | undefined {
  return showConditions(draft, dslToConditions(draft.family, query.es_dsl.query), query, asDsl);
}

/** Returns the conditions of a query without its sort order; undefined if the form can’t express it. */
export function toConditions(
  family: Family,
  query: Exclude<Query, { text: string }>,
): FormCondition[] | undefined {
  return 'filters' in query
    ? filtersToConditions(family, query.filters)
    : dslToForm(createDraft(family), query)?.conditions;
}

/** Replaces the conditions of the form. Keeps columns and destination, unless the family changes. */
export function fillForm(
  draft: SearchDraft,
  family: Family,
  conditions: readonly FormCondition[],
): SearchDraft {
  const base = family === draft.family ? draft : changeFamily(draft, family);
  const empty = { ...base, input: 'form' as const, carried: [], unchangedQuery: undefined };
  return setConditions({ ...empty, conditions: createDraft(family).conditions }, conditions, base.sort);
}
