// Developer metadata: where it may be, and what becomes of it when rows, columns and sheets move.
import type { Check, CheckContext } from '../check.ts';
import { tryOut } from '../check.ts';

/** Guide "Metadata storage limits". */
const CHARACTERS = 30_000;

type Entry = GoogleAppsScript.Spreadsheet.DeveloperMetadata;

const find = ({ spreadsheet, nonce }: CheckContext): Entry[] =>
  spreadsheet.createDeveloperMetadataFinder().withKey(nonce).find();

function withMetadata(context: CheckContext, run: () => string): string {
  try {
    return run();
  } finally {
    for (const entry of find(context)) entry.remove();
  }
}

function describePlace(context: CheckContext): string {
  SpreadsheetApp.flush();
  const [entry] = find(context);
  const location = entry?.getLocation();
  return (location?.getColumn() ?? location?.getRow())?.getA1Notation().replace(/:.*/, '') ?? 'gone';
}

export const METADATA_CHECKS: readonly Check[] = [
  {
    id: 'metadata-lines',
    expected: 'only single whole rows and columns take developer metadata',
    accepted: ['A1: refused; A1:A5: refused; A:B: refused; B:B: accepted; 2:2: accepted'],
    find: (context) =>
      withMetadata(context, () =>
        ['A1', 'A1:A5', 'A:B', 'B:B', '2:2']
          .map((range) => {
            const outcome = tryOut(() => context.sheet.getRange(range).addDeveloperMetadata(context.nonce));
            return `${range}: ${outcome}`;
          })
          .join('; '),
      ),
  },
  {
    id: 'metadata-moves',
    expected: 'a column’s metadata follows it when columns are inserted and moved, and goes with it',
    accepted: ['inserted: C1; moved: A1; cleared: A1; deleted: gone'],
    find: (context) =>
      withMetadata(context, () => {
        const { sheet, nonce } = context;
        sheet.getRange('B:B').addDeveloperMetadata(nonce);
        sheet.insertColumnsBefore(1, 1);
        const inserted = describePlace(context);
        sheet.moveColumns(sheet.getRange('C:C'), 1);
        const moved = describePlace(context);
        sheet.getRange('A:A').clear();
        const cleared = describePlace(context);
        sheet.deleteColumns(1, 1);
        return `inserted: ${inserted}; moved: ${moved}; cleared: ${cleared}; deleted: ${describePlace(context)}`;
      }),
  },
  {
    id: 'metadata-limit',
    expected: `a sheet takes ${CHARACTERS} characters of metadata, with its columns`,
    accepted: [`${CHARACTERS}: accepted; one more: refused`],
    find: (context) =>
      withMetadata(context, () => {
        const { sheet, nonce } = context;
        const value = 'v'.repeat(CHARACTERS - nonce.length);
        const all = tryOut(() => sheet.addDeveloperMetadata(nonce, value));
        const more = tryOut(() => sheet.getRange('A:A').addDeveloperMetadata('k'));
        if (more === 'accepted') sheet.getRange('A:A').getDeveloperMetadata()[0]?.remove();
        return `${CHARACTERS}: ${all}; one more: ${more}`;
      }),
  },
  {
    id: 'metadata-sheet-copies',
    expected: 'a copied sheet has a copy of the metadata with an id of its own, or none',
    accepted: ['copied with other ids', 'not copied'],
    find: (context) =>
      withMetadata(context, () => {
        const { spreadsheet, sheet, nonce } = context;
        sheet.getRange('B:B').addDeveloperMetadata(nonce);
        const copy = sheet.copyTo(spreadsheet);
        SpreadsheetApp.flush();
        const ids = find(context).map((entry) => entry.getId());
        spreadsheet.deleteSheet(copy);
        if (ids.length === 1) return 'not copied';
        return ids[0] === ids[1] ? 'copied with the same id' : 'copied with other ids';
      }),
  },
  {
    id: 'metadata-sorting',
    expected: 'a row’s metadata stays where it is when cells are sorted, or moves with them',
    accepted: ['stays', 'moves'],
    find: (context) =>
      withMetadata(context, () => {
        const { sheet, nonce } = context;
        sheet.getRange('A1:A2').setValues([[2], [1]]);
        sheet.getRange('1:1').addDeveloperMetadata(nonce);
        sheet.getRange('A1:A2').sort(1);
        return describePlace(context) === 'A1' ? 'stays' : 'moves';
      }),
  },
];
