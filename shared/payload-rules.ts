// Rules for the shape of a JSON value, for scripts that can't carry the schemas that the build makes the rules of.

export type Rule =
  | 'any'
  | 'string'
  | 'boolean'
  | 'null'
  /** A whole number from the first to the second. */
  | readonly [min: number, max?: number]
  /** One of some values. */
  | { readonly oneOf: readonly unknown[] }
  /** What one of several rules allows. */
  | { readonly either: readonly Rule[] }
  | { readonly list: Rule }
  /** An object; a name that ends in `?` may be missing, and others may be there unless it is exact. */
  | { readonly members: Readonly<Record<string, Rule>>; readonly exact?: true }
  /** The place of a rule in {@link Rules}. */
  | number;

/** Rules that refer to each other by their places. */
export type Rules = readonly Rule[];

function getJsonType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** No value is one of none. */
const NEVER: Rule = { oneOf: [] };

type Part = readonly [rule: Rule, value: unknown, place: string];

/** The parts of an object with their rules, those that are missing included. */
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
 * Finds what is not as a rule says.
 * @param place - what the value is called
 * @returns the place of the first fault, such as `order.columns[2]`; undefined where there is none
 */
export function findViolation(rules: Rules, rule: Rule, value: unknown, place: string): string | undefined {
  const faultOf = ([own, part, below]: Part): string | undefined => findViolation(rules, own, part, below);
  const firstFault = (parts: readonly Part[]): string | undefined =>
    parts.map(faultOf).find((fault) => fault !== undefined);
  const unless = (fits: boolean): string | undefined => (fits ? undefined : place);

  if (typeof rule === 'number') return faultOf([rules[rule] ?? NEVER, value, place]);
  if (typeof rule === 'string')
    return unless(rule === 'any' ? value !== undefined : getJsonType(value) === rule);
  if ('oneOf' in rule) return unless(rule.oneOf.includes(value));
  if ('either' in rule) return unless(rule.either.some((one) => faultOf([one, value, place]) === undefined));
  if ('list' in rule) {
    if (!Array.isArray(value)) return place;
    return firstFault(value.map((part, at) => [rule.list, part, `${place}[${at}]`]));
  }
  if ('members' in rule) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return place;
    return firstFault(listParts(rule, value, place));
  }
  const [min, max = Infinity] = rule;
  return unless(typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max);
}
