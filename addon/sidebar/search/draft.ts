// Input of the search tab, and the order that it makes.
import { accountFields, defaultRowsPerAccount, findAccountList } from '../../../shared/accounts.ts';
import type { Query } from '../../../shared/api/query.ts';
import type { Family } from '../../../shared/families/index.ts';
import { familyLabels, searchForms } from '../../../shared/families/registry.ts';
import {
  type CarriedCondition,
  carryConditions,
  getShownConditions,
} from '../../../shared/query/equivalent-fields.ts';
import { getFormFields, getInitialFormFields } from '../../../shared/query/form-fields.ts';
import { buildFormQuery, type FormCondition, isFilledIn } from '../../../shared/query/form-query.ts';
import type {
  CandidateColumn,
  Provenance,
  SearchOrder,
  Status,
  StoredCondition,
} from '../../server/api/index.ts';
import { searchableFamilies } from '../format.ts';
import { buildTarget, type Destination, defaultDestination } from '../parts/destination.tsx';
import { formatInTitle } from './describe-condition.ts';
import { parseQuery } from './parse-query.ts';

export interface SearchDraft extends Destination {
  family: Family;
  input: 'form' | 'dsl';
  conditions: FormCondition[];
  /** Conditions that were entered for other families, also those that don't apply to this one. */
  carried: CarriedCondition[];
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
  /** The chosen table has this search and is updated. Another search goes to a new sheet. Undefined: not chosen yet. */
  isUpdate: boolean | undefined;
  /** Id of the saved search that is open; '' if none is. */
  savedId: string;
  /** Title of the table of a bulk order whose search is edited. The bulk tab updates it. */
  orderedTitle: string | undefined;
}

/** The query of a draft, or its problems. */
export interface ParsedDraft {
  query: Query | undefined;
  problems: { name: string; message: string }[];
  /** Problem of the DSL text. */
  dslProblem: string | undefined;
}

/** The query of an editor without one of the form. No family lacks its fields. */
export const DSL_EXAMPLE = `{
  "query_string": { "query": "software" }
}`;
/** A longer name is cut in the tab of its sheet. */
const MAX_TITLE_LENGTH = 35;
export const MAX_DESCRIPTION_LENGTH = 60;

/** Returns the default columns of a family. */
const getDefaultColumns = (family: Family): string[] => [...(searchForms[family]?.columns ?? [])];

/** Lists the families that the connection may search. */
export function listFamilies({ connection }: Pick<Status, 'connection'>): Family[] {
  const allowed = connection?.scopes.families ?? null;
  return searchableFamilies.filter((family) => allowed === null || allowed.includes(family));
}

