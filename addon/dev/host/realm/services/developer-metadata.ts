// DeveloperMetadata in the realm: handles by id; the host stores the entries.
import { chained, emulateObject, enumeration, type Methods, memberName, method } from '../emulated.ts';
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
  return emulateObject(METADATA, {
    getId: method(() => id),
    getValue: method(() => call('getValue')),
    getLocation: method(() => createLocation(context, call('getLocation'))),
    setValue: chained((value) => call('setValue', value), 'String'),
    remove: method(() => void call('remove')),
  });
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
 */
export function metadataMethods(
  context: SpreadsheetContext,
  path: string,
  place: readonly unknown[],
): Methods {
  const { bridge } = context;
  const add = (key: unknown, ...rest: unknown[]): void => {
    const value = rest.find((argument) => typeof argument === 'string') ?? null;
    const visibility = rest.map(memberName).find(Boolean) ?? 'DOCUMENT';
    bridge.call(`${path}.addDeveloperMetadata`, ...place, key, value, visibility);
  };
  const createFinder = (): object => {
    let key: unknown;
    return emulateObject('SpreadsheetApp.DeveloperMetadataFinder', {
      withKey: chained((value) => {
        key = value;
      }, 'String'),
      find: method(() =>
        createMetadataList(context, bridge.call('SpreadsheetApp.DeveloperMetadataFinder.find', key, place)),
      ),
    });
  };
  return {
    addDeveloperMetadata: chained(
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
