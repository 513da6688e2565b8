// The search tab: query, price and destination.
import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { Family } from '../../../shared/families/index.ts';
import { previewPageSize } from '../../../shared/families/previews.ts';
import { formatCount, formatNumber } from '../../../shared/lib/format-count.ts';
import { maxLookupKeys } from '../../../shared/limits.ts';
import { getPreviewPrice, getRecordPrice, getSortFields } from '../../../shared/operations.ts';
import { getFormFields, getInitialFormFields } from '../../../shared/query/form-fields.ts';
import type { SearchPlan } from '../../server/api/index.ts';
import { PricedAction, TabLayout, Warnings } from '../dock.tsx';
import { addKnownPrice, formatCredits, formatRowPrice, getRecordNouns, ownUseNotice } from '../format.ts';
import { getCurrentValue, TYPING_DELAY_MS, usePause, useScriptValue } from '../hooks.ts';
import { Disclosure, Hint, Notice } from '../parts/basics.tsx';
import { Button, Segments, Select } from '../parts/controls.tsx';
import { NO_COLUMN_CHOSEN, NO_TABLE_CHOSEN } from '../parts/destination.tsx';
import { FamilySelect } from '../parts/family-select.tsx';
import type { DraftProps, TabProps } from '../tab-props.ts';
import { CompanyChoice, formatCompaniesPrice, keepCompanyColumn, useCompanyColumns } from './accounts.tsx';
import { AskBox } from './ask.tsx';
import { SearchColumns } from './columns.tsx';
import { SearchDestination } from './destination.tsx';
import {
  buildSearchOrder,
  changeFamily,
  clearCondition,
  createDraft,
  getEnteredConditions,
  hasDslForm,
  leaveTable,
  listFamilies,
  parseDraft,
  type SearchDraft,
} from './draft.ts';
import { ConditionForm } from './form.tsx';
import { InsertFormula } from './insert-formula.tsx';
import { LeftOutConditions } from './left-out.tsx';
import { formatNoMatches, getConditionLabel, NoMatches } from './no-matches.tsx';
import { QueryEditor } from './query-editor.tsx';
import { openSavedSearch, switchInput } from './query-form.ts';
import { SampleRows } from './sample-rows.tsx';
import { OpenSaved, SaveSearch } from './saved-searches.tsx';
import { UpdateChoice } from './update-choice.tsx';

const INPUTS = [
  { value: 'form', label: 'Form' },
  { value: 'dsl', label: 'Query' },
] as const;

const SORT_LABELS: Readonly<Record<string, string>> = {
  _score: 'Best match first',
  last_updated: 'Last updated first',
  followers: 'Most followers first',
  size_employees_count: 'Most employees first',
};

function getSortOptions(family: Family): { value: string; label: string }[] {
  return [
    { value: '', label: 'Default order' },
    ...getSortFields(family, 'es_dsl')
      .filter((sort) => sort !== 'id')
      .map((sort) => ({ value: sort, label: SORT_LABELS[sort] ?? sort })),
  ];
}

function QueryInput(props: { draft: SearchDraft; onChange: (draft: SearchDraft) => void }): JSX.Element {
  const { draft, onChange } = props;
  const { family, input, conditions, dsl, unchangedQuery, sort } = draft;
  const fields = useMemo(() => getFormFields(family), [family]);
  const { problems, dslProblem } = parseDraft(draft);
  return (
    <>
      {/* Named filters can't be shown as JSON of the query DSL. */}
      {(unchangedQuery === undefined || 'es_dsl' in unchangedQuery) && (
        <Segments
          label="Search mode"
          value={input}
          options={INPUTS}
          onChange={(mode) => onChange(switchInput(draft, mode))}
        />
      )}
      {unchangedQuery !== undefined ? (
        <Notice>
          <p>This query is too complex for the form. It will run unchanged.</p>
          <Button kind="quiet" onClick={() => onChange({ ...draft, unchangedQuery: undefined })}>
            Use the form instead
          </Button>
        </Notice>
      ) : input === 'dsl' ? (
        <QueryEditor text={dsl} problem={dslProblem} onInput={(text) => onChange({ ...draft, dsl: text })} />
      ) : (
        <>
          <LeftOutConditions draft={draft} />
          <ConditionForm
            key={family}
            family={family}
            fields={fields}
            conditions={conditions}
            fixed={getInitialFormFields(family)}
            problems={problems}
            onChange={(changed) => onChange({ ...draft, conditions: changed })}
          />
          {hasDslForm(family) && (
            <Select
              label="Sort order"
              value={sort}
              options={getSortOptions(family)}
              onChange={(value) => onChange({ ...draft, sort: value })}
            />
          )}
        </>
      )}
    </>
  );
}

