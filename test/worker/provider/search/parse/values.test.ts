// Values in a query, by the type of the field: what they are turned to, what matches nothing, what is refused.
import { describe, expect, it } from 'vitest';
import { read, unknownZone } from './harness.ts';

const cannot = (message: string): string => `error: failed to create query: ${message}`;

describe('a term', () => {
  it.each([
    ['integer', 'amount', 5, 'amount:5'],
    ['integer, as a text', 'amount', ' +5 ', 'amount:5'],
    ['integer, with an empty fraction', 'amount', '5.0', 'amount:5'],
    ['integer, with an exponent', 'amount', '1e3', 'amount:1000'],
    ['integer, with decimals: nothing', 'amount', 5.5, 'nothing'],
    ['integer, too great: nothing', 'amount', 2_147_483_648, 'nothing'],
    ['integer, greatest', 'amount', 2_147_483_647, 'amount:2147483647'],
    ['integer, beyond all numbers: nothing', 'amount', '1e999', 'nothing'],
    ['byte, too great: nothing', 'level', 128, 'nothing'],
    ['byte, least', 'level', -128, 'level:-128'],
    ['long, beyond what a number holds exactly', 'big', '7123456789012345678', 'big:7123456789012345678n'],
    ['long, too great: nothing', 'big', '9223372036854775808', 'nothing'],
    ['long, within what a number holds', 'big', '9007199254740991', 'big:9007199254740991'],
    ['double', 'ratio', '0.1', 'ratio:0.1'],
    ['float, in single precision', 'share', 0.1, `share:${Math.fround(0.1)}`],
    ['float, too great', 'share', 1e39, cannot('[float] supports only finite values, but got [Infinity]')],
    ['number, no number', 'amount', 'abc', cannot('For input string: "abc"')],
    ['number, a boolean', 'amount', true, cannot('For input string: "true"')],
    ['number, empty', 'amount', '', cannot('empty String')],
    ['boolean', 'active', true, 'active:true'],
    ['boolean, as a text', 'active', 'false', 'active:false'],
    ['boolean, empty', 'active', '', 'active:false'],
    ['boolean, yes', 'active', 'yes', cannot("Can't parse boolean value [yes], expected [true] or [false]")],
    ['boolean, 1', 'active', 1, cannot("Can't parse boolean value [1], expected [true] or [false]")],
    ['keyword, as it stands', 'tags', 'Ab C', 'tags:Ab C'],
    ['keyword, longer than what is indexed', 'code', 'abcdefgh', 'code:abcdefgh'],
    ['text, as a token', 'd', 'Ab C', 'Ab C'],
    ['date', 'day', '2024-02-29', 'day:[1709164800000 TO 1709251199999]'],
    ['date, with a time', 'at', '2024-01-02 10:00:00', 'at:[1704189600000 TO 1704189600999]'],
    ['date, any format', 'moment', '2024-01-02T10:00:00Z', 'moment:[1704189600000 TO 1704189600999]'],
    ['date, a year', 'moment', '2024', 'moment:[1704067200000 TO 1704153599999]'],
    ['date, milliseconds', 'moment', 1_704_189_600_123, 'moment:[1704189600123 TO 1704189600123]'],
  ])('%s', (_, field, value, shown) => {
    expect(read({ term: { [field]: value } })).toBe(shown);
  });

  it.each([
    ['day', '2024-1-2', 'yyyy-MM-dd'],
    ['day', '20240102', 'yyyy-MM-dd'],
    ['day', 20_240_102, 'yyyy-MM-dd'],
    ['day', '2024-02-30', 'yyyy-MM-dd'],
    ['day', '2023-02-29', 'yyyy-MM-dd'],
    ['day', '2024-13-01', 'yyyy-MM-dd'],
    ['day', '2024-00-01', 'yyyy-MM-dd'],
    ['day', '2024-01-02 10:00:00', 'yyyy-MM-dd'],
    ['at', '2024-01-02', 'yyyy-MM-dd HH:mm:ss'],
    ['at', '2024-01-02 24:00:00', 'yyyy-MM-dd HH:mm:ss'],
    ['at', '2024-01-02T10:00:00', 'yyyy-MM-dd HH:mm:ss'],
    ['moment', 'yesterday', 'strict_date_optional_time||epoch_millis'],
    ['moment', '2024-01-02T25:00', 'strict_date_optional_time||epoch_millis'],
  ])('no date: %s %s', (field, value, format) => {
    expect(read({ term: { [field]: value } })).toBe(
      cannot(`failed to parse date field [${value}] with format [${format}]`),
    );
  });
});

