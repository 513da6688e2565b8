// Time zones: fixed offsets from UTC and named zones.
import { MINUTE_MS } from '../../../shared/lib/durations.ts';
import { createFixedZone, createNamedZone, type Zone } from '../../../shared/lib/time-zones.ts';
import { ValueError } from './value-error.ts';

/** The default zone. */
export const UTC: Zone = createFixedZone(0);

const offsetPattern = /^(?:UTC|GMT|UT)?(?:(Z)|([+-])(\d{1,2})(?::?(\d{2}))?)?$/;
const MAX_OFFSET_HOURS = 18;
const zoneNamePattern = /^[A-Za-z][A-Za-z0-9~/._+-]{1,49}$/;

/** Zones are slow to create. */
const zoneCache = new Map<string, Zone>();
const MAX_CACHED_ZONES = 100;

function findNamedZone(name: string): Zone | undefined {
  if (!zoneNamePattern.test(name)) return undefined;
  try {
    return createNamedZone(name);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Finds a time zone: `+01:00`, `-5`, `Z`, `UTC+2`, or a name such as `Europe/Paris`.
 * @throws ValueError for an unknown zone
 */
export function findZone(text: string): Zone {
  const cached = zoneCache.get(text);
  if (cached !== undefined) return cached;
  const [matched, , sign, hours = '0', minutes = '0'] = (text !== '' && offsetPattern.exec(text)) || [];
  const offsetMinutes = Number(hours) * 60 + Number(minutes);
  const isValidOffset =
    matched !== undefined && offsetMinutes <= MAX_OFFSET_HOURS * 60 && Number(minutes) < 60;
  const zone = isValidOffset
    ? createFixedZone((sign === '-' ? -offsetMinutes : offsetMinutes) * MINUTE_MS)
    : findNamedZone(text);
  if (zone === undefined) {
    const shortText = text.length > 50 ? `${text.slice(0, 50)}…` : text;
    throw new ValueError(
      `Unknown time-zone ID: ${shortText}, expected a distance from UTC such as [+01:00] or a place such as [Europe/Paris]`,
    );
  }
  if (zoneCache.size >= MAX_CACHED_ZONES) zoneCache.clear();
  zoneCache.set(text, zone);
  return zone;
}
