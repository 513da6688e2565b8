// Keys of the check's properties, and its state between executions.
import type { Finding } from './check.ts';

const PREFIX = 'cdapi-check ';
const FINDING = `${PREFIX}finding `;

/** Properties besides the findings. */
export const KEYS = {
  /** A nonce that formulas look for. */
  seen: `${PREFIX}seen`,
  stop: `${PREFIX}stop`,
  /** The spreadsheet's locale before the run. */
  locale: `${PREFIX}locale`,
  /** Exists from the opening of the sidebar until the findings are deleted. */
  pageOpened: `${PREFIX}page opened`,
  /** What the sidebar's page has found, as JSON. */
  page: `${PREFIX}page`,
  /** What the open trigger has found. */
  trigger: `${PREFIX}trigger`,
} as const;

/** Describes whether a store is the one where a nonce was set. */
export function describeStore(store: GoogleAppsScript.Properties.Properties | null, nonce: unknown): string {
  if (store === null) return 'null';
  const isSame = store.getProperty(KEYS.seen) === String(nonce);
  return isSame ? 'the same as in a menu item' : 'others than in a menu item';
}

/** The document's properties. Google types them as always present. */
export function getProperties(): GoogleAppsScript.Properties.Properties {
  const properties: GoogleAppsScript.Properties.Properties | null = PropertiesService.getDocumentProperties();
  if (properties === null) throw new Error('Open the spreadsheet itself and run the check there.');
  return properties;
}

export function saveFinding(id: string, finding: Finding): void {
  getProperties().setProperty(`${FINDING}${id}`, JSON.stringify(finding));
}

/** Deletes a finding, so that the next run repeats its check. */
export function deleteFinding(id: string): void {
  getProperties().deleteProperty(`${FINDING}${id}`);
}

/** Reads the findings so far, by id. */
export function readFindings(): ReadonlyMap<string, Finding> {
  const stored = Object.entries(getProperties().getProperties());
  return new Map(
    stored.flatMap(([key, text]): [string, Finding][] =>
      key.startsWith(FINDING) ? [[key.slice(FINDING.length), parseFinding(text)]] : [],
    ),
  );
}

/** Only this script writes findings. */
function parseFinding(text: string): Finding {
  const { found, status }: { found?: unknown; status?: unknown } = Object(JSON.parse(text));
  const known = status === 'PASS' || status === 'INFO' ? status : 'FAIL';
  return { found: String(found), status: known };
}

const MAX_LOCK_MS = 10_000;

/** Runs an action while no other execution changes the state of the page. The run holds the script's lock. */
function withDocumentLock(action: () => void): void {
  const lock = LockService.getDocumentLock();
  lock.waitLock(MAX_LOCK_MS);
  try {
    action();
  } finally {
    lock.releaseLock();
  }
}

/** Stores what the sidebar's page has found, unless the findings have been deleted since it opened. */
export function savePage(findings: string): void {
  const properties = getProperties();
  withDocumentLock(() => {
    if (properties.getProperty(KEYS.pageOpened) !== null) properties.setProperty(KEYS.page, findings);
  });
}

/** Deletes everything that the check has stored. */
export function clearState(): void {
  const properties = getProperties();
  withDocumentLock(() => {
    for (const key of properties.getKeys()) if (key.startsWith(PREFIX)) properties.deleteProperty(key);
  });
  PropertiesService.getUserProperties().deleteProperty(KEYS.seen);
}
