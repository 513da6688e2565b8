// Unknown fields in formulas are rejected before a purchase, unless any_fields is set.
import { beforeEach, describe, expect, inject, it } from 'vitest';
import { invalidateCache } from '../../invalidate-cache.ts';
import { getSampleWebsites, measureSpending, open, toColumn } from './sheets.ts';

let websites: string[] = [];
beforeEach(async () => {
  websites = await getSampleWebsites();
  await invalidateCache(inject('session'));
});

/** Returns the error of a formula, which must be free. */
async function refusal(name: string, ...args: Parameters<Awaited<ReturnType<typeof open>>['evaluate']>[1][]) {
  const sheet = await open();
  let said: unknown;
  expect(
    await measureSpending(async () => {
      said = await sheet.evaluate(name, ...args);
    }),
  ).toBe(0);
  return said && typeof said === 'object' && 'error' in said ? said.error : said;
}

// "`"nme, idustry"` on a new site costs 10 credits and then shows `#ERROR!`; unknown fields (`employee_count, website,
// country`) are silently blank … Check fields and query field names before any purchase, and name the nearest right
// one."
describe('an unknown field', () => {
  it('is listed with the others', async () => {
    expect(await refusal('CDAPI_ENRICH', toColumn(websites), 'nme, idustry')).toBe(
      'These are not fields of company_clean: "nme" (did you mean name?), "idustry" (did you mean industry?). Correct the name. To use a field that CDAPI does not list yet, add any_fields.',
    );
    expect(await refusal('CDAPI_ENRICH', websites[0] ?? '', 'employee_count, website, country')).toContain(
      '"employee_count" (did you mean size_employees_count?), "website" (did you mean websites_main?), "country" (did you mean location_hq_country?)',
    );
  });
});

describe('a column without preview data', () => {
  it('is rejected before a page is bought', async () => {
    expect(await refusal('CDAPI_PREVIEW', 'company_base', 'industry:*', 'id, indutsry')).toContain(
      '"indutsry" is not a field of company_base: did you mean industry?',
    );
    expect(await refusal('CDAPI_PREVIEW', 'company_base', 'industry:*', 'id, founded')).toContain(
      '"founded" is in the records of company_base, but not in their previews, which have id, name,',
    );
  });
});
