// The formula definitions: complete help, and the prices of the operations.
import { describe, expect, it } from 'vitest';
import { familyNames } from '../../shared/families/index.ts';
import { formulas } from '../../shared/formulas.ts';
import { getRecordPrice, operations } from '../../shared/operations.ts';

describe('each formula', () => {
  it('has help, cost, result and examples', () => {
    expect(new Set(formulas.map(({ name }) => name)).size).toBe(formulas.length);
    for (const { name, help, cost, parameters, returns } of formulas) {
      expect(name).toMatch(/^CDAPI_[A-Z_]+$/);
      for (const text of [help, cost, returns.help]) expect(text).toMatch(/^[A-Z\d].*\.$/);
      expect(returns.type).not.toBe('');
      for (const parameter of parameters) {
        expect(parameter.help).toMatch(/^[A-Za-z_].*\.$/);
        expect(parameter.example).not.toBe('');
        expect(parameter.type).toMatch(/^[\w|<>]+$/);
      }
      // Optional parameters come last.
      const optional = parameters.map((parameter) => parameter.optional);
      expect(optional).toEqual(optional.toSorted((a, b) => Number(a) - Number(b)));
    }
  });

  it('has the price of its operation', () => {
    const getCost = (name: string) => formulas.find((formula) => formula.name === name)?.cost;
    expect(getCost('CDAPI_ENRICH')).toContain(`${getRecordPrice('company_clean')} credits`);
    expect(getCost('CDAPI_ENRICH')).toContain(`${getRecordPrice('company_multi_source')} credits for multi`);
    expect(getCost('CDAPI_POST')).toMatch(/^1 credit for each unique record/);
    const page = operations.find(({ name, family }) => name === 'preview' && family === 'company_clean');
    expect(getCost('CDAPI_PREVIEW')).toContain(`${page?.credits} credits`);
    for (const name of ['SEARCH', 'COUNT', 'COST', 'CREDITS', 'FIELDS', 'STATUS']) {
      expect(getCost(`CDAPI_${name}`)).toBe('Free.');
    }
  });

  // "`docs/formulas.md` lists `employee_post` for SEARCH, which fails"
  it('lists the families that it supports', () => {
    const getFamilyHelp = (name: string) => {
      const { parameters = [] } = formulas.find((formula) => formula.name === name) ?? {};
      return parameters.find((parameter) => parameter.name === 'family')?.help ?? '';
    };
    for (const family of familyNames) {
      const has = (name: string) =>
        operations.some((operation) => operation.family === family && operation.name === name);
      expect(getFamilyHelp('CDAPI_SEARCH').includes(family), family).toBe(has('search'));
      expect(getFamilyHelp('CDAPI_COUNT').includes(family), family).toBe(has('search'));
      expect(getFamilyHelp('CDAPI_PREVIEW').includes(family), family).toBe(has('preview'));
      expect(getFamilyHelp('CDAPI_COST').includes(family), family).toBe(has('collect') || has('enrich'));
      expect(getFamilyHelp('CDAPI_FIELDS')).toContain(family);
    }
    expect(getFamilyHelp('CDAPI_SEARCH')).not.toContain('employee_post');
  });
});