/** Creates an empty draft. */
export function createDraft(family: Family): SearchDraft {
  return {
    family,
    input: 'form',
    conditions: getInitialFormFields(family).map((name) => ({ name, values: [] })),
    carried: [],
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
    isUpdate: undefined,
    savedId: '',
    orderedTitle: undefined,
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

/** Changes the family: keeps the destination and the conditions that apply to it, resets the columns. */
export function changeFamily(draft: SearchDraft, family: Family): SearchDraft {
  const { conditions, columns, sort } = createDraft(family);
  const carried = carryConditions(draft.family, draft.conditions, draft.carried, family);
  const changed = {
    ...setConditions({ ...draft, family, conditions }, getShownConditions(carried, family), sort),
    carried,
    columns,
    unchangedQuery: undefined,
    tableId: '',
    title: '',
    savedId: '',
    orderedTitle: undefined,
  };
  return draft.accounts === undefined ? changed : setAtCompanies(changed, supportsCompanies(family));
}

/** After a change of the search or its columns: leaves the table that had the previous one, and the title of a bulk order. */
export const leaveTable = (draft: SearchDraft): SearchDraft => ({
  ...draft,
  ...(draft.isUpdate && { where: 'newSheet' }),
  isUpdate: undefined,
  ...(draft.orderedTitle === draft.title && { title: '' }),
});

/** Removes a condition, or its values if the form always shows it. */
export function clearCondition(draft: SearchDraft, cleared: string): SearchDraft {
  const isFixed = getInitialFormFields(draft.family).includes(cleared);
  const conditions = draft.conditions.flatMap((condition) => {
    if (condition.name !== cleared) return condition;
    return isFixed ? { name: cleared, values: [] } : [];
  });
  return { ...draft, conditions };
}

function addSort(query: Query, sort: string): Query {
  return 'es_dsl' in query && sort !== '' ? { es_dsl: { ...query.es_dsl, sort: [sort] } } : query;
}

/**
 * Parses the query of a draft.
 * @param asDsl - of the form, see {@link buildFormQuery}
 */
export function parseDraft(
  { family, input, conditions, dsl, unchangedQuery, sort }: SearchDraft,
  asDsl = false,
): ParsedDraft {
  if (unchangedQuery !== undefined) return { query: unchangedQuery, problems: [], dslProblem: undefined };
  if (input === 'dsl') {
    const parsed = parseQuery(dsl);
    return parsed.ok
      ? { query: parsed.query, problems: [], dslProblem: undefined }
      : { query: undefined, problems: [], dslProblem: parsed.sentence };
  }
  const built = buildFormQuery(family, conditions, asDsl);
  return built.ok
    ? { query: addSort(built.query, sort), problems: [], dslProblem: undefined }
    : { query: undefined, problems: built.problems, dslProblem: undefined };
}

/** Cuts a title at a word: `Companies: software, Germany …`. */
export function cutTitle(title: string, maxLength = MAX_TITLE_LENGTH): string {
  if (title.length <= maxLength) return title;
  const words = title.slice(0, maxLength - 1);
  return `${words.slice(0, words.lastIndexOf(' ')).replace(/\W+$/, '')} …`;
}

/** Returns the name of a search, by default derived from its conditions. */
export function getTitle(
  { family, input, unchangedQuery, conditions, title, accounts }: SearchDraft,
  maxLength = MAX_TITLE_LENGTH,
): string {
  if (title.trim() !== '') return title.trim();
  const { group } = familyLabels[family];
  const values =
    input === 'dsl' || unchangedQuery !== undefined
      ? []
      : conditions.map((condition) => formatInTitle(family, condition)).filter((words) => words !== '');
  if (values.length === 0) return accounts === undefined ? group : `${group} at companies`;
  const count = values.length;
  const build = (): string => `${group}: ${values.join(', ')}${values.length < count ? ' …' : ''}`;
  const isTooLong = (): boolean => build().length > maxLength;
  const hasNumber = (words: string): boolean => /\d/.test(words);
  // Similar searches often differ in their numbers: conditions without one are left out first, the last ones are cut.
  const others = values.filter((words) => !hasNumber(words)).slice(1);
  while (isTooLong() && others.length > 0) values.splice(values.lastIndexOf(others.pop() ?? ''), 1);
  if (isTooLong()) values.sort((a, b) => +hasNumber(b) - +hasNumber(a));
  return cutTitle(build(), maxLength);
}

/** Returns the name that a search has by its conditions. */
export const getDerivedName = (draft: SearchDraft): string =>
  getTitle({ ...draft, title: '' }, MAX_DESCRIPTION_LENGTH);

/** Checks whether the search can leave out the rows of the chosen table: new rows are added to it, and not by filters. */
export function canLeaveOutKnown(draft: SearchDraft): boolean {
  const { where, mode, accounts } = draft;
  if (where !== 'table' || mode !== 'append' || accounts !== undefined) return false;
  const { query } = parseDraft(draft);
  return query !== undefined && !('filters' in query);
}

/** Returns the filled conditions of the form; undefined for other input. */
export const getEnteredConditions = ({
  input,
  unchangedQuery,
  conditions,
}: SearchDraft): StoredCondition[] | undefined =>
  input === 'form' && unchangedQuery === undefined
    ? conditions.filter(isFilledIn).map((condition) => ({ ...condition, values: [...condition.values] }))
    : undefined;

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
  const entered = getEnteredConditions(draft);
  return {
    family,
    query,
    ...(entered && { conditions: entered }),
    columns,
    pages,
    ...target,
    ...(accounts &&
      companies && {
        accounts: { sheet: companies.sheet, column: companies.column, perCompany: accounts.perCompany },
      }),
    ...(leaveOutKnown && canLeaveOutKnown(draft) && { leaveOutKnown }),
    ...(provenance !== 'none' && { provenance }),
    title: getTitle(draft),
  };
}

/** Sets the conditions of a form and keeps its other initial fields. */
export function setConditions(
  draft: SearchDraft,
  conditions: readonly FormCondition[],
  sort: string,
): SearchDraft {
  const others = draft.conditions.filter(({ name }) => !conditions.some((each) => each.name === name));
  return { ...draft, conditions: [...conditions, ...others], sort };
}

/** Checks whether the form of a family builds DSL queries, which have a sort order. */
export function hasDslForm(family: Family): boolean {
  return getFormFields(family).some(({ isFilter }) => !isFilter);
}
