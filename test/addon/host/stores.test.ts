// Properties, cache and locks: whose they are, and their limits.
import { expect, test } from 'vitest';
import { Args, type Context } from '../../../addon/host/calls.ts';
import { Properties } from '../../../addon/host/properties.ts';
import { Quotas } from '../../../addon/host/rules.ts';
import { Clock, cell, cells, click, hostOf, OWNER, VIEWER, WORKBOOK } from './host.ts';

const CACHE = 'const cache = CacheService.getScriptCache();';
const PROPERTIES = 'const store = PropertiesService.getScriptProperties();';

test('what is put into a cache can be got and removed, one or many', async () => {
  const body = `${CACHE}
    cache.put('a', '1');
    cache.putAll({ b: '2', c: '3' }, 60);
    cache.remove('a');
    const all = JSON.stringify(cache.getAll(['a', 'b', 'c', 'd']));
    cache.removeAll(['b']);
    return [cache.get('a'), all, cache.get('b'), cache.get('c')]`;
  expect(await click(body)).toEqual([null, '{"b":"2","c":"3"}', null, '3']);
});

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
  ['a key of 251 characters to get', `cache.get('k'.repeat(251))`, 'Argument too large: key'],
  ['a value of more than 100 KB', `cache.put('k', 'v'.repeat(102401))`, 'Argument too large: value'],
  ['a value of more than 100 KB in UTF-8', `cache.put('k', 'é'.repeat(51201))`, 'Argument too large: value'],
  ['more than six hours', `cache.put('k', 'v', 21601)`, 'Invalid argument: expirationInSeconds'],
  ['no time at all', `cache.put('k', 'v', 0)`, 'Invalid argument: expirationInSeconds'],
  [
    'a number',
    `cache.put('k', 5)`,
    "The parameters (String,number) don't match the method signature for CacheService.Cache.put.",
  ],
  ['an object', `cache.putAll({ k: {} })`, "don't match the method signature for CacheService.Cache.putAll."],
  [
    'no value',
    `cache.put('k')`,
    "The parameters (String) don't match the method signature for CacheService.Cache.put.",
  ],
])('a cache refuses %s', async (_what, call, words) => {
  await expect(cell(`${CACHE} ${call}`)).rejects.toThrow(words);
});

test('a cache takes what lies right at its limits', async () => {
  const body = `${CACHE} const key = 'k'.repeat(250);
    cache.put(key, 'v'.repeat(102400), 21600); cache.put('b', 'x', 1); return cache.get(key).length + cache.get('b')`;
  expect(await cell(body)).toBe('102400x');
});

test('a cache keeps 1,000 items; one more, and the 900 that expire last stay', async () => {
  const body = `${CACHE}
    const keys = Array.from({ length: 1000 }, (_, index) => 'k' + index);
    cache.putAll(Object.fromEntries(keys.map((key) => [key, 'v'])), 100);
    const before = Object.keys(cache.getAll(keys)).length;
    cache.put('k0', 'again', 100);
    cache.put('last', 'v', 50);
    const left = Object.keys(cache.getAll([...keys, 'last']));
    return [before, left.length, left.includes('k0'), left.includes('k1'), left.includes('k101'), left.includes('last')]`;
  expect(await click(body)).toEqual([1000, 900, true, false, true, false]);
});

test('caches may be forgotten early; properties stay', async () => {
  const host =
    hostOf(`function put() { CacheService.getUserCache().put('a', '1'); PropertiesService.getUserProperties().setProperty('a', '1') }
    function get() { return [CacheService.getUserCache().get('a'), PropertiesService.getUserProperties().getProperty('a')] }`);
  await host.run('put');
  expect(await host.run('get')).toEqual(['1', '1']);
  host.forgetCaches();
  expect(await host.run('get')).toEqual([null, '1']);
});

test('script, user and document have caches of their own, users one each', async () => {
  const host = hostOf(`function put(e) { CacheService.getUserCache().put('a', e) }
    function get() { return [CacheService.getUserCache(), CacheService.getScriptCache(), CacheService.getDocumentCache()].map((cache) => cache.get('a')) }`);
  await host.run('put', ['mine']);
  expect(await host.run('get')).toEqual(['mine', null, null]);
  host.change({ people: { owner: OWNER, viewer: OWNER } });
  expect(await host.run('get')).toEqual([null, null, null]);
});

test('properties are texts: other values are made so', async () => {
  const body = `${PROPERTIES}
    store.setProperty('n', 5).setProperty('b', true).setProperties({ o: 'text', x: 1.5 });
    return [store.getProperty('n'), store.getProperty('none'), store.getKeys().sort().join(), typeof store.getProperties().x]`;
  expect(await click(body)).toEqual(['5', null, 'b,n,o,x', 'string']);
});

