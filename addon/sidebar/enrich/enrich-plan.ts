// The plan of an enrichment: the chosen column, its draft, and the price of the order built from them.
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Family } from '../../../shared/families/index.ts';
import type {
  AtLeast,
  CandidateColumn,
  EnrichOrder,
  EnrichPlan,
  Provenance,
} from '../../server/api/index.ts';
import { useSidebar } from '../context.ts';
import {
  type EditableAsyncValue,
  getCurrentValue,
  useReloadAfterRuns,
  useReloadOnFocus,
  useReloadWithSheet,
  useScriptValue,
} from '../hooks.ts';
import { getColumnKey, readAsNames } from './columns.tsx';
import { limitByCount } from './count-limit.tsx';
import { buildMoreKeys, listKeyColumns, type MoreKeysDraft, noMoreKeys } from './more-keys.tsx';
import { hasFieldBeside, listOwnColumns, type OwnColumnsDraft } from './own-columns.tsx';

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
export const hasStatusColumn = ({ statusColumn }: Draft, keys: readonly CandidateColumn[]): boolean =>
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

/** Loads the columns of keys and keeps the choice among them, with a draft for each. */
function useKeyColumn(onChoose: () => void) {
  const [choice, setChoice] = useState({ key: '', from: '' });
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({});
  const columns = useScriptValue('columns', {});
  useReloadAfterRuns(columns.reload);
  const all = columns.value ?? [];
  // Columns of the open sheet come first. A choice ends when another sheet is opened, unless it is of that sheet.
  const open = all[0]?.sheet ?? '';
  const choose = (next: CandidateColumn): void => {
    onChoose();
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
  const put = (change: Partial<Draft>, key = columnKey): void =>
    setDrafts({ ...drafts, [key]: { ...draft, ...change } });
  return { columns, all, choose, detected, columnKey, column, mayHoldNames, family, draft, put };
}

/** Loads the price of an order while the tab is shown, and again when cells or rows change. */
function useEnrichPrice(
  order: EnrichOrder | undefined,
  subject: string,
  refreshColumns: () => void,
): EditableAsyncValue<EnrichPlan> {
  const { runs, shown, watched } = useSidebar();
  const priced = shown && runs.isFree ? order : undefined;
  const plan = useScriptValue('planEnrich', priced, { subject });
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
  return plan;
}

/**
 * Builds the order of the enrich tab and loads its price.
 * @param onChoose - called when another column is chosen
 */
export function useEnrichPlan(onChoose: () => void) {
  const chosen = useKeyColumn(onChoose);
  const { columns, all, column, family, draft } = chosen;
  const usable = all.filter(({ families }) => family !== undefined && families.includes(family));
  const keys = column === undefined ? [] : listKeyColumns(column, usable, draft.moreKeys);
  const available = useScriptValue('fields', family && { family }, family && { subject: family });
  const fields =
    (family && draft.fields[family]) ??
    available.value?.defaults.filter((path) => !column || !hasFieldBeside(column, path));
  const order =
    column === undefined || family === undefined || fields === undefined || fields.length === 0
      ? undefined
      : buildOrder(draft, column, keys, family, fields);
  const subject = [column?.kind, ...keys.map(getColumnKey)].join();
  const plan = useEnrichPrice(order, subject, columns.refresh);
  return { ...chosen, keys, available, fields, order, plan, current: getCurrentValue(plan) };
}
