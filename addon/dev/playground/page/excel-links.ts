// Links of cells in an Excel file. They are stored beside the texts, which stay texts.
import type { Feature } from 'write-excel-file/universal';
import { getCellAddress, getSelfClosingTagMarkup } from 'write-excel-file/utility';
import type { SheetData } from '../../host/sheets/workbook.ts';
import { toWebAddress } from '../grid/notes-and-links.ts';

/** Excel's limits for a sheet and an address. */
const MAX_LINKS = 65_530;
const MAX_ADDRESS = 2079;
const HYPERLINK = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink';

/** Returns the address that a cell opens; undefined if it has none. Excel has one link for a cell, so it is the first. */
export function getCellLink({ links }: SheetData, row: number, column: number): string | undefined {
  const addresses = (links?.[row]?.[column] ?? []).flatMap(({ link }) => toWebAddress(link) ?? []);
  return addresses.find((address) => address.length <= MAX_ADDRESS);
}

interface CellLink {
  /** Reference of the cell, such as `A1`. */
  ref: string;
  address: string;
  /** Id of the relationship. */
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
export function createLinks(sheets: readonly SheetData[]): Feature<Blob> {
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
