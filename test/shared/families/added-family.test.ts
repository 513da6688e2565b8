// A family needs nothing but its file and its lines in the register: one that is added there is everywhere.
import { expect, it, vi } from 'vitest';
import { getPreviewColumns, getRecordColumns } from '../../../shared/families/columns.ts';
import type { FamilyDefinition } from '../../../shared/families/definition.ts';
import { type Family, isFamily } from '../../../shared/families/index.ts';
import { formulas } from '../../../shared/formulas.ts';
import { extractKeys } from '../../../shared/keys/index.ts';
import {
  getLookupKinds,
  getPreviewPrice,
  getRecordPrice,
  getSortFields,
  operations,
} from '../../../shared/operations.ts';
import { formatFieldLabel, getFormFields, getInitialFormFields } from '../../../shared/query/form-fields.ts';
import { buildFormQuery } from '../../../shared/query/form-query.ts';
import {
  describeUnknownQueryFields,
  describeUnknownRecordFields,
} from '../../../shared/query/known-fields.ts';
import { addSinceCondition, canSchedule } from '../../../shared/query/since.ts';
import { buildOpenApi } from '../../../worker/routes/docs/openapi/document.ts';
import { buildOpenApi as providerOpenApi } from '../../../worker/sandbox/api/openapi/index.ts';
import { parseFilters } from '../../../worker/sandbox/api/queries.ts';
import { createSandbox } from '../../../worker/sandbox/app.ts';

vi.mock('../../../shared/families/registry.ts', async (original) => {
  const register = await original<typeof import('../../../shared/families/registry.ts')>();
  const event: FamilyDefinition = await import('./event_base.ts');
  const withEvent = (table: object, value: unknown) => ({ ...table, event_base: value });
  return {
    familyNames: [...register.familyNames, 'event_base'],
    families: withEvent(register.families, event.info),
    familyOperations: withEvent(register.familyOperations, event.operations),
    prices: withEvent(register.prices, event.prices),
    familyLabels: withEvent(register.familyLabels, event.label),
    indexFields: withEvent(register.indexFields, event.fields),
    previewFields: withEvent(register.previewFields, event.preview),
    filters: withEvent(register.filters, event.filters),
    searchForms: withEvent(register.searchForms, event.form),
    changedAt: withEvent(register.changedAt, event.changedAt),
  };
});

// Node has no Workers; the description takes schemas from modules that define their objects.
vi.mock('cloudflare:workers', () => ({ DurableObject: class {}, WorkflowEntrypoint: class {} }));

/** The compiler knows the families of the register alone. */
function known(name: string): Family {
  if (!isFamily(name)) throw new Error(`${name} is no family`);
  return name;
}
const event = known('event_base');

/** Paths of the family below the service's prefix, with the method of each. */
const paths = [
  'GET /v2/event_base/collect/{key}',
  'GET /v2/event_base/enrich',
  'POST /v2/event_base/search/filter',
  'POST /v2/event_base/search/es_dsl',
  'POST /v2/event_base/search/filter/preview',
  'POST /v2/data_requests/event_base/ids',
  'POST /v2/data_requests/event_base/filter',
];

it('has operations, prices and sorts', () => {
  const own = operations.filter(({ family }) => family === event);
  expect(own.map(({ method, path, credits }) => [`${method} ${path}`, credits])).toEqual(
    paths.map((path, at) => [path, [7, 7, 0, 0, 3, 7, 7][at]]),
  );
  expect([getRecordPrice(event), getPreviewPrice(event)]).toEqual([7, 3]);
  expect(getLookupKinds(event)).toEqual(['id', 'website']);
  expect(getSortFields(event, 'es_dsl')).toEqual(['id', '_score', 'followers']);
});

it('is described for programs, and the sandbox has its routes', () => {
  const below = (document: { paths?: unknown }, prefix: string): string[] =>
    Object.entries(document.paths ?? {}).flatMap(([path, item]: [string, object]) =>
      path.includes('event_base')
        ? Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replace(prefix, '')}`)
        : [],
    );
  expect(below(buildOpenApi('https://gateway.example'), '/cdapi')).toEqual(expect.arrayContaining(paths));
  expect(below(providerOpenApi('https://sandbox.example'), '/cdapi')).toEqual(paths);
  const routed = createSandbox().routes.filter(({ path }) => path.includes('event_base'));
  expect(new Set(routed.map(({ path }) => path)).size).toBe(paths.length);
});

it('has columns, a preview and names of fields that are checked', () => {
  expect(getRecordColumns(event)).toEqual([
    { name: 'id', type: 'integer' },
    { name: 'venue', type: 'text' },
    { name: 'event_site', type: 'text' },
    { name: 'visitors', type: 'integer' },
    { name: 'changed', type: 'date' },
  ]);
  expect(getPreviewColumns(event).map(({ name }) => name)).toEqual(['id', 'venue', '_score']);
  expect(describeUnknownRecordFields(event, ['venu'])).toBe(
    '"venu" is not a field of event_base: did you mean venue?',
  );
  expect(describeUnknownQueryFields(event, { filters: { visitor_gte: 5 } })).toContain(
    'did you mean visitors_gte?',
  );
  expect(extractKeys(event, { event_site: 'https://fair.example' }).website).toEqual(['fair.example']);
});

it('has a form, whose query the sandbox reads', () => {
  expect(getInitialFormFields(event)).toEqual(['venue']);
  expect(getFormFields(event).map(({ label }) => label)).toEqual(['Venue', 'Visitors', 'Changed']);
  expect(formatFieldLabel('event_site')).toBe('Website of the event');
  const made = buildFormQuery(event, [
    { name: 'venue', values: ['hall'] },
    { name: 'visitors', values: ['100', ''] },
  ]);
  expect(made).toEqual({ ok: true, query: { filters: { venue: 'hall', visitors_gte: 100 } } });
  expect(() => parseFilters(event, { venue: 'hall', visitors_gte: 100 }, () => 0)).not.toThrow();
});

it('is offered by the help of formulas', () => {
  const search = formulas.find(({ name }) => name === 'CDAPI_SEARCH');
  expect(search?.parameters[0]?.help).toMatch(/, event_base\.$/);
});

it('can be refreshed by what is new or changed', () => {
  expect([canSchedule(event, 'search'), canSchedule(event, 'filter')]).toEqual([true, true]);
  expect(addSinceCondition(event, { filters: { venue: 'hall' } }, Date.UTC(2026, 10, 22))).toEqual({
    filters: { venue: 'hall', changed_gte: '2026-11-22 00:00:00' },
  });
});
