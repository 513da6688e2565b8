// Input of the search tab, and the order that it makes.
import {
  type AccountList,
  accountFields,
  countField,
  defaultRowsPerAccount,
  findAccountList,
  openJobsField,
} from '../../../shared/accounts.ts';
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
  AtLeast,
  CandidateColumn,
  EnrichOrder,
  Provenance,
  SearchOrder,
  SearchPlan,
  Status,
  StoredCondition,
} from '../../server/api/index.ts';
import { type Text, t, translate } from '../../texts/texts.ts';
import { limitByCount } from '../enrich/count-limit.tsx';
import { searchableFamilies } from '../format.ts';
import { buildTarget, type Destination } from '../parts/destination.tsx';
import { formatInTitle } from './describe-condition.ts';
import { parseQuery } from './parse-query.ts';

export interface SearchForm {
  conditions: FormCondition[];
  /** Conditions that were entered for other families, also those that don't apply to this one. */
  carried: CarriedCondition[];
  /** '': default order. */
  sort: string;
}

/** How the query is entered. Switching between form and text loses neither: a text is kept until the form changes. */
export type QueryInput = { form: SearchForm } & (
  | { kind: 'form'; text?: string | undefined }
  | { kind: 'dsl'; text: string }
  /** The query is too complex for the form and runs as it is. */
  | { kind: 'unchanged'; query: Query; text?: string | undefined }
);

export interface SearchDraft {
  family: Family;
  input: QueryInput;
  columns: string[];
  pages: number;
  /** Set to search at companies: key of their column ('': the likeliest), and the maximum number of rows for each. */
  accounts:
    | {
        column: string;
        perCompany: number;
        atLeast?: AtLeast | undefined;
        /** Writes only the number of matches of each company. */
        countsOnly?: boolean;
      }
    | undefined;
  destination: Destination;
  provenance: Provenance;
  /** '': derived from the conditions. */
  title: string;
  /** Id of the saved search that is open; '' if none is. */
  savedId: string;
  /** Title of the table of a bulk order whose search is edited. The bulk tab updates it. */
  orderedTitle: string | undefined;
}

/** The query of a draft, or its problems: of conditions, or of the DSL text. */
interface ParsedDraft {
  query?: Query;
  problems: { name: string; message: string }[];
  dslProblem?: string;
}

/** The query of an editor without one of the form. No family lacks its fields. */
export const DSL_EXAMPLE = `{
  "query_string": { "query": "software" }
}`;
/** A longer name is cut in the tab of its sheet. */
const MAX_TITLE_LENGTH = 35;
/** Beginnings of the headings of counts. */
const COUNT_GROUPS: Readonly<Record<AccountList, Text>> = { people: 'People', jobs: 'Open jobs' };
export const MAX_DESCRIPTION_LENGTH = 60;

const getDefaultColumns = (family: Family): string[] => [...(searchForms[family]?.columns ?? [])];

export function listFamilies({ connection }: Pick<Status, 'connection'>): Family[] {
  const allowed = connection?.scopes.families ?? null;
  return searchableFamilies.filter((family) => allowed === null || allowed.includes(family));
}

/** Says whether jobs are open, where a person has not. */
const setJobState = (of: readonly FormCondition[], state: Partial<FormCondition>): FormCondition[] =>
  of.map((each) => (each.name === openJobsField && !isFilledIn(each) ? { ...each, ...state } : each));

/** Jobs that are closed are no sign of hiring: people choose them. */
export const preferOpenJobs = (of: readonly FormCondition[]) => setJobState(of, { values: ['yes'] });

const listInitialConditions = (family: Family): FormCondition[] =>
  getInitialFormFields(family).map((name) => ({ name, values: [] }));

const createForm = (family: Family): SearchForm => ({
  conditions: preferOpenJobs(listInitialConditions(family)),
  carried: [],
  sort: '',
});

export const createDraft = (family: Family): SearchDraft => ({
  family,
  input: { kind: 'form', form: createForm(family) },
  columns: getDefaultColumns(family),
  pages: 1,
  accounts: undefined,
  destination: { kind: 'newSheet' },
  provenance: 'none',
  title: '',
  savedId: '',
  orderedTitle: undefined,
});

export const setForm = (draft: SearchDraft, change: Partial<SearchForm>): SearchDraft => ({
  ...draft,
  input: { kind: 'form', form: { ...draft.input.form, ...change } },
});

/** Shows conditions in the form of a family, with its other initial fields. */
export function toForm(
  family: Family,
  conditions: readonly FormCondition[],
  sort: string,
  carried: CarriedCondition[] = [],
): SearchForm {
  const others = listInitialConditions(family).filter(
    ({ name }) => !conditions.some((each) => each.name === name),
  );
  return { conditions: [...conditions, ...others], carried, sort };
}

