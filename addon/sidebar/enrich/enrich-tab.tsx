// The enrich tab: looks up a column of keys and adds columns of values.
import type { JSX } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Family } from '../../../shared/families/index.ts';
import type { AtLeast, CandidateColumn, EnrichOrder, Provenance } from '../../server/api/index.ts';
import { formatCount, type Text, t } from '../../texts/texts.ts';
import { useSidebar } from '../context.ts';
import { RunAction, TabLayout } from '../dock.tsx';
import { formatCredits, formatRunLabel, ownUseNotice } from '../format.ts';
import {
  getCurrentValue,
  useReloadAfterRuns,
  useReloadOnFocus,
  useReloadWithSheet,
  useRunDone,
  useScriptValue,
} from '../hooks.ts';
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
  readAsNames,
  ScopeChoice,
} from './columns.tsx';
import { CountLimit, limitByCount } from './count-limit.tsx';
import { buildMoreKeys, listKeyColumns, MoreKeys, type MoreKeysDraft, noMoreKeys } from './more-keys.tsx';
import { isThere, listOwnColumns, OwnColumns, type OwnColumnsDraft } from './own-columns.tsx';
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

/** Input for a column of keys. Undefined members have defaults that depend on the column. */
interface Draft {
  /** Reads the cells as company names, whatever they seem to hold. */
  holdsNames: boolean;
  moreKeys: MoreKeysDraft;
  family: Family | undefined;
  fields: Partial<Record<Family, string[]>>;
  scope: EnrichOrder['scope'] | undefined;
  atLeast: AtLeast | undefined;
  into: OwnColumnsDraft;
  statusColumn: boolean | undefined;
  provenance: Provenance;
  maxAgeDays: number | null;
}

const EMPTY_DRAFT: Draft = {
  holdsNames: false,
  moreKeys: noMoreKeys,
  family: undefined,
  fields: {},
  scope: undefined,
  atLeast: undefined,
  into: {},
  statusColumn: undefined,
  provenance: 'none',
  maxAgeDays: null,
};

/** The status lists the candidates of uncertain names, and says which of several keys found a record. */
const hasStatusColumn = ({ statusColumn }: Draft, keys: readonly CandidateColumn[]): boolean =>
  statusColumn ?? (keys.length > 1 || keys.some(({ kind }) => kind === 'name'));

function buildOrder(
  draft: Draft,
  column: CandidateColumn,
  keys: readonly CandidateColumn[],
  family: Family,
  fields: string[],
): EnrichOrder {
  const { provenance, maxAgeDays } = draft;
  const moreKeys = buildMoreKeys(keys, draft.moreKeys);
  const into = listOwnColumns(fields, family, column, draft.into, moreKeys);
  return {
    sheet: column.sheet,
    column: column.column,
    by: column.kind,
    ...moreKeys,
    family,
    // Rows without an empty cell would be bought for nothing.
    scope: draft.scope ?? (into.length === fields.length ? 'gaps' : 'all'),
    ...limitByCount(column, draft.atLeast),
    fields,
    ...(into.length === 0 ? {} : { into }),
    ...(hasStatusColumn(draft, keys) ? { statusColumn: true } : {}),
    ...(provenance === 'none' ? {} : { provenance }),
    ...(maxAgeDays === null ? {} : { maxAgeDays }),
  };
}

function openFirstName(): void {
  const name = document.querySelector<HTMLDetailsElement>('#panel-enrich details');
  if (name === null) return;
  name.open = true;
  name.querySelector('summary')?.focus({ preventScroll: true });
  name.closest('.content')?.scrollTo(0, 0);
}

