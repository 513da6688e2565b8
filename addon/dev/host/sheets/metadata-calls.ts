// Handlers of calls that read and write developer metadata.
import { type Args, Exception } from '../calls.ts';
import {
  findMetadataProblem,
  getLineArea,
  getMetadataSheet,
  isInRange,
  isSameLocation,
  type MetadataFilter,
  matchesMetadata,
  NOT_A_LINE,
  toLine,
} from './developer-metadata.ts';
import {
  checkBounds,
  checkEditable,
  readRange,
  type SheetHandler,
  type SheetHandlers,
  type View,
  write,
} from './view.ts';
import type { Area, MetadataEntry, MetadataLocation } from './workbook.ts';

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
    read: (view, args) => toLine(args.number(0), readRange(view, args), view.book.sheet(args.number(0))),
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
      .filter((entry) => matchesMetadata(entry, {}) && isSameLocation(entry.location, location))
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

const change =
  (update: (view: View, args: Args) => Partial<MetadataEntry>): SheetHandler =>
  (view, args) =>
    put(view, { ...readEntry(view, args), ...update(view, args) });

/** Reference "moveToRow", "moveToColumn": the range must be a single row or column. */
const moveToLine = (type: MetadataLocation['type']): SheetHandler =>
  change(({ book }, args) => {
    const [row, column, rows, columns] = [args.number(2), args.number(3), args.number(4), args.number(5)];
    const sheet = book.sheet(args.number(1));
    const location = toLine(sheet.id, checkBounds({ row, column, rows, columns }, sheet), sheet);
    if (location?.type !== type) throw new Exception(NOT_A_LINE);
    return { location };
  });

/** Arguments: criteria, whether intersecting rows and columns count, and the place of the search. */
const find: SheetHandler = ({ book }, args) => {
  const filter: MetadataFilter = args.record(0);
  const place: unknown = args.at(2);
  const [sheetId, ...area] = Array.isArray(place) ? place.map(Number) : [];
  const isInPlace = ({ location }: MetadataEntry): boolean => {
    if (sheetId === undefined) return true;
    if (area.length === 0) return getMetadataSheet(location) === sheetId;
    return isInRange(location, sheetId, toArea(area), book.sheet(sheetId), args.boolean(1));
  };
  return book.metadata
    .filter((entry) => matchesMetadata(entry, filter) && isInPlace(entry))
    .map(({ id }) => id);
};

function toArea([row = 1, column = 1, rows = 1, columns = 1]: readonly number[]): Area {
  return { row, column, rows, columns };
}

/** Handlers of calls on ranges, sheets, the spreadsheet, entries and finders. */
export const METADATA_CALLS: SheetHandlers = {
  ...Object.fromEntries(
    PLACES.flatMap((place): [string, SheetHandler][] => [
      [`${place.path}.addDeveloperMetadata`, add(place)],
      [`${place.path}.getDeveloperMetadata`, list(place)],
    ]),
  ),
  'SpreadsheetApp.DeveloperMetadataFinder.find': find,
  [`${METADATA}.getKey`]: (view, args) => readEntry(view, args).key,
  [`${METADATA}.getValue`]: (view, args) => readEntry(view, args).value,
  [`${METADATA}.getVisibility`]: (view, args) => readEntry(view, args).visibility,
  [`${METADATA}.getLocation`]: (view, args) => {
    const { location } = readEntry(view, args);
    if (location.type !== 'ROW' && location.type !== 'COLUMN') return location;
    const { row, column, rows, columns } = getLineArea(location, view.book.sheet(location.sheet));
    return { ...location, area: [row, column, rows, columns] };
  },
  [`${METADATA}.setKey`]: change((_, args) => ({ key: args.string(1) })),
  [`${METADATA}.setValue`]: change((_, args) => ({ value: args.string(1) })),
  [`${METADATA}.setVisibility`]: change((_, args) => ({ visibility: toVisibility(args.string(1)) })),
  [`${METADATA}.moveToRow`]: moveToLine('ROW'),
  [`${METADATA}.moveToColumn`]: moveToLine('COLUMN'),
  [`${METADATA}.moveToSheet`]: change(({ book }, args) => ({
    location: { type: 'SHEET', sheet: book.sheet(args.number(1)).id },
  })),
  [`${METADATA}.moveToSpreadsheet`]: change(() => ({ location: { type: 'SPREADSHEET' } })),
  [`${METADATA}.remove`]: (view, args) =>
    write(view, { kind: 'removeMetadata', id: readEntry(view, args).id }),
};
