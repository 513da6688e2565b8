// What cells hold beside values: notes, looks and links; and sorting, which takes them along.
import { expect, test } from 'vitest';
import { cell, click, ran, small } from './host.ts';

test('notes and looks are set one or many, read back, and taken away by null and by clear', async () => {
  const { value, writes } = await ran(`const range = sheet.getRange('A1:B1');
    range.setNotes([['one', null]]).setBackgrounds([['#ff0000', null]]).setFontWeights([['bold', 'normal']]).setFontSize(12)
      .setWrapStrategy(SpreadsheetApp.WrapStrategy.CLIP);
    sheet.getRange('B1').setNote('two').setFontColor('#00ff00').setFontColor(null);
    const set = [range.getNotes(), range.getBackgrounds(), range.getFontWeights(), range.getFontSizes(), range.getFontColors(), range.getFontLine()];
    range.clearNote().clearFormat();
    return [...set, range.getNotes(), range.getBackgrounds(), range.getValues()]`);
  expect(value).toEqual([
    [['one', 'two']],
    [['#ff0000', '#ffffff']],
    [['bold', 'normal']],
    [[12, 12]],
    [['#000000', '#000000']],
    'none',
    [['', '']],
    [['#ffffff', '#ffffff']],
    [['website', 'staff']],
  ]);
  const first = { sheet: 11, row: 1, column: 1 };
  expect(writes.slice(0, 5)).toEqual([
    { kind: 'notes', ...first, notes: [['one', '']] },
    { kind: 'styles', ...first, style: 'background', styles: [['#ff0000', '']] },
    { kind: 'styles', ...first, style: 'fontWeight', styles: [['bold', 'normal']] },
    { kind: 'style', ...first, rows: 1, columns: 2, style: 'fontSize', value: '12' },
    { kind: 'style', ...first, rows: 1, columns: 2, style: 'wrapStrategy', value: 'CLIP' },
  ]);
});

test('clear takes contents and formats, and options narrow it', async () => {
  const { value } = await ran(`const range = sheet.getRange('A1');
    const state = () => [range.getValue(), range.getNumberFormat(), range.getNote()].join('|');
    range.setNumberFormat('@').setNote('n'); const states = [state()];
    range.clear({ formatOnly: true }); states.push(state());
    range.clear({ commentsOnly: true }); states.push(state());
    range.setNumberFormat('0').setNote('n').clear(); states.push(state());
    sheet.clearNotes(); states.push(state());
    return states`);
  const general = '0.###############';
  expect(value).toEqual([
    'website|@|n',
    `website|${general}|n`,
    `website|${general}|`,
    `|${general}|n`,
    `|${general}|`,
  ]);
});

test('a text with links is set as it stands, and read back', async () => {
  const { value, writes } =
    await ran(`const link = (text, url) => SpreadsheetApp.newRichTextValue().setText(text).setLinkUrl(url).build();
    const two = SpreadsheetApp.newRichTextValue().setText('see a or b').setLinkUrl(4, 5, 'https://a.example/').setLinkUrl(9, 10, 'https://b.example/').build();
    const range = sheet.getRange('A1:A3').setRichTextValues([[link('=A1', 'https://a.example/')], [two], [link('plain', null)]]);
    const [[first], [second], [third]] = range.getRichTextValues();
    return [first.getText(), first.getLinkUrl(), second.getLinkUrl(), second.getLinkUrl(4, 5), third.getLinkUrl(), third.getRuns().length,
      second.getRuns().map((run) => [run.getText(), run.getLinkUrl(), run.getStartIndex(), run.getEndIndex()]),
      second.copy().setLinkUrl(null).build().getLinkUrl(4, 5), sheet.getRange('A1').getFormula(), sheet.getRange('A1').getValue(),
      sheet.getRange('B3').getRichTextValue()]`);
  expect(value).toEqual([
    '=A1',
    'https://a.example/',
    null,
    'https://a.example/',
    null,
    1,
    [
      ['see ', null, 0, 4],
      ['a', 'https://a.example/', 4, 5],
      [' or ', null, 5, 9],
      ['b', 'https://b.example/', 9, 10],
    ],
    null,
    '',
    '=A1',
    null,
  ]);
  expect(writes).toEqual([
    {
      kind: 'richText',
      sheet: 11,
      row: 1,
      column: 1,
      texts: [
        [{ text: '=A1', runs: [{ start: 0, end: 3, link: 'https://a.example/' }] }],
        [
          {
            text: 'see a or b',
            runs: [
              { start: 4, end: 5, link: 'https://a.example/' },
              { start: 9, end: 10, link: 'https://b.example/' },
            ],
          },
        ],
        [{ text: 'plain', runs: [] }],
      ],
    },
  ]);
});

test('a value that is set takes a link away', async () => {
  const links = [[[{ start: 0, end: 1, link: 'https://a.example/' }]]];
  const body = `const range = sheet.getRange('A1'); const before = range.getRichTextValue().getLinkUrl();
    range.setValue('b'); return [before, range.getRichTextValue().getLinkUrl()]`;
  expect((await ran(body, small({ values: [['a']], links }))).value).toEqual(['https://a.example/', null]);
});

test('a text of rich text holds 50,000 characters and no more; a link lies inside its text', async () => {
  const set = (body: string) =>
    click(
      `SpreadsheetApp.getActiveSheet().getRange('A1').setRichTextValue(SpreadsheetApp.newRichTextValue()${body}.build())`,
    );
  await expect(set('.setText("x".repeat(50001))')).rejects.toThrow('maximum of 50000 characters');
  await expect(set('.setText("abc").setLinkUrl(2, 4, "https://a.example/")')).rejects.toThrow(
    'Invalid argument: offset',
  );
});

test('dates are sorted among numbers, by their days', async () => {
  const workbook = small({
    values: [[new Date('2026-01-02T00:00:00Z')], [50_000], [1], [new Date('2026-01-01T00:00:00Z')]],
  });
  const body = `return sheet.getRange('A1:A4').sort(1).getValues().map(([value]) => (value instanceof Date ? value.getUTCDate() + '.' : String(value))).join(' ')`;
  expect((await ran(body, workbook)).value).toBe('1 1. 2. 50000');
});

test('rows are sorted by columns: numbers, texts, booleans, blanks last; formats, notes and links go along', async () => {
  const workbook = small({
    values: [
      ['b', 1],
      ['', 2],
      ['a', 3],
      [5, 4],
      [true, 5],
      ['A', 6],
    ],
    notes: [['of b']],
    formats: [['@']],
    links: [[[{ start: 0, end: 1, link: 'https://b.example/' }]]],
  });
  const body = `const range = sheet.getRange('A1:B6'); const by = (key) => range.sort(key).getValues().map((row) => row[1]).join('');
    return [by(1), by({ column: 1, ascending: false }), by([{ column: 1 }, { column: 2, ascending: false }]),
      sheet.getRange('A4:A4').getNote() + sheet.getRange('A4').getNumberFormat() + sheet.getRange('A4').getRichTextValue().getLinkUrl()]`;
  expect((await ran(body, workbook)).value).toEqual([
    '436152',
    '513642',
    '463152',
    'of b@https://b.example/',
  ]);
});

test('a custom function may read looks, notes and links', async () => {
  const body = `const range = SpreadsheetApp.getActiveSheet().getRange('A1');
    return [range.getBackground(), range.getNote(), range.getRichTextValue().getText(), range.canEdit()].join('|')`;
  expect(await cell(body)).toBe('#ffffff||website|true');
});
