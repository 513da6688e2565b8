// Texts of the add-on: German is complete, and the language of the person chooses it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { templates } from '../../addon/tables/templates/templates.ts';
import { texts } from '../../addon/texts/de/index.ts';
import { getPreviewColumns, getRecordColumns } from '../../shared/families/columns.ts';
import { familyLabels, familyNames } from '../../shared/families/registry.ts';
import { subjects } from '../../shared/families/subjects.ts';
import { formatEnglishFieldLabel, getFieldSection } from '../../shared/query/field-labels.ts';
import { getFormFields } from '../../shared/query/form-fields.ts';
import { sourceLabels } from '../../shared/sources.ts';
import { root } from '../../worker/commands/paths.ts';
import { createEnrichOrder, createList, runEnrichment } from './server/orders.ts';
import { gateway, openSidebar } from './server/sidebar.ts';
import { openSpreadsheet } from './spreadsheet.ts';

const translations: Readonly<Record<string, string>> = texts;

/** Labels that are not written in the sources of the add-on, or are looked up by their text. */
const labels = new Set(
  familyNames.flatMap((family) => {
    const { name, group, dataSet, singular, plural } = familyLabels[family];
    const fields = getFormFields(family);
    const columns = [...getRecordColumns(family), ...getPreviewColumns(family)].map((column) => column.name);
    return [
      ...[name, group, dataSet, singular, plural],
      ...[
        ...fields.flatMap((field) => [field.label, field.group]),
        ...columns.flatMap((path) => [formatEnglishFieldLabel(path), getFieldSection(path)]),
      ].flatMap((label) => label.split(' › ')),
    ];
  }),
);
for (const { label } of Object.values(subjects)) labels.add(label);
for (const label of Object.values(sourceLabels)) labels.add(label);
for (const { title, summary } of templates) labels.add(title).add(summary);
labels.delete('');

const PLACEHOLDER = /\{\w+\}/g;
const STRINGS = [/'((?:[^'\\\n]|\\.)*)'/g, /"((?:[^"\\\n]|\\.)*)"/g, /`((?:[^`\\]|\\.)*)`/g];

/** All texts of the product's sources, with `{}` for every placeholder and expression. */
function listTexts(): Set<string> {
  const found = new Set<string>();
  for (const folder of ['addon', 'shared', 'worker']) {
    for (const file of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      if (!/\.tsx?$/.test(file) || file.startsWith(join('texts', 'de'))) continue;
      const source = readFileSync(join(root, folder, file), 'utf8');
      for (const [, text = ''] of STRINGS.flatMap((pattern) => [...source.matchAll(pattern)]))
        found.add(
          text
            .replace(/\\n/g, '\n')
            .replace(/\\(.)/g, '$1')
            .replace(/\$?\{[^{}]*\}/g, '{}'),
        );
    }
  }
  return found;
}

describe('the German texts', () => {
  it('have the placeholders of the English ones', () => {
    const list = (text: string) => [...new Set(text.match(PLACEHOLDER))].sort();
    for (const [english, german] of Object.entries(translations))
      expect(list(german), english).toEqual(list(english));
  });

  it('include all labels of records, fields, sources and templates', () => {
    expect([...labels].filter((label) => !Object.hasOwn(translations, label))).toEqual([]);
  });

  it('are all in use', () => {
    const written = listTexts();
    const isWritten = (text: string) => written.has(text.replace(PLACEHOLDER, '{}'));
    const unused = Object.keys(translations).filter(
      // Plurals are formed by the code.
      (text) =>
        !isWritten(text) &&
        !labels.has(text) &&
        !isWritten(text.replace(/s$/, '')) &&
        !isWritten(text.replace(/es$/, '')),
    );
    expect(unused).toEqual([]);
  });
});

describe('a person whose account is German', () => {
  it('has a German menu and German dialogs', async () => {
    const { host, listMessages } = await openSpreadsheet({ language: 'de' }, 'YES');
    await host.run('onOpen', [{}], 'open');
    expect(JSON.stringify(host.menus)).toContain('Seitenleiste öffnen');
    await host.run('useFormulas');
    expect(listMessages()).toEqual([expect.stringMatching(/^Formeln wie =CDAPI_ENRICH\(A2\)/)]);
  });

  it('reads problems of the gateway in German, with what a detail says beyond its code', async () => {
    const sidebar = await openSidebar({ language: 'de' });
    gateway.refuse('POST search', 'over_budget');
    const count = () => sidebar.call('count', { family: 'company_base', query: { text: '*' } });
    const message =
      'Das Budget für diesen Aufruf ist aufgebraucht. Erlauben Sie mehr Credits für den Aufruf, oder bitten Sie Ihren Admin, das Budget zu erhöhen.';
    expect(await count()).toMatchObject({ code: 'over_budget', message });
    gateway.refuse('POST search', 'over_budget', 'Only 3 credits are left.');
    expect(await count()).toMatchObject({
      message: message.replace('. Erlauben', '. Das Gateway meldet: „Only 3 credits are left.“ Erlauben'),
    });
  });

  it('gets the texts with the first state', async () => {
    const { language } = await (await openSidebar({ language: 'de' })).callOk('status', { withTexts: true });
    expect(language).toMatchObject({ locale: 'de', texts });
  });

  it('leaves cells in English, which colleagues share', async () => {
    const workbook = createList(['a.example', 'nobody.example']);
    const sidebar = await openSidebar({ language: 'de', workbook });
    await runEnrichment(sidebar, createEnrichOrder({ statusColumn: true }));
    expect(sidebar.getValues('Sheet1')).toEqual([
      ['Website', 'Name', 'Founded', 'Status'],
      ['a.example', 'Name of a.example', 1999, 'bought'],
      ['nobody.example', '#NOT_FOUND', '', expect.stringMatching(/^#NOT_FOUND No record was found\. Check/)],
    ]);
  });
});

it.each(['en', 'es', 'ja'] as const)(
  'a person whose account has the language %s reads English',
  async (language) => {
    const { language: chosen } = await (await openSidebar({ language })).callOk('status', {
      withTexts: true,
    });
    expect(chosen).toEqual({ locale: 'en-GB', texts: {} });
  },
);
