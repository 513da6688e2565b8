// What cells hold beside values: notes, looks and links.
import { expect, test } from 'vitest';
import { ran } from './host.ts';

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
