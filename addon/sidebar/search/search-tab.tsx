// The search tab: query, price and destination.
import type { JSX } from 'preact';
import type { Family } from '../../../shared/families/index.ts';
import { previewPageSize } from '../../../shared/families/previews.ts';
import { maxLookupKeys } from '../../../shared/limits.ts';
import { getPreviewPrice, getRecordPrice } from '../../../shared/operations.ts';
import type { SearchPlan } from '../../server/api/index.ts';
import { formatCount, t } from '../../texts/texts.ts';
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
import { getCurrentValue, useScriptValue } from '../hooks.ts';
import { Disclosure, Hint } from '../parts/basics.tsx';
import { Button } from '../parts/controls.tsx';
import { NO_COLUMN_CHOSEN, NO_TABLE_CHOSEN } from '../parts/destination.tsx';
import { FamilySelect } from '../parts/family-select.tsx';
import { CompanyChoice, formatCompaniesPrice, keepCompanyColumn } from './accounts.tsx';
import { AskBox } from './ask.tsx';
import { SampleRows, SearchColumns } from './columns.tsx';
import { NameField, SearchDestination, UpdateChoice } from './destination.tsx';
import {
  changeFamily,
  clearCondition,
  createDraft,
  getEnteredConditions,
  keepStarted,
  leaveSearchTable,
  type SearchDraft,
} from './draft.ts';
import { InsertFormula } from './insert-formula.tsx';
import { formatNoMatches, NoMatches } from './no-matches.tsx';
import { openSavedSearch } from './query-form.ts';
import { QueryInput } from './query-input.tsx';
import { OpenSaved, SaveSearch } from './saved-searches.tsx';
import { useSearchPlan } from './search-plan.ts';
import type { DraftProps } from './stored-draft.ts';

/** `1,240 companies match`. */
function formatMatches(family: Family, total: number): string {
  const records = formatCount(total, ...getRecordNouns(family));
  return total === 1 ? t('{records} matches', { records }) : t('{records} match', { records });
}

function formatPrice(draft: SearchDraft, plan: SearchPlan): string {
  const { family } = draft;
  const { total, rows, credits, recordCredits, companies } = plan;
  if (companies !== undefined) return formatCompaniesPrice(draft, plan, companies);
  if (total === 0) return formatNoMatches(family, plan.without, getEnteredConditions(draft) ?? []);
  return `${formatMatches(family, total)} · ${formatRowPrice(rows, credits, recordCredits && t('up to '))}`;
}

/** Says what lowers the price, and why it is a maximum. */
function explainPrice(family: Family, plan: SearchPlan): string {
  const { total, rows, credits, recordCredits, isMaximum, existing } = plan;
  if (isMaximum) return t('“Up to”: not every company could be counted.');
  if (recordCredits)
    return total > maxLookupKeys
      ? t(
          '“Up to”: above {maxLookupKeys} matches, records your team has are only found while writing. They are free.',
          { maxLookupKeys },
        )
      : t('Records your team already bought are free, pages only for the same search.');
  if (credits === 0) return t('Your team bought these pages in the last day.');
  const pagePrice = getPreviewPrice(family);
  if (credits * previewPageSize > rows * pagePrice)
    return t('A page of up to {previewPageSize} rows costs {credits}. Each search buys its own.', {
      previewPageSize,
      credits: formatCredits(pagePrice),
    });
  return existing === undefined ? t('Each search buys its own pages.') : '';
}

const NO_COMPANIES_CHOSEN = 'Choose a column of companies.';

interface ActionProps {
  search: ReturnType<typeof useSearchPlan>;
}

function CountAction({ search }: ActionProps): JSX.Element {
  const { companies, counted, countOrder, fault, setDraft } = search;
  const companyCount =
    getCurrentValue(counted) && formatCount(counted.value?.distinct ?? 0, 'company', 'companies');
  return (
    <>
      {companies.chosen && <PlanSummary plan={counted} sheet={companies.chosen.sheet} keyKind="company" />}
      <RunAction
        plan={counted}
        price={
          fault ??
          (companies.chosen === undefined
            ? t(NO_COMPANIES_CHOSEN)
            : companyCount && t('{companyCount} · free', { companyCount }))
        }
        button={
          companyCount === undefined ? t('Count') : t('Count at {companyCount} · free', { companyCount })
        }
        method="startEnrich"
        build={(approval) => {
          // The new column may look like one of companies, too: the choice stays.
          setDraft((started) => keepCompanyColumn(started, companies));
          return countOrder && { ...countOrder, approval };
        }}
      />
    </>
  );
}

