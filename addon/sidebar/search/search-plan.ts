// The plan of a search: the draft, the order built from it, and its price or count.
import { useMemo } from 'preact/hooks';
import { t } from '../../texts/texts.ts';
import { useSidebar } from '../context.ts';
import { getCurrentValue, usePause, useScriptValue } from '../hooks.ts';
import { useCompanyColumns } from './accounts.tsx';
import {
  applyPlan,
  buildCountOrder,
  buildSearchOrder,
  createDraft,
  leaveSearchTable,
  listFamilies,
  parseDraft,
  type SearchDraft,
} from './draft.ts';
import { getConditionLabel } from './no-matches.tsx';
import type { DraftProps } from './stored-draft.ts';

type ChangeDraft = (draft: SearchDraft) => SearchDraft;

/** Describes the first problem of a query. */
function describeFault({ family }: SearchDraft, problems: ReturnType<typeof parseDraft>['problems']): string {
  if (problems.length === 0) return t('Correct the query first.');
  return t('Correct the condition {conditions}.', {
    conditions: problems.map(({ name }) => getConditionLabel(family, name)).join(', '),
  });
}

/**
 * Builds the order of the search tab and loads its price. Without a complete order, only the matches are counted.
 * @param draft - undefined until it is changed
 */
export function useSearchPlan({ draft: changed, onDraft }: DraftProps) {
  const { status, runs, shown } = useSidebar();
  const families = listFamilies(status);
  const unchanged = useMemo(() => createDraft(families[0] ?? 'company_base'), [families[0]]);
  const draft = changed ?? unchanged;
  const setDraft = (change: ChangeDraft): void =>
    onDraft((current) => {
      const before = current ?? unchanged;
      const after = change(before);
      return after === before ? current : after;
    });
  const changeSearch = (change: ChangeDraft): void => {
    // The report is about the previous search. Undo stays in the list of tables.
    runs.dispatch({ type: 'reportClosed' });
    setDraft((before) => leaveSearchTable(change(before)));
  };
  const putSearch = (search: SearchDraft): void => changeSearch(() => search);
  const companies = useCompanyColumns(draft);
  const countsOnly = draft.accounts?.countsOnly === true;
  const order = countsOnly ? undefined : buildSearchOrder(draft, companies.chosen);
  const { query, problems } = parseDraft(draft);
  // A plan includes the count. Without a complete order, only the query is counted.
  const plan = useScriptValue('planSearch', shown && runs.isFree ? order : undefined, {
    typed: true,
    onReply: (reply) => {
      if (reply.ok) setDraft((planned) => applyPlan(planned, reply.value));
      // Undo may have removed the table.
      else if (reply.code === 'gone' && draft.destination.kind === 'update') setDraft(leaveSearchTable);
    },
  });
  const count = useScriptValue(
    'count',
    order === undefined && query !== undefined && draft.accounts === undefined
      ? { family: draft.family, query }
      : undefined,
    { typed: true },
  );
  const countOrder = buildCountOrder(draft, companies.chosen);
  const counted = useScriptValue('planEnrich', shown && runs.isFree ? countOrder : undefined, {
    typed: true,
  });
  const hasPaused = usePause(JSON.stringify(query));
  const pricing = order === undefined ? count : plan;
  const current = getCurrentValue<{ total: number }>(pricing);
  // Half a word matches nothing.
  const isCurrent = current !== undefined && (current.total > 0 || hasPaused);
  const planned = order === undefined ? undefined : plan.value;
  const fault = query === undefined ? describeFault(draft, problems) : undefined;
  return {
    draft,
    setDraft,
    changeSearch,
    putSearch,
    families,
    companies,
    order,
    query,
    fault,
    count,
    countOrder,
    counted,
    pricing,
    planned,
    current,
    isCurrent,
  };
}