export function EnrichTab(): JSX.Element {
  const { runs, shown, watched } = useSidebar();
  const [choice, setChoice] = useState({ key: '', from: '' });
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({});
  const names = useNames();
  const [chosenNames, setChosenNames] = useState<NameChoices>({});
  const nameOrder = buildNameOrder(names.value, chosenNames);
  // The list loads after the report of a run.
  const hasUndecided = (names.value?.undecided.length ?? 0) > 0;
  useRunDone(true, () => setChosenNames({}));
  const columns = useScriptValue('columns', {});
  useReloadAfterRuns(columns.reload);
  const all = columns.value ?? [];
  // Columns of the open sheet come first. A choice ends when another sheet is opened, unless it is of that sheet.
  const open = all[0]?.sheet ?? '';
  const choose = (next: CandidateColumn): void => {
    // The dock shows the price of this column again.
    setChosenNames({});
    setChoice({ key: getColumnKey(next), from: open });
  };
  const detected =
    all.find((each) => getColumnKey(each) === choice.key && [choice.from, each.sheet].includes(open)) ??
    all[0];
  const columnKey = detected === undefined ? '' : getColumnKey(detected);
  const draft = drafts[columnKey] ?? EMPTY_DRAFT;
  const asNames = detected && readAsNames(detected);
  const column = draft.holdsNames ? asNames : detected;
  const mayHoldNames = detected?.kind !== asNames?.kind;
  const family = column?.families.find((each) => each === draft.family) ?? column?.families[0];
  const usable = all.filter(({ families }) => family !== undefined && families.includes(family));
  const keys = column === undefined ? [] : listKeyColumns(column, usable, draft.moreKeys);
  const available = useScriptValue('fields', family && { family }, family && { subject: family });
  const fields =
    (family && draft.fields[family]) ??
    available.value?.defaults.filter((path) => !column || !isThere(column, path));
  const order =
    column === undefined || family === undefined || fields === undefined || fields.length === 0
      ? undefined
      : buildOrder(draft, column, keys, family, fields);
  const into = order?.into ?? [];
  const priced = shown && runs.isFree ? order : undefined;
  const plan = useScriptValue('planEnrich', priced, {
    subject: [column?.kind, ...keys.map(getColumnKey)].join(),
  });
  const { refresh: refreshColumns } = columns;
  const { refresh: refreshPlan } = plan;
  // Cells may have been typed, pasted or filled.
  const refresh = useCallback(() => {
    refreshColumns();
    refreshPlan();
  }, [refreshColumns, refreshPlan]);
  useReloadOnFocus(shown && runs.isFree, refresh);
  useReloadWithSheet(shown && runs.isFree, refresh);
  const current = getCurrentValue(plan);
  useEffect(() => {
    const onDigest = (digest: string): void => {
      if (!plan.busy && digest !== current?.approval.digest) refresh();
    };
    watched.current = priced && { order: priced, onDigest };
  });
  const { message } = runs.state;
  // Rows may have been filled or taken back.
  useEffect(() => {
    if (message !== undefined) refreshPlan();
  }, [message, refreshPlan]);
  const put = (change: Partial<Draft>, key = columnKey): void =>
    setDrafts({ ...drafts, [key]: { ...draft, ...change } });
  const lookUpNames = mayHoldNames && !draft.holdsNames ? () => put({ holdsNames: true }) : undefined;
  const reportedNames = (runs.progress?.kind === 'enrich' && runs.progress.notKeys?.name) || 0;
  const upTo = current?.isMaximum ? t('up to ') : '';
  const reason = current?.reason === undefined ? '' : `: ${current.reason}`;
  // Names that no company resembles are free, too, and so are invalid cells, and records while spending is off.
  const free =
    current && (current.invalid > 0 || current.cached < current.distinct)
      ? t('free')
      : t('free, already looked up');
  const cost = current?.credits === 0 ? free : current && `${upTo}${formatCredits(current.credits)}${reason}`;
  const price =
    current && (current.rows === 0 ? t(NO_ROWS) : `${formatCount(current.rows, 'row')} · ${cost}`);
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
            <>
              <PlanSummary
                plan={plan.error === undefined ? plan.value : undefined}
                sheet={column.sheet}
                keyKind={keys.length > 1 ? 'several' : getContentKind(column)}
                reported={runs.progress?.failed['#INVALID_KEY']}
                busy={plan.busy}
                onNames={reportedNames > 0 ? undefined : lookUpNames}
              />
              <RunAction
                plan={plan}
                price={fields?.length === 0 ? t(NO_COLUMN_CHOSEN) : price}
                button={formatRunLabel('Enrich {rows}', current, upTo)}
                method="startEnrich"
                build={(approval) => {
                  // The new columns may hold keys, too: the choice stays.
                  if (detected !== undefined) choose(detected);
                  return order && { ...order, approval };
                }}
              />
            </>
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
        <>
          <ColumnChoice
            columns={all}
            chosen={columnKey}
            onChange={choose}
            onRetry={() => {
              columns.reload();
              plan.reload();
            }}
          />
          {detected !== undefined &&
            mayHoldNames &&
            (draft.holdsNames || (current?.notKeys.name ?? 0) > 0) && (
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
            available={available}
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
          <DecidedNames names={names} />
          <Hint>{t(ownUseNotice)}</Hint>
        </>
      )}
    </TabLayout>
  );
}
