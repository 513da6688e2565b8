// The shared tables through the add-on, in an open sheet.
import { expect, it } from 'vitest';
import type { SheetData } from '../../../addon/dev/host/types.ts';
import { createNamedZone } from '../../../shared/lib/time-zones.ts';
import { toSerial } from '../../../shared/table/cells.ts';
import {
  casePaths,
  caseTime,
  caseZone,
  describeRow,
  firstRows,
  type GridChange,
  type TableCase,
  tableCases,
} from '../../table-cases.ts';
import { createScriptedRequest } from '../server/bulk/bulk-orders.ts';
import { openSidebar, type Sidebar } from '../server/sidebar.ts';

const zone = createNamedZone(caseZone);

const toWrite = (sheet: number, { axis, at, count }: GridChange) =>
  axis === 'row'
    ? ({ kind: count > 0 ? 'insertRows' : 'deleteRows', sheet, row: at, count: Math.abs(count) } as const)
    : ({
        kind: count > 0 ? 'insertColumns' : 'deleteColumns',
        sheet,
        column: at,
        count: Math.abs(count),
      } as const);

const describeSheet = ({ values, formats, notes, links }: SheetData): string[] =>
  values.map((row, r) =>
    describeRow(
      row.map((value, c) => ({
        value: value instanceof Date ? toSerial(zone.toLocalTime(value.getTime())) : value,
        format: formats?.[r]?.[c] ?? '',
        note: notes?.[r]?.[c] ?? '',
        link: links?.[r]?.[c]?.[0]?.link ?? undefined,
      })),
    ),
  );

/** Writes the first rows, changes the sheet, and writes the others. */
async function write({ changes, typed = [], mode, keepsChanges, rows }: TableCase): Promise<SheetData> {
  let request = createScriptedRequest(firstRows, casePaths);
  const sidebar: Sidebar = await openSidebar({ now: () => caseTime, fetch: (call) => request.fetch(call) });
  const order = { title: 'Rows', confirmed: true };
  const where = { kind: 'newSheet' } as const;
  const { tableId } = await sidebar.finishRun(
    await sidebar.callOk('writeBulk', { ...order, id: request.id, where, mode: 'append' }),
  );
  sidebar.apply(changes.map((change) => toWrite(sidebar.getSheet('Rows').id, change)));
  for (const { row, column, value } of typed) {
    sidebar.editSheet('Rows', ({ values }) => ({
      values: values.map((cells, r) =>
        r + 1 === row ? Object.assign([...cells], { [column - 1]: value }) : cells,
      ),
    }));
  }
  request = createScriptedRequest(rows, casePaths);
  const target = { kind: 'table', tableId } as const;
  await sidebar.finishRun(
    await sidebar.callOk('writeBulk', {
      ...order,
      id: request.id,
      where: target,
      mode,
      ...(keepsChanges && { confirmed: false, keepChanges: true }),
    }),
  );
  return sidebar.getSheet('Rows');
}

it.each(tableCases)('$name: in an open sheet as in a closed one', async (table) => {
  if (table.expected instanceof RegExp) await expect(write(table)).rejects.toThrow(table.expected);
  else {
    const shown = describeSheet(await write(table));
    while (shown.at(-1) === '') shown.pop();
    expect(shown).toEqual(table.expected);
  }
});