/** `1,240 companies match`. */
function formatMatches(family: Family, total: number): string {
  return `${formatCount(total, ...getRecordNouns(family))} ${total === 1 ? 'matches' : 'match'}`;
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

export function SearchTab({ status, runs, shown, onTables, ...props }: TabProps & DraftProps): JSX.Element {
  const families = listFamilies(status);
  const { draft = createDraft(families[0] ?? 'company_base'), onDraft: setDraft } = props;
  const searches = useScriptValue('savedSearches', {});
  const changeSearch = (changed: SearchDraft): void => {
    // The report is about the previous search. Undo stays in the list of tables.
    runs.closeReport();
    setDraft(leaveTable(changed));
  };
  const companies = useCompanyColumns(draft, shown, runs.endCount);
  const order = buildSearchOrder(draft, companies.chosen);
  const { query, problems } = parseDraft(draft);
  // A plan includes the count. Without a complete order, only the query is counted.
  const plan = useScriptValue('planSearch', shown && runs.isFree ? order : undefined, TYPING_DELAY_MS);
  const count = useScriptValue(
    'count',
    order === undefined && query !== undefined && draft.accounts === undefined
      ? { family: draft.family, query }
      : undefined,
    TYPING_DELAY_MS,
  );
  useEffect(() => {
    // Undo may have removed the table.
    if (draft.isUpdate && plan.error?.code === 'gone') setDraft(leaveTable(draft));
  });
  const hasPaused = usePause(JSON.stringify(query));
  const pricing = order === undefined ? count : plan;
  const current = getCurrentValue<{ total: number }>(pricing);
  // Half a word matches nothing.
  const isCurrent = current !== undefined && (current.total > 0 || hasPaused);
  const planned = order === undefined ? undefined : plan.value;
  const canSpend = status.sheetSpending;
  const price = !canSpend
    ? 'Spending is off. Turn it on in Activity.'
    : query === undefined
      ? problems.length > 0
        ? `Correct the condition ${problems.map(({ name }) => getConditionLabel(draft.family, name)).join(', ')}.`
        : 'Correct the query first.'
      : isCurrent
        ? planned === undefined
          ? count.value && formatMatches(draft.family, count.value.total)
          : formatPrice(draft, planned)
        : undefined;
  const upTo = planned?.isMaximum ? 'up to ' : '';
  const rows = isCurrent ? planned?.rows : undefined;
  const missing =
    draft.columns.length === 0
      ? NO_COLUMN_CHOSEN
      : draft.accounts !== undefined && companies.chosen === undefined
        ? 'Choose a column of companies.'
        : NO_TABLE_CHOSEN;
  return (
    <TabLayout
      runs={runs}
      extra={
        runs.progress?.kind === 'search' &&
        draft.columns.includes('id') && (
          <Button
            title={`Shows the price first: up to ${formatCredits(getRecordPrice(draft.family))} a record.`}
            onClick={() => onTables(runs.progress?.tableId ?? '')}
          >
            Add full records …
          </Button>
        )
      }
      foot={
        <PricedAction
          pricing={pricing}
          price={price}
          note={
            order === undefined
              ? query && missing
              : rows
                ? planned && explainPrice(draft.family, planned)
                : undefined
          }
          button={
            rows === undefined || rows === 0
              ? 'Write rows'
              : addKnownPrice(
                  `${draft.where === 'table' ? 'Update with' : 'Write'} ${upTo}${formatCount(rows, 'row')}`,
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
            // Another search must not replace the rows of the table again, unless the person chooses so.
            const isUpdate = draft.isUpdate || (draft.where === 'table' && draft.mode === 'replace');
            setDraft({ ...keepCompanyColumn(draft, companies), isUpdate: isUpdate || undefined });
            const { approval, willOverwrite } = planned;
            runs.start('startSearch', { ...order, approval }, willOverwrite);
          }}
        >
          {/* What becomes of the rows of a table stands beside the button. */}
          {draft.where === 'table' && <Warnings of={isCurrent ? planned : undefined} />}
          <UpdateChoice
            draft={draft}
            plan={planned}
            isCurrent={isCurrent}
            onChange={setDraft}
            onBulk={() => props.onTab('bulk')}
          />
        </PricedAction>
      }
    >
      {status.connection?.canAsk && <AskBox draft={draft} onChange={changeSearch} />}
      <OpenSaved
        searches={searches}
        chosen={draft.savedId}
        onOpen={(search) =>
          setDraft(
            search === undefined ? createDraft(draft.family) : openSavedSearch(search, leaveTable(draft)),
          )
        }
      />
      <FamilySelect
        label="Find"
        value={draft.family}
        families={families}
        price="preview"
        onChange={(family) => changeSearch(changeFamily(draft, family))}
      />
      <CompanyChoice draft={draft} columns={companies} onChange={changeSearch} />
      <QueryInput draft={draft} onChange={changeSearch} />
      {isCurrent && draft.input === 'form' && (
        <NoMatches
          family={draft.family}
          without={(planned ?? count.value)?.without ?? []}
          conditions={draft.conditions}
          onRemove={(name) => changeSearch(clearCondition(draft, name))}
        />
      )}
      <SearchColumns draft={draft} onChange={changeSearch} />
      {draft.accounts === undefined && current?.total !== 0 && (
        <SampleRows draft={draft} change={runs.endCount} />
      )}
      <SearchDestination draft={draft} onChange={setDraft} />
      <Disclosure title="Save this search">
        <SaveSearch draft={draft} searches={searches} onDraft={setDraft} />
      </Disclosure>
      {draft.accounts === undefined && (
        <Disclosure title="Use as a formula" aside={`${formatCredits(getPreviewPrice(draft.family))} a page`}>
          <InsertFormula draft={draft} />
        </Disclosure>
      )}
      {draft.where !== 'table' && <Warnings of={isCurrent ? planned : undefined} />}
      <Hint>{ownUseNotice}</Hint>
    </TabLayout>
  );
}
