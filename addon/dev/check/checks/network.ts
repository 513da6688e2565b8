// The gateway as the script and the sidebar reach it, google.script.run, and how long calls of services take.
import type { Check, CheckContext, Measurement } from '../check.ts';
import { getRefusal } from '../check.ts';
import { ask } from '../formulas.ts';
import { getProperties, KEYS } from '../stores.ts';

/** The gateway's address; '' for none. Set by the build. */
declare const CHECK_GATEWAY: string;

const WITHOUT_GATEWAY: Measurement = {
  measured: 'not tried: name a gateway, as in npm run addon:check -- https://gateway.example.com',
};

function compareFetchAll(): string | Measurement {
  if (CHECK_GATEWAY === '') return WITHOUT_GATEWAY;
  const requests = ['/health', '/none', '/sheets/v1/me'].map((path) => ({
    url: `${CHECK_GATEWAY}${path}`,
    muteHttpExceptions: true,
  }));
  const single = requests.map(({ url, muteHttpExceptions }) =>
    UrlFetchApp.fetch(url, { muteHttpExceptions }).getResponseCode(),
  );
  const all = UrlFetchApp.fetchAll(requests).map((response) => response.getResponseCode());
  return all.join() === single.join() ? 'as single calls, in order' : 'not as single calls';
}

/** Bot protection of Cloudflare answers Apps Script with a page instead of letting it through. */
function describeAnswer(): string | Measurement {
  if (CHECK_GATEWAY === '') return WITHOUT_GATEWAY;
  const response = UrlFetchApp.fetch(`${CHECK_GATEWAY}/health`, { muteHttpExceptions: true });
  return response.getContentText('UTF-8').startsWith('{') ? 'the gateway answers' : 'something else answers';
}

/** Reads one finding of the sidebar's page; waits for the page. */
function readPage({ waitFor }: CheckContext, name: string): string | Measurement {
  const stored = waitFor(
    () => getProperties().getProperty(KEYS.page),
    (text) => text !== null,
  );
  // The other checks need not wait for it, too.
  if (stored === null) getProperties().setProperty(KEYS.page, '{}');
  const found: unknown = Reflect.get(Object(JSON.parse(stored ?? '{}')), name);
  return found === 'no gateway' ? WITHOUT_GATEWAY : String(found ?? 'the sidebar did not answer');
}

const REPETITIONS = 5;

/** Returns the median duration of a call in ms. */
function measure(call: () => unknown): number {
  const times = Array.from({ length: REPETITIONS }, () => {
    const start = Date.now();
    call();
    return Date.now() - start;
  });
  return times.sort((a, b) => a - b)[Math.floor(REPETITIONS / 2)] ?? 0;
}

function measureServices({ sheet }: CheckContext): Measurement {
  const properties = getProperties();
  const cache = CacheService.getScriptCache();
  const cell = sheet.getRange('A1');
  const write = (): void => {
    cell.setValue(Date.now());
    SpreadsheetApp.flush();
  };
  const calls: Readonly<Record<string, () => unknown>> = {
    'read a cell': () => cell.getValue(),
    'write a cell and flush': write,
    'write, then read': () => {
      write();
      cell.getValue();
    },
    'read a property': () => properties.getProperty(KEYS.seen),
    'read the cache': () => cache.get(KEYS.seen),
    'write the cache': () => cache.put(KEYS.seen, 'value', 1),
    'parse a date': () => Utilities.parseDate('2026-01-01', 'GMT', 'yyyy-MM-dd'),
    'make a digest': () =>
      Utilities.computeDigest(Utilities.DigestAlgorithm.SHA_256, 'text', Utilities.Charset.UTF_8),
    'read a file': () => HtmlService.createTemplateFromFile('Later').getRawContent(),
    ...(CHECK_GATEWAY === ''
      ? {}
      : { fetch: () => UrlFetchApp.fetch(`${CHECK_GATEWAY}/health`, { muteHttpExceptions: true }) }),
  };
  const medians = Object.entries(calls).map(([name, call]) =>
    getRefusal(call) === undefined ? `${name} ${measure(call)} ms` : `${name} failed`,
  );
  return { measured: `median of ${REPETITIONS}: ${medians.join(', ')}` };
}

export const NETWORK_CHECKS: readonly Check[] = [
  {
    id: 'fetch-all',
    expected: 'fetchAll() answers as single calls would, in the order of the requests',
    accepted: ['as single calls, in order'],
    find: compareFetchAll,
  },
  {
    id: 'bot-protection',
    expected: 'nothing between Google and the gateway answers instead of it',
    accepted: ['the gateway answers'],
    find: describeAnswer,
  },
  {
    id: 'failure-handler',
    expected: 'the failure handler of google.script.run gets an error of this page, another object or a text',
    accepted: ['an error', 'an object with a message', 'a text'],
    find: (context) => readPage(context, 'failure'),
  },
  {
    id: 'date-in-answer',
    expected: 'a Date in an answer to google.script.run makes the answer null',
    accepted: ['null'],
    find: (context) => readPage(context, 'dateInAnswer'),
  },
  {
    id: 'date-in-call',
    expected: 'google.script.run refuses a Date in an argument',
    accepted: ['refused'],
    find: (context) => readPage(context, 'dateInCall'),
  },
  {
    id: 'sidebar-fetch',
    expected: 'the sidebar may fetch from the gateway’s event addresses',
    accepted: ['answered'],
    find: (context) => readPage(context, 'fetch'),
  },
  {
    id: 'sidebar-events',
    expected: 'the sidebar may open an EventSource of the gateway',
    accepted: ['reaches the gateway'],
    find: (context) => readPage(context, 'events'),
  },
  {
    id: 'sidebar-literals',
    expected: 'in a page, a template literal with a double slash arrives unchanged or damaged',
    accepted: ['unchanged', 'damaged'],
    find: (context) => readPage(context, 'literal'),
  },
  {
    id: 'service-times',
    expected: 'calls of services take tens of milliseconds',
    find: measureServices,
  },
  {
    id: 'formula-start',
    expected: 'a formula’s script starts within seconds',
    find: (context) => {
      const set = Date.now();
      const loaded = Number(ask(context, 'loaded at'));
      return { measured: `${loaded - set} ms after the formula was set` };
    },
  },
];
