// The tools of /mcp. They run routes of the add-on, which validate, require scopes and spend within the budget.
import * as z from 'zod';
import { type AccountList, accountFamilies, accountLists, maxAccounts } from '../../../shared/accounts.ts';
import { meResponse } from '../../../shared/api/account.ts';
import {
  accountCountsResponse,
  accountsEstimateResponse,
  accountsResponse,
} from '../../../shared/api/accounts.ts';
import { count, family, fields, jsonObject, maxCredits } from '../../../shared/api/common.ts';
import { estimateResponse, lookupRequest, lookupResponse } from '../../../shared/api/lookup.ts';
import { matchEstimateResponse, matchRequest, matchResponse } from '../../../shared/api/match.ts';
import { queryParts } from '../../../shared/api/query.ts';
import { previewEstimateResponse, previewResponse } from '../../../shared/api/search.ts';
import { families, familyNames } from '../../../shared/families/index.ts';
import { previewPageSize } from '../../../shared/families/previews.ts';
import { previewFields } from '../../../shared/families/registry.ts';
import type { Subject } from '../../../shared/families/subjects.ts';
import { formatCount, formatNumber } from '../../../shared/lib/format-count.ts';
import { matchFamilies } from '../../../shared/matching/families.ts';
import { requireScope } from '../../gateway/auth/tokens.ts';
import { invalidRequest, ProblemError } from '../../http/problem-error.ts';
import { appendAssistantRows, listOpenTables } from '../../tables/assistant-rows.ts';
import { getFillOperation } from '../../tables/store.ts';
import { accountsCountsRoute, accountsEstimateRoute, accountsRoute } from '../sheets/accounts.ts';
import { matchEstimateRoute, matchRoute } from '../sheets/match.ts';
import { estimateRoute, lookupRoute, meRoute, previewEstimateRoute, previewRoute } from '../sheets/routes.ts';
import { createTool, expectBody, type Tool, type ToolDefinition, toBought, toFree, toPrice } from './tool.ts';

/** Maximum number of rows in an answer. */
const MAX_ROWS = 50;
const MAX_CURSOR = 2100;
/** People at each company, unless the call says otherwise. */
const DEFAULT_PEOPLE = 5;
/** Characters of a value that is written to a table. */
const MAX_CELL = 5000;

const [standardCompany] = matchFamilies;

const mayCost = maxCredits.describe(
  'Maximum number of credits to spend. Without it nothing is bought and the answer is the price. 0: only records that the team already has.',
);
const cursor = z.string().max(MAX_CURSOR).exactOptional().describe('From the previous answer.');
const query = {
  text: queryParts.text.exactOptional(),
  filters: queryParts.filters.exactOptional(),
  es_dsl: queryParts.es_dsl.exactOptional(),
};
const companyFamily = z.enum(matchFamilies).exactOptional().describe(`Default: ${standardCompany}.`);

/** Decodes the cursor of a search: a page, and the ranking that it belongs to. */
function readPage(text = '1'): { page: number; snapshot?: string } {
  const [, digits, snapshot] = /^(\d{1,4})(?::(.+))?$/.exec(text) ?? [];
  if (digits === undefined) throw invalidRequest('cursor', 'is not from an earlier answer');
  return { page: Number(digits), ...(snapshot === undefined ? {} : { snapshot }) };
}

