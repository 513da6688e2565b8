// The script's engine and project: digests, the second script, time zones, permissions.
import { createNamedZone } from '../../../../shared/lib/time-zones.ts';
import type { Check, Measurement } from '../check.ts';
import { getRefusal, tryOut } from '../check.ts';

/** Length and SHA-256 of each HTML file that holds a script, by name. Set by the build. */
declare const CHECK_FILES: Readonly<Record<string, { readonly length: number; readonly sha256: string }>>;

const SHA_256 = Utilities.DigestAlgorithm.SHA_256;

const toHex = (bytes: readonly number[]): string =>
  bytes.map((byte) => (byte & 0xff).toString(16).padStart(2, '0')).join('');

const sha256 = (text: string): string =>
  toHex(Utilities.computeDigest(SHA_256, text, Utilities.Charset.UTF_8));

/** Computes without a charset, which the build refuses in calls by name. */
function computeWithoutCharset(
  method: 'computeDigest' | 'computeHmacSha256Signature',
  args: unknown[],
): string {
  const bytes: number[] = Reflect.apply(Utilities[method], Utilities, args);
  return toHex(bytes);
}

/** SHA-256 of 你好 in UTF-8. */
const VECTOR = '670d9743542cae3ea7ebe36af56bd53648b0a1126162e78d81a32934a711302e';

function findDigests(): string {
  const digest = (text: string): string => computeWithoutCharset('computeDigest', [SHA_256, text]);
  const sign = (text: string): string => computeWithoutCharset('computeHmacSha256Signature', [text, 'key']);
  const isAscii = digest('你好') === digest('??') && sign('你好') === sign('??');
  const isUtf8 = digest('你好') === VECTOR;
  const without = isAscii ? 'ASCII' : isUtf8 ? 'UTF-8' : 'something else';
  return `without a charset: ${without}; with one: ${sha256('你好') === VECTOR ? 'UTF-8' : 'something else'}`;
}

const readRaw = (name: string): string => HtmlService.createTemplateFromFile(name).getRawContent();

/** Evaluates a script that is stored in an HTML file, as the add-on does. */
function evaluateFile(name: string): unknown {
  // The script is of the same build and the same project: nothing from outside is run.
  // biome-ignore lint/security/noGlobalEval: this is what the check is about
  const evaluateText = globalThis.eval;
  return evaluateText(readRaw(name));
}

/** Describes whether an HTML file arrives as it was pushed. */
function describeFile(name: string): string {
  const content = readRaw(name);
  const file = CHECK_FILES[name];
  if (file === undefined) throw new Error(`no file ${name}`);
  if (content.length === file.length && sha256(content) === file.sha256) return 'unchanged';
  return content.length < file.length ? 'shorter' : 'changed';
}

/** Moments around changes of clocks, on both hemispheres and before 1970. */
const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Etc/UTC'];
const MOMENTS = ['1955-07-01', '2024-03-31', '2024-10-27', '2026-11-23'].flatMap((day) =>
  ['00:30', '12:00'].map((time) => new Date(`${day}T${time}:00Z`)),
);

function compareTimeZones(): string {
  if (typeof Intl === 'undefined') return 'missing';
  const agrees = ZONES.every((zone) => {
    const { toLocalTime } = createNamedZone(zone);
    return MOMENTS.every(
      (moment) =>
        new Date(toLocalTime(moment.getTime())).toISOString().slice(0, 16) ===
        Utilities.formatDate(moment, zone, "yyyy-MM-dd'T'HH:mm"),
    );
  });
  return agrees ? 'agrees with Utilities' : 'disagrees with Utilities';
}

/** Calls a method that needs a wider scope than the add-on has. There is no such spreadsheet. */
function openOther(): string {
  const message = getRefusal(() => SpreadsheetApp.openById('none')) ?? '';
  return message.includes('/auth/spreadsheets') ? 'refused for its scope' : 'not refused for its scope';
}

/** Describes in which language Google words refusals, by its own list of the account's languages. */
function describeLanguage(): Measurement {
  const message = getRefusal(() => SpreadsheetApp.openById('none')) ?? '';
  const isEnglish = /\b(?:permission|permissions)\b/.test(message);
  return { measured: `account ${Session.getActiveUserLocale()}: ${isEnglish ? 'English' : 'not English'}` };
}

const TRIGGER_SCOPE = 'https://www.googleapis.com/auth/script.scriptapp';

function describeAuthorization(): string {
  const { FULL } = ScriptApp.AuthMode;
  const status = ScriptApp.getAuthorizationInfo(FULL).getAuthorizationStatus();
  const required = tryOut(() => ScriptApp.requireScopes(FULL, [TRIGGER_SCOPE]));
  return `authorization ${String(status)}; requireScopes(): ${required}`;
}

export const SCRIPT_CHECKS: readonly Check[] = [
  {
    id: 'spreadsheet-name',
    expected: 'the spreadsheet has a name that scripts may read',
    accepted: ['a name'],
    find: ({ spreadsheet }) => (spreadsheet.getName() === '' ? 'empty' : 'a name'),
  },
  {
    id: 'digest-charset',
    expected: 'without a charset, digests and signatures take texts as ASCII; the add-on names UTF-8',
    accepted: (found) => found.endsWith('with one: UTF-8'),
    find: findDigests,
  },
  {
    id: 'raw-content',
    expected: 'getRawContent() returns the add-on’s second script as it was pushed',
    accepted: ['unchanged'],
    find: () => describeFile('Later'),
  },
  {
    id: 'second-script',
    expected: 'eval() runs the add-on’s second script',
    accepted: ['runs'],
    find: () => {
      const script: unknown = evaluateFile('Later');
      return typeof Reflect.get(Object(script), 'openSidebar') === 'function' ? 'runs' : 'does not run';
    },
  },
  {
    id: 'template-literals',
    expected: 'in an HTML file, template literals arrive unchanged or without what looks like a comment',
    accepted: ['unchanged', 'shorter'],
    find: () => describeFile('Literals'),
  },
  {
    id: 'intl-time-zones',
    expected: 'Intl.DateTimeFormat knows time zones; if it is missing or wrong, Utilities is used',
    accepted: ['agrees with Utilities', 'disagrees with Utilities', 'missing'],
    find: compareTimeZones,
  },
  {
    id: 'other-spreadsheets',
    expected: 'spreadsheets.currentonly does not allow openById(), or it does',
    accepted: ['refused for its scope', 'not refused for its scope'],
    find: openOther,
  },
  {
    id: 'account-language',
    expected: 'getActiveUserLocale() returns a language, such as de',
    accepted: (found) => /^[a-z]{2,3}(?:[-_]\w+)*$/.test(found),
    find: () => Session.getActiveUserLocale(),
  },
  {
    id: 'refusal-language',
    expected: 'refusals are in the language of the account',
    find: describeLanguage,
  },
  {
    id: 'authorization',
    expected: 'after consent, no authorization is required, and requireScopes() passes',
    accepted: ['authorization NOT_REQUIRED; requireScopes(): accepted'],
    find: describeAuthorization,
  },
];
