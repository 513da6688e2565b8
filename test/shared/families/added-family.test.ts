// A new family needs only its file and its entries in the registry.
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
import { formatEnglishFieldLabel } from '../../../shared/query/field-labels.ts';
import { getFormFields, getInitialFormFields } from '../../../shared/query/form-fields.ts';
import { buildFormQuery } from '../../../shared/query/form-query.ts';
import {
  describeUnknownQueryFields,
  describeUnknownRecordFields,
} from '../../../shared/query/known-fields.ts';
import { addSinceCondition, canSchedule } from '../../../shared/query/since.ts';
import { buildOpenApi } from '../../../worker/routes/docs/openapi/document.ts';
import { buildOpenApi as providerOpenApi } from '../../../worker/sandbox/api/openapi.ts';
import { parseFilters } from '../../../worker/sandbox/api/queries.ts';
import { createSandbox } from '../../../worker/sandbox/app.ts';

vi.mock('../../../shared/families/registry.ts', async (original) => {
  const registry = await original<typeof import('../../../shared/families/registry.ts')>();
  const event: FamilyDefinition = await import('./event_base.ts');
  const withEvent = (table: object, value: unknown) => ({ ...table, event_base: value });
  return {
    familyNames: [...registry.familyNames, 'event_base'],
    families: withEvent(registry.families, event.info),
    familyOperations: withEvent(registry.familyOperations, event.operations),
    dslSorts: withEvent(registry.dslSorts, event.dslSorts),
    prices: withEvent(registry.prices, event.prices),
    familyLabels: withEvent(registry.familyLabels, event.familyLabel),
    indexFields: withEvent(registry.indexFields, event.fields),
    previewFields: withEvent(registry.previewFields, event.preview),
    filters: withEvent(registry.filters, event.filters),
    searchForms: withEvent(registry.searchForms, event.form),
    changedAt: withEvent(registry.changedAt, event.changedAt),
  };
});

// Some modules of the document define Durable Objects, which Node lacks.
vi.mock('cloudflare:workers', () => ({ DurableObject: class {} }));

/** Narrows a name to a family for the compiler. */
function toFamily(name: string): Family {
  if (!isFamily(name)) throw new Error(`${name} is not a family`);
  return name;
}
const event = toFamily('event_base');

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
  const eventOperations = operations.filter(({ family }) => family === event);
  expect(eventOperations.map(({ method, path, credits }) => [`${method} ${path}`, credits])).toEqual(
    paths.map((path, at) => [path, [7, 7, 0, 0, 3, 7, 7][at]]),
  );
  expect([getRecordPrice(event), getPreviewPrice(event)]).toEqual([7, 3]);
  expect(getLookupKinds(event)).toEqual(['id', 'website']);
  expect(getSortFields(event, 'es_dsl')).toEqual(['id', '_score', 'followers']);
});

it('is in the OpenAPI documents and the sandbox’s routes', () => {
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

it('has columns, previews and field checks', () => {
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

it('has a form whose query the sandbox accepts', () => {
  expect(getInitialFormFields(event)).toEqual(['venue']);
  expect(getFormFields(event).map(({ label }) => label)).toEqual(['Venue', 'Visitors', 'Changed']);
  expect(formatEnglishFieldLabel('event_site')).toBe('Website of the event');
  const built = buildFormQuery(event, [
    { name: 'venue', values: ['hall'] },
    { name: 'visitors', values: ['100', ''] },
  ]);
  expect(built).toEqual({ ok: true, query: { filters: { venue: 'hall', visitors_gte: 100 } } });
  expect(() => parseFilters(event, { venue: 'hall', visitors_gte: 100 }, () => 0)).not.toThrow();
});

it('is in the help of formulas', () => {
  const search = formulas.find(({ name }) => name === 'CDAPI_SEARCH');
  expect(search?.parameters[0]?.help).toMatch(/, event_base\.$/);
});

it('can be scheduled', () => {
  expect([canSchedule(event, 'search'), canSchedule(event, 'filter')]).toEqual([true, true]);
  expect(addSinceCondition(event, { filters: { venue: 'hall' } }, Date.UTC(2026, 10, 22))).toEqual({
    filters: { venue: 'hall', changed_gte: '2026-11-22 00:00:00' },
  });
});
