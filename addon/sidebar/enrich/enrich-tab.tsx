// The enrich tab: looks up a column of keys and adds columns of values.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Family } from '../../../shared/families/index.ts';
import type { CandidateColumn, EnrichPlan } from '../../server/api/index.ts';
import { formatCount, type Text, t } from '../../texts/texts.ts';
import { useSidebar } from '../context.ts';
import { RunAction, TabLayout } from '../dock.tsx';
import { formatCredits, formatRunLabel, ownUseNotice } from '../format.ts';
import { useRunDone } from '../hooks.ts';
import { Disclosure, Hint, Loading } from '../parts/basics.tsx';
import { RecordColumns } from '../parts/column-picker.tsx';
import { Button, Checkbox, Select, SourceSelect } from '../parts/controls.tsx';
import { NO_COLUMN_CHOSEN } from '../parts/destination.tsx';
import { FamilySelect } from '../parts/family-select.tsx';
import {
  ColumnChoice,
  ContentChoice,
  getColumnKey,
  getContentKind,
  NoColumns,
  ScopeChoice,
} from './columns.tsx';
import { CountLimit } from './count-limit.tsx';
import { hasStatusColumn, useEnrichPlan } from './enrich-plan.ts';
import { MoreKeys } from './more-keys.tsx';
import { OwnColumns } from './own-columns.tsx';
import { PlanSummary } from './plan-summary.tsx';
import {
  buildNameOrder,
  DecidedNames,
  DecideNames,
  type NameChoices,
  UncertainNames,
  useNames,
} from './uncertain-names.tsx';

const listMaxAges = (): { value: number | null; label: string }[] => [
  { value: null, label: t('Any age') },
  ...[7, 30, 90].map((days) => ({ value: days, label: t('Up to {days} days old', { days }) })),
];

const NO_ROWS = 'There are no rows to enrich.';

const GAPS = [{ value: 'gaps', label: 'Rows with any empty cell' }] as const satisfies readonly {
  value: string;
  label: Text;
}[];

function openFirstName(): void {
  const name = document.querySelector<HTMLDetailsElement>('#panel-enrich details');
  if (name === null) return;
  name.open = true;
  name.querySelector('summary')?.focus({ preventScroll: true });
  name.closest('.content')?.scrollTo(0, 0);
}

/** `40 rows · up to 400 credits`. */
function formatPrice({ rows, credits, distinct, cached, invalid, isMaximum, reason }: EnrichPlan): string {
  if (rows === 0) return t(NO_ROWS);
  const upTo = isMaximum ? t('up to ') : '';
  // Names that no company resembles are free, too, and so are invalid cells, and records while spending is off.
  const free = invalid > 0 || cached < distinct ? t('free') : t('free, already looked up');
  const cost = `${upTo}${formatCredits(credits)}${reason === undefined ? '' : `: ${reason}`}`;
  return `${formatCount(rows, 'row')} · ${credits === 0 ? free : cost}`;
}

type Planned = ReturnType<typeof useEnrichPlan>;

function EnrichFoot({
  planned: { choose, detected, keys, fields, order, plan, current },
  column,
  onNames,
}: {
  planned: Planned;
  column: CandidateColumn;
  onNames: (() => void) | undefined;
}): JSX.Element {
  const { runs } = useSidebar();
  return (
    <>
      <PlanSummary
        plan={plan}
        sheet={column.sheet}
        keyKind={keys.length > 1 ? 'several' : getContentKind(column)}
        reported={runs.progress?.failed['#INVALID_KEY']}
        onNames={onNames}
      />
      <RunAction
        plan={plan}
        price={fields?.length === 0 ? t(NO_COLUMN_CHOSEN) : current && formatPrice(current)}
        button={formatRunLabel('Enrich {rows}', current, current?.isMaximum ? t('up to ') : '')}
        method="startEnrich"
        build={(approval) => {
          // The new columns may hold keys, too: the choice stays.
          if (detected !== undefined) choose(detected);
          return order && { ...order, approval };
        }}
      />
    </>
  );
}

