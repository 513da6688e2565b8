// The bodies of `_bulk` and `_msearch`: JSON, one value a line.
import { isObject } from '../../shared/lib/is-object.ts';
import { EsError, formError, illegalArgument } from './es-error.ts';
import { type JsonObject, readJson } from './json.ts';
import type { Write } from './writes.ts';

const actions = ['create', 'delete', 'index', 'update'] as const;
type Action = (typeof actions)[number];

/** A write, or one of a kind that there is not. */
export type BulkItem = Write | { action: 'update'; index: string; id: string | undefined };

const isAction = (name: string | undefined): name is Action => actions.some((action) => action === name);

/** What an action's line may say beside index and id, without consequence. */
const passedOver = new Set([
  ...['_type', 'require_alias', 'require_data_stream', 'dynamic_templates', 'retry_on_conflict'],
]);

/**
 * Cuts a body into lines.
 * @throws EsError for one that does not end with a line's end
 */
export function bodyLines(body: string, kind: 'bulk' | 'msearch'): string[] {
  if (body.trim() === '') throw formError('request body is required');
  if (!body.endsWith('\n'))
    throw illegalArgument(`The ${kind} request must be terminated by a newline [\\n]`);
  return body.slice(0, -1).split('\n');
}

function readAction(line: string, number: number): { action: Action; given: JsonObject } {
  const refuse = (what: string): EsError =>
    illegalArgument(`Malformed action/metadata line [${number}], ${what}`);
  let json: unknown;
  try {
    json = readJson(line);
  } catch {
    throw refuse('it is no JSON');
  }
  if (!isObject(json)) throw refuse('expected START_OBJECT');
  const [[action, given] = [], second] = Object.entries(json);
  if (!isAction(action)) throw refuse(`expected one of [${actions.join(', ')}] but found [${action}]`);
  if (!isObject(given) || second !== undefined) throw refuse('expected one action with an object');
  const wrong = Object.entries(given).find(([, value]) => typeof value === 'object' && value !== null);
  if (wrong !== undefined) throw refuse(`expected a simple value for field [${wrong[0]}]`);
  return { action, given };
}

const optional = (value: unknown): string | undefined => {
  return value === undefined || value === null ? undefined : String(value);
};

/**
 * Reads the body of `_bulk`.
 * @param index - of the path, for lines that name none
 * @throws EsError where the body as a whole is refused
 */
export function readBulk(body: string, index: string | undefined): BulkItem[] {
  const lines = bodyLines(body, 'bulk');
  const items: BulkItem[] = [];
  const faults: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.trim() === '') continue;
    const { action: named, given } = readAction(line, at + 1);
    const { _index: target = index, _id: id, routing, _routing: routed, op_type: type, ...rest } = given;
    const unknown = Object.keys(rest).find((name) => !passedOver.has(name));
    if (unknown !== undefined)
      throw illegalArgument(`Action/metadata line [${at + 1}] contains an unknown parameter [${unknown}]`);
    const action = named === 'index' && type === 'create' ? 'create' : named;
    if (action !== 'delete') at += 1;
    const source = action === 'delete' ? '' : lines[at];
    // An action at the end that nothing follows is none.
    if (source === undefined) break;
    const item = { index: optional(target) ?? '', id: optional(id) };
    if (item.index === '') faults.push('index is missing');
    if (item.id === undefined && (action === 'delete' || action === 'update')) faults.push('id is missing');
    if (action === 'update') items.push({ ...item, action });
    else items.push({ ...item, action, routing: optional(routing ?? routed), source });
  }
  if (items.length === 0) faults.push('no requests added');
  if (faults.length === 0) return items;
  const told = faults.map((fault, at) => `${at + 1}: ${fault};`).join('');
  throw new EsError(400, 'action_request_validation_exception', `Validation Failed: ${told}`);
}
