// Handlers of calls that read and write developer metadata.
import { type Args, Exception } from '../calls.ts';
import {
  findMetadataProblem,
  getLineArea,
  getMetadataSheet,
  isSameLocation,
  isVisible,
  NOT_A_LINE,
  toLine,
} from './developer-metadata.ts';
import { checkEditable, readRange, type SheetHandler, type SheetHandlers, type View, write } from './view.ts';
import type { MetadataEntry, MetadataLocation } from './workbook.ts';

const METADATA = 'SpreadsheetApp.DeveloperMetadata';

/** Reads the place at the start of a call: a range, a sheet or nothing. */
interface Place {
  readonly path: string;
  /** Number of arguments. */
  readonly length: number;
  /** Returns null for a range that is neither a row nor a column. */
  readonly read: (view: View, args: Args) => MetadataLocation | null;
}

const PLACES: readonly Place[] = [
  {
    path: 'SpreadsheetApp.Range',
    length: 5,
    read: (view, args) => {
      const { sheet, area } = readRange(view, args);
      return toLine(area, sheet);
    },
  },
  {
    path: 'SpreadsheetApp.Sheet',
    length: 1,
    read: ({ book }, args) => ({ type: 'SHEET', sheet: book.sheet(args.number(0)).id }),
  },
  { path: 'SpreadsheetApp.Spreadsheet', length: 0, read: () => ({ type: 'SPREADSHEET' }) },
];

/** Adds an entry or replaces one; throws if it can't be stored there. */
function put(view: View, entry: MetadataEntry): void {
  const { location } = entry;
  const sheetId = getMetadataSheet(location);
  if (sheetId !== null) {
    const sheet = view.book.sheet(sheetId);
    // Unverified: as strict as for other changes of protected cells.
    const isLine = location.type === 'ROW' || location.type === 'COLUMN';
    checkEditable(view, sheet, isLine ? getLineArea(location, sheet) : undefined);
  }
  const problem = findMetadataProblem(entry, view.book.metadata);
  if (problem !== null) throw new Exception(problem);
  write(view, { kind: 'putMetadata', entry });
}

const add =
  ({ length, read }: Place): SheetHandler =>
  (view, args) => {
    const location = read(view, args);
    if (location === null) throw new Exception(NOT_A_LINE);
    const value = args.at(length + 1) === null ? null : args.string(length + 1);
    const visibility = toVisibility(args.string(length + 2));
    put(view, { id: view.newMetadataId(), key: args.string(length), value, visibility, location });
  };

const list =
  ({ read }: Place): SheetHandler =>
  (view, args) => {
    const location = read(view, args);
    if (location === null) return [];
    return view.book.metadata
      .filter((entry) => isVisible(entry) && isSameLocation(entry.location, location))
      .map(({ id }) => id);
  };

const toVisibility = (name: string): MetadataEntry['visibility'] =>
  name === 'PROJECT' ? 'PROJECT' : 'DOCUMENT';

/** Finds the entry of a call that starts with its id. What Google says about a removed entry is unverified. */
function readEntry({ book }: View, args: Args): MetadataEntry {
  const entry = book.metadata.find(({ id }) => id === args.number(0));
  if (!entry) throw new Exception('The developer metadata no longer exists.');
  return entry;
}

/** Arguments: the key, undefined for any, and a list with the sheet, empty for the whole spreadsheet. */
const find: SheetHandler = ({ book }, args) => {
  const key = args.at(0) === undefined ? undefined : args.string(0);
  const place: unknown = args.at(1);
  const [sheetId] = Array.isArray(place) ? place.map(Number) : [];
  return book.metadata
    .filter((entry) => isVisible(entry) && (key === undefined || entry.key === key))
    .filter(({ location }) => sheetId === undefined || getMetadataSheet(location) === sheetId)
    .map(({ id }) => id);
};

/** Handlers of calls on ranges, sheets, the spreadsheet, entries and finders. */
export const METADATA_CALLS: SheetHandlers = {
  ...Object.fromEntries(
    PLACES.flatMap((place): [string, SheetHandler][] => [
      [`${place.path}.addDeveloperMetadata`, add(place)],
      [`${place.path}.getDeveloperMetadata`, list(place)],
    ]),
  ),
  'SpreadsheetApp.DeveloperMetadataFinder.find': find,
  [`${METADATA}.getValue`]: (view, args) => readEntry(view, args).value,
  [`${METADATA}.getLocation`]: (view, args) => {
    const { location } = readEntry(view, args);
    if (location.type !== 'ROW' && location.type !== 'COLUMN') return location;
    const { row, column, rows, columns } = getLineArea(location, view.book.sheet(location.sheet));
    return { ...location, area: [row, column, rows, columns] };
  },
  [`${METADATA}.setValue`]: (view, args) => put(view, { ...readEntry(view, args), value: args.string(1) }),
  [`${METADATA}.remove`]: (view, args) =>
    write(view, { kind: 'removeMetadata', id: readEntry(view, args).id }),
};