test('properties can be deleted, one, all, or all others', async () => {
  const host = hostOf(
    `function go() { ${PROPERTIES} store.deleteProperty('a'); const after = store.getKeys().join();
      store.setProperties({ d: '4' }, true); const others = store.getKeys().join();
      store.deleteAllProperties(); return [after, others, store.getKeys().length] }`,
    { properties: { script: { a: '1', b: '2', c: '3' } } },
  );
  expect(await host.run('go')).toEqual(['b,c', 'd', 0]);
});

test('stores of script, document and each user are kept apart and can be handed over', async () => {
  const set = (store: string, value: string) =>
    `PropertiesService.get${store}Properties().setProperty('k', '${value}');`;
  const host = hostOf(`function go() { ${set('Script', 's')} ${set('Document', 'd')} ${set('User', 'u')} }`);
  await host.run('go');
  expect(host.properties).toEqual({
    script: { k: 's' },
    document: { k: 'd' },
    user: { [VIEWER]: { k: 'u' } },
  });
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

test('properties can be read and written 50,000 times a day by each user', () => {
  const context: Context = {
    kind: 'menu',
    functionName: 'go',
    authMode: 'FULL',
    cell: null,
    viewer: VIEWER,
    user: VIEWER,
    hasDocument: true,
    hasSpreadsheet: true,
    atEnd: new Set(),
  };
  const { handlers } = new Properties({}, new Quotas(() => 0));
  const read = (viewer: string) =>
    handlers['PropertiesService.Properties.getKeys']?.({ ...context, viewer }, new Args(['script']), []);
  for (let count = 0; count < 50_000; count++) read(VIEWER);
  expect(() => read(VIEWER)).toThrow('Service invoked too many times for one day: properties.');
  expect(read(OWNER)).toEqual([]);
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

test('waiting for a lock ends: tryLock says no, waitLock throws', async () => {
  const clock = new Clock();
  const host = hostOf(
    `function hold() { LockService.getScriptLock().waitLock(1); Utilities.sleep(200000) }
     function tried() { const lock = LockService.getScriptLock(); return [lock.tryLock(700), lock.hasLock()] }
     function waited() { LockService.getScriptLock().waitLock(800) }`,
    clock.options,
  );
  const holder = host.run('hold');
  await clock.waitedFor(200_000);
  const tried = host.run('tried');
  await clock.waitedFor(700);
  clock.pass(700);
  expect(await tried).toEqual([false, false]);
  const waited = expect(host.run('waited')).rejects.toThrow(
    'Lock timeout: another process was holding the lock for too long.',
  );
  await clock.waitedFor(800);
  clock.pass(800);
  await waited;
  clock.pass(200_000);
  await holder;
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

test('an execution may take its own lock again; users have locks of their own', async () => {
  const clock = new Clock();
  const host = hostOf(
    `function hold() { const lock = LockService.getUserLock(); lock.waitLock(1); Utilities.sleep(5000); return lock.tryLock(1) }
     function other() { return [LockService.getUserLock(), LockService.getScriptLock(), LockService.getDocumentLock()].map((lock) => lock.tryLock(1)) }`,
    clock.options,
  );
  const holder = host.run('hold');
  await clock.waitedFor(5000);
  host.change({ people: { owner: OWNER, viewer: OWNER } });
  expect(await host.run('other')).toEqual([true, true, true]);
  clock.pass(5000);
  expect(await holder).toBe(true);
});

test('methods of stores take what the reference says and nothing else', async () => {
  const calls = [
    'LockService.getScriptLock().tryLock("5")',
    'PropertiesService.getScriptProperties().getProperty()',
    'PropertiesService.getScriptProperties().setProperty("a", {})',
    'PropertiesService.getScriptProperties().setProperties([])',
    'CacheService.getScriptCache().getAll("a")',
    'CacheService.getScriptCache(1)',
  ];
  const body = `return a.split(';').map((call) => { try { eval(call); return 'none' } catch (error) { return error.message } })`;
  expect((await cells(body, {}, [calls.join(';')])).flat()).toEqual([
    "The parameters (String) don't match the method signature for LockService.Lock.tryLock.",
    "The parameters () don't match the method signature for PropertiesService.Properties.getProperty.",
    "The parameters (String,(class)) don't match the method signature for PropertiesService.Properties.setProperty.",
    "The parameters ((class)[]) don't match the method signature for PropertiesService.Properties.setProperties.",
    "The parameters (String) don't match the method signature for CacheService.Cache.getAll.",
    "The parameters (number) don't match the method signature for CacheService.getScriptCache.",
  ]);
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
