// The search tab: query, price and destination.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Family } from '../../../shared/families/index.ts';
import { previewPageSize } from '../../../shared/families/previews.ts';
import { formatCount, formatNumber, plural } from '../../../shared/lib/format-count.ts';
import { maxLookupKeys } from '../../../shared/limits.ts';
import { getPreviewPrice, getRecordPrice } from '../../../shared/operations.ts';
import type { SearchPlan } from '../../server/api/index.ts';
import { useSidebar } from '../context.ts';
import { PricedAction, RunAction, TabLayout, Warnings } from '../dock.tsx';
import { PlanSummary } from '../enrich/plan-summary.tsx';
import {
  addKnownPrice,
  describeSpendingOff,
  formatCredits,
  formatRowPrice,
  getRecordNouns,
  ownUseNotice,
} from '../format.ts';
import { getCurrentValue, usePause, useScriptValue } from '../hooks.ts';
import { Disclosure, Hint } from '../parts/basics.tsx';
import { Button } from '../parts/controls.tsx';
import { NO_COLUMN_CHOSEN, NO_TABLE_CHOSEN } from '../parts/destination.tsx';
import { FamilySelect } from '../parts/family-select.tsx';
import { CompanyChoice, formatCompaniesPrice, keepCompanyColumn, useCompanyColumns } from './accounts.tsx';
import { AskBox } from './ask.tsx';
import { SampleRows, SearchColumns } from './columns.tsx';
import { NameField, SearchDestination, UpdateChoice } from './destination.tsx';
import {
  applyPlan,
  buildCountOrder,
  buildSearchOrder,
  changeFamily,
  clearCondition,
  createDraft,
  getEnteredConditions,
  keepStarted,
  leaveTable,
  listFamilies,
  parseDraft,
  type SearchDraft,
} from './draft.ts';
import { InsertFormula } from './insert-formula.tsx';
import { formatNoMatches, getConditionLabel, NoMatches } from './no-matches.tsx';
import { openSavedSearch } from './query-form.ts';
import { QueryInput } from './query-input.tsx';
import { OpenSaved, SaveSearch } from './saved-searches.tsx';
import type { DraftProps } from './stored-draft.ts';

/** `1,240 companies match`. */
function formatMatches(family: Family, total: number): string {
  return `${formatCount(total, ...getRecordNouns(family))} ${plural(total, 'matches', 'match')}`;
}

function formatPrice(draft: SearchDraft, plan: SearchPlan): string {
  const { family } = draft;
  const { total, rows, credits, recordCredits, companies } = plan;
  if (companies !== undefined) return formatCompaniesPrice(draft, plan, companies);
  if (total === 0) return formatNoMatches(family, plan.without, getEnteredConditions(draft) ?? []);
  return `${formatMatches(family, total)} · ${formatRowPrice(rows, credits, recordCredits && 'up to ')}`;
}

/** Says what lowers the price, and why it is a maximum. */
function explainPrice(family: Family, plan: SearchPlan): string {
  const { total, rows, credits, recordCredits, isMaximum, existing } = plan;
  if (isMaximum) return '“Up to”: not every company could be counted.';
  if (recordCredits)
    return total > maxLookupKeys
      ? `“Up to”: above ${formatNumber(maxLookupKeys)} matches, records your team has are only found while writing. They are free.`
      : 'Records your team already bought are free, pages only for the same search.';
  if (credits === 0) return 'Your team bought these pages in the last day.';
  const pagePrice = getPreviewPrice(family);
  if (credits * previewPageSize > rows * pagePrice)
    return `A page of up to ${previewPageSize} rows costs ${formatCredits(pagePrice)}. Each search buys its own.`;
  return existing === undefined ? 'Each search buys its own pages.' : '';
}

const NO_COMPANIES_CHOSEN = 'Choose a column of companies.';

type ChangeDraft = (draft: SearchDraft) => SearchDraft;

