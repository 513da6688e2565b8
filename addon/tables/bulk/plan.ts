// Says what a bulk request would bring and cost: of a search, or of the keys in a column. Nothing is asked that costs.
import type { RequestEstimate, RequestSelection } from '../../../shared/api/data-requests.ts';
import type { Query } from '../../../shared/api/query.ts';
import type { Connection } from '../../../shared/connection.ts';
import { type Family, subjectOf } from '../../../shared/families/index.ts';
import { normaliseId } from '../../../shared/keys/index.ts';
import { looksLikeUrl, normaliseShorthandName, readProfileUrl } from '../../../shared/keys/profile.ts';
import type { KeyResult } from '../../../shared/keys/result.ts';
import { maxFieldPathLength, maxFields, maxRequestRecords } from '../../../shared/limits.ts';
import { type BulkKind, operations, recordCredits } from '../../../shared/operations.ts';
import { parseFieldPath } from '../../../shared/query/field-paths.ts';
import { estimateDataRequest } from '../../client/gateway-data-requests.ts';
import { isSpendingOn } from '../../client/spending.ts';
import { AddonError } from '../../lib/addon-error.ts';
import type { BulkOrder, BulkPlan, BulkSource } from '../../server/api/index.ts';
import { prepareLookup } from '../lookup/prepare.ts';
import type { TableRecord } from '../registry.ts';
import { digestPlan } from '../runs/approval.ts';
import { checkPlacement, type Placement, toValueColumns } from '../target.ts';
import { requireIds } from './delivery-step.ts';

const MAX_RECORDS = maxRequestRecords.toLocaleString('en');

/** What is asked for. */
interface BulkSelection {
  selection: RequestSelection;
  /** Cells that can't be read as keys. */
  invalid: number;
  /** The search that names the records. */
  query?: Query;
  warnings: string[];
}

/** A bulk order that was read and priced. */
export interface PreparedBulk extends BulkSelection {
  plan: BulkPlan;
  placement: Placement;
}

const listBulkKinds = (family: Family): BulkKind[] =>
  operations.flatMap((operation) =>
    operation.name === 'bulk' && operation.family === family
      ? [operation.kind === 'id_file' ? 'ids' : operation.kind]
      : [],
  );

/** @throws AddonError where the family has no bulk request of this kind: what it has instead */
function requireBulkKind(family: Family, kind: BulkKind): void {
  const kinds = listBulkKinds(family);
  if (kinds.includes(kind)) return;
  const others: readonly [BulkKind, string][] = [
    ['es_dsl', 'a query as text or DSL'],
    ['filter', 'a search by the fields of the form'],
    ['ids', 'a column of ids'],
    ['urls', 'a column of profile URLs'],
  ];
  const instead = others.flatMap(([other, words]) => (kinds.includes(other) ? [words] : []));
  const named: Readonly<Record<BulkKind, string>> = {
    es_dsl: 'by a query as text or DSL',
    filter: 'by the fields of the form',
    ids: 'by ids',
    id_file: 'by ids',
    urls: 'by profile URLs or shorthand names',
    shorthand_names: 'by profile URLs or shorthand names',
  };
  throw new AddonError(
    'bad_call',
    instead.length === 0
      ? 'Records of this kind can’t be asked for in bulk. Look them up by their ids under Enrich.'
      : `Records of this kind can’t be asked for in bulk ${named[kind]}. Use ${instead.join(', or ')}.`,
  );
}

function selectBySearch(
  family: Family,
  { query, limit }: Extract<BulkSource, { by: 'search' }>,
): BulkSelection {
  const kind = 'filters' in query ? 'filter' : 'es_dsl';
  requireBulkKind(family, kind);
  const selection: RequestSelection = {
    limit: limit ?? maxRequestRecords,
    ...(query.any_fields === true ? { any_fields: true } : {}),
    ...('filters' in query
      ? { kind: 'filter', filters: query.filters }
      : {
          kind: 'es_dsl',
          es_dsl: 'text' in query ? { query: { query_string: { query: query.text } } } : query.es_dsl,
        }),
  };
  return { selection, invalid: 0, query, warnings: [] };
}

/** What to know of a search that matches nothing, or more than comes. */
function listMatchWarnings(query: Query | undefined, { total, records }: RequestEstimate): string[] {
  if (query === undefined) return [];
  if (total === 0) return ['Nothing matches. Widen the search.'];
  return records < total
    ? [`${total.toLocaleString('en')} match; you’ll get ${records.toLocaleString('en')}.`]
    : [];
}

/** A profile URL, or the shorthand name alone. */
function parseProfileName(text: string, family: Family): KeyResult {
  return looksLikeUrl(text) ? readProfileUrl(text, family) : normaliseShorthandName(text);
}

/** A key as it is asked for; undefined where a cell holds none. A number of more than 15 digits has lost some. */
function parseKey(cell: unknown, sort: 'id' | 'url', family: Family): string | undefined {
  if (typeof cell === 'number' && !Number.isSafeInteger(cell)) return undefined;
  const text = String(cell).trim();
  const key = sort === 'id' ? normaliseId(text) : parseProfileName(text, family);
  return key.ok ? key.value : undefined;
}

