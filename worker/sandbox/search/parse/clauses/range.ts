// range: matches values between two bounds.

import { findZone } from '../../time-zones.ts';
import type { RangeEnd, RangeInput } from '../../values.ts';
import { MATCH_NONE, withBoost } from '../combine.ts';
import { QueryError } from '../errors.ts';
import { buildRange, findField, withFieldErrors } from '../leaves.ts';
import { booleanReader, Options, parseFieldBody, scalarReader, textReader } from '../options.ts';
import type { ClauseParser } from '../scope.ts';

/** The options of the bounds; the last one present wins. */
const boundOptions = [
  { option: 'gte', side: 'lower', inclusive: true },
  { option: 'gt', side: 'lower', inclusive: false },
  { option: 'lte', side: 'upper', inclusive: true },
  { option: 'lt', side: 'upper', inclusive: false },
] as const;

/** Deprecated names of the bounds, with separate options for inclusion. */
const deprecatedBoundOptions = [
  { option: 'from', side: 'lower', includes: 'include_lower' },
  { option: 'to', side: 'upper', includes: 'include_upper' },
] as const;

/** Parses `{"range": {"field": {"gte": 1, "lt": 5, "format": "yyyy", "time_zone": "+01:00"}}}`. */
export const parseRange: ClauseParser = (body, scope) => {
  const { field: path, value } = parseFieldBody('range', body);
  const options = new Options('range', value);
  const range: RangeInput = {};
  for (const { option, side, includes } of deprecatedBoundOptions) {
    const end = options.read(option, scalarReader);
    const inclusive = options.read(includes, booleanReader) ?? true;
    if (end !== undefined) range[side] = { value: end, inclusive };
  }
  for (const { option, side, inclusive } of boundOptions) {
    const end = options.read(option, scalarReader);
    if (end !== undefined) range[side] = { value: end, inclusive } satisfies RangeEnd;
  }
  const format = options.read('format', textReader);
  const zoneText = options.read('time_zone', textReader);
  options.ignore('relation');
  const boost = options.finish();
  if (format === '') throw new QueryError('[range] failed to parse field [format]');
  const zone = zoneText === undefined ? undefined : withFieldErrors(() => findZone(zoneText));
  const field = findField(scope, path);
  if (field === undefined) return MATCH_NONE;
  return withBoost(buildRange(scope, field, range, { format, zone }), boost);
};
