// The enrich tab: a column of keys becomes columns of values.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { type Family, isFamily } from '../../../shared/families.ts';
import type { CandidateColumn, EnrichOrder, Scope } from '../../server/api.ts';
import { Dock, PriceTag } from '../dock.tsx';
import { useAnswer, useFresh } from '../hooks.ts';
import { Button, Check, Choice, Empty, Fold, Refused, Select, Waiting } from '../parts/basics.tsx';
import { ColumnPicker } from '../parts/columns.tsx';
import { originOptions } from '../parts/origin.ts';
import type { TabProps } from '../tab.ts';
import { counted, familyLabel } from '../words.ts';
import { Candidates, columnKey } from './candidates.tsx';
import { Facts } from './facts.tsx';

const SCOPES: readonly { value: Scope; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'blank', label: 'Without values yet' },
  { value: 'selection', label: 'Selected' },
  { value: 'fromHere', label: 'From the active cell on' },
];

const AGES = [
  { value: '', label: 'Whatever its age' },
  { value: '7', label: 'At most 7 days' },
  { value: '30', label: 'At most 30 days' },
  { value: '90', label: 'At most 90 days' },
];

/** What is filled in. What is undefined follows from the column that is chosen. */
interface Draft {
  column: string | undefined;
  family: Family | undefined;
  fields: string[] | undefined;
  scope: Scope;
  statusColumn: boolean;
  origin: string;
  maxAge: string;
}

const EMPTY: Draft = {
  column: undefined,
  family: undefined,
  fields: undefined,
  scope: 'all',
  statusColumn: false,
  origin: 'none',
  maxAge: '',
};

function orderOf(draft: Draft, column: CandidateColumn, family: Family, fields: string[]): EnrichOrder {
  const { scope, statusColumn, origin, maxAge } = draft;
  const provenance = originOptions.find(({ value }) => value === origin)?.value ?? 'none';
  return {
    sheet: column.sheet,
    column: column.column,
    by: column.kind,
    family,
    scope,
    fields,
    ...(statusColumn ? { statusColumn } : {}),
    ...(provenance === 'none' ? {} : { provenance }),
    ...(maxAge === '' ? {} : { maxAgeDays: Number(maxAge) }),
  };
}

function Nothing(props: { onRetry: () => void }): JSX.Element {
  return (
    <Empty title="No column to look up yet">
      <p>
        Put websites such as example.com, profile links or ids into a column. It is found by what it holds.
      </p>
      <Button onClick={props.onRetry}>Look again</Button>
    </Empty>
  );
}

/** The enrich tab. */
export function EnrichTab({ runs, shown }: TabProps): JSX.Element {
  const [draft, setDraft] = useState<Draft>(EMPTY);
  const columns = useAnswer('columns', {});
  useFresh(shown, runs.progress?.state === 'done', columns.reload);
  const all = columns.value ?? [];
  const column = all.find((one) => columnKey(one) === draft.column) ?? all[0];
  const family = column?.families.find((one) => one === draft.family) ?? column?.families[0];
  const available = useAnswer('fields', family === undefined ? undefined : { family });
  const known = available.busy ? undefined : available.value;
  const fields = draft.fields ?? known?.defaults;
  const order =
    column === undefined || family === undefined || fields === undefined || fields.length === 0
      ? undefined
      : orderOf(draft, column, family, fields);
  const plan = useAnswer('planEnrich', shown ? order : undefined);
  useFresh(shown, runs.progress?.state, plan.reload);
  const current = plan.busy || plan.refusal !== undefined ? undefined : plan.value;
  const put = (change: Partial<Draft>): void => setDraft({ ...draft, ...change });

  if (columns.value === undefined && columns.busy) {
    return (
      <div class="content">
        <Waiting label="Looking for columns" lines={5} />
      </div>
    );
  }
  const price = current && `${counted(current.rows, 'row')}: ${counted(current.credits, 'credit')}`;
  return (
    <>
      <div class="content stack" inert={runs.progress?.state === 'running'}>
        <Refused refusal={columns.refusal} onRetry={columns.reload} />
        {column === undefined || family === undefined ? (
          columns.refusal === undefined && <Nothing onRetry={columns.reload} />
        ) : (
          <>
            <Candidates
              columns={all}
              chosen={columnKey(column)}
              onChange={(one) => put({ column: columnKey(one), family: undefined, fields: undefined })}
            />
            <button type="button" class="link" onClick={columns.reload}>
              Look for columns again
            </button>
            <Select
              label="Look up"
              value={family}
              options={column.families.map((one) => ({ value: one, label: familyLabel(one) }))}
              onChange={(one) => {
                if (isFamily(one)) put({ family: one, fields: undefined });
              }}
            />
            <Choice label="Rows" value={draft.scope} options={SCOPES} onChange={(scope) => put({ scope })} />
            <Refused refusal={available.refusal} onRetry={available.reload} />
            {available.value === undefined ? (
              <Waiting label="Loading the columns to add" lines={3} />
            ) : (
              <ColumnPicker
                label="Columns to add"
                columns={available.value.columns.map(({ name }) => name)}
                chosen={fields ?? []}
                onChange={(chosen) => put({ fields: chosen })}
              />
            )}
            <Fold title="More">
              <Check
                label="A column that says how each row went"
                checked={draft.statusColumn}
                onChange={(statusColumn) => put({ statusColumn })}
              />
              <Select
                label="Say where each row comes from"
                value={draft.origin}
                options={originOptions}
                onChange={(origin) => put({ origin })}
              />
              <Select
                label="Age of what is remembered"
                value={draft.maxAge}
                options={AGES}
                onChange={(maxAge) => put({ maxAge })}
              />
            </Fold>
          </>
        )}
      </div>
      <Dock runs={runs}>
        {column !== undefined && (
          <>
            <Facts plan={plan.refusal === undefined ? plan.value : undefined} busy={plan.busy} />
            <Refused refusal={plan.refusal} onRetry={plan.reload} />
            <PriceTag
              price={
                plan.refusal !== undefined
                  ? 'No price yet.'
                  : fields?.length === 0
                    ? 'Choose a column to add.'
                    : price
              }
              note="For your own use: do not sell or publish it."
              button={
                current === undefined || current.rows === 0
                  ? 'Enrich'
                  : `Enrich ${counted(current.rows, 'row')}`
              }
              ready={order !== undefined && current !== undefined && current.rows > 0}
              busy={runs.busy}
              onClick={() => {
                if (order !== undefined) runs.start('startEnrich', order, current?.willOverwrite);
              }}
            />
          </>
        )}
      </Dock>
    </>
  );
}
