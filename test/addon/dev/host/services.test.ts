// Properties, cache and locks: owners, limits and mutual exclusion.
import { expect, test } from 'vitest';
import { Clock, createHost, VIEWER, WORKBOOK } from './host.ts';

const PROPERTIES = 'const store = PropertiesService.getScriptProperties();';

test('expires a cached value after 600 seconds by default', async () => {
  const clock = new Clock();
  const host = createHost(
    `function put() { CacheService.getScriptCache().put('a', '1'); CacheService.getScriptCache().put('b', '2', 601) }
     function get() { const cache = CacheService.getScriptCache(); return [cache.get('a'), cache.get('b')] }`,
    clock.options,
  );
  await host.run('put');
  clock.advance(599_999);
  expect(await host.run('get')).toEqual(['1', '2']);
  clock.advance(1);
  expect(await host.run('get')).toEqual([null, '2']);
  clock.advance(1000);
  expect(await host.run('get')).toEqual([null, null]);
});

test('limits a store to 500 KB and rejects a larger update as a whole', async () => {
  const host =
    createHost(`function fill() { ${PROPERTIES} for (let i = 0; i < 56; i++) store.setProperty('key' + i, 'v'.repeat(9100)) }
    function more() { ${PROPERTIES} store.setProperties({ one: 'small', two: 'v'.repeat(9000) }) }
    function less() { ${PROPERTIES} store.deleteProperty('key0') }`);
  await host.run('fill');
  const before = host.properties;
  await expect(host.run('more')).rejects.toThrow('You have exceeded the property storage quota.');
  expect(host.properties).toEqual(before);
  await host.run('less');
  await host.run('more');
  expect(host.properties.script).toMatchObject({ one: 'small' });
});

test('excludes other executions until a lock is released', async () => {
  const clock = new Clock();
  const host = createHost(
    `function hold() { const lock = LockService.getScriptLock(); lock.waitLock(1000); Utilities.sleep(5000);
       PropertiesService.getScriptProperties().setProperty('held', 'yes'); lock.releaseLock() }
     function want() { const lock = LockService.getScriptLock(); const got = lock.tryLock(20000);
       return [got, PropertiesService.getScriptProperties().getProperty('held')] }`,
    clock.options,
  );
  const holder = host.run('hold');
  await clock.waitForTimer(5000);
  const waiter = host.run('want');
  await clock.waitForTimer(20_000);
  clock.advance(5000);
  expect(await waiter).toEqual([true, 'yes']);
  await holder;
});

test('releases a lock when its execution is terminated', async () => {
  const clock = new Clock();
  const host = createHost(
    `function F() { LockService.getScriptLock().waitLock(1); console.log('held'); while (true); }
     function go() { return LockService.getScriptLock().tryLock(0) }`,
    { ...clock.options, onLog: () => clock.advance(360_000) },
  );
  await expect(host.run('F')).rejects.toThrow('Exceeded maximum execution time');
  expect(await host.run('go')).toBe(true);
});

test('separates users by cache and active cell and shares the document', async () => {
  const body = `function F() {
    const cache = CacheService.getUserCache(), all = PropertiesService.getDocumentProperties();
    const seen = [cache.get('k'), all.getProperty('k'), SpreadsheetApp.getActiveRange().getA1Notation()];
    cache.put('k', 'mine');
    all.setProperty('k', 'ours');
    return seen;
  }`;
  const workbook = (viewer: string) => ({
    ...WORKBOOK,
    active: { sheet: 'Sheet1', row: viewer === VIEWER ? 1 : 3, column: 1 },
  });
  const host = createHost(body, { workbook });
  const other = 'other@example.com';
  expect(await host.run('F')).toEqual([null, null, 'A1']);
  expect(await host.run('F', [], 'menu', { user: other })).toEqual([null, 'ours', 'A3']);
  expect(await host.run('F')).toEqual(['mine', 'ours', 'A1']);
});
