// The lists of keys that name the records of a data request: as fields of a form, or as lines of a file.
import type { Family } from '../../../shared/families/index.ts';
import { parseProfileUrl, parseShorthandName } from '../../../shared/keys/profile.ts';
import type { BulkKind } from '../../../shared/operations.ts';
import { type ValidationIssue, validationError } from '../api/service-errors.ts';

/** Contract, "Credits (2026) and limits". */
export const MAX_RECORDS = 10_000;

/** More complaints than that help nobody. */
const MAX_ISSUES = 20;

/** The kinds of data request that list keys. */
export type ListKind = Exclude<BulkKind, 'filter' | 'es_dsl'>;

/** Keys in their one spelling. */
export interface KeyList {
  kind: 'id' | 'shorthand_name';
  /** Distinct, in the order in which they came. */
  keys: string[];
}

type KeyIssue = Omit<ValidationIssue, 'loc'>;
type KeyResult = { value: string } | { complaint: KeyIssue };

const notInteger: KeyIssue = { msg: 'value is not a valid integer', type: 'type_error.integer' };
const noName: KeyIssue = { msg: 'value yields no shorthand name', type: 'value_error.shorthand_name' };
/** The greatest number of 64 bits, as the service stores ids. */
const MAX_ID = 2n ** 63n - 1n;
const MAX_ID_CHARACTERS = 100;

const tooSmall: KeyIssue = {
  msg: 'ensure this value is greater than or equal to 1',
  type: 'value_error.number.not_ge',
  ctx: { limit_value: 1 },
};
const tooLarge: KeyIssue = {
  msg: `ensure this value is less than or equal to ${MAX_ID}`,
  type: 'value_error.number.not_le',
  ctx: { limit_value: String(MAX_ID) },
};
const duplicate: KeyIssue = { msg: 'value stands twice', type: 'value_error.duplicate' };
const notText: KeyIssue = { msg: 'str type expected', type: 'type_error.str' };
const notFile: KeyIssue = { msg: 'a file is expected', type: 'value_error.file' };
const missing: KeyIssue = { msg: 'field required', type: 'value_error.missing' };
const tooMany: KeyIssue = {
  msg: `ensure this value has at most ${MAX_RECORDS} items`,
  type: 'value_error.list.max_items',
  ctx: { limit_value: MAX_RECORDS },
};

function parseId(text: string): KeyResult {
  const digits = text.length > MAX_ID_CHARACTERS ? undefined : /^\s*(-?\d+)\s*$/.exec(text)?.[1];
  if (digits === undefined) return { complaint: notInteger };
  const id = BigInt(digits);
  if (id < 1n) return { complaint: tooSmall };
  return id > MAX_ID ? { complaint: tooLarge } : { value: String(id) };
}

function parseName(text: string): KeyResult {
  const name = parseShorthandName(text);
  return name.ok ? { value: name.value } : { complaint: noName };
}

function parseUrl(text: string, family: Family): KeyResult {
  const name = parseProfileUrl(text, family);
  return name.ok ? { value: name.value } : { complaint: noName };
}

interface ListDefinition {
  /** The form's field; `ids` and so on also as `ids[]`. */
  field: string;
  kind: KeyList['kind'];
  parse: (text: string, family: Family) => KeyResult;
  /** May a key stand twice? Contract, "Bulk". */
  allowsDuplicates: boolean;
}

const lists: Readonly<Record<ListKind, ListDefinition>> = {
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

/** A key as it came, and its place in the list: counted from 0 in a form, from 1 in a file. */
interface Entry {
  at: number;
  text: string | undefined;
}

function formEntries(form: FormData, field: string): Entry[] {
  const values = [...form.getAll(field), ...form.getAll(`${field}[]`)];
  return values.map((value, at) => ({ at, text: typeof value === 'string' ? value : undefined }));
}

async function fileEntries(form: FormData, field: string): Promise<Entry[]> {
  const file = form.get(field);
  if (file === null) return [];
  if (typeof file === 'string') throw validationError({ ...notFile, loc: ['body', field] });
  // Decoding drops a byte order mark; what is no UTF-8 becomes a character that no number has.
  const lines = (await file.text()).split(/\r\n|\n|\r/);
  return lines.flatMap((text, index) => (text.trim() === '' ? [] : [{ at: index + 1, text }]));
}

/**
 * Reads the list of a data request's form.
 * @throws ServiceError 422 where it is missing, empty, longer than {@link MAX_RECORDS}, or where a key can't be one or,
 * if it is a name or URL, stands twice: with the place of each, up to {@link MAX_ISSUES}
 */
export async function parseKeyList(form: FormData, listKind: ListKind, family: Family): Promise<KeyList> {
  const { field, kind, parse, allowsDuplicates } = lists[listKind];
  const entries = listKind === 'id_file' ? await fileEntries(form, field) : formEntries(form, field);
  if (entries.length === 0) throw validationError({ ...missing, loc: ['body', field] });
  if (entries.length > MAX_RECORDS) throw validationError({ ...tooMany, loc: ['body', field] });
  const keys = new Set<string>();
  const issues: ValidationIssue[] = [];
  for (const { at, text } of entries) {
    const reading = text === undefined ? { complaint: notText } : parse(text, family);
    if ('complaint' in reading) issues.push({ loc: ['body', field, at], ...reading.complaint });
    else if (keys.has(reading.value) && !allowsDuplicates)
      issues.push({ loc: ['body', field, at], ...duplicate });
    else keys.add(reading.value);
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
