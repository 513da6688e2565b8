// Plans a bulk order: which records a search or a column selects, and their price. Free.

import type { DataRequestEstimate, DataRequestSelection } from '../../../shared/api/data-requests.ts';
import type { Query } from '../../../shared/api/query.ts';
import type { Connection } from '../../../shared/connection.ts';
import { type Family, getSubject } from '../../../shared/families/index.ts';
import { normaliseId } from '../../../shared/keys/index.ts';
import { looksLikeUrl, normaliseShorthandName, parseProfileUrl } from '../../../shared/keys/profile.ts';
import { invalidKey, type KeyResult } from '../../../shared/keys/result.ts';
import { maxFieldPathLength, maxFields, maxRequestRecords } from '../../../shared/limits.ts';
import { type BulkKind, getRecordPrice, operations } from '../../../shared/operations.ts';
import { parseFieldPath } from '../../../shared/query/field-paths.ts';
import { call } from '../../client/gateway.ts';
import { unwrap } from '../../client/http.ts';
import { isSpendingOn } from '../../client/spending.ts';
import { AddonError, createError } from '../../lib/addon-error.ts';
import type { BulkOrder, BulkPlan, BulkSource } from '../../server/api/index.ts';
import { translateProblem } from '../../texts/problems.ts';
import { formatNumber, type Text, t, translate } from '../../texts/texts.ts';
import { prepareLookup } from '../lookup/prepare.ts';
import { warnAboutNotKeys, warnAboutUnfinished } from '../lookup/rows.ts';
import type { TableRecord } from '../registry.ts';
import { toValueColumns } from '../rows/layout.ts';
import { digestPlan } from '../rows/overwrite.ts';
import { checkPlacement, type Placement } from '../target.ts';
import { requireIds } from './delivery-step.ts';

const MAX_RECORDS = formatNumber(maxRequestRecords);

interface BulkSelection {
  selection: DataRequestSelection;
  /** Cells that aren't valid keys. */
  invalid: number;
  /** The search that selects the records. */
  query?: Query;
  warnings: string[];
}

/** A parsed and priced bulk order. */
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

/** Said of kinds of request that a family does not have. */
const REFUSALS = {
  es_dsl: 'Records of this kind can’t be ordered in bulk by a query as text or DSL. Use {list}.',
  filter: 'Records of this kind can’t be ordered in bulk by the fields of the form. Use {list}.',
  ids: 'Records of this kind can’t be ordered in bulk by ids. Use {list}.',
  shorthand_names:
    'Records of this kind can’t be ordered in bulk by profile URLs or shorthand names. Use {list}.',
} as const satisfies Partial<Record<BulkKind, Text>>;

/** @throws AddonError if the family has no such bulk request; the message lists the alternatives */
function requireBulkKind(family: Family, kind: keyof typeof REFUSALS): void {
  const kinds = listBulkKinds(family);
  if (kinds.includes(kind)) return;
  const others: readonly [BulkKind, string][] = [
    ['es_dsl', t('a query as text or DSL')],
    ['filter', t('a search by the fields of the form')],
    ['ids', t('a column of ids')],
    ['urls', t('a column of profile URLs')],
  ];
  const instead = others.flatMap(([kind, words]) => (kinds.includes(kind) ? [words] : []));
  throw instead.length === 0
    ? createError(
        'bad_call',
        'Records of this kind can’t be ordered in bulk. Look them up by their ids under Enrich.',
      )
    : createError('bad_call', REFUSALS[kind], { list: instead.join(t(', or ')) });
}

