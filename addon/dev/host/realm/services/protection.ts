// Protection in the realm, read-only: changing protections is not emulated.
import type { Bridge } from '../bridge.ts';
import { emulated, enumeration, memberName, method } from '../emulated.ts';
import { blockOf, type RangeParts, range, ranges } from './range.ts';
import { user } from './utilities.ts';

const PROTECTION_TYPE = 'SpreadsheetApp.ProtectionType';

export const protectionTypes = enumeration(PROTECTION_TYPE, ['RANGE', 'SHEET']);

function protection(parts: RangeParts, told: unknown): object {
  const {
    type,
    range: block,
    description,
    warningOnly,
    except,
    editors,
    canEdit,
  }: Record<string, unknown> = Object(told);
  const list: unknown[] = Array.isArray(editors) ? editors : [];
  return emulated('SpreadsheetApp.Protection', {
    getProtectionType: method(() => protectionTypes[String(type)]),
    getRange: method(() => range(parts, blockOf(block))),
    getDescription: method(() => description),
    getEditors: method(() => list.map(user)),
    getUnprotectedRanges: method(() => ranges(parts, except)),
    isWarningOnly: method(() => warningOnly),
    canEdit: method(() => canEdit),
  });
}

/** Creates the method getProtections of a sheet (by id) or of the spreadsheet. */
export function getProtections(bridge: Bridge, parts: RangeParts, path: string, ...sheet: readonly number[]) {
  return method((type) => {
    const list = bridge.ask(`${path}.getProtections`, ...sheet, memberName(type));
    return Array.isArray(list) ? list.map((told) => protection(parts, told)) : [];
  }, PROTECTION_TYPE);
}
