// The built add-on's formulas: real functions with their help.
import { describe, expect, it } from 'vitest';
import { formulas } from '../../../shared/formulas.ts';
import { open } from './sheets.ts';

describe('the built file', () => {
  it('holds real top-level functions with the help that Sheets shows', async () => {
    const { host } = await open();
    const custom = host.functions.filter((built) => built.custom);
    expect(custom.map(({ name }) => name).toSorted()).toEqual(formulas.map(({ name }) => name).toSorted());
    for (const { name, help, parameters, returns } of formulas) {
      expect(custom.find((built) => built.name === name)).toMatchObject({
        description: help,
        returns: expect.stringContaining(returns.help),
        params: parameters.map((parameter) => ({
          name: parameter.name,
          type: parameter.type,
          optional: parameter.optional,
          description: `${parameter.help} Example: ${parameter.example}`,
        })),
      });
    }
  });

  it('answers the examples that its help shows', async () => {
    const sheet = await open();
    for (const name of ['CDAPI_SEARCH', 'CDAPI_PREVIEW', 'CDAPI_COUNT', 'CDAPI_FIELDS']) {
      const { parameters = [] } = formulas.find((formula) => formula.name === name) ?? {};
      const args = parameters.map(({ example }) => (example === 'F1' ? false : JSON.parse(example)));
      expect(await sheet.formula(name, ...args)).toMatchObject({ values: expect.any(Array) });
    }
  });
});
