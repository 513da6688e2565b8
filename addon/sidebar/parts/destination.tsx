// Choice of the destination: new sheet, selected cell or existing table.
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { Family } from '../../../shared/families/index.ts';
import type { Table, Target, WriteMode } from '../../server/api/index.ts';
import { t } from '../../texts/texts.ts';
import { formatPlace } from '../format.ts';
import { useScriptValue } from '../hooks.ts';
import { Hint, Loading } from './basics.tsx';
import { RadioGroup, Select } from './controls.tsx';

export type Destination =
  /** Chosen by the person, although a table may have the same search. */
  | { kind: 'newSheet' | 'cursor'; isChosen?: true }
  /** An `update` is of the table that has the same search; another search leaves it. */
  | {
      kind: 'table' | 'update';
      /** '': none chosen. */
      tableId: string;
      mode: WriteMode;
      /** Rows of the table are left out of the search. */
      excludeExisting?: boolean;
    };

/** @returns undefined while no table is chosen */
export function buildTarget(destination: Destination): { where: Target; mode: WriteMode } | undefined {
  if (!('tableId' in destination)) return { where: { kind: destination.kind }, mode: 'replace' };
  const { tableId, mode } = destination;
  return tableId === '' ? undefined : { where: { kind: 'table', tableId }, mode };
}

export const NO_COLUMN_CHOSEN = 'Choose at least one column.';
export const NO_TABLE_CHOSEN = 'Choose a table.';

interface DestinationProps<Place = Destination> {
  place: Place;
  family: Family;
  kind: Table['kind'];
  /** Whether the rows are records at companies. Other tables are not offered. */
  isAtCompanies?: boolean;
  /** @param table - the newly chosen table */
  onChange: (place: Destination, table?: Table) => void;
}

type TablePlace = Extract<Destination, { tableId: string }>;

function ExistingTable(props: DestinationProps<TablePlace>): JSX.Element {
  const { place, family, kind, isAtCompanies = false, onChange } = props;
  const choose = (table: Table | undefined): void => {
    const cannotUpdate = table?.hasIds === false && place.mode === 'update';
    const mode = cannotUpdate ? 'replace' : place.mode;
    onChange({ ...place, kind: 'table', tableId: table?.id ?? '', mode }, table);
  };
  const isSuitable = (table: Table): boolean =>
    table.kind === kind &&
    table.family === family &&
    (table.accounts !== undefined) === isAtCompanies &&
    table.gone === undefined &&
    !table.frozen;
  const tables = useScriptValue(
    'tables',
    {},
    {
      onReply: (reply) => {
        const [only, ...others] = reply.ok ? reply.value.filter(isSuitable) : [];
        // Several tables are left to the person: the rows of the chosen one may be replaced.
        if (place.tableId === '' && others.length === 0 && only !== undefined) choose(only);
      },
    },
  );
  const suitable = tables.value?.filter(isSuitable);
  if (suitable === undefined) return <Loading of={tables} label={t('Loading tables')} lines={1} />;
  if (suitable.length === 0) {
    return <Hint>{t('No table of these records yet. Write to a new sheet first.')}</Hint>;
  }
  const chosen = suitable.find(({ id }) => id === place.tableId);
  return (
    <>
      <Select
        label={t('Table')}
        value={place.tableId}
        options={[
          { value: '', label: t('Choose a table') },
          ...suitable.map(({ id, title, sheet, range }) => ({
            value: id,
            label: `${title} (${formatPlace(sheet, range)})`,
          })),
        ]}
        onChange={(tableId) => choose(suitable.find(({ id }) => id === tableId))}
      />
      <RadioGroup<WriteMode>
        label={t('What to do with existing rows')}
        value={place.mode}
        options={[
          { value: 'replace', label: t('Replace them') },
          { value: 'append', label: t('Keep them, add new rows below') },
          {
            value: 'update',
            label: t('Update rows with the same ID, add new ones'),
            disabled: chosen?.hasIds === false,
          },
        ]}
        onChange={(mode) => onChange({ ...place, kind: 'table', mode })}
      />
    </>
  );
}

/** Needs a key of the search or the family: the table of another one must not stay chosen. */
export function DestinationChoice(props: DestinationProps): JSX.Element {
  const { place, onChange } = props;
  const table = 'tableId' in place ? place : undefined;
  // The table stays chosen when the person looks at other destinations.
  const last = useRef(table);
  last.current = table ?? last.current;
  const choose = (kind: Target['kind']): void =>
    onChange(
      kind === 'table' ? { tableId: '', mode: 'replace', ...last.current, kind } : { kind, isChosen: true },
    );
  return (
    <>
      <RadioGroup
        label={t('Write to')}
        value={'tableId' in place ? 'table' : place.kind}
        options={[
          { value: 'newSheet', label: t('New sheet') },
          { value: 'cursor', label: t('Selected cell') },
          { value: 'table', label: t('Existing table') },
        ]}
        onChange={choose}
      />
      {table && <ExistingTable {...props} place={table} />}
    </>
  );
}