function createSearchTool(name: string, what: string, subject: Subject): Tool {
  const names = familyNames.filter(
    (each) => families[each].subject === subject && previewFields[each].length > 0,
  );
  const [standard] = names;
  const defaults = { family: standard, known_values: true };
  return createTool({
    name,
    title: `Search ${what}`,
    description: `Counts the ${what} that match a query, for free, and says what rows cost; with max_credits returns preview rows, best match first. Use exactly one of text, filters and es_dsl, for example text: "industry:software AND location_hq_country:Germany". Field names are in the resource cdapi://families/${standard}.`,
    input: z.strictObject({
      ...query,
      family: z.enum(names).exactOptional().describe(`Default: ${standard}.`),
      fields: fields.describe('Columns of the rows. Default: all of the preview.'),
      pages: z
        .int()
        .min(1)
        .max(Math.floor(MAX_ROWS / previewPageSize))
        .default(1)
        .describe(`Pages of ${previewPageSize} rows to return.`),
      cursor,
      max_credits: mayCost,
    }),
    output: previewResponse
      .pick({ columns: true, rows: true, total: true })
      .extend({ estimate: previewEstimateResponse }),
    price: async ({ cursor: at, pages, fields: _, ...others }, context) => {
      const last = readPage(at).page + pages - 1;
      const body = { ...defaults, ...others, pages: last, explain_empty: true };
      const estimate = expectBody(await previewEstimateRoute.run(context, { body }));
      const found = `${formatCount(estimate.total, 'record')} match; ${formatCount(estimate.pages, 'page')} of up to ${previewPageSize} rows from the first.`;
      return toPrice(estimate.credits, found, { total: estimate.total, estimate });
    },
    run: async ({ cursor: at, ...others }, context) => {
      const body = { ...defaults, ...others, ...readPage(at), cancel_id: context.newId() };
      const answer = expectBody(await previewRoute.run(context, { body }));
      const { columns, rows, total, page, total_pages: last, snapshot, credits } = answer;
      const next = `${page + 1}${snapshot === null ? '' : `:${snapshot}`}`;
      const found = `${formatCount(rows.length, 'row')} of ${formatNumber(total)}.`;
      return { ...toBought(credits, found, { columns, rows, total }), cursor: page < last ? next : null };
    },
  });
}

/**
 * Creates a tool that looks up records by key.
 * @param toBody - converts the arguments to members of a lookup
 */
const createLookupTool = <A extends object>(
  definition: Pick<ToolDefinition<A>, 'name' | 'title' | 'description' | 'input'>,
  toBody: (args: A) => object,
): Tool => {
  const buildBody = (args: A) => ({ family: standardCompany, by: 'auto', ...toBody(args) });
  return createTool<A>({
    ...definition,
    output: lookupResponse.pick({ rows: true }).extend({ estimate: estimateResponse }),
    price: async (args, context) => {
      const estimate = expectBody(await estimateRoute.run(context, { body: buildBody(args) }));
      const found = `${formatCount(estimate.distinct, 'distinct key')}, ${formatNumber(estimate.cached)} already known.`;
      return toPrice(estimate.credits, found, { estimate });
    },
    run: async (args, context) => {
      const body = { ...buildBody(args), cancel_id: context.newId() };
      const { rows, credits } = expectBody(await lookupRoute.run(context, { body }));
      const found = rows.filter(({ record }) => record !== undefined).length;
      return toBought(credits, `${formatNumber(found)} of ${formatCount(rows.length, 'record')} found.`, {
        rows,
      });
    },
  });
};

const enrichCompanies = createLookupTool(
  {
    name: 'enrich_companies',
    title: 'Enrich companies',
    description:
      'Gets fields of companies by website, id, shorthand name or profile URL. A record is paid once for the whole team; a failed row has a problem and its price in credits: 0, unless the provider may have charged it.',
    input: z.strictObject({
      keys: z.array(z.string()).min(1).max(MAX_ROWS).describe('Websites or other keys.'),
      family: companyFamily,
      fields,
      max_credits: mayCost,
    }),
  },
  (args) => args,
);

const getRecord = createLookupTool(
  {
    name: 'get_record',
    title: 'Get a record',
    description: 'Gets a record of any family by key. Fields ["*"] returns all of it, which can be long.',
    input: z.strictObject({
      family,
      key: z.string().describe('Website, id, shorthand name or profile URL, whichever the family has.'),
      by: lookupRequest.shape.by.exactOptional(),
      fields,
      max_credits: mayCost,
    }),
  },
  ({ key, ...others }) => ({ ...others, keys: [key] }),
);

