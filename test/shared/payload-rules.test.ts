// The rules that the add-on checks payloads by say of a payload's shape what the schemas say.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { type Method, type Payload, sidebarPayloads } from '../../shared/api/sidebar.ts';
import { findViolation } from '../../shared/payload-rules.ts';
import { buildPayloadRules } from '../../worker/commands/build/payload-rules.ts';

const { methods, rules } = buildPayloadRules();

const approval = { credits: 20, digest: 'abc' };

/** A payload of each shape: every member that may be there is there. */
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
  addAlert: { url: 'https://hook.example', on: ['failure', 'budget'] },
};

/** What the rules leave to the gateway. */
const LEFT: readonly string[] = ['too_small', 'too_big', 'invalid_format', 'custom'];

/** Is a complaint about the shape? Numbers out of range are. */
const isOfShape = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'invalid_union'
    ? issue.errors.every((issues) => issues.some(isOfShape))
    : !LEFT.includes(issue.code) || ('origin' in issue && ['int', 'number'].includes(issue.origin));

/** The places of all parts of a value, as lists of names. */
function placesIn(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [[]];
  return [[], ...Object.entries(value).flatMap(([name, part]) => placesIn(part).map((at) => [name, ...at]))];
}

/** A value with another part at a place; without the part where it is undefined. */
function changed(value: unknown, [name, ...rest]: readonly string[], part: unknown): unknown {
  if (name === undefined) return part;
  if (Array.isArray(value))
    return value.map((one, at) => (String(at) === name ? changed(one, rest, part) : one));
  const parts = new Map<string, unknown>(Object.entries(value ?? {}));
  parts.set(name, changed(parts.get(name), rest, part));
  return JSON.parse(JSON.stringify(Object.fromEntries(parts)));
}

describe.each(Object.entries(samples))('%s', (method, sample) => {
  const schema = Object.entries<z.ZodType>(sidebarPayloads).find(([name]) => name === method)?.[1];
  const faultIn = (payload: unknown): string | undefined =>
    findViolation(rules, methods[method] ?? 'any', payload, method);

  it('takes what the schema takes', () => {
    expect(faultIn(sample)).toBeUndefined();
  });

  it('refuses what the schema refuses for its shape, and nothing that the schema takes', () => {
    const place = fc
      .constantFrom(...placesIn(sample))
      .chain((at) => fc.constantFrom(at, [...at, 'toString']));
    const part = fc.oneof(
      fc.constant(undefined),
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom(0, -1, 1.5, 51),
    );
    fc.assert(
      fc.property(place, part, (at, other) => {
        const payload = changed(sample, at, other);
        const read = schema?.safeParse(payload);
        const fault = faultIn(payload);
        if (read?.success === true) expect(fault, JSON.stringify(payload)).toBeUndefined();
        if (read?.error?.issues.some(isOfShape) === true) {
          expect(fault, JSON.stringify(payload)).toBeDefined();
        }
      }),
      { numRuns: 300 },
    );
  });
});

it('leaves lengths and formats to the gateway, which says what is wrong in better words', () => {
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
