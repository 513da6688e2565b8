// The fields of forms, and the labels of columns.
import { describe, expect, it } from 'vitest';
import { getRecordColumns } from '../../../shared/families/columns.ts';
import { familyNames } from '../../../shared/families/index.ts';
import { listSearchColumns } from '../../../shared/families/previews.ts';
import { indexFields } from '../../../shared/families/registry.ts';
import { formatEnglishFieldLabel } from '../../../shared/query/field-labels.ts';
import { getFormFields, getInitialFormFields } from '../../../shared/query/form-fields.ts';

const searched = familyNames.filter((family) => family !== 'employee_post');

describe('the fields of a form', () => {
  it.each(searched)('of %s have unique names and labels, and include the initial ones', (family) => {
    const fields = getFormFields(family);
    const names = fields.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).not.toEqual([]);
    expect(fields.filter(({ label }) => label === '')).toEqual([]);
    const labels = fields.map(({ group, label }) => `${group}: ${label}`);
    expect(new Set(labels).size).toBe(labels.length);
    expect(getInitialFormFields(family).filter((name) => !names.includes(name))).toEqual([]);
  });

  it.each(searched.filter((family) => getFormFields(family).some(({ isFilter }) => !isFilter)))(
    'of %s, without filters, are index fields',
    (family) => {
      const { properties } = indexFields[family];
      const unknown = getFormFields(family).filter(
        ({ name }) => !Object.hasOwn(properties, name.split('.')[0] ?? ''),
      );
      expect(unknown).toEqual([]);
    },
  );
});

it.each(familyNames)('the columns of %s have distinct labels', (family) => {
  const names = listSearchColumns(
    family,
    getRecordColumns(family).map(({ name }) => name),
  );
  const labels = names.map(formatEnglishFieldLabel);
  expect(labels.filter((label, at) => labels.indexOf(label) !== at)).toEqual([]);
});