export const supportsCompanies = (family: Family): boolean => findAccountList(family) !== undefined;

/** Conditions for records at companies: a department, and no name of a company. */
function toCompanyConditions(family: Family, conditions: readonly FormCondition[]): FormCondition[] {
  const names = getFormFields(family).map(({ name }) => name);
  const added = names.filter((name) => name === 'department' || name === 'location');
  return [
    ...conditions.filter(({ name }) => name !== 'company_name'),
    ...added
      .filter((name) => !conditions.some((condition) => condition.name === name))
      .map((name) => ({ name, values: [] })),
  ];
}

/** Lists at companies have open jobs, unless the query names their state: *Any* means the same there as everywhere. */
const nameJobState = (of: readonly FormCondition[]) => setJobState(of, { comparison: 'hasValue' });

/** A table of other records is no destination. */
const clearTable = (destination: Destination): Destination =>
  'tableId' in destination ? { ...destination, tableId: '' } : destination;

/** Switches between records everywhere and at companies, with the default columns of each. */
export function setAtCompanies(draft: SearchDraft, atCompanies: boolean): SearchDraft {
  const { family, input } = draft;
  const list = findAccountList(family);
  const destination = clearTable(draft.destination);
  if (!atCompanies || list === undefined)
    return { ...draft, accounts: undefined, columns: getDefaultColumns(family), destination };
  const form = { ...input.form, conditions: toCompanyConditions(family, input.form.conditions) };
  return {
    ...draft,
    accounts: draft.accounts ?? { column: '', perCompany: defaultRowsPerAccount },
    input: input.kind === 'form' ? { kind: 'form', form } : { ...input, form },
    // The id is what full records are looked up by.
    columns: [...accountFields[list].filter((path) => path !== 'id'), 'id'],
    destination,
  };
}

/** Changes the family: keeps the destination and the conditions that apply to it, resets the columns. */
export function changeFamily(draft: SearchDraft, family: Family): SearchDraft {
  const { input } = draft;
  const isSameGroup = familyLabels[family].group === familyLabels[draft.family].group;
  // That jobs are open is a default of jobs alone.
  const entered = input.form.conditions.filter(({ name }) => isSameGroup || name !== openJobsField);
  const carried = carryConditions(draft.family, entered, input.form.carried, family);
  const { conditions, ...shown } = toForm(family, getShownConditions(carried, family), '', carried);
  const form = { ...shown, conditions: preferOpenJobs(conditions) };
  const changed: SearchDraft = {
    ...draft,
    family,
    input: input.kind === 'dsl' ? { ...input, form } : { kind: 'form', form },
    columns: getDefaultColumns(family),
    destination: clearTable(draft.destination),
    title: '',
    savedId: '',
    orderedTitle: undefined,
  };
  return draft.accounts === undefined ? changed : setAtCompanies(changed, supportsCompanies(family));
}

/** After a change of the search or its columns: leaves the table that had the previous one, and the title of a bulk order. */
export function leaveSearchTable(draft: SearchDraft): SearchDraft {
  const { destination, title, orderedTitle } = draft;
  const isNew = destination.kind === 'newSheet' || destination.kind === 'update';
  return {
    ...draft,
    destination: isNew ? { kind: 'newSheet' } : destination,
    title: orderedTitle === title ? '' : title,
  };
}

/** Writes to the table that has this search already: rows with the same id are updated. */
export function updateTable(
  draft: SearchDraft,
  { tableId, columns }: NonNullable<SearchPlan['existing']>,
): SearchDraft {
  const mode = columns.includes('id') ? 'update' : 'replace';
  return { ...draft, columns, destination: { kind: 'update', tableId, mode } };
}

/** After a plan: updates the table with the same search, unless a person chose a new sheet. The same rows twice are seldom meant. */
export function applyPlan(draft: SearchDraft, { existing }: SearchPlan): SearchDraft {
  const { destination, columns } = draft;
  if (existing === undefined || destination.kind !== 'newSheet' || destination.isChosen) return draft;
  return String(existing.columns) === String(columns) ? updateTable(draft, existing) : draft;
}

/** After the start of a run: another search must not replace the rows of its table again, unless the person chooses so. */
export function keepStarted(draft: SearchDraft): SearchDraft {
  const { destination } = draft;
  if (destination.kind === 'newSheet') return { ...draft, destination: { kind: 'newSheet' } };
  if (destination.kind !== 'table' || destination.mode !== 'replace') return draft;
  return { ...draft, destination: { ...destination, kind: 'update' } };
}

/** Removes a condition, or its values if the form always shows it. */
export function clearCondition(draft: SearchDraft, cleared: string): SearchDraft {
  const isFixed = getInitialFormFields(draft.family).includes(cleared);
  const conditions = draft.input.form.conditions.flatMap((condition) => {
    if (condition.name !== cleared) return condition;
    return isFixed ? { name: cleared, values: [] } : [];
  });
  return setForm(draft, { conditions });
}

