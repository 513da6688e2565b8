// DeveloperMetadata in the realm: handles by id; the host stores the entries.
import { emulateObject, enumeration, type Methods, memberName, method } from '../emulated.ts';
import type { SpreadsheetContext } from './handles.ts';

const METADATA = 'SpreadsheetApp.DeveloperMetadata';
const VISIBILITY = 'SpreadsheetApp.DeveloperMetadataVisibility';

export const metadataEnumerations = {
  DeveloperMetadataVisibility: enumeration(VISIBILITY, ['DOCUMENT', 'PROJECT']),
};

/** Creates an entry. Each getter is a call, as a script that reads many entries should expect. */
function createMetadata(context: SpreadsheetContext, id: unknown): object {
  const call = (name: string, ...args: unknown[]): unknown =>
    context.bridge.call(`${METADATA}.${name}`, id, ...args);
  const self: object = emulateObject(METADATA, {
    getId: method(() => id),
    getValue: method(() => call('getValue')),
    getLocation: method(() => createLocation(context, call('getLocation'))),
    setValue: method((value) => {
      call('setValue', value);
      return self;
    }, 'String'),
    remove: method(() => void call('remove')),
  });
  return self;
}

function createLocation(context: SpreadsheetContext, data: unknown): object {
  const { type, sheet, area }: { type?: unknown; sheet?: unknown; area?: unknown } = Object(data);
  const getLine = (axis: string) =>
    method(() =>
      type === axis ? context.range(context.bridge.call('SpreadsheetApp.Sheet.getRange', sheet, area)) : null,
    );
  return emulateObject('SpreadsheetApp.DeveloperMetadataLocation', {
    getRow: getLine('ROW'),
    getColumn: getLine('COLUMN'),
    // Reference "getSheet": null for any other location than a sheet.
    getSheet: method(() => (type === 'SHEET' && typeof sheet === 'number' ? context.sheet(sheet) : null)),
    getSpreadsheet: method(() => (type === 'SPREADSHEET' ? context.spreadsheet() : null)),
  });
}

function createMetadataList(context: SpreadsheetContext, ids: unknown): object[] {
  return Array.isArray(ids) ? ids.map((id) => createMetadata(context, id)) : [];
}

/**
 * Creates the methods of a range, a sheet or the spreadsheet.
 * @param path - the class
 * @param place - the host's arguments for the object
 * @param self - returns the object
 */
export function metadataMethods(
  context: SpreadsheetContext,
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
    let key: unknown;
    const finder: object = emulateObject('SpreadsheetApp.DeveloperMetadataFinder', {
      withKey: method((value) => {
        key = value;
        return finder;
      }, 'String'),
      find: method(() =>
        createMetadataList(context, bridge.call('SpreadsheetApp.DeveloperMetadataFinder.find', key, place)),
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
    ...(path === 'SpreadsheetApp.Range' ? {} : { createDeveloperMetadataFinder: method(createFinder) }),
    getDeveloperMetadata: method(() =>
      createMetadataList(context, bridge.call(`${path}.getDeveloperMetadata`, ...place)),
    ),
  };
}
