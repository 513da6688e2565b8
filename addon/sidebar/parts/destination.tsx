// Choice of the destination: new sheet, selected cell or existing table.
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Family } from '../../../shared/families/index.ts';
import type { Table, Target, WriteMode } from '../../server/api/index.ts';
import { formatPlace } from '../format.ts';
import { useScriptValue } from '../hooks.ts';
import { Hint, Loading } from './basics.tsx';
import { RadioGroup, Select } from './controls.tsx';

export interface Destination {
  where: Target['kind'];
  /** '': none chosen. */
  tableId: string;
  mode: WriteMode;
}

export const defaultDestination: Destination = { where: 'newSheet', tableId: '', mode: 'replace' };

/**
 * Converts the choice to a target.
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

export const NO_COLUMN_CHOSEN = 'Choose at least one column.';
export const NO_TABLE_CHOSEN = 'Choose a table.';

interface DestinationProps {
  place: Destination;
  /** Only tables of this family and these kinds are offered. */
  family: Family;
  kinds: readonly string[];
  /** Whether the rows are records at companies. Other tables are not offered. */
  isAtCompanies?: boolean;
  /** @param table - the newly chosen table */
  onChange: (change: Partial<Destination>, table?: Table) => void;
}

function ExistingTable({
  place,
  family,
  kinds,
  isAtCompanies = false,
  onChange,
}: DestinationProps): JSX.Element {
  const tables = useScriptValue('tables', {});
  const suitable = tables.value?.filter(
    (table) =>
      kinds.includes(table.kind) &&
      table.family === family &&
      (table.accounts !== undefined) === isAtCompanies &&
      table.gone === undefined &&
      !table.frozen,
  );
  const choose = (tableId: string): void => {
    const table = suitable?.find(({ id }) => id === tableId);
    const cannotUpdate = table?.hasIds === false && place.mode === 'update';
    onChange({ tableId, mode: cannotUpdate ? 'replace' : place.mode }, table);
  };
  // Several tables are left to the person: the rows of the chosen one may be replaced.
  const only = suitable?.length === 1 ? suitable[0] : undefined;
  useEffect(() => {
    if (only && place.tableId === '') choose(only.id);
  });
  if (suitable === undefined) return <Loading of={tables} label="Loading tables" lines={1} />;
  if (suitable.length === 0) {
    return <Hint>No table of these records yet. Write to a new sheet first.</Hint>;
  }
  const chosen = suitable.find(({ id }) => id === place.tableId);
  const withoutIds = chosen?.hasIds === false;
  return (
    <>
      <Select
        label="Table"
        value={place.tableId}
        options={[
          { value: '', label: 'Choose a table' },
          ...suitable.map(({ id, title, sheet, range }) => ({
            value: id,
            label: `${title} (${formatPlace(sheet, range)})`,
          })),
        ]}
        onChange={choose}
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