/** @param draft - undefined until it is changed */
export function SearchTab({ draft: changed, onDraft }: DraftProps): JSX.Element {
  const { status, runs, shown, openTable } = useSidebar();
  const families = listFamilies(status);
  const unchanged = useMemo(() => createDraft(families[0] ?? 'company_base'), [families[0]]);
  const draft = changed ?? unchanged;
  const setDraft = (change: ChangeDraft): void =>
    onDraft((current) => {
      const before = current ?? unchanged;
      const after = change(before);
      return after === before ? current : after;
    });
  const searches = useScriptValue('savedSearches', {});
  const changeSearch = (change: ChangeDraft): void => {
    // The report is about the previous search. Undo stays in the list of tables.
    runs.dispatch({ type: 'reportClosed' });
    setDraft((before) => leaveTable(change(before)));
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
      else if (reply.code === 'gone' && draft.destination.kind === 'update') setDraft(leaveTable);
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
  const canSpend = status.sheetSpending;
  const fault =
    query !== undefined
      ? undefined
      : problems.length > 0
        ? `Correct the condition ${problems.map(({ name }) => getConditionLabel(draft.family, name)).join(', ')}.`
        : 'Correct the query first.';
  const price = !canSpend
    ? describeSpendingOff(status)
    : (fault ??
      (isCurrent
        ? planned === undefined
          ? count.value && formatMatches(draft.family, count.value.total)
          : formatPrice(draft, planned)
        : undefined));
  // Pages that the team has are free.
  const spendingOff = planned?.credits === 0 ? undefined : describeSpendingOff(status);
  const isIntoTable = 'tableId' in draft.destination;
  const upTo = planned?.isMaximum ? 'up to ' : '';
  const rows = isCurrent ? planned?.rows : undefined;
  const missing =
    draft.columns.length === 0
      ? NO_COLUMN_CHOSEN
      : draft.accounts !== undefined && companies.chosen === undefined
        ? NO_COMPANIES_CHOSEN
        : NO_TABLE_CHOSEN;
  const companyCount =
    getCurrentValue(counted) && formatCount(counted.value?.distinct ?? 0, 'company', 'companies');
  return (
    <TabLayout
      extra={
        runs.progress?.kind === 'search' &&
        runs.progress.rows > 0 &&
        draft.columns.includes('id') && (
          <Button
            title={`Shows the price first: up to ${formatCredits(getRecordPrice(draft.family))} a record.`}
            onClick={() => openTable(runs.progress?.tableId ?? '')}
          >
            Add full records …
          </Button>
        )
      }
      foot={
        countsOnly ? (
          <>
            {companies.chosen && (
              <PlanSummary
                plan={counted.error === undefined ? counted.value : undefined}
                sheet={companies.chosen.sheet}
                keyKind="company"
                busy={counted.busy}
              />
            )}
            <RunAction
              plan={counted}
              price={
                fault ??
                (companies.chosen === undefined
                  ? NO_COMPANIES_CHOSEN
                  : companyCount && `${companyCount} · free`)
              }
              button={companyCount === undefined ? 'Count' : `Count at ${companyCount} · free`}
              method="startEnrich"
              build={(approval) => {
                // The new column may look like one of companies, too: the choice stays.
                setDraft((started) => keepCompanyColumn(started, companies));
                return countOrder && { ...countOrder, approval };
              }}
            />
          </>
        ) : (
          <PricedAction
            pricing={pricing}
            price={price}
            note={
              order === undefined
                ? query && missing
                : rows
                  ? planned && (spendingOff ?? explainPrice(draft.family, planned))
                  : undefined
            }
            button={
              rows === undefined || rows === 0
                ? 'Write rows'
                : addKnownPrice(
                    `${isIntoTable ? 'Update with' : 'Write'} ${upTo}${formatCount(rows, 'row')}`,
                    planned?.credits,
                    planned?.recordCredits ? 'up to ' : upTo,
                  )
            }
            credits={planned?.credits}
            ready={order !== undefined && rows !== undefined && rows > 0 && canSpend}
            busy={runs.busy}
            onClick={() => {
              if (order === undefined || planned === undefined) return;
              // The new rows may contain a column of companies, too: the choice stays.
              setDraft((started) => keepStarted(keepCompanyColumn(started, companies)));
              const { approval, willOverwrite } = planned;
              runs.start('startSearch', { ...order, approval }, willOverwrite);
            }}
          >
            {/* What becomes of the rows of a table stands beside the button. */}
            {isIntoTable && <Warnings of={isCurrent ? planned : undefined} />}
            <UpdateChoice draft={draft} plan={planned} onChange={(put) => setDraft(() => put)} />
          </PricedAction>
        )
      }
    >
      {status.connection?.canAsk && <AskBox family={draft.family} onChange={changeSearch} />}
      <OpenSaved
        searches={searches}
        chosen={draft.savedId}
        onOpen={(search) =>
          setDraft((before) =>
            search === undefined ? createDraft(before.family) : openSavedSearch(search, leaveTable(before)),
          )
        }
      />
      <FamilySelect
        label="Find"
        value={draft.family}
        families={families}
        price="preview"
        onChange={(family) => changeSearch((before) => changeFamily(before, family))}
      />
      <CompanyChoice draft={draft} columns={companies} onChange={putSearch} />
      <QueryInput draft={draft} onChange={putSearch} />
      {isCurrent && draft.input.kind !== 'dsl' && (
        <NoMatches
          family={draft.family}
          without={(planned ?? count.value)?.without ?? []}
          conditions={draft.input.kind === 'form' ? draft.input.form.conditions : []}
          onRemove={(name) => changeSearch((before) => clearCondition(before, name))}
        />
      )}
      {countsOnly ? (
        <NameField label="Heading" draft={draft} onChange={(put) => setDraft(() => put)} />
      ) : (
        <>
          <SearchColumns draft={draft} onChange={putSearch} />
          {draft.accounts === undefined && current?.total !== 0 && <SampleRows draft={draft} />}
          <SearchDestination draft={draft} onChange={(put) => setDraft(() => put)} />
        </>
      )}
      <Disclosure title="Save this search">
        <SaveSearch draft={draft} searches={searches} onDraft={setDraft} />
      </Disclosure>
      {draft.accounts === undefined && (
        <Disclosure title="Use as a formula" aside={`${formatCredits(getPreviewPrice(draft.family))} a page`}>
          <InsertFormula draft={draft} />
        </Disclosure>
      )}
      {!isIntoTable && <Warnings of={isCurrent ? planned : undefined} />}
      <Hint>{ownUseNotice}</Hint>
    </TabLayout>
  );
}