function selectByColumn(
  family: Family,
  { sheet, column, sort, scope }: Extract<BulkSource, { by: 'column' }>,
  fields: string[],
): BulkSelection {
  if (sort === 'website') {
    throw new AddonError(
      'bad_call',
      'Websites can’t be asked for in bulk. Look them up under Enrich, or choose a column of ids, profile URLs or shorthand names.',
    );
  }
  requireBulkKind(family, sort === 'id' ? 'ids' : 'shorthand_names');
  const { body, rows } = prepareLookup({ kind: 'enrich', sheet, column, by: sort, family, scope, fields });
  const read = rows.map((at) => parseKey(body.values[at]?.[0] ?? '', sort, family));
  const keys = [...new Set(read.flatMap((key) => key ?? []))];
  const invalid = read.filter((key) => key === undefined).length;
  if (keys.length > maxRequestRecords) {
    throw new AddonError(
      'bad_call',
      `These are ${keys.length.toLocaleString('en')} different keys, and a bulk request brings at most ${MAX_RECORDS}. Select fewer rows, and ask for the others in a second request; nothing was spent.`,
    );
  }
  if (keys.length === 0) {
    throw new AddonError(
      'bad_call',
      'There is no key in what was chosen. Choose other rows or another column.',
    );
  }
  const twice = read.length - invalid - keys.length;
  const warnings = [
    ...(invalid === 0
      ? []
      : [`${countCells(invalid)} can’t be read as keys and ${invalid === 1 ? 'is' : 'are'} left out.`]),
    ...(twice === 0
      ? []
      : [`${countCells(twice)} ${twice === 1 ? 'repeats' : 'repeat'} a key: each key is asked for once.`]),
  ];
  // A name may hold what is read as an escape.
  const selection: RequestSelection =
    sort === 'id' ? { kind: 'ids', keys } : { kind: 'shorthand_names', keys: keys.map(encodeURIComponent) };
  return { selection, invalid, warnings };
}

const countCells = (count: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? 'cell' : 'cells'}`;

/**
 * The paths of a bulk table's columns: `id` is put before them where it is missing.
 * @throws AddonError where one is no path, or there are too many
 */
export function toBulkPaths(columns: readonly string[]): string[] {
  const trimmed = [...new Set(columns.map((path) => path.trim()))];
  const paths = trimmed.includes('id') ? trimmed : ['id', ...trimmed];
  const wrong = paths.find((path) => parseFieldPath(path) === undefined || path.length > maxFieldPathLength);
  if (wrong !== undefined) {
    throw new AddonError('bad_call', `“${wrong}” is no path to a field. Write it as name or location.city.`);
  }
  if (paths.length > maxFields) {
    throw new AddonError('bad_call', `A table takes at most ${maxFields} columns. Choose fewer.`);
  }
  return paths;
}

/**
 * Checks a table that is there.
 * @param request - id of the request whose rows it is to take, where that is made
 * @throws AddonError where it can't take them
 */
export function requireBulkTable(table: TableRecord, family: Family, request?: string): void {
  if (table.kind !== 'bulk' || table.family !== family) {
    throw new AddonError('bad_call', 'This table shows other records. Write to a new sheet.');
  }
  if (table.frozen) throw new AddonError('bad_call', 'This table is frozen. Write to a new sheet.');
  if (table.pendingMode !== undefined && table.requestId !== request) {
    throw new AddonError(
      'bad_call',
      `“${table.title}” still waits for rows of another request. Wait for them, or write to a new sheet.`,
    );
  }
  requireIds(table);
}

/**
 * Reads and prices a bulk order; free.
 * @throws AddonError
 */
export function prepareBulk(order: BulkOrder, connection: Connection): PreparedBulk {
  const { family, source, columns, where, mode, title, push } = order;
  const paths = toBulkPaths(columns);
  const bulkSelection =
    source.by === 'search' ? selectBySearch(family, source) : selectByColumn(family, source, paths);
  const { selection, invalid } = bulkSelection;
  const answer = estimateDataRequest(connection, { ...selection, family });
  if (!answer.ok) throw new AddonError(answer.code, answer.message);
  const { records, cached, credits, problem } = answer.body;
  const placement: Placement = {
    where,
    mode,
    title,
    rows: records,
    columns: toValueColumns(paths),
    check: (table) => requireBulkTable(table, family),
  };
  const { warnings, ...target } = checkPlacement(placement);
  const creditsPerRecord = recordCredits(family);
  const replaces = push && where.kind === 'table' && mode === 'replace';
  return {
    ...bulkSelection,
    placement,
    plan: {
      records,
      cached,
      credits,
      approval: { credits, digest: digestPlan([family, selection]) },
      creditsPerRecord: creditsPerRecord,
      invalid,
      ...target,
      warnings: [
        ...listMatchWarnings(bulkSelection.query, answer.body),
        ...(problem === undefined ? [] : [`${problem.detail} ${problem.fix}`]),
        ...bulkSelection.warnings,
        ...warnings,
        ...(replaces ? ['A table is replaced while the spreadsheet is open: a closed one waits.'] : []),
        ...(isSpendingOn()
          ? []
          : ['Spending is off for this sheet: switch it on under Activity to ask for records.']),
      ],
    },
  };
}

/** What a table of a bulk request is called where nobody has said. */
export function formatBulkTitle(family: Family, kind: string): string {
  const ways: Readonly<Partial<Record<string, string>>> = {
    filter: 'a search',
    es_dsl: 'a search',
    ids: 'ids',
    id_file: 'ids',
    shorthand_names: 'shorthand names',
    urls: 'profile URLs',
  };
  return `${subjectOf(family).label} records by ${ways[kind] ?? kind}`;
}