describe('a range', () => {
  it.each([
    ['both ends', 'amount', { gte: 1, lte: 5 }, 'amount:[1 TO 5]'],
    ['ends that are left out', 'amount', { gt: 1, lt: 5 }, 'amount:[2 TO 4]'],
    ['texts', 'amount', { gte: '1', lt: '5' }, 'amount:[1 TO 4]'],
    ['decimals are rounded inwards', 'amount', { gte: 1.5, lte: 5.5 }, 'amount:[2 TO 5]'],
    ['below nought too', 'amount', { gt: -1.5, lt: -0.5 }, 'amount:[-1 TO -1]'],
    ['too far out is cut off', 'level', { gte: -1000, lte: 1000 }, 'exists(level)'],
    ['beyond all numbers', 'amount', { gte: '-1e999', lt: '1e999' }, 'exists(amount)'],
    ['nothing above the greatest', 'level', { gt: 127 }, 'nothing'],
    ['nothing from above the greatest', 'amount', { gte: '1e999' }, 'nothing'],
    ['nothing between', 'amount', { gt: 1, lt: 2 }, 'nothing'],
    ['long', 'big', { gt: '9007199254740992' }, 'big:[9007199254740993n TO *]'],
    ['double', 'ratio', { gt: 0.5, lte: '1.5' }, 'ratio:{0.5 TO 1.5]'],
    ['float', 'share', { gt: 0.1 }, `share:{${Math.fround(0.1)} TO *]`],
    ['keyword, in order of letters', 'tags', { gte: 'a', lt: 5 }, 'tags:[a TO 5}'],
    ['text, over terms', 'd', { gt: 'Ab', lte: 'b' }, '{Ab TO b]'],
    ['boolean', 'active', { gte: false }, 'active:in(false, true)'],
    ['boolean, above false', 'active', { gt: false }, 'active:in(true)'],
    ['boolean, nothing', 'active', { gt: true }, 'nothing'],
    [
      'older words',
      'amount',
      { from: 1, to: 5, include_lower: false, include_upper: false },
      'amount:[2 TO 4]',
    ],
    ['older words, with their ends', 'amount', { from: 1, to: 5 }, 'amount:[1 TO 5]'],
    ['no ends: what exists', 'amount', {}, 'exists(amount)'],
    ['null is no end', 'amount', { gte: null, lt: 5 }, 'amount:[* TO 4]'],
    ['a boost', 'amount', { gte: 1, boost: 2, relation: 'within' }, 'amount:[1 TO *]^2'],
    ['a field that is not mapped', 'nope', { gte: 1 }, 'nothing'],
    ['no number', 'amount', { gte: 'ten' }, cannot('For input string: "ten"')],
    ['an option that is none', 'amount', { above: 1 }, 'error: [range] query does not support [above]'],
    ['a list', 'amount', { gte: [1] }, 'error: [range] unknown token [START_ARRAY] after [gte]'],
    ['a value', 'amount', 5, 'error: [range] query malformed, no start_object after query name'],
  ])('%s', (_, field, ends, shown) => {
    expect(read({ range: { [field]: ends } })).toBe(shown);
  });

  it('asks for one field', () => {
    expect(read({ range: { amount: { gte: 1 }, level: { gte: 1 } } })).toBe(
      "error: [range] query doesn't support multiple fields, found [amount] and [level]",
    );
  });
});

const at = (text: string): number => Date.parse(text);

