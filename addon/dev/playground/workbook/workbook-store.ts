// Stores the workbook in the browser's IndexedDB, one entry for each instance.
import type { IWorkbookData } from '@univerjs/core';
import { isObject } from '../../../../shared/lib/is-object.ts';
import type { CacheStores, PropertyStores } from '../../host/types.ts';
import type { CachedResult } from '../formulas/custom-functions.ts';
import type { SheetNumber } from '../grid/cells.ts';
import type { Session } from '../session.ts';

/** A stored workbook with the state that the add-on needs to recognise its tables and runs. */
export interface SavedWorkbook {
  content: IWorkbookData;
  sheetNumbers: readonly SheetNumber[];
  /** Without connections: each start of the page has the session's own. */
  properties: PropertyStores;
  /** Google keeps them over a reload, too: Undo needs them. */
  caches: CacheStores;
  /** Formulas with these results are not evaluated again, as in Sheets, so a reload spends nothing. */
  results: readonly CachedResult[];
  /** Identifies the records that the results come from. */
  records: string;
}

const DATABASE = 'cdapi-playground';
const STORE = 'workbooks';
/** Another format deletes stored workbooks. */
const FORMAT = 2;

/** Reads, writes and deletes the workbook of one instance. Two tabs share it: the last write wins. */
export class WorkbookStore {
  readonly #database: IDBDatabase;
  readonly #key: string;

  private constructor(database: IDBDatabase, key: string) {
    this.#database = database;
    this.#key = key;
  }

  /**
   * Opens the store of an instance.
   * @throws DOMException if the browser denies storage
   */
  static async open(session: Session): Promise<WorkbookStore> {
    const request = indexedDB.open(DATABASE, FORMAT);
    request.onupgradeneeded = () => {
      for (const name of request.result.objectStoreNames) request.result.deleteObjectStore(name);
      request.result.createObjectStore(STORE);
    };
    return new WorkbookStore(await complete(request), await getKey(session));
  }

  /**
   * @returns undefined if nothing is stored
   * @throws Error if the entry is damaged
   */
  async read(): Promise<SavedWorkbook | undefined> {
    const entry: unknown = await complete(this.#transact('readonly').get(this.#key));
    if (entry === undefined) return undefined;
    if (!isSavedWorkbook(entry)) throw new Error('The stored workbook is damaged.');
    return entry;
  }

  /** @throws DOMException if the browser's storage is full */
  async write(workbook: SavedWorkbook): Promise<void> {
    const store = this.#transact('readwrite');
    store.put(workbook, this.#key);
    await new Promise<void>((resolve, reject) => {
      store.transaction.oncomplete = () => resolve();
      store.transaction.onabort = () => reject(store.transaction.error);
    });
  }

  async delete(): Promise<void> {
    await complete(this.#transact('readwrite').delete(this.#key));
  }

  #transact(mode: IDBTransactionMode): IDBObjectStore {
    return this.#database.transaction(STORE, mode).objectStore(STORE);
  }
}

export interface LoadedWorkbook {
  /** undefined if the browser denies storage. */
  store?: WorkbookStore;
  saved?: SavedWorkbook;
  /** Tells the user why the initial workbook is shown. */
  problem?: string;
}

export const DAMAGED = 'The saved workbook couldn’t be opened, so the playground started over.';
const BLOCKED = 'Not saved: this browser blocks storage. Reloading this page starts over.';

/** Opens the store of an instance and reads its workbook. A damaged one is deleted. */
export async function loadWorkbook(session: Session): Promise<LoadedWorkbook> {
  const store = await WorkbookStore.open(session).catch(() => undefined);
  if (store === undefined) return { problem: BLOCKED };
  try {
    const saved = await store.read();
    return saved === undefined ? { store } : { store, saved };
  } catch {
    await store.delete().catch(() => undefined);
    return { store, problem: DAMAGED };
  }
}

/** Identifies the records of an instance. Results of other records must not be shown. */
export function identifyRecords({ records, examples }: Session): string {
  return JSON.stringify([records, examples]);
}

/** Sandbox and provider have separate workbooks: restored formulas of one must not spend credits of the other. */
async function getKey({ url, team_token, sandbox }: Session): Promise<string> {
  const identity = JSON.stringify([url, team_token, sandbox, location.search]);
  // A digest, because the token is a secret.
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(identity));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function complete<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function isSavedWorkbook(entry: unknown): entry is SavedWorkbook {
  if (!isObject(entry)) return false;
  const { content, sheetNumbers, properties, caches, results, records } = entry;
  if (!isObject(content) || !isObject(content.sheets) || !Array.isArray(content.sheetOrder)) return false;
  const { sheets, sheetOrder } = content;
  return (
    sheetOrder.length > 0 &&
    sheetOrder.every((id) => isObject(sheets[String(id)])) &&
    Array.isArray(sheetNumbers) &&
    sheetNumbers.every(Array.isArray) &&
    isObject(properties) &&
    isObject(caches) &&
    Object.values(caches).every(Array.isArray) &&
    Array.isArray(results) &&
    results.every(Array.isArray) &&
    typeof records === 'string'
  );
}
