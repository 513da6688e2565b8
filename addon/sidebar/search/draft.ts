// Input of the search tab, and the order that it makes.
import { accountFields, defaultRowsPerAccount, findAccountList } from '../../../shared/accounts.ts';
import type { Query } from '../../../shared/api/query.ts';
import type { SavedSearch } from '../../../shared/api/saved-searches.ts';
import type { Family } from '../../../shared/families/index.ts';
import { familyLabels, searchForms } from '../../../shared/families/registry.ts';
import { dslToConditions, filtersToConditions } from '../../../shared/query/form-conditions.ts';
import { getFormFields, getInitialFormFields } from '../../../shared/query/form-fields.ts';
import { buildFormQuery, type FormCondition } from '../../../shared/query/form-query.ts';
import type { CandidateColumn, Provenance, SearchOrder } from '../../server/api/index.ts';
import { buildTarget, type Destination, defaultDestination } from '../parts/destination.tsx';
import { formatInTitle } from './describe-condition.ts';
import { parseQuery } from './parse-query.ts';

export interface SearchDraft extends Destination {
  family: Family;
  input: 'form' | 'dsl';
  conditions: FormCondition[];
  dsl: string;
  /** Key of the form for which `dsl` was written. While the form is unchanged, the text is kept. */
  dslFormKey: string;
  /** A query that is too complex for the form. It runs unchanged. */
  unchangedQuery: Query | undefined;
  /** '': default order. */
  sort: string;
  columns: string[];
  pages: number;
  /** Set to search at companies: key of their column ('': the likeliest), and the maximum number of rows for each. */
  accounts: { column: string; perCompany: number } | undefined;
  /** Rows of the chosen table are left out of the search. */
  leaveOutKnown: boolean;
  provenance: Provenance;
  /** '': derived from the conditions. */
  title: string;
}

/** What is stored of a search. */
export type StoredSearch = Pick<SavedSearch, 'family' | 'query' | 'columns' | 'name'>;

/** The query of a draft, or its problems. */
export interface ParsedDraft {
  query: Query | undefined;
  problems: { name: string; message: string }[];
  /** Problem of the DSL text. */
  dslProblem: string | undefined;
}

const DSL_EXAMPLE = `{
  "match": { "industry": "software" }
}`;
const MAX_TITLE_LENGTH = 60;

/** Returns the default columns of a family. */
const getDefaultColumns = (family: Family): string[] => [...(searchForms[family]?.columns ?? [])];

/** Creates an empty draft. */
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
    accounts: undefined,
    ...defaultDestination,
    leaveOutKnown: false,
    provenance: 'none',
    title: '',
  };
}

/** Whether records of a family can be searched at companies. */
export const supportsCompanies = (family: Family): boolean => findAccountList(family) !== undefined;

/** Conditions for records at companies: a department, and no name of a company. */
function toCompanyConditions({ family, conditions }: SearchDraft): FormCondition[] {
  const names = getFormFields(family).map(({ name }) => name);
  const added = names.filter((name) => name === 'department' || name === 'location');
  return [
    ...conditions.filter(({ name }) => name !== 'company_name'),
    ...added
      .filter((name) => !conditions.some((condition) => condition.name === name))
      .map((name) => ({ name, values: [] })),
  ];
}

/** Switches between records everywhere and at companies, with the default columns of each. */
export function setAtCompanies(draft: SearchDraft, atCompanies: boolean): SearchDraft {
  const { family } = draft;
  const list = findAccountList(family);
  if (!atCompanies || list === undefined)
    return { ...draft, accounts: undefined, columns: getDefaultColumns(family), tableId: '' };
  return {
    ...draft,
    accounts: draft.accounts ?? { column: '', perCompany: defaultRowsPerAccount },
    conditions: toCompanyConditions(draft),
    // The id is what full records are looked up by.
    columns: [...accountFields[list].filter((path) => path !== 'id'), 'id'],
    tableId: '',
  };
}

/** Changes the family: resets fields and columns, keeps the destination. */
export function changeFamily(draft: SearchDraft, family: Family): SearchDraft {
  const { conditions, columns, sort } = createDraft(family);
  const changed = { ...draft, family, conditions, columns, sort, unchangedQuery: undefined, tableId: '' };
  return draft.accounts === undefined ? changed : setAtCompanies(changed, supportsCompanies(family));
}

function addSort(query: Query, sort: string): Query {
  return 'es_dsl' in query && sort !== '' ? { es_dsl: { ...query.es_dsl, sort: [sort] } } : query;
}

