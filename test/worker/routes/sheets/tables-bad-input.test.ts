// A table that can't be is refused with the part that is wrong, whatever it is made of.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { good, listed, newCaller, newId } from './tables.ts';

/** A table of a search with so many lists, each in the other. */
function deep(lists: number): string {
  const source = `{"kind":"search","query":{"es_dsl":{"bool":${'['.repeat(lists)}${']'.repeat(lists)}}}}`;
  return JSON.stringify({ ...good, source: 0 }).replace('"source":0', `"source":${source}`);
}

describe('bad input', () => {
  it.each<[string, unknown, string]>([
    ['that is not JSON', '{"title":', 'not JSON'],
    ['with a long title', { ...good, title: 'x'.repeat(201) }, 'title'],
    ['of a family that can’t be searched', { ...good, family: 'employee_post' }, 'family'],
    ['of row 0', { ...good, spreadsheet: { ...good.spreadsheet, row: 0 } }, 'spreadsheet.row'],
    ['without an id', { ...good, columns: [{ path: 'name', heading: 'Name' }] }, 'exactly one column'],
    [
      'with a heading twice',
      { ...good, columns: [...good.columns, { path: 'industry', heading: ' Id ' }] },
      'duplicate heading',
    ],
    [
      'with a column that is no path',
      { ...good, columns: [{ path: 'a b', heading: 'x' }] },
      'columns.0.path',
    ],
    ['of a source of another kind', { ...good, source: { kind: 'file' } }, 'source'],
    [
      'with two queries',
      { ...good, source: { kind: 'search', query: { text: 'a', filters: {} } } },
      'source',
    ],
    [
      'with filters that the family has not',
      { ...good, source: { kind: 'search', query: { filters: {} } } },
      'filters',
    ],
    ['with an endless DSL', deep(30_000), 'source.query'],
    ['with more than there is', { ...good, pushed: null }, 'pushed'],
  ])('%s is a 422 that names the part, and nothing is kept', async (_, body, part) => {
    const at = await newCaller();
    const refused = await at.problem('PUT', `/tables/${newId()}`, body);
    expect(refused).toMatchObject({ status: 422, code: 'invalid_request' });
    expect(refused.detail).toContain(part);
    expect(await listed(at)).toEqual([]);
  });

  it('an id that is none is a 404', async () => {
    const at = await newCaller();
    for (const id of ['x', '1', encodeURIComponent("' OR 1=1 --"), '%00']) {
      for (const [method, body] of [['GET'], ['PUT', good], ['DELETE']] as const) {
        expect(await at.problem(method, `/tables/${id}`, body)).toMatchObject({
          status: 404,
          code: 'not_found',
        });
      }
    }
  });

  it('in any part of a good one is kept or refused, and what is kept comes back', async () => {
    const at = await newCaller();
    const text = fc.string({ unit: 'binary', maxLength: 300 });
    const wild = fc.oneof(text, fc.jsonValue());
    const sources = fc.oneof(
      fc.record({ kind: fc.constant('search'), query: fc.record({ text }) }),
      fc.record({ kind: fc.constant('search'), query: fc.record({ filters: fc.object() }) }),
      fc.record({ kind: fc.constant('search'), query: fc.record({ es_dsl: fc.object() }) }),
      fc.record({ kind: fc.constant('request'), request: fc.oneof(fc.uuid(), text) }),
    );
    const headed = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 20 }), wild);
    const parts = {
      title: wild,
      family: fc.constantFrom('company_clean', 'company_base', 'employee_post', 'job_base'),
      spreadsheet: fc.record({
        id: wild,
        sheet_id: fc.oneof(fc.integer(), wild),
        row: fc.oneof(fc.nat(), wild),
      }),
      columns: fc
        .array(fc.record({ path: fc.constantFrom('name', 'a[0].b', 'industry', '*', ''), heading: headed }))
        .map((columns) => [{ path: 'id', heading: 'Id' }, ...columns]),
      source: sources,
      mode: fc.constantFrom('append', 'update', 'replace'),
      push: fc.boolean(),
      as_of: fc.oneof(
        fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
        text,
      ),
    };
    // One part or two, so that many are good.
    const bodies = fc
      .tuple(fc.record(parts), fc.subarray(Object.keys(parts), { minLength: 1, maxLength: 2 }))
      .map(([all, names]) =>
        Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name))),
      );
    let kept = 0;
    await fc.assert(
      fc.asyncProperty(bodies, async (change) => {
        const id = newId();
        const response = await at.call('PUT', `/tables/${id}`, { ...good, ...change });
        expect([200, 422, 503]).toContain(response.status);
        if (response.status !== 200) return;
        kept += 1;
        expect(await at.ok('GET', `/tables/${id}`)).toEqual(await response.json());
        await at.ok('DELETE', `/tables/${id}`);
      }),
      { numRuns: 200 },
    );
    expect(kept).toBeGreaterThan(20);
  });
});
