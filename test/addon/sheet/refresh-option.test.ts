// The option refresh=N in the text of a formula.
import { describe, expect, it } from 'vitest';
import { changeRefreshOption } from '../../../addon/sheet/refresh-option.ts';
import { formulas } from '../../../shared/formulas.ts';

const NOW = 1_800_000_000;

describe('refresh', () => {
  it.each([
    ['=CDAPI_ENRICH(A1)', '=CDAPI_ENRICH(A1; ; "refresh=1800000000")'],
    ['=cdapi_enrich(A1, "name")', '=cdapi_enrich(A1, "name", "refresh=1800000000")'],
    ['=CDAPI_ENRICH(A1; "a,b")', '=CDAPI_ENRICH(A1; "a,b"; "refresh=1800000000")'],
    ['=CDAPI_ENRICH(A1, "name", "header")', '=CDAPI_ENRICH(A1, "name", "header, refresh=1800000000")'],
    [
      '=CDAPI_ENRICH(A1, "name", "refresh=7, header")',
      '=CDAPI_ENRICH(A1, "name", "refresh=1800000000, header")',
    ],
    [
      '=CDAPI_ENRICH(A1, "name", "Refresh = 1800000009")',
      '=CDAPI_ENRICH(A1, "name", "Refresh = 1800000010")',
    ],
    [
      '=CDAPI_ENRICH(A1, "name", F1:F3)',
      '=CDAPI_ENRICH(A1, "name", TEXTJOIN(", ", TRUE, F1:F3, "refresh=1800000000"))',
    ],
    [
      '=CDAPI_ENRICH(A1, "name", TEXTJOIN(", ", TRUE, F1:F3, "refresh=7"))',
      '=CDAPI_ENRICH(A1, "name", TEXTJOIN(", ", TRUE, F1:F3, "refresh=1800000000"))',
    ],
    ['=CDAPI_CREDITS()', '=CDAPI_CREDITS(; "refresh=1800000000")'],
    [
      '=CDAPI_COUNT("company_base", {"a","b";1,2})',
      '=CDAPI_COUNT("company_base", {"a","b";1,2}, , "refresh=1800000000")',
    ],
    [
      '=IFERROR(CDAPI_ENRICH(A1, "a)b"), CDAPI_COMPANY(CDAPI_SEARCH("job_base", "x"), "name"))',
      '=IFERROR(CDAPI_ENRICH(A1, "a)b", "refresh=1800000000"), CDAPI_COMPANY(CDAPI_SEARCH("job_base", "x", , , "refresh=1800000000"), "name", "refresh=1800000000"))',
    ],
    ['="CDAPI_ENRICH(A1)"&\'CDAPI_JOB(1)\'!A1', '="CDAPI_ENRICH(A1)"&\'CDAPI_JOB(1)\'!A1'],
    ['=MYCDAPI_ENRICH(A1)+CDAPI_OTHER(A1)', '=MYCDAPI_ENRICH(A1)+CDAPI_OTHER(A1)'],
    ['=CDAPI_ENRICH(A1', '=CDAPI_ENRICH(A1'],
  ])('changes %s', (formula, changed) => {
    expect(changeRefreshOption(formula, NOW)).toBe(changed);
  });

  it('is the last argument of every formula', () => {
    for (const { name, parameters } of formulas) {
      expect(parameters.at(-1), name).toMatchObject({
        name: 'options',
        optional: true,
        help: expect.stringContaining('refresh=1'),
      });
    }
  });
});
