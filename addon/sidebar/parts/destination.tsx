// Where rows go: to a new sheet, to the cursor, or into a table that is here and in which way.
import type { JSX } from 'preact';
import type { Family } from '../../../shared/families/index.ts';
import type { Table, Target, WriteMode } from '../../server/api/index.ts';
import { placeLabel } from '../format.ts';
import { useAnswer } from '../hooks.ts';
import { Hint, Loading } from './basics.tsx';
import { Choice, Select } from './controls.tsx';

/** A target as it is filled in. */
export interface Place {
  where: Target['kind'];
  /** '' while none is chosen. */
  tableId: string;
  mode: WriteMode;
}

/** Where nobody has chosen anything yet. */
export const somewhere: Place = { where: 'newSheet', tableId: '', mode: 'replace' };

/**
 * What is ordered of it.
 * @returns undefined while no table is chosen
 */
export function targetOf({ where, tableId, mode }: Place): { where: Target; mode: WriteMode } | undefined {
  if (where !== 'table') return { where: { kind: where }, mode: 'replace' };
  return tableId === '' ? undefined : { where: { kind: where, tableId }, mode };
}

/** What is said where something is not chosen yet. */
export const NO_COLUMN = 'Choose at least one column.';
export const NO_TABLE = 'Choose a table.';

interface PlaceProps {
  place: Place;
  /** Tables of these records, written in one of these ways, are offered. */
  family: Family;
  kinds: readonly string[];
  /** @param table - the one that was just chosen */
  onChange: (change: Partial<Place>, table?: Table) => void;
}

function ExistingTable({ place, family, kinds, onChange }: PlaceProps): JSX.Element {
  const tables = useAnswer('tables', {});
  const fitting = tables.value?.filter(
    (one) => kinds.includes(one.kind) && one.family === family && one.gone === undefined && !one.frozen,
  );
  if (fitting === undefined) return <Loading of={tables} label="Loading tables" lines={1} />;
  if (fitting.length === 0) {
    return <Hint>This spreadsheet has no table of these records yet. Write to a new sheet first.</Hint>;
  }
  const chosen = fitting.find(({ id }) => id === place.tableId);
  const withoutIds = chosen?.hasIds === false;
  return (
    <>
      <Select
        label="Table"
        value={place.tableId}
        options={[
          { value: '', label: 'Choose a table' },
          ...fitting.map(({ id, title, sheet, range }) => ({
            value: id,
            label: `${title} (${placeLabel(sheet, range)})`,
          })),
        ]}
        onChange={(tableId) => {
          const table = fitting.find(({ id }) => id === tableId);
          const lost = table?.hasIds === false && place.mode === 'update';
          onChange({ tableId, mode: lost ? 'replace' : place.mode }, table);
        }}
      />
      <Choice<WriteMode>
        label="What to do with existing rows"
        value={place.mode}
        options={[
          { value: 'replace', label: 'Replace them' },
          { value: 'append', label: 'Keep them, add new rows below' },
          { value: 'update', label: 'Update rows with the same ID, add new ones', disabled: withoutIds },
        ]}
        onChange={(mode) => onChange({ mode })}
      />
    </>
  );
}

/** The choice. */
export function WhereTo(props: PlaceProps): JSX.Element {
  return (
    <>
      <Choice
        label="Write to"
        value={props.place.where}
        options={[
          { value: 'newSheet', label: 'New sheet' },
          { value: 'cursor', label: 'Selected cell' },
          { value: 'table', label: 'Existing table' },
        ]}
        onChange={(where) => props.onChange({ where })}
      />
      {props.place.where === 'table' && <ExistingTable {...props} />}
    </>
  );
}