const matchCompanies = createTool({
  name: 'match_companies',
  title: 'Match company names',
  description:
    'Finds the companies with given names, with a confidence. Ambiguous names list their candidates: let a person choose. With fields, records of the matches are bought, too.',
  input: matchRequest
    .pick({ companies: true, threshold: true, fields: true })
    .extend({ family: companyFamily, max_credits: mayCost }),
  output: matchResponse.pick({ matches: true }).extend({ estimate: matchEstimateResponse }),
  price: async (args, context) => {
    const body = { family: standardCompany, ...args };
    const estimate = expectBody(await matchEstimateRoute.run(context, { body }));
    const records = args.fields === undefined ? 0 : estimate.records;
    const found = `${formatCount(estimate.found, 'name')} of ${formatNumber(estimate.companies)} with candidates.`;
    return toPrice(estimate.comparison + records, found, { estimate });
  },
  run: async (args, context) => {
    const body = { family: standardCompany, ...args, cancel_id: context.newId() };
    const { matches, credits } = expectBody(await matchRoute.run(context, { body }));
    const found = matches.filter(({ state }) => state === 'match').length;
    return toBought(credits, `${formatNumber(found)} of ${formatCount(matches.length, 'name')} matched.`, {
      matches,
    });
  },
});

const atCompanies = {
  companies: z
    .array(z.string())
    .min(1)
    .max(maxAccounts)
    .describe('Websites, company ids, or names as spelled in the records.'),
  ...query,
  cursor,
};

/**
 * Builds the body of a list for the companies of one answer, and the cursor of the next one. Without a query, everybody at the
 * companies matches, or every open job.
 */
function toListBody(
  { companies, cursor: at = '0', ...others }: z.infer<z.ZodObject<typeof atCompanies>>,
  list: AccountList,
  rowsEach: number,
) {
  const start = /^\d{1,3}$/.test(at) ? Number(at) : companies.length;
  if (start >= companies.length) throw invalidRequest('cursor', 'is not from an earlier answer');
  const end = start + Math.max(1, Math.floor(MAX_ROWS / rowsEach));
  const all = list === 'jobs' ? { filters: {} } : { es_dsl: { query: { match_all: {} } } };
  const hasQuery = Object.keys(query).some((name) => name in others);
  return {
    next: end < companies.length ? String(end) : null,
    params: { list },
    body: { ...(hasQuery ? { known_values: true } : all), ...others, companies: companies.slice(start, end) },
  };
}

const countAtCompanies = createTool({
  name: 'count_at_companies',
  title: 'Count people or jobs at companies',
  description: `Counts people, or open jobs, at each of up to ${maxAccounts} companies. Free.`,
  input: z.strictObject({ list: z.enum(accountLists), ...atCompanies }),
  output: accountCountsResponse.pick({ accounts: true }),
  run: async ({ list, ...args }, context) => {
    const { next: end, ...request } = toListBody(args, list, 1);
    const { accounts } = expectBody(await accountsCountsRoute.run(context, request));
    const total = accounts.reduce((sum, account) => sum + account.total, 0);
    const found = `${formatNumber(total)} at ${formatCount(accounts.length, 'company', 'companies')}.`;
    return { ...toFree(found, { accounts }), cursor: end };
  },
});

