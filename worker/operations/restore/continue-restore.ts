// Continues the steps between a restore of D1 to an earlier time and the opening of the gateway.
import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { type RestoreRow, restores } from '../../db/schema.ts';
import { type RestoreContext, steps } from './steps.ts';

/** The journal is written before D1, so entries from shortly before the restored time may be missing in D1. */
const MARGIN_MS = 600_000;

function addCounts(counts: RestoreRow['counts'], added: Readonly<Record<string, number>>) {
  const sum = { ...counts };
  for (const [name, count] of Object.entries(added)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}

/** Returns the name of the step after a step; null after the last one. */
function getNextStep(name: string): string | null {
  const names = [...steps.keys()];
  return names[names.indexOf(name) + 1] ?? null;
}

/**
 * Does the next part of a restore, and begins it with the first call.
 * @param id - chosen by the caller; one id is one restore
 * @param to - the restored time, milliseconds since 1970; null if it is not known
 * @returns the restore, whose `step` is null if it is complete, and whether this call has completed it
 */
export async function continueRestore(
  context: Omit<RestoreContext, 'since'>,
  id: string,
  to: number | null,
): Promise<{ restore: RestoreRow; isCompleted: boolean }> {
  const orm = drizzle(context.env.DB);
  const [first = ''] = steps.keys();
  const since = Math.max(0, (to ?? 0) - MARGIN_MS);
  const begun = { id, since, startedAt: context.now(), step: first, after: null, counts: {} };
  await orm.insert(restores).values(begun).onConflictDoNothing();
  const row = await orm.select().from(restores).where(eq(restores.id, id)).get();
  if (row === undefined) throw new Error('The restore was not stored.');
  if (row.step === null) return { restore: row, isCompleted: false };
  const step = steps.get(row.step);
  if (step === undefined) throw new Error('A later version of the gateway has begun this restore.');
  const { after, counts = {} } = await step({ ...context, since: row.since }, row.after);
  const progress = {
    step: after === null ? getNextStep(row.step) : row.step,
    after,
    counts: addCounts(row.counts, counts),
  };
  await orm.update(restores).set(progress).where(eq(restores.id, id));
  return { restore: { ...row, ...progress }, isCompleted: progress.step === null };
}
