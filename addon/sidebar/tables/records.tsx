// Adds whole records' values to rows of a table.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { RecordsOrder, Table } from '../../server/api.ts';
import { Facts } from '../enrich/facts.tsx';
import { useAnswer } from '../hooks.ts';
import { Button, Choice, Refused, Waiting } from '../parts/basics.tsx';
import { ColumnPicker } from '../parts/columns.tsx';
import type { Runs } from '../runs.ts';
import { counted } from '../words.ts';

/** The rows, the columns, the price, the button. */
export function FullRecords(props: { table: Table; runs: Runs }): JSX.Element {
  const { table, runs } = props;
  const [rows, setRows] = useState<RecordsOrder['rows']>('selection');
  const [chosen, setChosen] = useState<string[]>();
  const available = useAnswer('fields', { family: table.family });
  const has = new Set(table.columns);
  const fields = chosen ?? available.value?.defaults.filter((name) => !has.has(name)) ?? [];
  const order = fields.length === 0 ? undefined : { tableId: table.id, fields, rows };
  const plan = useAnswer('planRecords', order);
  const current = plan.busy || plan.refusal !== undefined ? undefined : plan.value;
  return (
    <div class="stack">
      <Choice
        label="Rows"
        value={rows}
        options={[
          { value: 'selection', label: 'Selected in the sheet' },
          { value: 'all', label: 'All' },
        ]}
        onChange={setRows}
      />
      <Refused refusal={available.refusal} onRetry={available.reload} />
      {available.value === undefined ? (
        <Waiting label="Loading the columns to add" />
      ) : (
        <ColumnPicker
          label="Columns to add"
          columns={available.value.columns.map(({ name }) => name).filter((name) => !has.has(name))}
          chosen={fields}
          onChange={setChosen}
        />
      )}
      <Facts plan={plan.refusal === undefined ? plan.value : undefined} busy={plan.busy} />
      <Refused refusal={plan.refusal} onRetry={plan.reload} />
      <p role="status" class={current === undefined ? 'pale' : ''}>
        {order === undefined
          ? 'Choose a column to add.'
          : current === undefined
            ? 'Finding out what it costs …'
            : `${counted(current.rows, 'row')}: ${counted(current.credits, 'credit')}`}
      </p>
      <div class="row">
        <Button
          kind="primary"
          disabled={current === undefined || current.rows === 0}
          busy={runs.busy}
          onClick={() => {
            if (order !== undefined) runs.start('fullRecords', order, current?.willOverwrite);
          }}
        >
          Add full records
        </Button>
      </div>
    </div>
  );
}
