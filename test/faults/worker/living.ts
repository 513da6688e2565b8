// Which objects are alive: a test ends them without having to know what the gateway calls them.
const names = new Map<string, Set<string>>();

/** Notes that an object of a class was made. */
export function noteLiving(className: string, { id }: DurableObjectState): void {
  const known = names.get(className) ?? new Set<string>();
  names.set(className, known.add(id.name ?? ''));
}

/** @returns the names of a class's objects that were made and not evicted since */
export function livingOf(className: string): string[] {
  return [...(names.get(className) ?? [])].sort();
}

/** Notes that an object is about to be ended. */
export function noteEnd(className: string, name: string): void {
  names.get(className)?.delete(name);
}
