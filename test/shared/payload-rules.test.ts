// The add-on's payload rules agree with the schemas about the shape of payloads.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { type Method, type Payload, sidebarPayloads } from '../../shared/api/sidebar.ts';
import { findViolation } from '../../shared/payload-rules.ts';
import { buildPayloadRules } from '../../worker/commands/build/payload-rules.ts';

const { methods, rules } = buildPayloadRules();

const approval = { credits: 20, digest: 'abc' };

/** A payload of each shape with all optional members. */
const samples: { [M in Method]?: Payload<M> } = {
  status: {},
  connect: { link: 'https://gateway.example/connect#token', for: 'me' },
  count: { family: 'company_base', query: { filters: { name: 'acme' }, any_fields: true } },
  startSearch: {
    family: 'employee_clean',
    query: { text: 'name:acme', known_values: true },
    columns: ['id', 'name'],
    pages: 50,
    where: { kind: 'table', tableId: 't' },
    mode: 'update',
    provenance: 'notes',
    title: 'Employees',
    approval,
    confirmed: true,
  },
  startEnrich: {
    sheet: 'Sheet1',
    column: 1,
    by: 'website',
    family: 'company_clean',
    scope: 'fromHere',
    fields: ['name'],
    statusColumn: true,
    provenance: 'none',
    maxAgeDays: 30,
    approval,
  },
  refreshTable: { id: 't', only: 'stale', approval },
  startRecords: { tableId: 't', fields: ['name'], rows: 'selection', approval },
  saveSearch: {
    name: 'Acme',
    family: 'job_base',
    query: { es_dsl: { match_all: {} } },
    sort: '_score',
    columns: ['id'],
    shared: true,
  },
  insertFormula: {
    formula: 'CDAPI_SEARCH',
    family: 'company_base',
    query: { text: '*' },
    columns: ['id'],
    limit: 10,
    sort: 'id',
    maxCredits: 0,
    confirmed: false,
  },
  startBulk: {
    family: 'company_base',
    source: { by: 'column', sheet: 'Sheet1', column: 2, sort: 'id', scope: 'blank' },
    columns: [],
    where: { kind: 'newSheet' },
    mode: 'append',
    title: 'Bulk',
    push: false,
    approval,
  },
  writeBulk: { id: 'r', where: { kind: 'cursor' }, mode: 'replace', columns: ['id'], title: 'Bulk' },
  writeDelivery: { tableId: 't', rowsId: 'r', kind: 'request' },
  setAutoRefresh: { tableId: 't', schedule: { every: 'day', max_credits: 100, paused: false }, push: true },
  setEnrichment: {
    tableId: 't',
    settings: {
      push: true,
      every: 'day',
      max_credits: 100,
      month_credits: 1000,
      paused: false,
      refresh_days: null,
    },
  },
  addAlert: { url: 'https://hook.example', on: ['failure', 'budget'] },
};

/** Issues that the rules leave to the gateway. */
const GATEWAY_ISSUES: readonly string[] = ['too_small', 'too_big', 'invalid_format', 'custom'];

/** Checks whether an issue concerns the shape, which includes ranges of numbers. */
const isShapeIssue = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'invalid_union'
    ? issue.errors.every((issues) => issues.some(isShapeIssue))
    : !GATEWAY_ISSUES.includes(issue.code) || ('origin' in issue && ['int', 'number'].includes(issue.origin));

/** Lists the paths of all parts of a value. */
function listPaths(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [[]];
  return [[], ...Object.entries(value).flatMap(([name, part]) => listPaths(part).map((at) => [name, ...at]))];
}

/** Replaces the part at a path; undefined removes it. */
function replacePart(value: unknown, [name, ...others]: readonly string[], part: unknown): unknown {
  if (name === undefined) return part;
  if (Array.isArray(value))
    return value.map((item, at) => (String(at) === name ? replacePart(item, others, part) : item));
  const parts = new Map<string, unknown>(Object.entries(value ?? {}));
  parts.set(name, replacePart(parts.get(name), others, part));
  return JSON.parse(JSON.stringify(Object.fromEntries(parts)));
}

describe.each(Object.entries(samples))('%s', (method, sample) => {
  const schema = Object.entries<z.ZodType>(sidebarPayloads).find(([name]) => name === method)?.[1];
  const findFault = (payload: unknown): string | undefined =>
    findViolation(rules, methods[method] ?? 'any', payload, method);

  it('accepts the sample', () => {
    expect(findFault(sample)).toBeUndefined();
  });

  it('rejects exactly the invalid shapes of the schema', () => {
    const place = fc
      .constantFrom(...listPaths(sample))
      .chain((at) => fc.constantFrom(at, [...at, 'toString']));
    const part = fc.oneof(
      fc.constant(undefined),
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom(0, -1, 1.5, 51),
    );
    fc.assert(
      fc.property(place, part, (at, other) => {
        const payload = replacePart(sample, at, other);
        const read = schema?.safeParse(payload);
        const fault = findFault(payload);
        if (read?.success === true) expect(fault, JSON.stringify(payload)).toBeUndefined();
        if (read?.error?.issues.some(isShapeIssue) === true) {
          expect(fault, JSON.stringify(payload)).toBeDefined();
        }
      }),
      { numRuns: 100 },
    );
  });
});

it('leaves lengths and formats to the gateway', () => {
  const saved = {
    name: 'x'.repeat(1000),
    family: 'job_base',
    query: { text: '' },
    columns: ['?'],
    shared: true,
  };
  expect(findViolation(rules, methods.saveSearch ?? 'any', saved, '')).toBeUndefined();
});

it('has a rule for every method', () => {
  expect(Object.keys(methods)).toEqual(Object.keys(sidebarPayloads));
});
