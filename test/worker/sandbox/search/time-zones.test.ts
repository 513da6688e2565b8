// Time zones by distance and by place: clocks that leap and clocks that go back, as `java.time` has them.
import { describe, expect, it } from 'vitest';
import { resolveDate } from '../../../../worker/sandbox/search/date-math.ts';
import { getDateFormat } from '../../../../worker/sandbox/search/dates.ts';
import { findZone } from '../../../../worker/sandbox/search/time-zones.ts';
import { ValueError } from '../../../../worker/sandbox/search/value-error.ts';

const at = (text: string): number => Date.parse(text);

function instant(zone: string, text: string, roundUp = false): string {
  const scope = { format: getDateFormat(), now: () => 0, zone: findZone(zone) };
  return new Date(resolveDate(scope, text, { roundUp })).toISOString();
}

describe('a zone', () => {
  it.each([
    ['Z', 0],
    ['UTC', 0],
    ['+02:00', 120],
    ['-5', -300],
    ['+0530', 330],
    ['UTC+1', 60],
    ['UT-03:30', -210],
    ['+18:00', 1080],
    ['Asia/Kolkata', 330],
    ['America/New_York', -300],
  ])('%s stands %d minutes east of UTC in January', (name, minutes) => {
    const winter = at('2024-01-15T12:00:00.123Z');
    expect(findZone(name).toLocalTime(winter)).toBe(winter + minutes * 60_000);
    expect(findZone(name).toInstant(winter + minutes * 60_000)).toBe(winter);
  });

  it.each([
    '',
    ' ',
    'Mars',
    'Mars/Olympus',
    '+19:00',
    '+01:60',
    '+1:2:3:4',
    'Europe/Paris ',
    'x'.repeat(9999),
  ])('is not %j', (name) => {
    expect(() => findZone(name)).toThrow(ValueError);
  });

  it.each([
    ['summer', '2024-07-02T00:00:00', '2024-07-01T22:00:00.000Z'],
    ['winter', '2024-12-02T00:00:00', '2024-12-01T23:00:00.000Z'],
    ['an hour that clocks leap over is as much later', '2024-03-31T02:30:00', '2024-03-31T01:30:00.000Z'],
    ['an hour that comes twice is the first', '2024-10-27T02:30:00', '2024-10-27T00:30:00.000Z'],
    ['a text with a zone of its own keeps it', '2024-07-02T00:00:00Z', '2024-07-02T00:00:00.000Z'],
  ])('by the rules of a place: %s', (_, text, expected) => {
    expect(instant('Europe/Paris', text)).toBe(expected);
  });

  it.each([
    ['a day is one of the calendar', '2024-03-30T12:00:00||+1d', '2024-03-31T10:00:00.000Z'],
    ['24 hours are a length of time', '2024-03-30T12:00:00||+24h', '2024-03-31T11:00:00.000Z'],
    ['a day begins at its midnight', '2024-03-31T12:00:00||/d', '2024-03-30T23:00:00.000Z'],
    ['a month begins before the clocks leap', '2024-03-31T12:00:00||/M', '2024-02-29T23:00:00.000Z'],
    [
      'an hour begins in itself, though it comes twice',
      '2024-10-27T01:30:00Z||/h',
      '2024-10-27T01:00:00.000Z',
    ],
    ['steps from left to right', '2024-10-26T02:30:00||+1d+1h', '2024-10-27T01:30:00.000Z'],
  ])('in date math: %s', (_, text, expected) => {
    expect(instant('Europe/Paris', text)).toBe(expected);
  });

  it('a day of 23 hours ends with its last millisecond', () => {
    expect(instant('Europe/Paris', '2024-03-31T12:00:00||/d', true)).toBe('2024-03-31T21:59:59.999Z');
  });

  it('dates as far as they go have an instant at a place', () => {
    for (const text of ['now-200000y', 'now+200000y', 'now-2000000000y', '0001||/y']) {
      expect(instant('Europe/Paris', text)).toMatch(/Z$/);
    }
  });
});
