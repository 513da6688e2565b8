// The workbook as an Excel file. Formulas become their values: Excel does not know those of the add-on.

import type { Feature } from 'write-excel-file/universal';
import writeExcelFile, { type Row, type Sheet } from 'write-excel-file/universal';
import { getCellAddress, getSelfClosingTagMarkup } from 'write-excel-file/utility';
import type { SheetData } from '../../host/sheets/workbook.ts';
import { toWebAddress } from '../grid/notes-and-links.ts';
import { toSerial } from '../grid/serial-dates.ts';

/** Excel's limits for a sheet and an address. */
const MAX_LINKS = 65_530;
const MAX_ADDRESS = 2079;
const HYPERLINK = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink';

/** Returns the address that a cell opens; undefined if it has none. Excel has one link for a cell, so it is the first. */
function getCellLink({ links }: SheetData, row: number, column: number): string | undefined {
  const addresses = (links?.[row]?.[column] ?? []).flatMap(({ link }) => toWebAddress(link) ?? []);
  return addresses.find((address) => address.length <= MAX_ADDRESS);
}

interface CellLink {
  /** Reference of the cell, such as `A1`. */
  ref: string;
  address: string;
  id: string;
}

const listLinks = (sheet: SheetData): CellLink[] =>
  sheet.values
    .flatMap((cells, row) =>
      cells.flatMap((_, column) => {
        const address = getCellLink(sheet, row, column);
        return address === undefined ? [] : { ref: getCellAddress(row, column), address };
      }),
    )
    .slice(0, MAX_LINKS)
    .map((link, at) => ({ ...link, id: `rId-link-${at + 1}` }));

/** Builds the feature that writes the links of sheets, which are in the order of the file. */
function createLinks(sheets: readonly SheetData[]): Feature<Blob> {
  const links = sheets.map(listLinks);
  return {
    files: {
      transform: {
        'xl/worksheets/sheet{id}.xml': {
          transform: (xml, _options, { sheetIndex }) => {
            const elements = (links[sheetIndex] ?? []).map(({ ref, id }) =>
              getSelfClosingTagMarkup('hyperlink', { ref, 'r:id': id }),
            );
            if (elements.length === 0) return xml;
            const end = '</sheetData>';
            return xml.replace(end, `${end}<hyperlinks>${elements.join('')}</hyperlinks>`);
          },
        },
        'xl/worksheets/_rels/sheet{id}.xml.rels': {
          insert: (_options, { sheetIndex }) =>
            (links[sheetIndex] ?? [])
              .map(({ id, address }) =>
                getSelfClosingTagMarkup('Relationship', {
                  Id: id,
                  Type: HYPERLINK,
                  Target: address,
                  TargetMode: 'External',
                }),
              )
              .join(''),
        },
      },
    },
  };
}

/** Excel refuses longer names of sheets. */
const MAX_NAME = 31;
const RESERVED = /[\\/?*[\]:]/g;
/** Excel measures widths in digits of the default font. */
const PIXELS_PER_DIGIT = 7;

/** Returns names that Excel accepts, each once whatever its case. */
function toSheetNames(sheets: readonly SheetData[]): string[] {
  const taken = new Set<string>();
  return sheets.map(({ name }) => {
    const allowed = name.replace(RESERVED, ' ');
    let unique = allowed.slice(0, MAX_NAME);
    for (let number = 2; taken.has(unique.toLowerCase()); number += 1) {
      const suffix = ` (${number})`;
      unique = allowed.slice(0, MAX_NAME - suffix.length) + suffix;
    }
    taken.add(unique.toLowerCase());
    return unique;
  });
}

const LINK_STYLE = { textColor: '#0563c1', textDecoration: { underline: true } } as const;

/** Texts keep their type, so none of them becomes a formula. */
function toCell(sheet: SheetData, row: number, column: number): Row[number] {
  const value = sheet.values[row]?.[column] ?? '';
  const format = sheet.formats?.[row]?.[column] ?? '';
  const style = {
    ...(sheet.styles?.fontWeight?.[row]?.[column] === 'bold' ? ({ fontWeight: 'bold' } as const) : {}),
    ...(getCellLink(sheet, row, column) === undefined ? {} : LINK_STYLE),
  };
  if (typeof value === 'string') return value === '' ? null : { value, type: String, ...style };
  if (typeof value === 'boolean') return { value, type: Boolean, ...style };
  const number = typeof value === 'number' ? value : toSerial(value);
  return { value: number, type: Number, ...(format === '' || format === '@' ? {} : { format }), ...style };
}

const toExcelSheet = (sheet: SheetData, name: string): Sheet<Blob> => ({
  sheet: name,
  data: sheet.values.map((cells, row) => cells.map((_, column) => toCell(sheet, row, column))),
  columns: Object.values(sheet.columnWidths ?? {}).map((pixels) => ({ width: pixels / PIXELS_PER_DIGIT })),
  ...(sheet.frozenRows ? { stickyRowsCount: sheet.frozenRows } : {}),
});

/** Formats the visible sheets, with number formats, bold cells, links, widths and frozen rows. */
export function formatExcelFile(all: readonly SheetData[]): Promise<Blob> {
  const sheets = all.filter(({ hidden }) => hidden !== true);
  const names = toSheetNames(sheets);
  const content = sheets.map((sheet, at) => toExcelSheet(sheet, names[at] ?? sheet.name));
  return writeExcelFile(content, { features: [createLinks(sheets)] }).toBlob();
}
