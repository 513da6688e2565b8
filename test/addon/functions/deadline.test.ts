// The 30 seconds of a formula: calls get the remaining time, and a late formula writes no caches.
import { describe, expect, it } from 'vitest';
import { createClock, open, parseBody, readBuiltCode, respondWithRecords } from './sheets.ts';

/** Logs the first access to properties, which a test makes slow. */
const SLOW_PROPERTIES = `const properties = PropertiesService;
  let isFirst = true;
  PropertiesService = {
    getDocumentProperties: () => {
      if (isFirst) console.log('slow');
      isFirst = false;
      return properties.getDocumentProperties();
    },
    getUserProperties: () => properties.getUserProperties(),
  };`;

/** Opens a spreadsheet whose properties take some seconds, and whose gateway takes some more. */
async function openSlow(propertiesS: number, gatewayS: number) {
  const { now, pass } = createClock();
  const respond = respondWithRecords(() => ({ name: 'Acme' }), { stamp: 's' });
  return open({
    now,
    serviceLatencyMs: 0,
    code: await readBuiltCode(SLOW_PROPERTIES),
    onLog: () => pass(propertiesS),
    fetch: async (request) => {
      pass(gatewayS);
      return respond(request);
    },
  });
}

describe('a formula', () => {
  it.each([
    [0, 24_000],
    [9, 15_000],
    [25, 0],
  ])('that needed %i seconds before the call gives the gateway %i ms', async (seconds, waitMs) => {
    const sheet = await openSlow(seconds, 0);
    for (const [name, key] of [
      ['CDAPI_ENRICH', 'a.com'],
      ['CDAPI_SEARCH', 'company_base'],
      ['CDAPI_COUNT', 'company_base'],
      ['CDAPI_PREVIEW', 'company_base'],
    ] as const) {
      await sheet.evaluate(name, key, 'name');
    }
    await sheet.evaluate('CDAPI_ENRICH', 'b.com', 'name', 'max_credits=9');
    expect(sheet.requests.map((request) => parseBody(request).wait_ms)).toEqual(Array(5).fill(waitMs));
  });

  it.each([
    ['in time caches its rows', 20, 1],
    ['that is late skips writing caches, but shows its rows', 27, 2],
  ])('%s', async (_, seconds, requests) => {
    const sheet = await openSlow(0, seconds);
    for (let run = 0; run < 2; run += 1) {
      sheet.host.clearResults();
      expect(await sheet.evaluate('CDAPI_ENRICH', 'a.com', 'name')).toEqual({ values: [['Acme']] });
    }
    expect(sheet.requests).toHaveLength(requests);
  });
});
