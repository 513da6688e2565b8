// Properties, cache and locks: whose they are, and their limits.
import { expect, test } from 'vitest';
import { Clock, cell, hostOf, VIEWER, WORKBOOK } from './host.ts';

const CACHE = 'const cache = CacheService.getScriptCache();';
const PROPERTIES = 'const store = PropertiesService.getScriptProperties();';

test('a cached value lives for 600 seconds unless told, to the second', async () => {
  const clock = new Clock();
  const host = hostOf(
    `function put() { CacheService.getScriptCache().put('a', '1'); CacheService.getScriptCache().put('b', '2', 601) }
     function get() { const cache = CacheService.getScriptCache(); return [cache.get('a'), cache.get('b')] }`,
    clock.options,
  );
  await host.run('put');
  clock.pass(599_999);
  expect(await host.run('get')).toEqual(['1', '2']);
  clock.pass(1);
  expect(await host.run('get')).toEqual([null, '2']);
  clock.pass(1000);
  expect(await host.run('get')).toEqual([null, null]);
});

test.each([
  ['a key of 251 characters', `cache.put('k'.repeat(251), 'v')`, 'Argument too large: key'],
  ['a value of more than 100 KB', `cache.put('k', 'v'.repeat(102401))`, 'Argument too large: value'],
  ['a value of more than 100 KB in UTF-8', `cache.put('k', 'é'.repeat(51201))`, 'Argument too large: value'],
  ['more than six hours', `cache.put('k', 'v', 21601)`, 'Invalid argument: expirationInSeconds'],
  ['no time at all', `cache.put('k', 'v', 0)`, 'Invalid argument: expirationInSeconds'],
  [
    'no value',
    `cache.put('k')`,
    "The parameters (String) don't match the method signature for CacheService.Cache.put.",
  ],
])('a cache refuses %s', async (_what, call, words) => {
  await expect(cell(`${CACHE} ${call}`)).rejects.toThrow(words);
});

test('a property may have 9 KB and no more, counted in UTF-8', async () => {
  expect(
    await cell(
      `${PROPERTIES} store.setProperty('k', 'v'.repeat(9216)); return store.getProperty('k').length`,
    ),
  ).toBe(9216);
  for (const value of [`'v'.repeat(9217)`, `'é'.repeat(4609)`]) {
    await expect(cell(`${PROPERTIES} store.setProperty('k', ${value})`)).rejects.toThrow(
      'Argument too large: value',
    );
  }
});

test('a store holds 500 KB; what does not fit changes nothing', async () => {
  const host =
    hostOf(`function fill() { ${PROPERTIES} for (let i = 0; i < 56; i++) store.setProperty('key' + i, 'v'.repeat(9100)) }
    function more() { ${PROPERTIES} store.setProperties({ one: 'small', two: 'v'.repeat(9000) }) }
    function less() { ${PROPERTIES} store.deleteProperty('key0') }`);
  await host.run('fill');
  const before = host.properties;
  await expect(host.run('more')).rejects.toThrow(
    'You have exceeded the property storage quota. Please remove some properties and try again.',
  );
  expect(host.properties).toEqual(before);
  await host.run('less');
  await host.run('more');
  expect(host.properties.script).toMatchObject({ one: 'small' });
});

test('a lock excludes other executions until it is released', async () => {
  const clock = new Clock();
  const host = hostOf(
    `function hold() { const lock = LockService.getScriptLock(); lock.waitLock(1000); Utilities.sleep(5000);
       PropertiesService.getScriptProperties().setProperty('held', 'yes'); lock.releaseLock(); return lock.hasLock() }
     function want() { const lock = LockService.getScriptLock(); const got = lock.tryLock(20000);
       return [got, lock.hasLock(), PropertiesService.getScriptProperties().getProperty('held')] }`,
    clock.options,
  );
  const holder = host.run('hold');
  await clock.waitedFor(5000);
  const waiter = host.run('want');
  await clock.waitedFor(20_000);
  clock.pass(5000);
  expect(await waiter).toEqual([true, true, 'yes']);
  expect(await holder).toBe(false);
});

test('a lock is given back when its execution ends, even by force', async () => {
  const clock = new Clock();
  const host = hostOf(
    `function F() { LockService.getScriptLock().waitLock(1); console.log('held'); while (true); }
     function go() { return LockService.getScriptLock().tryLock(0) }`,
    { ...clock.options, onLog: () => clock.pass(360_000) },
  );
  await expect(host.run('F')).rejects.toThrow('Exceeded maximum execution time');
  expect(await host.run('go')).toBe(true);
});

test('who runs a function has an own cache, own properties and an own active cell, and the document with everybody', async () => {
  const body = `function F() {
    const own = CacheService.getUserCache(), all = PropertiesService.getDocumentProperties();
    const seen = [own.get('k'), all.getProperty('k'), SpreadsheetApp.getActiveRange().getA1Notation()];
    own.put('k', 'mine');
    all.setProperty('k', 'ours');
    return [...seen, Session.getActiveUser().getEmail()];
  }`;
  const workbook = (viewer: string) => ({
    ...WORKBOOK,
    active: { sheet: 'Sheet1', row: viewer === VIEWER ? 1 : 3, column: 1 },
  });
  const host = hostOf(body, { workbook });
  const other = 'other@example.com';
  expect(await host.run('F')).toEqual([null, null, 'A1', VIEWER]);
  expect(await host.run('F', [], 'menu', { user: other })).toEqual([null, 'ours', 'A3', other]);
  expect(await host.run('F')).toEqual(['mine', 'ours', 'A1', VIEWER]);
});
