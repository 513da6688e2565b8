// A compact validator for JSON payloads. The build converts the zod schemas into these rules, because Apps Script can't run zod.

export type Rule =
  | 'any'
  | 'string'
  | 'boolean'
  | 'null'
  /** An integer between two bounds. */
  | readonly [min: number, max?: number]
  /** One of several values. */
  | { readonly oneOf: readonly unknown[] }
  /** A value that matches one of several rules. */
  | { readonly either: readonly Rule[] }
  | { readonly list: Rule }
  /** An object. Names that end in `?` are optional. Unknown members are allowed unless `exact` is set. */
  | { readonly members: Readonly<Record<string, Rule>>; readonly exact?: true }
  /** A reference: the index of a rule in {@link Rules}. */
  | number;

/** Rules that refer to each other by index. */
export type Rules = readonly Rule[];

function getJsonType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Matches no value. */
const NEVER: Rule = { oneOf: [] };

type Part = readonly [rule: Rule, value: unknown, place: string];

/** Lists the members of an object with their rules, missing required members included. */
function listParts(
  { members, exact }: Extract<Rule, { members: unknown }>,
  value: object,
  place: string,
): Part[] {
  const rules = new Map(Object.entries(members));
  const parts = new Map<string, unknown>(Object.entries(value));
  const required = [...rules.keys()].filter((name) => !name.endsWith('?'));
  const names = new Set([...required, ...parts.keys()]);
  return [...names].map((name) => {
    const rule = rules.get(name) ?? rules.get(`${name}?`) ?? (exact === true ? NEVER : 'any');
    return [rule, parts.get(name), `${place}.${name}`];
  });
}

/**
 * Finds the first part of a value that violates a rule.
 * @param place - the name of the value in paths
 * @returns the path of the violation, such as `order.columns[2]`, or undefined if the value is valid
 */
export function findViolation(rules: Rules, rule: Rule, value: unknown, place: string): string | undefined {
  const check = ([partRule, part, path]: Part): string | undefined =>
    findViolation(rules, partRule, part, path);
  const findFirst = (parts: readonly Part[]): string | undefined =>
    parts.map(check).find((violation) => violation !== undefined);
  const placeUnless = (isValid: boolean): string | undefined => (isValid ? undefined : place);

  if (typeof rule === 'number') return check([rules[rule] ?? NEVER, value, place]);
  if (typeof rule === 'string')
    return placeUnless(rule === 'any' ? value !== undefined : getJsonType(value) === rule);
  if ('oneOf' in rule) return placeUnless(rule.oneOf.includes(value));
  if ('either' in rule)
    return placeUnless(rule.either.some((option) => check([option, value, place]) === undefined));
  if ('list' in rule) {
    if (!Array.isArray(value)) return place;
    return findFirst(value.map((part, at) => [rule.list, part, `${place}[${at}]`]));
  }
  if ('members' in rule) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return place;
    return findFirst(listParts(rule, value, place));
  }
  const [min, max = Infinity] = rule;
  return placeUnless(
    typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max,
  );
}