const peopleAtCompanies = createTool({
  name: 'get_people_at_companies',
  title: 'Get people at companies',
  description: `Lists people who work at each of up to ${maxAccounts} companies, ${MAX_ROWS} rows a call. For example text: "job_title:sales". Fields are in the resource cdapi://families/${accountFamilies.people}.`,
  input: z.strictObject({
    ...atCompanies,
    per_company: z.int().min(1).max(MAX_ROWS).default(DEFAULT_PEOPLE).describe('People for each company.'),
    fields,
    max_credits: mayCost,
  }),
  output: accountsResponse
    .pick({ columns: true, accounts: true })
    .extend({ estimate: accountsEstimateResponse.omit({ accounts: true }) }),
  price: async (args, context) => {
    const { next, ...request } = toListBody(args, 'people', args.per_company);
    const { accounts, ...estimate } = expectBody(await accountsEstimateRoute.run(context, request));
    const found = `${formatCount(estimate.rows, 'person', 'people')} at ${formatCount(accounts.length, 'company', 'companies')}.`;
    return { ...toPrice(estimate.credits, found, { estimate }), cursor: next };
  },
  run: async (args, context) => {
    const { next, params, body } = toListBody(args, 'people', args.per_company);
    const whole = { ...body, only_complete: true, cancel_id: context.newId() };
    const answer = expectBody(await accountsRoute.run(context, { params, body: whole }));
    const { columns, accounts, credits } = answer;
    const rows = accounts.reduce((sum, account) => sum + account.rows.length, 0);
    return {
      ...toBought(credits, `${formatCount(rows, 'person', 'people')}.`, { columns, accounts }),
      cursor: next,
    };
  },
});

const getBudget = createTool({
  name: 'get_budget',
  title: 'Get the budget',
  description: 'Returns caps, credits spent, saved and left, and what this connection permits. Free.',
  input: z.strictObject({}),
  output: meResponse.omit({ stamp: true }),
  run: async (_, context) => {
    const { stamp: __, ...me } = expectBody(await meRoute.run(context, {}));
    const { remaining } = me;
    const answer = toFree(
      remaining === null ? 'No cap is set.' : `${formatCount(remaining, 'credit')} left.`,
      me,
    );
    return { ...answer, spending: { ...answer.spending, remaining } };
  },
});

const spendingTools: readonly Tool[] = [
  createSearchTool('search_companies', 'companies', 'company'),
  createSearchTool('search_people', 'people', 'employee'),
  createSearchTool('search_jobs', 'jobs', 'job'),
  matchCompanies,
  enrichCompanies,
  peopleAtCompanies,
  getRecord,
];

const estimatePrice = createTool({
  name: 'estimate_price',
  title: 'Estimate a price',
  description: 'Returns the present price of a call to another tool, with its arguments. Free.',
  input: z.strictObject({ tool: z.enum(spendingTools.map(({ name }) => name)), arguments: jsonObject }),
  output: z.object({ total: count, estimate: jsonObject }),
  run: async ({ tool: named, arguments: { max_credits: _, ...others } }, context) => {
    const { price } = spendingTools.find(({ name }) => name === named) ?? {};
    if (price === undefined) throw invalidRequest('tool', 'has no price');
    return price(others, context);
  },
});

const writeToTable = createTool({
  name: 'write_to_table',
  title: 'Append rows to a table',
  description:
    'Appends rows below a table in a spreadsheet that its owner opened for assistants, within its columns. The resource cdapi://tables lists these tables. Rows whose id is in the table stay as they are. Rows arrive within some minutes. Free.',
  input: z.strictObject({
    table: z.uuid().toLowerCase(),
    rows: z
      .array(
        z
          .object({ id: z.union([z.string(), z.number()]).describe('Id of the record.') })
          .catchall(z.union([z.string().max(MAX_CELL), z.number(), z.boolean(), z.null()])),
      )
      .min(1)
      .max(MAX_ROWS)
      .describe('Values by the path of their column.'),
  }),
  output: z.object({ rows: count }),
  writes: true,
  run: async ({ table: id, rows }, { env, caller, now }) => {
    const table = (await listOpenTables(env.DB, caller.teamId)).find((open) => open.id === id);
    if (table === undefined)
      throw new ProblemError(
        'not_found',
        'No table with this id is open for assistants.',
        'Open it in the sidebar: Tables, the table, Automatic refresh, Let assistants append rows.',
      );
    requireScope(caller, table.family, getFillOperation(table));
    const written = await appendAssistantRows(env, table, rows, now);
    return toFree(`${formatCount(written, 'row')} will be appended.`, { rows: written });
  },
});

/** All tools. */
export const tools: readonly Tool[] = [
  ...spendingTools,
  countAtCompanies,
  estimatePrice,
  getBudget,
  writeToTable,
];