function selectBySearch(
  family: Family,
  { query, limit }: Extract<BulkSource, { by: 'search' }>,
): BulkSelection {
  const kind = 'filters' in query ? 'filter' : 'es_dsl';
  requireBulkKind(family, kind);
  const selection: DataRequestSelection = {
    limit,
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

/** Warns about a search without matches, or with more than the maximum. */
function listMatchWarnings(query: Query | undefined, { total, records }: DataRequestEstimate): string[] {
  if (query === undefined) return [];
  if (total === 0) return [t('Nothing matches. Widen the search.')];
  return records < total ? [t('{total} match; you’ll get {records}.', { total, records })] : [];
}

function parseProfileName(text: string, family: Family): KeyResult {
  return looksLikeUrl(text) ? parseProfileUrl(text, family) : normaliseShorthandName(text);
}

/** Parses the key of a cell. A number with more than 15 digits has lost some. */
function parseKey(cell: unknown, sort: 'id' | 'url', family: Family): KeyResult {
  if (typeof cell === 'number' && !Number.isSafeInteger(cell)) return invalidKey('', 'number');
  const text = String(cell).trim();
  return sort === 'id' ? normaliseId(text) : parseProfileName(text, family);
}

function selectByColumn(
  family: Family,
  { sheet, column, sort, scope }: Extract<BulkSource, { by: 'column' }>,
  fields: string[],
): BulkSelection {
  if (sort === 'website') {
    throw createError(
      'bad_call',
      'Websites can’t be ordered in bulk. Look them up under Enrich, or choose a column of ids, profile URLs or shorthand names.',
    );
  }
  requireBulkKind(family, sort === 'id' ? 'ids' : 'shorthand_names');
  const order = { kind: 'enrich', sheet, column, by: sort, family, scope, fields } as const;
  const { body, rows, unfinished } = prepareLookup(order);
  const skipped = warnAboutUnfinished(unfinished);
  const read = rows.map((at) => parseKey(body.values[at]?.[0] ?? '', sort, family));
  const keys = [...new Set(read.flatMap((key) => (key.ok ? key.value : [])))];
  const notKeys = read.flatMap((key) => (key.ok ? [] : key.is));
  const invalid = notKeys.length;
  if (keys.length > maxRequestRecords) {
    throw createError(
      'bad_call',
      'These are {count} different records, and a bulk order has at most {max}. Select fewer rows, and order the others separately. Nothing was spent.',
      { count: keys.length, max: MAX_RECORDS },
    );
  }
  if (keys.length === 0) {
    const none = t('There is nothing to order in these rows. Choose other rows or another column.');
    throw new AddonError('bad_call', [...skipped, none].join(' '));
  }
  const twice = read.length - invalid - keys.length;
  const warnings = [
    ...skipped,
    ...warnAboutNotKeys(notKeys),
    ...(twice === 0
      ? []
      : [
          twice === 1
            ? t('1 cell repeats a record: each record is ordered once.')
            : t('{twice} cells repeat a record: each record is ordered once.', { twice }),
        ]),
  ];
  // A shorthand name may contain percent escapes.
  const selection: DataRequestSelection =
    sort === 'id' ? { kind: 'ids', keys } : { kind: 'shorthand_names', keys: keys.map(encodeURIComponent) };
  return { selection, invalid, warnings };
}

/**
 * Returns the paths of a bulk table's columns, starting with `id`.
 * @throws AddonError if a path is invalid, or there are too many
 */
export function toBulkPaths(columns: readonly string[]): string[] {
  const trimmed = [...new Set(columns.map((path) => path.trim()))];
  const paths = trimmed.includes('id') ? trimmed : ['id', ...trimmed];
  const wrong = paths.find((path) => parseFieldPath(path) === undefined || path.length > maxFieldPathLength);
  if (wrong !== undefined) {
    throw createError('bad_call', '“{wrong}” is not a field. Write it as name or location.city.', { wrong });
  }
  if (paths.length > maxFields) {
    throw createError('bad_call', 'A table takes at most {max} columns. Choose fewer.', { max: maxFields });
  }
  return paths;
}

/**
 * Requires that an existing table can receive the rows of an order.
 * @param request - id of the data request, if it exists
 * @throws AddonError if it can't
 */
export function requireBulkTable(table: TableRecord, family: Family, request?: string): void {
  if (table.kind !== 'bulk' || table.family !== family) {
    throw createError('bad_call', 'This table shows other records. Write to a new sheet.');
  }
  if (table.frozen) throw createError('bad_call', 'This table is frozen. Write to a new sheet.');
  if (table.pendingMode !== undefined && table.requestId !== request) {
    throw createError(
      'bad_call',
      '“{title}” still waits for rows of another order. Wait for them, or write to a new sheet.',
      {
        title: table.title,
      },
    );
  }
  requireIds(table);
}

/**
 * Parses and prices a bulk order. Free.
 * @throws AddonError
 */
export function prepareBulk(order: BulkOrder, connection: Connection): PreparedBulk {
  const { family, source, columns, where, mode, title, push } = order;
  const paths = toBulkPaths(columns);
  const bulkSelection =
    source.by === 'search' ? selectBySearch(family, source) : selectByColumn(family, source, paths);
  const { selection, invalid } = bulkSelection;
  const estimate = unwrap(call(connection, 'estimateDataRequest', { body: { ...selection, family } }));
  const { records, cached, credits, problem } = estimate;
  const placement: Placement = {
    where,
    mode,
    title,
    rows: records,
    columns: toValueColumns(paths),
    check: (table) => requireBulkTable(table, family),
  };
  const { warnings, willOverwrite } = checkPlacement(placement);
  const creditsPerRecord = getRecordPrice(family);
  const replaces = push && where.kind === 'table' && mode === 'replace';
  return {
    ...bulkSelection,
    placement,
    plan: {
      records,
      cached,
      credits,
      approval: { credits, digest: digestPlan([family, selection]) },
      creditsPerRecord,
      invalid,
      ...(willOverwrite === undefined ? {} : { willOverwrite }),
      warnings: [
        ...listMatchWarnings(bulkSelection.query, estimate),
        ...(problem === undefined ? [] : [translateProblem(problem)]),
        ...bulkSelection.warnings,
        ...warnings,
        ...(replaces ? [t('A table is replaced only while the spreadsheet is open.')] : []),
        ...(isSpendingOn()
          ? []
          : [t('Spending is off for this spreadsheet: switch it on under Activity to order records.')]),
      ],
    },
  };
}

export function formatBulkTitle(family: Family, kind: string): string {
  const ways: Readonly<Partial<Record<string, Text>>> = {
    filter: 'a search',
    es_dsl: 'a search',
    ids: 'ids',
    id_file: 'ids',
    shorthand_names: 'shorthand names',
    urls: 'profile URLs',
  };
  return t('{label} records by {way}', {
    label: translate(getSubject(family).label),
    way: translate(ways[kind] ?? kind),
  });
}