describe('a range of dates', () => {
  // The clock stands at 2024-05-15 (a Wednesday), 13:45:30.500 UTC.
  it.each([
    ['gte begins with the day', { gte: '2024-01-02' }, at('2024-01-02'), undefined],
    ['gt begins after the day', { gt: '2024-01-02' }, at('2024-01-03'), undefined],
    ['lte ends with the day', { lte: '2024-01-02' }, undefined, at('2024-01-03') - 1],
    ['lt ends before the day', { lt: '2024-01-02' }, undefined, at('2024-01-02') - 1],
    ['now', { gte: 'now' }, at('2024-05-15T13:45:30.500Z'), undefined],
    ['a day before', { gte: 'now-1d' }, at('2024-05-14T13:45:30.500Z'), undefined],
    ['gte rounds down', { gte: 'now/d' }, at('2024-05-15'), undefined],
    ['gt rounds up past the unit', { gt: 'now/d' }, at('2024-05-16'), undefined],
    ['lt rounds down', { lt: 'now/d' }, undefined, at('2024-05-15') - 1],
    ['lte rounds up to the last millisecond', { lte: 'now/d' }, undefined, at('2024-05-16') - 1],
    ['steps from left to right', { gte: 'now-1M/M+2h' }, at('2024-04-01T02:00Z'), undefined],
    ['a week begins on Monday', { gte: 'now/w' }, at('2024-05-13'), undefined],
    ['a year', { gte: 'now/y' }, at('2024-01-01'), undefined],
    ['an hour', { gte: 'now/h' }, at('2024-05-15T13:00Z'), undefined],
    ['an hour in capitals', { gte: 'now-2H/H' }, at('2024-05-15T11:00Z'), undefined],
    ['a minute', { gte: 'now/m' }, at('2024-05-15T13:45Z'), undefined],
    ['a second', { gte: 'now/s' }, at('2024-05-15T13:45:30Z'), undefined],
    ['a step without a number', { gte: 'now+d' }, at('2024-05-16T13:45:30.500Z'), undefined],
    ['from a date', { gte: '2024-01-31||+1M' }, at('2024-02-29'), undefined],
    ['from a date, rounded', { lte: '2024-01-15||/M' }, undefined, at('2024-02-01') - 1],
    ['from a leap day', { gte: '2024-02-29||+1y' }, at('2025-02-28'), undefined],
    ['a format of its own', { gte: '31/01/2024', format: 'dd/MM/yyyy' }, at('2024-01-31'), undefined],
    ['one of two formats', { gte: '2024', format: 'dd/MM/yyyy||yyyy' }, at('2024-01-01'), undefined],
    ['a month left open', { lte: '2024-02', format: 'yyyy-MM' }, undefined, at('2024-02-02') - 1],
    ['seconds', { gte: 1_704_067_200, format: 'epoch_second' }, at('2024-01-01'), undefined],
    ['a zone', { gte: '2024-01-02', time_zone: '+02:00' }, at('2024-01-01T22:00Z'), undefined],
    [
      'rounded in a zone east of here',
      { gte: 'now/d', time_zone: '+11' },
      at('2024-05-15T13:00Z'),
      undefined,
    ],
    ['rounded in a zone', { gte: 'now/d', time_zone: '-0500' }, at('2024-05-15T05:00Z'), undefined],
    ['a place', { gte: '2024-07-02', time_zone: 'Europe/Paris' }, at('2024-07-01T22:00Z'), undefined],
    [
      'rounded at a place',
      { lte: 'now/M', time_zone: 'America/New_York' },
      undefined,
      at('2024-06-01T04:00Z') - 1,
    ],
    ['far away', { gte: 'now-2000000000y' }, -8.64e15, undefined],
  ])('%s', (_, ends, from, to) => {
    const shown = `day:[${from ?? '*'} TO ${to ?? '*'}]`;
    expect(read({ range: { day: ends } })).toBe(shown);
  });

  it.each([
    [{ gte: '2024-05-16', lte: '2024-05-15' }, 'nothing'],
    [{ gte: '2024/05/16' }, cannot('failed to parse date field [2024/05/16] with format [yyyy-MM-dd]')],
    [{ gte: '' }, cannot('cannot parse empty date')],
    [{ gte: 'now+1q' }, cannot('unit [q] not supported for date math [+1q]')],
    [{ gte: 'now*1d' }, cannot('operator not supported for date math [*1d]')],
    [{ gte: 'now+1' }, cannot('truncated date math [+1]')],
    [{ gte: 'now/' }, cannot('truncated date math [/]')],
    [{ gte: 'now/2d' }, cannot('rounding `/` can only be used on single unit types [/2d]')],
    [{ gte: 'now+99999999999d' }, cannot('For input string: "99999999999"')],
    [{ gte: '2024', format: 'yyyy-QQ' }, cannot('Invalid format: [yyyy-QQ]: Unknown pattern letter: QQ')],
    [
      { gte: '2024', format: "yyyy'" },
      cannot("Invalid format: [yyyy']: Pattern ends with an incomplete string literal"),
    ],
    [
      { gte: '2024', format: 'yyyy[-MM' },
      cannot('Invalid format: [yyyy[-MM]: Pattern invalid as it contains [ without ]'),
    ],
    [{ gte: '2024', format: 'yyyy yyyy' }, cannot('Invalid format: [yyyy yyyy]: The year stands twice')],
    [{ gte: '2024', time_zone: 'Mars/Olympus' }, cannot(unknownZone('Mars/Olympus'))],
  ])('%j: %s', (ends, shown) => {
    expect(read({ range: { day: ends } })).toBe(shown);
  });
});
