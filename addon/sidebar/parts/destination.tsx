// Where rows go: to a new sheet, to the cursor, or into a table that is here and in which way.
import type { JSX } from 'preact';
import type { Family } from '../../../shared/families/index.ts';
import type { Table, Target, WriteMode } from '../../server/api/index.ts';
import { formatPlace } from '../format.ts';
import { useScriptValue } from '../hooks.ts';
import { Hint, Loading } from './basics.tsx';
import { RadioGroup, Select } from './controls.tsx';

/** A target as it is filled in. */
export interface Destination {
  where: Target['kind'];
  /** '' while none is chosen. */
  tableId: string;
  mode: WriteMode;
}

/** Where nobody has chosen anything yet. */
export const defaultDestination: Destination = { where: 'newSheet', tableId: '', mode: 'replace' };

/**
 * What is ordered of it.
 * @returns undefined while no table is chosen
 */
export function buildTarget({
  where,
  tableId,
  mode,
}: Destination): { where: Target; mode: WriteMode } | undefined {
  if (where !== 'table') return { where: { kind: where }, mode: 'replace' };
  return tableId === '' ? undefined : { where: { kind: where, tableId }, mode };
}

/** What is said where something is not chosen yet. */
export const NO_COLUMN_CHOSEN = 'Choose at least one column.';
export const NO_TABLE_CHOSEN = 'Choose a table.';

interface DestinationProps {
  place: Destination;
  /** Tables of these records, written in one of these ways, are offered. */
  family: Family;
  kinds: readonly string[];
  /** @param table - the one that was just chosen */
  onChange: (change: Partial<Destination>, table?: Table) => void;
}

function ExistingTable({ place, family, kinds, onChange }: DestinationProps): JSX.Element {
  const tables = useScriptValue('tables', {});
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
            label: `${title} (${formatPlace(sheet, range)})`,
          })),
        ]}
        onChange={(tableId) => {
          const table = fitting.find(({ id }) => id === tableId);
          const lost = table?.hasIds === false && place.mode === 'update';
          onChange({ tableId, mode: lost ? 'replace' : place.mode }, table);
        }}
      />
      <RadioGroup<WriteMode>
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
export function DestinationChoice(props: DestinationProps): JSX.Element {
  return (
    <>
      <RadioGroup
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
