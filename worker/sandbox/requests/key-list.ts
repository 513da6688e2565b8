// Parses the key lists of data requests: form fields, or lines of a file.
import type { Family } from '../../../shared/families/index.ts';
import { parseProfileUrl, parseShorthandName } from '../../../shared/keys/profile.ts';
import type { BulkKind } from '../../../shared/operations.ts';
import {
  type IssueReason,
  MISSING,
  NOT_INTEGER,
  NOT_TEXT,
  tooLarge,
  tooSmall,
  type ValidationIssue,
  validationError,
} from '../api/service-errors.ts';
import { MAX_ID } from '../record-store.ts';

/** Contract, "Credits (2026) and limits". */
export const MAX_RECORDS = 10_000;

/** Stops after this number of issues. */
const MAX_ISSUES = 20;

/** The kinds of data requests that list keys. */
export type ListKind = Exclude<BulkKind, 'filter' | 'es_dsl'>;

export interface KeyList {
  kind: 'id' | 'shorthand_name';
  /** Distinct, in the order of the request. */
  keys: string[];
}

type KeyResult = { value: string } | { issue: IssueReason };

const NO_NAME: IssueReason = { msg: 'value yields no shorthand name', type: 'value_error.shorthand_name' };
const MAX_ID_CHARACTERS = 100;

const DUPLICATE: IssueReason = { msg: 'value stands twice', type: 'value_error.duplicate' };
const NOT_FILE: IssueReason = { msg: 'a file is expected', type: 'value_error.file' };
const TOO_MANY: IssueReason = {
  msg: `ensure this value has at most ${MAX_RECORDS} items`,
  type: 'value_error.list.max_items',
  ctx: { limit_value: MAX_RECORDS },
};

function parseId(text: string): KeyResult {
  const digits = text.length > MAX_ID_CHARACTERS ? undefined : /^\s*(-?\d+)\s*$/.exec(text)?.[1];
  if (digits === undefined) return { issue: NOT_INTEGER };
  const id = BigInt(digits);
  if (id < 1n) return { issue: tooSmall(1) };
  return id > MAX_ID ? { issue: tooLarge(String(MAX_ID)) } : { value: String(id) };
}

function parseName(text: string): KeyResult {
  const name = parseShorthandName(text);
  return name.ok ? { value: name.value } : { issue: NO_NAME };
}

function parseUrl(text: string, family: Family): KeyResult {
  const name = parseProfileUrl(text, family);
  return name.ok ? { value: name.value } : { issue: NO_NAME };
}

interface ListDefinition {
  /** The form field; `field[]` is accepted as well. */
  field: string;
  kind: KeyList['kind'];
  parse: (text: string, family: Family) => KeyResult;
  /** Whether a key may repeat. Contract, "Bulk". */
  allowsDuplicates: boolean;
}

const listDefinitions: Readonly<Record<ListKind, ListDefinition>> = {
  ids: { field: 'ids', kind: 'id', parse: parseId, allowsDuplicates: true },
  id_file: { field: 'ids_file', kind: 'id', parse: parseId, allowsDuplicates: true },
  shorthand_names: {
    field: 'shorthand_names',
    kind: 'shorthand_name',
    parse: parseName,
    allowsDuplicates: false,
  },
  urls: { field: 'urls', kind: 'shorthand_name', parse: parseUrl, allowsDuplicates: false },
};

/** A key and its position in the list: from 0 in a form, from 1 in a file. */
interface Entry {
  position: number;
  text: string | undefined;
}

function readFormEntries(form: FormData, field: string): Entry[] {
  const values = [...form.getAll(field), ...form.getAll(`${field}[]`)];
  return values.map((value, position) => ({ position, text: typeof value === 'string' ? value : undefined }));
}

async function readFileEntries(form: FormData, field: string): Promise<Entry[]> {
  // The service uses the last one of repeated fields.
  const file = form.getAll(field).at(-1);
  if (file === undefined) return [];
  if (typeof file === 'string') throw validationError({ ...NOT_FILE, loc: ['body', field] });
  // Drops a byte order mark.
  const lines = (await file.text()).split(/\r\n|\n|\r/);
  return lines.flatMap((text, index) => (text.trim() === '' ? [] : [{ position: index + 1, text }]));
}

/**
 * Parses the key list of a data request's form.
 * @throws ServiceError 422 if it is missing, empty or longer than {@link MAX_RECORDS}, if a key is invalid, or if a name
 * or URL repeats. It lists up to {@link MAX_ISSUES} positions.
 */
export async function parseKeyList(form: FormData, listKind: ListKind, family: Family): Promise<KeyList> {
  const { field, kind, parse, allowsDuplicates } = listDefinitions[listKind];
  const entries = listKind === 'id_file' ? await readFileEntries(form, field) : readFormEntries(form, field);
  if (entries.length === 0) throw validationError({ ...MISSING, loc: ['body', field] });
  if (entries.length > MAX_RECORDS) throw validationError({ ...TOO_MANY, loc: ['body', field] });
  const keys = new Set<string>();
  const issues: ValidationIssue[] = [];
  for (const { position, text } of entries) {
    const result = text === undefined ? { issue: NOT_TEXT } : parse(text, family);
    if ('issue' in result) issues.push({ loc: ['body', field, position], ...result.issue });
    else if (keys.has(result.value) && !allowsDuplicates)
      issues.push({ loc: ['body', field, position], ...DUPLICATE });
    else keys.add(result.value);
    if (issues.length === MAX_ISSUES) break;
  }
  if (issues.length > 0) {
    const inFile = listKind === 'id_file';
    throw validationError(
      ...issues.map((issue) =>
        inFile ? { ...issue, msg: `line ${issue.loc.at(-1)}: ${issue.msg}` } : issue,
      ),
    );
  }
  return { kind, keys: [...keys] };
}
