// Tracks the live objects of each class by name, and dumps their storage.

/** Lists the tables of a database without those of the platform. */
export const TABLE_NAMES =
  "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf*' AND name NOT GLOB 'sqlite*'";

const namesByClass = new Map<string, Set<string>>();

/** Records the start of an object. */
export function recordStart(className: string, { id }: DurableObjectState): void {
  const names = namesByClass.get(className) ?? new Set<string>();
  namesByClass.set(className, names.add(id.name ?? ''));
}

/** Returns the names of the objects of a class that were not evicted. */
export function listLiveObjects(className: string): string[] {
  return [...(namesByClass.get(className) ?? [])].sort();
}

/** Records the end of an object. */
export function recordEnd(className: string, name: string): void {
  namesByClass.get(className)?.delete(name);
}

/** Returns all rows of an object's storage as one text. */
export function dumpStorage({ sql }: DurableObjectStorage): string {
  const tables = sql.exec<{ name: string }>(TABLE_NAMES).toArray();
  return JSON.stringify(tables.map(({ name }) => sql.exec(`SELECT * FROM "${name}"`).toArray()));
}
