// Resolves dates relative to now or to another date (`now-1d/d`, `2024-01-01||+1M/M`), and ranges of dates.
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../shared/lib/durations.ts';
import type { Zone } from '../../../shared/lib/time-zones.ts';
import { type DateFormat, type DateReading, MAX_TIMESTAMP_MS, parseDate, UTC, ValueError } from './dates.ts';
import { type Bounds, type RangeEnd, type RangeInput, type Scalar, toInclusiveBound } from './values.ts';

/** The format, clock and time zone by which dates are resolved. */
export interface DateScope {
  format: DateFormat;
  /** Milliseconds since 1970 UTC. */
  now: () => number;
  /** For rounding and for dates without a zone; UTC by default. */
  zone?: Zone | undefined;
}

/** A unit of date math. Its dates hold the local time as if it were UTC. */
interface Unit {
  add(date: Date, count: number): void;
  /** Moves a date back to the start of its unit. */
  floor(date: Date): void;
  /** Whether the unit has a fixed length; otherwise it is a step in the calendar. */
  hasFixedLength?: boolean;
}

/** Adds months; the day is limited to the last day of the month. */
function addMonths(date: Date, months: number): void {
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + months, 1);
  const last = new Date(date);
  last.setUTCMonth(last.getUTCMonth() + 1, 0);
  date.setUTCDate(Math.min(day, last.getUTCDate()));
}

function addDays(date: Date, days: number): void {
  date.setUTCDate(date.getUTCDate() + days);
}

function floorDay(date: Date): void {
  date.setUTCHours(0, 0, 0, 0);
}

/** Creates a unit of fixed length. @param length - in milliseconds */
function createFixedUnit(length: number, floor: Unit['floor']): Unit {
  return { add: (date, count) => date.setTime(date.getTime() + count * length), floor, hasFixedLength: true };
}

const hour = createFixedUnit(HOUR_MS, (date) => date.setUTCMinutes(0, 0, 0));

const units: ReadonlyMap<string, Unit> = new Map(
  Object.entries<Unit>({
    y: {
      add: (date, count) => addMonths(date, 12 * count),
      floor: (date) => {
        date.setUTCMonth(0, 1);
        floorDay(date);
      },
    },
    M: {
      add: addMonths,
      floor: (date) => {
        date.setUTCDate(1);
        floorDay(date);
      },
    },
    w: {
      add: (date, count) => addDays(date, 7 * count),
      floor: (date) => {
        const sinceMonday = (date.getUTCDay() + 6) % 7;
        addDays(date, -sinceMonday);
        floorDay(date);
      },
    },
    d: { add: addDays, floor: floorDay },
    h: hour,
    H: hour,
    m: createFixedUnit(MINUTE_MS, (date) => date.setUTCSeconds(0, 0)),
    s: createFixedUnit(SECOND_MS, (date) => date.setUTCMilliseconds(0)),
  }),
);

const stepPattern = /([+\-/])(\d*)(\D)/y;
/** The engine counts in 32-bit integers. */
const MOST_UNITS = 2 ** 31 - 1;

/**
 * Moves an instant by a unit in a time zone.
 * @param move - moves the local time
 */
function moveInstant(unit: Unit, move: (date: Date) => void, instant: number, zone: Zone): number {
  const clock = zone.toLocalTime(instant);
  const date = new Date(clock);
  move(date);
  if (Number.isNaN(date.getTime())) return Number.NaN;
  return unit.hasFixedLength ? instant + date.getTime() - clock : zone.toInstant(date.getTime());
}

/**
 * Applies the steps and roundings after `now` or `||` from left to right.
 * @param roundUp - whether rounding goes to the last millisecond of the unit instead of the first
 */
function applyMath(start: number, math: string, roundUp: boolean, zone: Zone): number {
  let instant = start;
  for (let at = 0; at < math.length; at = stepPattern.lastIndex) {
    stepPattern.lastIndex = at;
    const match = stepPattern.exec(math);
    if (match === null) {
      const isOperator = '+-/'.includes(math.charAt(at));
      throw new ValueError(
        isOperator ? `truncated date math [${math}]` : `operator not supported for date math [${math}]`,
      );
    }
    const [, operator, digits = '', letter = ''] = match;
    const unit = units.get(letter);
    const count = digits === '' ? 1 : Number(digits);
    if (count > MOST_UNITS) throw new ValueError(`For input string: "${digits}"`);
    if (operator === '/' && count !== 1) {
      throw new ValueError(`rounding \`/\` can only be used on single unit types [${math}]`);
    }
    if (unit === undefined) {
      throw new ValueError(`unit [${letter}] not supported for date math [${math}]`);
    }
    if (operator === '/') {
      instant = moveInstant(unit, unit.floor, instant, zone);
      if (roundUp) instant = moveInstant(unit, (date) => unit.add(date, 1), instant, zone) - 1;
    } else {
      instant = moveInstant(unit, (date) => unit.add(date, operator === '-' ? -count : count), instant, zone);
    }
    if (!(Math.abs(instant) <= MAX_TIMESTAMP_MS))
      return operator === '-' ? -MAX_TIMESTAMP_MS : MAX_TIMESTAMP_MS;
  }
  return instant;
}

/**
 * Resolves a date that may be relative.
 * @param reading - `roundUp` completes and rounds the date to the last millisecond
 * @returns milliseconds since 1970 UTC
 * @throws ValueError for an invalid date or invalid steps
 */
export function resolveDate(scope: DateScope, text: string, { roundUp = false }: DateReading): number {
  const { format, now, zone = UTC } = scope;
  if (text.startsWith('now')) return applyMath(now(), text.slice('now'.length), roundUp, zone);
  const at = text.indexOf('||');
  if (at < 0) return parseDate(format, text, { roundUp, zone });
  const start = parseDate(format, text.slice(0, at), { zone });
  return applyMath(start, text.slice(at + 2), roundUp, zone);
}

/**
 * Resolves a range of dates to instants: `gt` begins after the last millisecond that its text can mean, `lte` ends with
 * it, `gte` begins with the first and `lt` ends before it.
 * @returns inclusive bounds; undefined if nothing can match
 * @throws ValueError for an invalid date
 */
export function toDateBounds(scope: DateScope, { lower, upper }: RangeInput): Bounds | undefined {
  const resolve = (end: RangeEnd, roundUp: boolean): number =>
    resolveDate(scope, String(end.value), { roundUp });
  const from = lower && resolve(lower, !lower.inclusive) + (lower.inclusive ? 0 : 1);
  const to = upper && resolve(upper, upper.inclusive) - (upper.inclusive ? 0 : 1);
  if (from !== undefined && to !== undefined && from > to) return undefined;
  return { lower: toInclusiveBound(from), upper: toInclusiveBound(to) };
}

/** Resolves one date to the range that its text covers. Parameters and errors as {@link toDateBounds}. */
export function toInstantRange(scope: DateScope, value: Scalar): Bounds | undefined {
  const end = { value, inclusive: true };
  return toDateBounds(scope, { lower: end, upper: end });
}
