// Links of the playground's cells.
import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import type { SheetData } from '../../../../addon/dev/host/sheets/workbook.ts';
import { toWebAddress } from '../../../../addon/dev/playground/grid/notes-and-links.ts';
import { formatExcelFile } from '../../../../addon/dev/playground/page/excel.ts';

test('opens only web pages', () => {
  expect(toWebAddress('https://a.example/b?c#d')).toBe('https://a.example/b?c#d');
  expect(toWebAddress('http://a.example')).toBe('http://a.example/');
  const others = [
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc',
    'blob:https://a',
    'a.example',
    '',
  ];
  for (const link of [...others, null]) expect(toWebAddress(link)).toBeUndefined();
});

test('are links of the texts in an Excel file, and a text that looks like a formula stays one', async () => {
  const link = (address: string) => [{ start: 0, end: 1, link: address }];
  const address = 'https://acme.example/?a="1"&b=<x>';
  const sheet = (name: string, links: SheetData['links']): SheetData => ({
    ...{ id: 1, name, values: [['Site'], ['acme.example', '=HYPERLINK("https://evil.example")'], ['x']] },
    ...(links === undefined ? {} : { links }),
  });
  const blob = await formatExcelFile([
    sheet('None', undefined),
    sheet('Links', [[null], [link(address), link('https://b.example')], [link('javascript:alert(1)')]]),
  ]);
  const files = unzipSync(new Uint8Array(await blob.arrayBuffer()));
  const read = (name: string): string => strFromU8(files[`xl/${name}`] ?? new Uint8Array());
  expect(read('worksheets/sheet1.xml')).not.toContain('hyperlink');
  expect(read('worksheets/sheet2.xml')).toContain(
    '</sheetData><hyperlinks><hyperlink ref="A2" r:id="rId-link-1"/><hyperlink ref="B2" r:id="rId-link-2"/></hyperlinks>',
  );
  expect(read('worksheets/sheet2.xml')).not.toContain('<f>');
  const relations = read('worksheets/_rels/sheet2.xml.rels');
  expect(relations).toMatch(
    /Id="rId-link-1" Type="[^"]+\/hyperlink" Target="https:\/\/acme\.example\/\?a=%221%22&amp;b=%3Cx%3E" TargetMode="External"/,
  );
  expect(relations).not.toContain('javascript');
  expect(read('sharedStrings.xml')).toContain('=HYPERLINK(');
  expect(read('styles.xml')).toMatch(/<u\/>|<u /);
});
