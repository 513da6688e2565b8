// Builds the query for the people or open jobs at one company.
import { type AccountList, accountFamilies, openJobsField } from '../../../shared/accounts.ts';
import type { Query } from '../../../shared/api/query.ts';
import { namesPerson } from '../../../shared/keys/email.ts';
import { normaliseId, normaliseWebsiteOrEmail } from '../../../shared/keys/index.ts';
import { isNumber } from '../../../shared/keys/text.ts';
import { normaliseName } from '../../../shared/matching/normalise.ts';
import { filtersToConditions } from '../../../shared/query/form-conditions.ts';
import { buildFormQuery } from '../../../shared/query/form-query.ts';
import { expandKnownValuesInQuery } from '../../../shared/query/known-expressions.ts';
import { rejectUnknownQueryFields } from '../../gateway/query.ts';
import { ProblemError } from '../../http/problem-error.ts';

/** A company as records name it. */
export interface Company {
  kind: 'website' | 'id' | 'name';
  /** A host, digits, or a name. */
  value: string;
}

type Clause = Record<string, unknown>;

const MAX_NAME = 200;
/** A URL that is no website of a company, such as a profile URL. */
const URL_WITH_PATH = /^https?:|\.[^\s/.]*\//i;

/**
 * Parses a company.
 * @param text - a website, an e-mail address, a company id or a company name, as typed by the user
 * @returns undefined if it is none of them
 */
export function parseCompany(text: string): Company | undefined {
  const name = text.trim().replace(/\s+/g, ' ');
  if (isNumber(name)) {
    const id = normaliseId(name);
    return id.ok ? { kind: 'id', value: id.value } : undefined;
  }
  const website = normaliseWebsiteOrEmail(name);
  if (website.ok) return { kind: 'website', value: website.value };
  const isName = name !== '' && name.length <= MAX_NAME && !URL_WITH_PATH.test(name) && !namesPerson(name);
  return isName ? { kind: 'name', value: name } : undefined;
}

/** How a family names companies. */
interface CompanyFields {
  /** Index fields. URLs are indexed without scheme and `www`. */
  fields: Readonly<Record<Company['kind'], string>>;
  /** Named filters, if the family has them. That of names searches a phrase, which other companies contain. */
  filters?: Readonly<Record<Company['kind'], string>>;
  /** Restricts the clause of the company to current records. @param query - may name their state itself */
  restrict: (company: Clause, query: unknown) => Clause;
  /** The same for named filters. */
  defaultFilters?: Readonly<Record<string, unknown>>;
}

const companyFields: Readonly<Record<AccountList, CompanyFields>> = {
  people: {
    fields: {
      website: 'experience.company_website.exact',
      id: 'experience.company_id',
      name: 'experience.company_name.exact',
    },
    // A job without an end date is the current one.
    restrict: (company) => {
      const ended = { exists: { field: 'experience.date_to' } };
      const job = { bool: { filter: [company], must_not: [ended] } };
      return {
        filter: [{ nested: { path: 'experience', query: job } }],
        must_not: [{ term: { is_deleted: 1 } }],
      };
    },
  },
  jobs: {
    fields: { website: 'job_company_website.exact', id: 'company_id', name: 'company_name.exact' },
    filters: { website: 'company_domain', id: 'company_id', name: 'company_name' },
    restrict: (company, query) => ({
      filter: [
        company,
        ...(JSON.stringify(query).includes(openJobsField) ? [] : [{ term: { [openJobsField]: 1 } }]),
      ],
      must_not: [{ term: { deleted: 1 } }],
    }),
    defaultFilters: { [openJobsField]: true, deleted: false },
  },
};

/** Lists the exact spellings of a name: as typed, and without additions and legal form. */
const listNames = (name: string): string[] => [
  ...new Set([name, ...normaliseName(name).phrases.slice(0, 2)]),
];

/** Builds the clause for a company. The analysed variants of names and URLs would match others, too. */
function buildCompanyClause({ kind, value }: Company, { fields }: CompanyFields): Clause {
  if (kind === 'name') return { terms: { [fields.name]: listNames(value) } };
  const term = { term: { [fields[kind]]: value } };
  if (kind !== 'website') return term;
  return { bool: { should: [term, { prefix: { [fields.website]: `${value}/` } }] } };
}

/** Converts named filters to a clause. Undefined if no form can express them. */
function toFilterClause(list: AccountList, filters: Readonly<Record<string, unknown>>): unknown {
  const family = accountFamilies[list];
  const conditions = filtersToConditions(family, filters);
  const form = conditions && buildFormQuery(family, conditions, true);
  return form?.ok && 'es_dsl' in form.query ? form.query.es_dsl.query : undefined;
}

/** Converts a query to a DSL body. */
function toBody(query: Exclude<Query, { filters: unknown }>): Clause {
  if ('text' in query) return { query: { query_string: { query: query.text } } };
  return 'query' in query.es_dsl ? query.es_dsl : { query: query.es_dsl };
}

/**
 * Creates the function that adds a company to a query. It returns undefined for a name that the query can't distinguish from
 * names that contain it.
 * @throws ProblemError `unknown_field`; `invalid_request` if the query has a filter on companies itself
 */
export function createAccountQuery(list: AccountList, query: Query): (company: Company) => Query | undefined {
  rejectUnknownQueryFields(accountFamilies[list], query);
  const names = companyFields[list];
  const { any_fields: anyFields } = query;
  const options = anyFields === undefined ? {} : { any_fields: anyFields };
  const expanded = query.known_values === true ? expandKnownValuesInQuery(query) : query;
  if ('filters' in expanded) {
    const { filters } = expanded;
    // Searching reports that the family has no filters.
    if (names.filters === undefined) return () => expanded;
    const repeated = Object.values(names.filters).find((name) => name in filters);
    if (repeated !== undefined)
      throw new ProblemError('invalid_request', `filters.${repeated}: name the companies in companies.`);
    const filterNames = names.filters;
    const all = { ...names.defaultFilters, ...filters };
    const clause = toFilterClause(list, all);
    return (company) => {
      const { kind, value } = company;
      if (kind !== 'name')
        return {
          ...options,
          filters: { ...all, [filterNames[kind]]: kind === 'id' ? Number(value) : value },
        };
      if (clause === undefined) return undefined;
      const bool = { must: [clause], filter: [buildCompanyClause(company, names)] };
      return { ...options, es_dsl: { sort: ['_score'], query: { bool } } };
    };
  }
  const body = toBody(expanded);
  return (company) => ({
    ...options,
    es_dsl: {
      sort: ['_score'],
      ...body,
      query: {
        bool: { must: [body.query], ...names.restrict(buildCompanyClause(company, names), body.query) },
      },
    },
  });
}
