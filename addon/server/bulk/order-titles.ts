// Remembers the names of bulk orders: their tables may be gone.
import { ignoreAddonErrors } from '../../lib/addon-error.ts';
import { readStoredJson, writeStoredJson } from '../../lib/document-store.ts';

const NAME = 'CDAPI_ORDERS';
const MAX_TITLES = 30;

type OrderTitle = [id: string, title: string];

const isOrderTitle = (value: unknown): value is OrderTitle => Array.isArray(value) && value.length === 2;

function readTitles(): OrderTitle[] {
  const stored = readStoredJson(NAME);
  return Array.isArray(stored) ? stored.filter(isOrderTitle) : [];
}

/** Reads the names of the last orders of this spreadsheet, by the id of their data request. */
export const readOrderTitles = (): ReadonlyMap<string, string> => new Map(readTitles());

/** Remembers the name of an order. It is placed and paid for, so a full store must not make it fail. */
export function saveOrderTitle(id: string, title: string): void {
  ignoreAddonErrors(() => writeStoredJson(NAME, [[id, title], ...readTitles()].slice(0, MAX_TITLES)));
}