function WriteAction({ search }: ActionProps): JSX.Element {
  const { draft, setDraft, companies, order, query, fault, count, pricing, planned, isCurrent } = search;
  const { status, runs } = useSidebar();
  const canSpend = status.sheetSpending;
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
  const upTo = planned?.isMaximum ? t('up to ') : '';
  const rows = isCurrent ? planned?.rows : undefined;
  const missing =
    draft.columns.length === 0
      ? t(NO_COLUMN_CHOSEN)
      : draft.accounts !== undefined && companies.chosen === undefined
        ? t(NO_COMPANIES_CHOSEN)
        : t(NO_TABLE_CHOSEN);
  return (
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
          ? t('Write rows')
          : addKnownPrice(
              t(isIntoTable ? 'Update with {rows}' : 'Write {rows}', {
                rows: `${upTo}${formatCount(rows, 'row')}`,
              }),
              planned?.credits,
              planned?.recordCredits ? t('up to ') : upTo,
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
      {/* What becomes of the rows of a table stands beside the button, unless a report needs the space. */}
      {isIntoTable && runs.progress === undefined && <Warnings of={isCurrent ? planned : undefined} />}
      <UpdateChoice draft={draft} plan={planned} onChange={(put) => setDraft(() => put)} />
    </PricedAction>
  );
}

/** @param draft - undefined until it is changed */
export function SearchTab(props: DraftProps): JSX.Element {
  const { status, runs, openTable } = useSidebar();
  const search = useSearchPlan(props);
  const { draft, setDraft, changeSearch, putSearch, planned, isCurrent } = search;
  const changeDraft = (changed: SearchDraft): void => setDraft(() => changed);
  const searches = useScriptValue('savedSearches', {});
  const countsOnly = draft.accounts?.countsOnly === true;
  const isIntoTable = 'tableId' in draft.destination;
  return (
    <TabLayout
      extra={
        runs.progress?.kind === 'search' &&
        runs.progress.rows > 0 &&
        draft.columns.includes('id') && (
          <Button
            title={t('Shows the price first: up to {credits} a record.', {
              credits: formatCredits(getRecordPrice(draft.family)),
            })}
            onClick={() => openTable(runs.progress?.tableId ?? '')}
          >
            {t('Add full records …')}
          </Button>
        )
      }
      foot={countsOnly ? <CountAction search={search} /> : <WriteAction search={search} />}
    >
      {status.connection?.canAsk && <AskBox family={draft.family} onChange={changeSearch} />}
      <OpenSaved
        searches={searches}
        chosen={draft.savedId}
        onOpen={(saved) =>
          setDraft((before) =>
            saved === undefined
              ? createDraft(before.family)
              : openSavedSearch(saved, leaveSearchTable(before)),
          )
        }
      />
      <FamilySelect
        label={t('Find')}
        value={draft.family}
        families={search.families}
        price="preview"
        onChange={(family) => changeSearch((before) => changeFamily(before, family))}
      />
      <CompanyChoice draft={draft} columns={search.companies} onChange={putSearch} />
      <QueryInput draft={draft} onChange={putSearch} />
      {isCurrent && draft.input.kind !== 'dsl' && (
        <NoMatches
          family={draft.family}
          without={(planned ?? search.count.value)?.without ?? []}
          conditions={draft.input.kind === 'form' ? draft.input.form.conditions : []}
          onRemove={(name) => changeSearch((before) => clearCondition(before, name))}
        />
      )}
      {countsOnly ? (
        <NameField label={t('Heading')} draft={draft} onChange={changeDraft} />
      ) : (
        <>
          <SearchColumns draft={draft} onChange={putSearch} />
          {draft.accounts === undefined && search.current?.total !== 0 && <SampleRows draft={draft} />}
          <SearchDestination draft={draft} onChange={changeDraft} />
        </>
      )}
      <Disclosure title={t('Save this search')}>
        <SaveSearch draft={draft} searches={searches} onDraft={setDraft} />
      </Disclosure>
      {draft.accounts === undefined && (
        <Disclosure
          title={t('Use as a formula')}
          aside={t('{credits} a page', { credits: formatCredits(getPreviewPrice(draft.family)) })}
        >
          <InsertFormula draft={draft} />
        </Disclosure>
      )}
      {!isIntoTable && <Warnings of={isCurrent ? planned : undefined} />}
      <Hint>{t(ownUseNotice)}</Hint>
    </TabLayout>
  );
}
