// Progress of restores in D1.
import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { type RestoreRow, restores } from '../../db/schema.ts';

export function findRestore(db: D1Database, id: string): Promise<RestoreRow | undefined> {
  return drizzle(db).select().from(restores).where(eq(restores.id, id)).get();
}

/** Inserts a restore unless it exists. */
export async function insertRestore(db: D1Database, row: RestoreRow): Promise<void> {
  await drizzle(db).insert(restores).values(row).onConflictDoNothing();
}

/** Stores the progress of a restore. */
export async function updateRestore(
  db: D1Database,
  { id, step, after, counts }: Pick<RestoreRow, 'id' | 'step' | 'after' | 'counts'>,
): Promise<void> {
  await drizzle(db).update(restores).set({ step, after, counts }).where(eq(restores.id, id));
}
