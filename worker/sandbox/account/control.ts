// The settings of the sandbox and their validation: run time, faults, rate limit, balance, clock.
import * as z from 'zod';
import type { ServiceError, ValidationIssue } from '../api/service-errors.ts';
import { validationError } from '../api/service-errors.ts';
import { faultList } from './faults.ts';

const MAX_RUN_MS = 3_600_000;
const MAX_OFFSET_S = 10 * 365 * 86_400;
const MAX_BALANCE = 1_000_000_000_000;
const MAX_RATE = 1_000_000;

const controlChangeSchema = z.strictObject({
  /** Milliseconds that a data request runs. */
  run_ms: z.int().min(0).max(MAX_RUN_MS).optional(),
  /** Replaces the current faults; `[]` clears them. */
  faults: faultList.optional(),
  /** Calls a second before a 429. */
  rate_per_s: z.int().min(0).max(MAX_RATE).optional(),
  balance: z.int().min(0).max(MAX_BALANCE).optional(),
  /** Seconds by which the provider's clock is ahead of this machine's. */
  clock_offset_s: z.number().min(-MAX_OFFSET_S).max(MAX_OFFSET_S).optional(),
});

/** The settings to change; absent ones stay. */
export type ControlChange = z.infer<typeof controlChangeSchema>;

export type ControlState = { [Name in keyof ControlChange]-?: Exclude<ControlChange[Name], undefined> };

/** The initial settings. Design, "Running it". */
export const controlDefaults: ControlState = {
  run_ms: 2_000,
  faults: [],
  rate_per_s: 100,
  balance: 10_000_000,
  clock_offset_s: 0,
};

/** Error types of values that are too big, by their kind. */
const tooBigTypes: Readonly<Record<string, string>> = {
  array: 'value_error.list.max_items',
  string: 'value_error.any_str.max_length',
};

type Issue = z.core.$ZodIssue;

function toLocation(issue: Issue): (string | number)[] {
  return ['body', ...issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))];
}

/** Converts a zod issue to the service's format. */
function toValidationIssues(issue: Issue): ValidationIssue[] {
  const loc = toLocation(issue);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({
        loc: [...loc, key],
        msg: 'extra fields not permitted',
        type: 'value_error.extra',
      }));
    case 'too_small':
      return [
        { loc, msg: issue.message, type: 'value_error.number.not_ge', ctx: { limit_value: issue.minimum } },
      ];
    case 'too_big': {
      const type = tooBigTypes[issue.origin] ?? 'value_error.number.not_le';
      return [{ loc, msg: issue.message, type, ctx: { limit_value: issue.maximum } }];
    }
    case 'invalid_type':
      return [{ loc, msg: issue.message, type: `type_error.${issue.expected}` }];
    default:
      return [{ loc, msg: issue.message, type: 'value_error' }];
  }
}

function toServiceError(issues: readonly Issue[]): ServiceError {
  return validationError(...issues.flatMap(toValidationIssues));
}

/**
 * Parses the body of `PUT /control`.
 * @param value - parsed JSON
 * @throws ServiceError 422 that names each invalid part
 */
export function parseControl(value: unknown): ControlChange {
  const parsed = controlChangeSchema.safeParse(value);
  if (!parsed.success) throw toServiceError(parsed.error.issues);
  return parsed.data;
}
