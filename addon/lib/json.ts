// Parses JSON and checks the shape of its objects.
import { isObject } from '../../shared/lib/is-object.ts';

/** Checks the shape of a value. */
export type Guard<T> = (value: unknown) => value is T;

/** Creates a guard for objects that have these members. */
export function createGuard<T>(
  members: Readonly<Record<string, 'list' | 'number' | 'object' | 'string'>>,
): Guard<T> {
  return (value): value is T =>
    Object.entries(members).every(([name, type]) => {
      const member = isObject(value) ? value[name] : undefined;
      return type === 'list' ? Array.isArray(member) : typeof member === type;
    });
}

/** Parses a JSON text; undefined if it is missing or malformed. */
export function parseJson(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

/** Parses a JSON text of a shape; undefined if it is missing or another one. */
export function parseAs<T>(text: string | null | undefined, isValid: Guard<T>): T | undefined {
  const value = parseJson(text);
  return isValid(value) ? value : undefined;
}