function addSort(query: Query, sort: string): Query {
  return 'es_dsl' in query && sort !== '' ? { es_dsl: { ...query.es_dsl, sort: [sort] } } : query;
}

/**
 * Parses the query of a draft.
 * @param asDsl - of the form, see {@link buildFormQuery}
 */
export function parseDraft(
  { family, input, accounts }: Pick<SearchDraft, 'family' | 'input'> & Partial<SearchDraft>,
  asDsl = false,
): ParsedDraft {
  if (input.kind === 'unchanged') return { query: input.query, problems: [] };
  if (input.kind === 'dsl') {
    const parsed = parseQuery(input.text);
    return parsed.ok ? { query: parsed.query, problems: [] } : { problems: [], dslProblem: parsed.sentence };
  }
  const { conditions, sort } = input.form;
  const built = buildFormQuery(family, accounts ? nameJobState(conditions) : conditions, asDsl);
  return built.ok ? { query: addSort(built.query, sort), problems: [] } : { problems: built.problems };
}

/** Cuts a title at a word: `Companies: software, Germany …`. */
export function cutTitle(title: string, maxLength = MAX_TITLE_LENGTH): string {
  if (title.length <= maxLength) return title;
  const words = title.slice(0, maxLength - 1);
  return `${words.slice(0, words.lastIndexOf(' ')).replace(/\W+$/, '')} …`;
}

/** Returns the name of a search, by default derived from its conditions. */
export function getTitle(
  { family, input, title, accounts }: SearchDraft,
  maxLength = MAX_TITLE_LENGTH,
): string {
  if (title.trim() !== '') return title.trim();
  const list = accounts?.countsOnly === true ? findAccountList(family) : undefined;
  const areOpen = input.form.conditions.some(
    ({ name, values: [state] }) => name === openJobsField && state === 'yes',
  );
  const isNamed = list === 'people' || areOpen || input.kind !== 'form';
  const group =
    list === undefined || !isNamed ? translate(familyLabels[family].group) : translate(COUNT_GROUPS[list]);
  const values =
    input.kind === 'form'
      ? input.form.conditions
          .map((condition) => formatInTitle(family, condition))
          .filter((words) => words !== '')
      : [];
  if (values.length === 0)
    return accounts === undefined || list !== undefined ? group : t('{group} at companies', { group });
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

export const getDerivedName = (draft: SearchDraft): string =>
  getTitle({ ...draft, title: '' }, MAX_DESCRIPTION_LENGTH);

/** Checks whether the search can leave out the rows of the chosen table: new rows are added to it, and not by filters. */
export function canExcludeExisting(draft: SearchDraft): boolean {
  const { destination, accounts } = draft;
  if (!('mode' in destination) || destination.mode !== 'append' || accounts !== undefined) return false;
  const { query } = parseDraft(draft);
  return query !== undefined && !('filters' in query);
}

/** Returns the filled conditions of the form; undefined for other input. */
export const getEnteredConditions = ({ input }: SearchDraft): StoredCondition[] | undefined =>
  input.kind === 'form'
    ? input.form.conditions
        .filter(isFilledIn)
        .map((condition) => ({ ...condition, values: [...condition.values] }))
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
  const { family, columns, pages, provenance, accounts, destination } = draft;
  const target = buildTarget(destination);
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
        accounts: {
          sheet: companies.sheet,
          column: companies.column,
          perCompany: accounts.perCompany,
          ...limitByCount(companies, accounts.atLeast),
        },
      }),
    ...('tableId' in destination &&
      destination.excludeExisting &&
      canExcludeExisting(draft) && { excludeExisting: true }),
    ...(provenance !== 'none' && { provenance }),
    title: getTitle(draft),
  };
}

/** Builds the order of a column of counts; undefined while input is missing or invalid. */
export function buildCountOrder(
  draft: SearchDraft,
  companies: CandidateColumn | undefined,
): EnrichOrder | undefined {
  const { query } = parseDraft(draft);
  const { family, accounts } = draft;
  if (query === undefined || accounts?.countsOnly !== true || companies === undefined) return undefined;
  const { sheet, column, kind } = companies;
  const entered = getEnteredConditions(draft);
  return {
    sheet,
    column,
    by: kind,
    family,
    scope: 'all',
    ...limitByCount(companies, accounts.atLeast),
    fields: [countField],
    count: { query, ...(entered && { conditions: entered }), heading: getTitle(draft) },
  };
}

/** Checks whether the form of a family builds DSL queries, which have a sort order. */
export function hasDslForm(family: Family): boolean {
  return getFormFields(family).some(({ isFilter }) => !isFilter);
}
