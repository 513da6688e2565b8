// Refreshes a table: all of it or what is stale, with the price first.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Table } from '../../server/api.ts';
import { useAnswer } from '../hooks.ts';
import { Button, Choice, Notice, Refused } from '../parts/basics.tsx';
import type { Runs } from '../runs.ts';
import { counted } from '../words.ts';

/** The choice, the price, the button. */
export function Refresh(props: { table: Table; runs: Runs }): JSX.Element {
  const { table, runs } = props;
  const [only, setOnly] = useState<'all' | 'stale'>(table.kind === 'search' ? 'all' : 'stale');
  const plan = useAnswer('planRefresh', { id: table.id, only });
  const current = plan.busy || plan.refusal !== undefined ? undefined : plan.value;
  return (
    <div class="stack">
      {table.kind !== 'search' && (
        <Choice
          label="What to refresh"
          value={only}
          options={[
            { value: 'stale', label: 'Only rows that are old' },
            { value: 'all', label: 'All rows' },
          ]}
          onChange={setOnly}
        />
      )}
      <Refused refusal={plan.refusal} onRetry={plan.reload} />
      {current?.warnings.map((warning) => (
        <Notice key={warning}>{warning}</Notice>
      ))}
      <p role="status" class={current === undefined ? 'pale' : ''}>
        {current === undefined
          ? 'Finding out what it costs …'
          : `${counted(current.rows, 'row')}: at most ${counted(current.credits, 'credit')}`}
      </p>
      <div class="row">
        <Button
          kind="primary"
          disabled={current === undefined}
          busy={runs.busy}
          onClick={() => runs.start('refreshTable', { id: table.id, only }, current?.willOverwrite)}
        >
          Refresh
        </Button>
      </div>
    </div>
  );
}
