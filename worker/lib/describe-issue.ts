// Describes validation errors in plain words. Texts that a schema defines are kept.
import type * as z from 'zod';

type Issue = z.core.$ZodRawIssue;

/** What a type is called. */
const typeNames: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

/** Forms of texts. */
const formatNames: Readonly<Record<string, string>> = {
  datetime: 'a time such as 2026-09-01T12:00:00Z',
  date: 'a day such as 2026-09-01',
  uuid: 'an id such as 3f9a0c71-d2b8-4e56-8a3c-0d1e2f3a4b5c',
  url: 'an address that starts with https://',
  email: 'an e-mail address',
};

/** What is counted. */
const units: Readonly<Record<string, string>> = {
  string: ' characters',
  array: ' entries',
  set: ' entries',
};

const MAX_OPTIONS = 30;

function describeOptions(values: readonly unknown[]): string {
  const [only] = values;
  if (values.length === 1) return `must be ${JSON.stringify(only)}`;
  const shown = values.slice(0, MAX_OPTIONS).map(String).join(', ');
  return `must be one of ${shown}${values.length > MAX_OPTIONS ? ' …' : ''}`;
}

function describeType({ expected, input }: Issue & { code: 'invalid_type' }): string {
  return input === undefined ? 'is missing' : `must be ${typeNames[expected] ?? expected}`;
}

const quote = (keys: readonly string[]): string => keys.map((key) => `“${key}”`).join(', ');

/**
 * Describes an issue.
 * @returns undefined for kinds that have no better text than that of their schema
 */
export function describeIssue(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return describeType(issue);
    case 'invalid_value':
      return describeOptions(issue.values);
    case 'invalid_format':
      return `is not ${formatNames[issue.format] ?? 'in the expected form'}`;
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'is empty';
      if (issue.origin === 'array' && issue.minimum === 1) return 'needs at least one entry';
      return `must be at least ${issue.minimum}${units[issue.origin] ?? ''}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${units[issue.origin] ?? ''}`;
    case 'unrecognized_keys':
      return `has no ${quote(issue.keys)}`;
    case 'invalid_union':
      return 'has none of the accepted forms';
    case 'invalid_key':
      return 'has a name that is not accepted';
    default:
      return undefined;
  }
}
