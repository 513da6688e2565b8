// The enrich tab: a column of keys becomes columns of values.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Family } from '../../../shared/families/index.ts';
import type { CandidateColumn, EnrichOrder, Provenance, Scope } from '../../server/api/index.ts';
import { Pane, PriceTag } from '../dock.tsx';
import { counted, inCredits, ownUse, withPrice } from '../format.ts';
import { settled, useAnswer, useFresh } from '../hooks.ts';
import { Fold, Loading } from '../parts/basics.tsx';
import { RecordColumns } from '../parts/column-picker.tsx';
import { Check, Select } from '../parts/controls.tsx';
import { NO_COLUMN } from '../parts/destination.tsx';
import { FamilySelect } from '../parts/family-select.tsx';
import { OriginSelect } from '../parts/source-select.tsx';
import type { TabProps } from '../tab-props.ts';
import { Candidates, columnKey, NoColumns, ScopeChoice } from './columns.tsx';
import { PlanSummary } from './plan-summary.tsx';

const AGES = [
  { value: '', label: 'Any age' },
  { value: '7', label: 'Up to 7 days old' },
  { value: '30', label: 'Up to 30 days old' },
  { value: '90', label: 'Up to 90 days old' },
];

/** What is filled in. What is undefined follows from the column that is chosen. */
interface Draft {
  column: string | undefined;
  family: Family | undefined;
  fields: string[] | undefined;
  scope: Scope;
  statusColumn: boolean;
  origin: Provenance;
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
  return {
    sheet: column.sheet,
    column: column.column,
    by: column.kind,
    family,
    scope,
    fields,
    ...(statusColumn ? { statusColumn } : {}),
    ...(origin === 'none' ? {} : { provenance: origin }),
    ...(maxAge === '' ? {} : { maxAgeDays: Number(maxAge) }),
  };
}

/** The enrich tab. */
export function EnrichTab({ runs, shown }: TabProps): JSX.Element {
  const [draft, setDraft] = useState<Draft>(EMPTY);
  const columns = useAnswer('columns', {});
  useFresh(shown, runs.ended, columns.reload);
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
  const plan = useAnswer('planEnrich', shown && runs.free ? order : undefined);
  const current = settled(plan);
  const put = (change: Partial<Draft>): void => setDraft({ ...draft, ...change });
  const price = current && `${counted(current.rows, 'row')} · ${inCredits(current.credits)}`;
  return (
    <Pane
      runs={runs}
      foot={
        column !== undefined && (
          <>
            <PlanSummary
              plan={plan.refusal === undefined ? plan.value : undefined}
              keyKind={column.kind}
              busy={plan.busy}
            />
            <PriceTag
              asked={plan}
              price={fields?.length === 0 ? NO_COLUMN : price}
              note={ownUse}
              button={
                current === undefined || current.rows === 0
                  ? 'Enrich rows'
                  : withPrice(`Enrich ${counted(current.rows, 'row')}`, current.credits)
              }
              credits={current?.credits}
              ready={order !== undefined && current !== undefined && current.rows > 0}
              busy={runs.busy}
              onClick={() => {
                if (order === undefined || current === undefined) return;
                const { approval, willOverwrite } = current;
                runs.start('startEnrich', { ...order, approval }, willOverwrite);
              }}
            />
          </>
        )
      }
    >
      <Loading of={columns} label="Looking for columns" lines={5} />
      {column === undefined || family === undefined ? (
        columns.value !== undefined && (
          <NoColumns
            what="Put websites such as example.com, profile links or IDs into a column."
            onRetry={columns.reload}
          />
        )
      ) : (
        <>
          <Candidates
            columns={all}
            chosen={columnKey(column)}
            onChange={(one) => put({ column: columnKey(one), family: undefined, fields: undefined })}
            onRetry={columns.reload}
          />
          <FamilySelect
            label="Look up"
            value={family}
            families={column.families}
            onChange={(one) => put({ family: one, fields: undefined })}
          />
          <ScopeChoice value={draft.scope} onChange={(scope) => put({ scope })} />
          <RecordColumns
            label="Columns to add"
            available={available}
            chosen={fields}
            onChange={(chosen) => put({ fields: chosen })}
          />
          <Fold title="More options">
            <Check
              label="Add a status column"
              checked={draft.statusColumn}
              onChange={(statusColumn) => put({ statusColumn })}
            />
            <OriginSelect value={draft.origin} onChange={(origin) => put({ origin })} />
            <Select
              label="Reuse bought data"
              value={draft.maxAge}
              options={AGES}
              onChange={(maxAge) => put({ maxAge })}
            />
          </Fold>
        </>
      )}
    </Pane>
  );
}