function EnrichForm(props: {
  planned: Planned;
  column: CandidateColumn;
  family: Family;
  names: ReturnType<typeof useNames>;
}): JSX.Element {
  const { planned, column, family } = props;
  const { all, choose, detected, draft, put, keys, fields, order } = planned;
  const into = order?.into ?? [];
  const isOffered = draft.holdsNames || (planned.current?.notKeys.name ?? 0) > 0;
  return (
    <>
      <ColumnChoice
        columns={all}
        chosen={planned.columnKey}
        onChange={choose}
        onRetry={() => {
          planned.columns.reload();
          planned.plan.reload();
        }}
      />
      {detected !== undefined && planned.mayHoldNames && isOffered && (
        <ContentChoice
          detected={detected.kind}
          value={column.kind}
          onChange={(holdsNames) => put({ holdsNames })}
        />
      )}
      {column.kind === 'name' && <Hint>{t('Uncertain names buy no record: you decide them here.')}</Hint>}
      <FamilySelect
        label={t('Look up')}
        value={family}
        families={column.families}
        price="record"
        onChange={(next) => put({ family: next })}
      />
      <MoreKeys
        keys={keys}
        all={all}
        family={family}
        draft={draft.moreKeys}
        onOrder={(first, moreKeys) => {
          choose(first);
          put({ family, moreKeys }, getColumnKey(first));
        }}
        onPlace={(moreKeys) => put({ moreKeys })}
      />
      <ScopeChoice
        value={order?.scope ?? draft.scope ?? 'all'}
        more={GAPS}
        onChange={(scope) => put({ scope })}
      />
      <CountLimit column={column} value={draft.atLeast} onChange={(atLeast) => put({ atLeast })} />
      <RecordColumns
        label={t('Columns to add')}
        available={planned.available}
        chosen={fields}
        getNote={(path) => {
          const beside = column.beside?.find((each) =>
            into.some((own) => own.path === path && own.column === each.column),
          );
          return beside && t('to {letter}, only empty cells', { letter: beside.letter });
        }}
        onChange={(next) => put({ fields: { ...draft.fields, [family]: next } })}
      />
      <OwnColumns
        fields={fields ?? []}
        column={column}
        into={into}
        chosen={draft.into}
        onChange={(into) => put({ into })}
      />
      <Disclosure title={t('More options')}>
        <Checkbox
          label={t('Add a status column')}
          checked={hasStatusColumn(draft, keys)}
          onChange={(statusColumn) => put({ statusColumn })}
        />
        <SourceSelect value={draft.provenance} onChange={(provenance) => put({ provenance })} />
        <Select
          label={t('Reuse bought data')}
          value={draft.maxAgeDays}
          options={listMaxAges()}
          onChange={(maxAgeDays) => put({ maxAgeDays })}
        />
      </Disclosure>
      <DecidedNames names={props.names} />
      <Hint>{t(ownUseNotice)}</Hint>
    </>
  );
}

export function EnrichTab(): JSX.Element {
  const { runs } = useSidebar();
  const names = useNames();
  const [chosenNames, setChosenNames] = useState<NameChoices>({});
  const nameOrder = buildNameOrder(names.value, chosenNames);
  // The list loads after the report of a run.
  const hasUndecided = (names.value?.undecided.length ?? 0) > 0;
  useRunDone(true, () => setChosenNames({}));
  // The dock shows the price of the chosen column again.
  const planned = useEnrichPlan(() => setChosenNames({}));
  const { columns, column, family, mayHoldNames, draft, put } = planned;
  const lookUpNames = mayHoldNames && !draft.holdsNames ? () => put({ holdsNames: true }) : undefined;
  const reportedNames = (runs.progress?.kind === 'enrich' && runs.progress.notKeys?.name) || 0;
  return (
    <TabLayout
      extra={
        <>
          {runs.progress?.failed['#AMBIGUOUS'] && hasUndecided && (
            // The names are the first collapsible sections of the tab.
            <Button onClick={openFirstName}>{t('Decide names')}</Button>
          )}
          {lookUpNames && reportedNames > 0 && (
            <Button onClick={lookUpNames}>
              {t('Look up {companyNames}', { companyNames: formatCount(reportedNames, 'company name') })}
            </Button>
          )}
        </>
      }
      foot={
        nameOrder !== undefined ? (
          <DecideNames order={nameOrder} />
        ) : (
          column !== undefined && (
            <EnrichFoot
              planned={planned}
              column={column}
              onNames={reportedNames > 0 ? undefined : lookUpNames}
            />
          )
        )
      }
    >
      <UncertainNames names={names.value} chosen={chosenNames} onChange={setChosenNames} />
      <Loading of={columns} label={t('Looking for columns')} lines={5} />
      {column === undefined || family === undefined ? (
        columns.value !== undefined && (
          <NoColumns
            what={t(
              'Put websites such as example.com, e-mail addresses, profile links, IDs or company names into a column.',
            )}
            onRetry={columns.reload}
          />
        )
      ) : (
        <EnrichForm planned={planned} column={column} family={family} names={names} />
      )}
    </TabLayout>
  );
}
