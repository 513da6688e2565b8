// What a request asks for: keys are kept until the provider has them, for they name people; a query as long as the rows, so
// that a table which is made of them can ask it again.
import type { BulkKind } from '../../shared/operations.ts';
import type { Env } from '../env.ts';
import { type Selection, selectionSchema } from './order.ts';

const placeOf = (id: string): string => `asked/${id}.json`;

/** Is what such a request asks for kept as long as its rows? */
export const staysAsked = (kind: BulkKind): boolean => kind === 'filter' || kind === 'es_dsl';

/** Keeps what a request asks for. */
export async function keepAsked({ ROWS }: Env, id: string, selection: Selection): Promise<void> {
  await ROWS.put(placeOf(id), JSON.stringify(selection));
}

/** @returns undefined where it is not kept any more */
export async function readAsked({ ROWS }: Env, id: string): Promise<Selection | undefined> {
  const object = await ROWS.get(placeOf(id));
  return object === null ? undefined : selectionSchema.parse(await object.json());
}

/** Forgets what a request asked for. */
export async function forgetAsked({ ROWS }: Env, id: string): Promise<void> {
  await ROWS.delete(placeOf(id));
}
