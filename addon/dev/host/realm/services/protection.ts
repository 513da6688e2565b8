// Protection in the realm. Its settings are read-only: changing them is not emulated.
import { emulateObject, enumeration, memberName, method } from '../emulated.ts';
import { parseBlock, type SpreadsheetContext } from './handles.ts';

const PROTECTION_TYPE = 'SpreadsheetApp.ProtectionType';

export const protectionTypes = enumeration(PROTECTION_TYPE, ['RANGE', 'SHEET']);

function createProtection(context: SpreadsheetContext, data: unknown): object {
  const { type, range: block, canEdit }: Record<string, unknown> = Object(data);
  return emulateObject('SpreadsheetApp.Protection', {
    getProtectionType: method(() => protectionTypes[String(type)]),
    getRange: method(() => context.range(block)),
    canEdit: method(() => canEdit),
    remove: method(() => {
      const { sheet, row, column, rows, columns } = parseBlock(block);
      context.bridge.call('SpreadsheetApp.Protection.remove', sheet, row, column, rows, columns);
    }),
  });
}

/** Creates the method getProtections of a sheet (by id) or of the spreadsheet. */
export function getProtectionsMethod(context: SpreadsheetContext, path: string, ...sheet: readonly number[]) {
  return method((type) => {
    const list = context.bridge.call(`${path}.getProtections`, ...sheet, memberName(type));
    return Array.isArray(list) ? list.map((data) => createProtection(context, data)) : [];
  }, PROTECTION_TYPE);
}
