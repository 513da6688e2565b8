// Payloads of the sidebar's calls to the add-on's script, by method. The build converts them to the script's payload rules.
import * as z from 'zod';
import { maxDraftLength, sidebarTabs } from '../limits.ts';
import { family } from './common.ts';
import { enrichmentSettings, tableReport } from './enrichments.ts';
import { query, sort } from './query.ts';
import { savedSearchRequest } from './saved-searches.ts';
import { alertBody, scheduleBody } from './schedules.ts';
import {
  bulkOrder,
  deliveryOrder,
  enrichOrder,
  nameChoices,
  recordsOrder,
  searchOrder,
  start,
  target,
  uncertainName,
  writeMode,
} from './sidebar-orders.ts';

const noPayload = z.object({});
const idPayload = z.object({ id: z.string() });
const runPayload = z.object({ runId: z.string() });
const tablePayload = z.object({ tableId: z.string() });

/** Scope of a pasted link: all editors of the spreadsheet, or the current user. */
const connectionScope = z.enum(['sheet', 'me']);

/** Where a connection comes from: a pasted link, the person's Google account, or the company's settings. */
const connectionSource = z.enum([...connectionScope.options, 'identity', 'company']);

/** `stale`: refresh only rows, or pages of a search, that are no longer fresh. */
const refreshOrder = idPayload.extend({ only: z.enum(['all', 'stale']) });

const formulaColumn = z.object({ sheetId: z.int(), name: z.string(), column: z.int().min(1) });

const formulaRerun = formulaColumn.extend({
  all: z.boolean().exactOptional().describe('Also the formulas that did not fail.'),
});

const formulaOrder = z.object({
  formula: z.enum(['CDAPI_PREVIEW', 'CDAPI_SEARCH', 'CDAPI_COUNT']),
  family,
  query,
  columns: z.array(z.string()).exactOptional(),
  limit: z
    .int()
    .min(1)
    .exactOptional()
    .describe('Number of ids for CDAPI_SEARCH, number of pages for CDAPI_PREVIEW.'),
  sort,
  maxCredits: z
    .int()
    .min(0)
    .exactOptional()
    .describe('The price that was shown. Each run of the formula spends at most this.'),
  confirmed: z.boolean().exactOptional(),
});

/** Payload schema of each method. */
export const sidebarPayloads = {
  /** `withTexts`: with the texts of the person's language. */
  status: z.object({ withTexts: z.boolean().exactOptional() }),
  laterTabs: noPayload,
  setTab: z.object({ tab: z.enum(sidebarTabs) }),
  saveDraft: z.object({ lastSearch: z.string().max(maxDraftLength) }),
  connect: z.object({ link: z.string(), for: connectionScope }),
  connectCompany: noPayload,
  connectAccount: noPayload,
  confirmAccount: noPayload,
  disconnect: z.object({ for: connectionSource }),
  setSpending: z.object({ on: z.boolean() }),

  ask: z.object({ sentence: z.string(), family }),
  count: z.object({ family, query }),
  counts: z.object({ family, queries: z.array(query) }),
  sampleRows: z.object({ family, query, columns: z.array(z.string()) }),
  fields: z.object({ family }),
  planSearch: searchOrder,
  startSearch: searchOrder.extend(start.shape),

  columns: noPayload,
  planEnrich: enrichOrder,
  startEnrich: enrichOrder.extend(start.shape),
  uncertainNames: noPayload,
  planChoices: nameChoices,
  startChoices: nameChoices.extend(start.shape),
  resetChoice: uncertainName,

  step: runPayload,
  cancelStep: runPayload,
  stop: runPayload,
  undo: runPayload,
  unfinished: noPayload,
  discardRun: runPayload,

  tables: noPayload,
  planRefresh: refreshOrder,
  refreshTable: refreshOrder.extend(start.shape),
  freezeTable: idPayload,
  untrackTable: idPayload,
  moveTable: idPayload,
  trackCopy: idPayload.extend({ sheetId: z.int() }),
  renameTable: idPayload.extend({ title: z.string() }),
  showTable: idPayload,
  planRecords: recordsOrder,
  startRecords: recordsOrder.extend(start.shape),

  templates: noPayload,
  buildTemplate: idPayload,

  activity: noPayload,
  savedSearches: noPayload,
  /** With `id`, it replaces that saved search. */
  saveSearch: savedSearchRequest.extend({ id: z.uuid().exactOptional() }),
  deleteSearch: idPayload,
  insertFormula: formulaOrder,

  pending: noPayload,
  completePending: noPayload,
  formulas: noPayload,
  planRerun: formulaRerun,
  rerunFormulas: formulaRerun.extend({ approval: start.shape.approval }),
  freezeFormulas: formulaColumn,
  showFormulas: formulaColumn,
  setFormulaSpending: z.object({ sheetId: z.int(), on: z.boolean() }),
  planMerge: z.object({ sheetId: z.int().exactOptional() }),
  mergeFormulas: z.object({ sheetId: z.int(), approval: start.shape.approval }),
  dismissMerge: z.object({ sheetId: z.int() }),

  planBulk: bulkOrder,
  startBulk: bulkOrder.extend(start.shape),
  bulkRequests: noPayload,
  bulkEvents: idPayload,
  stopBulk: idPayload,
  writeBulk: z.object({
    id: z.string(),
    where: target,
    mode: writeMode,
    columns: z.array(z.string()).exactOptional(),
    title: z.string(),
    ...start.omit({ approval: true }).shape,
  }),

  deliveries: z.object({
    watched: enrichOrder.exactOptional().describe('The lookup whose price is shown.'),
  }),
  writeDelivery: deliveryOrder,

  autoRefresh: tablePayload,
  setAutoRefresh: tablePayload.extend({
    schedule: scheduleBody.nullable(),
    push: z.boolean(),
    skipDeleted: z
      .boolean()
      .exactOptional()
      .describe('Rows that a person has deleted stay away. Not with `push`.'),
    report: tableReport.exactOptional(),
  }),
  enrichment: tablePayload,
  repairTriggers: tablePayload,
  setEnrichment: tablePayload.extend({ settings: enrichmentSettings.nullable() }),

  assistantCode: noPayload,

  alerts: noPayload,
  addAlert: alertBody,
  testAlert: idPayload,
  removeAlert: idPayload,
} as const satisfies Readonly<Record<string, z.ZodType>>;

/** Methods of the script that the page calls. */
export type Method = keyof typeof sidebarPayloads;

export type Payload<M extends Method> = z.infer<(typeof sidebarPayloads)[M]>;
