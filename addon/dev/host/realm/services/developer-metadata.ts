// DeveloperMetadata in the realm: handles by id; the host stores the entries.
import type { Bridge } from '../bridge.ts';
import { emulateObject, enumeration, type Methods, memberName, method } from '../emulated.ts';
import { rangeBlocks, sheetIds } from './handles.ts';

const METADATA = 'SpreadsheetApp.DeveloperMetadata';
const LOCATION_TYPE = 'SpreadsheetApp.DeveloperMetadataLocationType';
const VISIBILITY = 'SpreadsheetApp.DeveloperMetadataVisibility';

export const metadataEnumerations = {
  DeveloperMetadataLocationType: enumeration(LOCATION_TYPE, ['SPREADSHEET', 'SHEET', 'ROW', 'COLUMN']),
  DeveloperMetadataVisibility: enumeration(VISIBILITY, ['DOCUMENT', 'PROJECT']),
};

export interface MetadataContext {
  readonly bridge: Bridge;
  readonly spreadsheet: () => object | null;
  readonly sheet: (id: number) => object;
  readonly range: (block: unknown) => object;
}

/** Creates an entry. Each getter is a call, as a script that reads many entries should expect. */
function createMetadata(context: MetadataContext, id: unknown): object {
  const call = (name: string, ...args: unknown[]): unknown =>
    context.bridge.call(`${METADATA}.${name}`, id, ...args);
  const callAndReturn = (name: string, ...args: unknown[]): object => {
    call(name, ...args);
    return self;
  };
  const moveToLine = (name: string) =>
    method((range) => {
      const { sheet, row, column, rows, columns } = rangeBlocks.get(range);
      return callAndReturn(name, sheet, row, column, rows, columns);
    }, 'SpreadsheetApp.Range');
  const self: object = emulateObject(METADATA, {
    getId: method(() => id),
    getKey: method(() => call('getKey')),
    getValue: method(() => call('getValue')),
    getVisibility: method(
      () => metadataEnumerations.DeveloperMetadataVisibility[String(call('getVisibility'))],
    ),
    getLocation: method(() => createLocation(context, call('getLocation'))),
    setKey: method((key) => callAndReturn('setKey', key), 'String'),
    setValue: method((value) => callAndReturn('setValue', value), 'String'),
    setVisibility: method((visibility) => callAndReturn('setVisibility', memberName(visibility)), VISIBILITY),
    moveToRow: moveToLine('moveToRow'),
    moveToColumn: moveToLine('moveToColumn'),
    moveToSheet: method((sheet) => callAndReturn('moveToSheet', sheetIds.get(sheet)), 'SpreadsheetApp.Sheet'),
    moveToSpreadsheet: method(() => callAndReturn('moveToSpreadsheet')),
    remove: method(() => void call('remove')),
  });
  return self;
}

function createLocation(context: MetadataContext, data: unknown): object {
  const { type, sheet, area }: { type?: unknown; sheet?: unknown; area?: unknown } = Object(data);
  const getLine = (axis: string) =>
    method(() =>
      type === axis ? context.range(context.bridge.call('SpreadsheetApp.Sheet.getRange', sheet, area)) : null,
    );
  return emulateObject('SpreadsheetApp.DeveloperMetadataLocation', {
    getLocationType: method(() => metadataEnumerations.DeveloperMetadataLocationType[String(type)]),
    getRow: getLine('ROW'),
    getColumn: getLine('COLUMN'),
    // Reference "getSheet": null for any other location than a sheet.
    getSheet: method(() => (type === 'SHEET' && typeof sheet === 'number' ? context.sheet(sheet) : null)),
    getSpreadsheet: method(() => (type === 'SPREADSHEET' ? context.spreadsheet() : null)),
  });
}

function createMetadataList(context: MetadataContext, ids: unknown): object[] {
  return Array.isArray(ids) ? ids.map((id) => createMetadata(context, id)) : [];
}

/**
 * Creates the methods of a range, a sheet or the spreadsheet.
 * @param path - the class
 * @param place - the host's arguments for the object
 * @param self - returns the object
 */
export function metadataMethods(
  context: MetadataContext,
  path: string,
  place: readonly unknown[],
  self: () => object,
): Methods {
  const { bridge } = context;
  const add = (key: unknown, ...rest: unknown[]): object => {
    const value = rest.find((argument) => typeof argument === 'string') ?? null;
    const visibility = rest.map(memberName).find(Boolean) ?? 'DOCUMENT';
    bridge.call(`${path}.addDeveloperMetadata`, ...place, key, value, visibility);
    return self();
  };
  const createFinder = (): object => {
    const filter: Record<string, unknown> = {};
    let intersecting = false;
    const limit = (name: string, type: string, read: (value: unknown) => unknown = (value) => value) =>
      method((value) => {
        filter[name] = read(value);
        return finder;
      }, type);
    const finder: object = emulateObject('SpreadsheetApp.DeveloperMetadataFinder', {
      withId: limit('id', 'Integer'),
      withKey: limit('key', 'String'),
      withValue: limit('value', 'String'),
      withVisibility: limit('visibility', VISIBILITY, memberName),
      withLocationType: limit('locationType', LOCATION_TYPE, memberName),
      onIntersectingLocations: method(() => {
        intersecting = true;
        return finder;
      }),
      find: method(() =>
        createMetadataList(
          context,
          bridge.call('SpreadsheetApp.DeveloperMetadataFinder.find', filter, intersecting, place),
        ),
      ),
    });
    return finder;
  };
  return {
    addDeveloperMetadata: method(
      add,
      'String',
      `String, ${VISIBILITY}`,
      'String, String',
      `String, String, ${VISIBILITY}`,
    ),
    createDeveloperMetadataFinder: method(createFinder),
    getDeveloperMetadata: method(() =>
      createMetadataList(context, bridge.call(`${path}.getDeveloperMetadata`, ...place)),
    ),
  };
}