/** Parses the query of a draft. */
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
    const parsed = parseQuery(dsl);
    return parsed.ok
      ? { query: parsed.query, problems: [], dslProblem: undefined }
      : { query: undefined, problems: [], dslProblem: parsed.sentence };
  }
  const built = buildFormQuery(family, conditions);
  return built.ok
    ? { query: addSort(built.query, sort), problems: [], dslProblem: undefined }
    : { query: undefined, problems: built.problems, dslProblem: undefined };
}

/** Converts the form's query to DSL text; returns the example if the form has no DSL query. */
function formToDsl(draft: SearchDraft): string {
  const { query } = parseDraft({ ...draft, input: 'form', unchangedQuery: undefined });
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
  const form = dslToForm(draft, parsed.query);
  if (form === undefined) return { ...unchangedForm, unchangedQuery: parsed.query };
  return { ...form, input: 'form', unchangedQuery: undefined, dslFormKey: getFormKey(form) };
}

/** Switches between form and text without losing input. */
export function switchInput(draft: SearchDraft, input: SearchDraft['input']): SearchDraft {
  if (input === draft.input) return draft;
  return input === 'dsl' ? showAsDsl(draft) : showAsForm(draft);
}

/** Returns the name of a search, by default derived from its conditions. */
export function getTitle({
  family,
  input,
  unchangedQuery,
  conditions,
  title,
  accounts,
}: SearchDraft): string {
  if (title.trim() !== '') return title.trim();
  const { group } = familyLabels[family];
  const subject = accounts === undefined ? group : `${group} at companies`;
  const values =
    input === 'dsl' || unchangedQuery !== undefined
      ? []
      : conditions.map((condition) => formatInTitle(family, condition)).filter((words) => words !== '');
  return (values.length === 0 ? subject : `${subject}: ${values.join(', ')}`).slice(0, MAX_TITLE_LENGTH);
}

/** Checks whether the search can leave out the rows of the chosen table: new rows are added to it, and not by filters. */
export function canLeaveOutKnown(draft: SearchDraft): boolean {
  const { where, mode, accounts } = draft;
  if (where !== 'table' || mode !== 'append' || accounts !== undefined) return false;
  const { query } = parseDraft(draft);
  return query !== undefined && !('filters' in query);
}

/**
 * Builds the order.
 * @param companies - the column of a search at companies
 * @returns undefined while input is missing or invalid
 */
export function buildSearchOrder(
  draft: SearchDraft,
  companies: CandidateColumn | undefined,
): SearchOrder | undefined {
  const { query } = parseDraft(draft);
  const { family, columns, pages, provenance, accounts, leaveOutKnown } = draft;
  const target = buildTarget(draft);
  if (query === undefined || columns.length === 0 || target === undefined) return undefined;
  if (accounts !== undefined && companies === undefined) return undefined;
  return {
    family,
    query,
    columns,
    pages,
    ...target,
    ...(accounts === undefined || companies === undefined
      ? {}
      : { accounts: { sheet: companies.sheet, column: companies.column, perCompany: accounts.perCompany } }),
    ...(leaveOutKnown && canLeaveOutKnown(draft) ? { leaveOutKnown } : {}),
    ...(provenance === 'none' ? {} : { provenance }),
    title: getTitle(draft),
  };
}

/** Creates the draft of a saved search: a form if it can express the query, else DSL. Keeps the destination. */
export function fromSavedSearch(saved: StoredSearch, current: SearchDraft): SearchDraft {
  const { family, query, columns, name } = saved;
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

/** Converts a query to a form; undefined if the form cannot express it. */
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
  const isSame = JSON.stringify(parseDraft(form).query) === JSON.stringify(query);
  return isSame ? form : undefined;
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

/** Sets the conditions of a form and keeps its other initial fields. */
function setConditions(draft: SearchDraft, conditions: readonly FormCondition[], sort: string): SearchDraft {
  const others = draft.conditions.filter(({ name }) => !conditions.some((each) => each.name === name));
  return { ...draft, conditions: [...conditions, ...others], sort };
}

/** Replaces the conditions of the form. Keeps columns and destination, unless the family changes. */
export function fillForm(
  draft: SearchDraft,
  family: Family,
  conditions: readonly FormCondition[],
): SearchDraft {
  const base = family === draft.family ? draft : changeFamily(draft, family);
  const empty = { ...base, input: 'form' as const, unchangedQuery: undefined };
  return setConditions({ ...empty, conditions: createDraft(family).conditions }, conditions, base.sort);
}

/** Checks whether the form of a family builds DSL queries, which have a sort order. */
export function hasDslForm(family: Family): boolean {
  return getFormFields(family).some(({ target }) => target !== undefined);
}
