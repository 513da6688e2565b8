// Which objects are alive and what they stored: a test ends them and looks into them without having to know what the gateway
// calls them.

/** Finds the tables of a database that are not the platform's own. */
export const TABLE_NAMES =
  "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf*' AND name NOT GLOB 'sqlite*'";

const names = new Map<string, Set<string>>();

/** Notes that an object of a class was made. */
export function recordStart(className: string, { id }: DurableObjectState): void {
  const known = names.get(className) ?? new Set<string>();
  names.set(className, known.add(id.name ?? ''));
}

/** @returns the names of a class's objects that were made and not evicted since */
export function listLiveObjects(className: string): string[] {
  return [...(names.get(className) ?? [])].sort();
}

/** Notes that an object is about to be ended. */
export function recordEnd(className: string, name: string): void {
  names.get(className)?.delete(name);
}

/** @returns every row of an object's storage, as one text */
export function dumpStorage({ sql }: DurableObjectStorage): string {
  const tables = sql.exec<{ name: string }>(TABLE_NAMES).toArray();
  return JSON.stringify(tables.map(({ name }) => sql.exec(`SELECT * FROM "${name}"`).toArray()));
}
