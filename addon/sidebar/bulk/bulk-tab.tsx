// The bulk tab: new orders of up to 10,000 whole records, and the list of orders.
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { formatNumber } from '../../../shared/lib/format-count.ts';
import { maxRequestRecords } from '../../../shared/limits.ts';
import type { BulkList, Table } from '../../server/api/index.ts';
import { PricedAction, TabLayout, Warnings } from '../dock.tsx';
import { ColumnChoice, getColumnKey, NoColumns, ScopeChoice } from '../enrich/columns.tsx';
import { formatCredits, getFamilyLabel, getRecordNouns, ownUseNotice } from '../format.ts';
import {
  type EditableAsyncValue,
  getCurrentValue,
  TYPING_DELAY_MS,
  useMinutes,
  useReloadWhenShown,
  useScriptValue,
} from '../hooks.ts';
import { Disclosure, Empty, Hint, Loading } from '../parts/basics.tsx';
import { RecordColumns } from '../parts/column-picker.tsx';
import { Button, Link, RadioGroup, Segments, TextField } from '../parts/controls.tsx';
import { DestinationChoice } from '../parts/destination.tsx';
import { FamilySelect } from '../parts/family-select.tsx';
import { PushSwitch } from '../parts/push-switch.tsx';
import { getChangeKey } from '../runs.ts';
import { createDraft, cutTitle, getEnteredConditions, listFamilies, parseDraft } from '../search/draft.ts';
import type { DraftProps, TabProps } from '../tab-props.ts';
import {
  type BulkDraft,
  buildBulkOrder,
  emptyBulkDraft,
  findCheaperSearch,
  formatOrderLabel,
  formatPrice,
  formatSearchPrice,
  getColumns,
  parseLimit,
  sourceFromColumn,
  sourceFromSearch,
  toBulkDraft,
} from './draft.ts';
import { bulkTableKinds, Orders } from './orders.tsx';

function NewOrder(
  props: TabProps &
    Pick<DraftProps, 'draft'> & {
      bulk: BulkDraft;
      onBulk: (bulk: BulkDraft) => void;
      list: EditableAsyncValue<BulkList>;
      onOrdered: (list: BulkList) => void;
      children: ComponentChildren;
    },
): JSX.Element {
  const { bulk, onBulk, runs, shown, list } = props;
  const put = (change: Partial<BulkDraft>): void => onBulk({ ...bulk, ...change });
  const leave = (change: Partial<BulkDraft>): void => {
    // The clicked button disappears.
    document.querySelector<HTMLInputElement>('#panel-bulk input:checked')?.focus();
    put(change);
  };
  const bySearch = bulk.by === 'search';
  const { draft: search = createDraft(listFamilies(props.status)[0] ?? 'company_base') } = props;
  const isAtCompanies = search.accounts !== undefined;
  const [, nouns] = getRecordNouns(search.family);
  const columns = useScriptValue('columns', bySearch ? undefined : {});
  // Bulk orders do not accept websites.
  const all = columns.value?.filter(({ kind }) => kind !== 'website' && kind !== 'name') ?? [];
  const column = all.find((each) => getColumnKey(each) === bulk.column) ?? all[0];
  const source = bySearch ? sourceFromSearch(search, bulk) : sourceFromColumn(column, bulk);
  const family = source?.family;
  const available = useScriptValue('fields', family && { family });
  const chosen = source && getColumns(bulk, source, available.busy ? undefined : available.value);
  const order = source && buildBulkOrder(bulk, source, chosen);
  const ready = typeof order === 'object' ? order : undefined;
  const plan = useScriptValue('planBulk', shown && runs.isFree ? ready : undefined, TYPING_DELAY_MS);
  const current = getCurrentValue(plan);
  const records = ready && current?.records;
  const cheaper = current && source && chosen && findCheaperSearch(current, source, chosen);
  // Pages that the team already bought are free.
  const searchPlan = useScriptValue('planSearch', shown ? cheaper : undefined);
  const account = list.value?.pushAccount ?? null;
  const [isOrdering, setIsOrdering] = useState(false);
  useEffect(() => {
    if (!runs.busy) setIsOrdering(false);
  }, [runs.busy]);
  return (
    <TabLayout
      runs={runs}
      foot={
        source !== undefined && (
          <>
            <Warnings of={current} />
            {cheaper && (
              <Hint>
                {formatSearchPrice(current, cheaper, getCurrentValue(searchPlan)?.credits)}{' '}
                <Link onClick={() => props.onTab('search')}>Open Search</Link>
              </Hint>
            )}
            <PricedAction
              pricing={plan}
              price={typeof order === 'string' ? order : current && formatPrice(current)}
              note={
                records === 0
                  ? undefined
                  : current?.credits === 0
                    ? 'The rows appear at once.'
                    : `${current ? `${formatCredits(current.creditsPerRecord)} a record. ` : ''}The rows appear when they are ready.`
              }
              button={
                isOrdering && runs.busy ? 'Ordering …' : records ? formatOrderLabel(current) : 'Order records'
              }
              credits={current?.credits}
              ready={Boolean(records) && props.status.sheetSpending}
              busy={runs.busy}
              onClick={() => {
                if (ready && current) {
                  const { approval, willOverwrite } = current;
                  setIsOrdering(true);
                  runs.order({ ...ready, approval }, willOverwrite, props.onOrdered);
                }
              }}
            />
          </>
        )
      }
    >
      {props.children}
      <RadioGroup
        label="Records"
        value={bulk.by}
        options={[
          { value: 'search', label: 'From the current search' },
          { value: 'column', label: 'From IDs or links in a column' },
        ]}
        onChange={(by) => put({ by })}
      />
      {!bySearch && (
        <>
          <Loading of={columns} label="Looking for columns" />
          {column !== undefined ? (
            <ColumnChoice
              columns={all}
              chosen={getColumnKey(column)}
              onChange={(chosenColumn) => put({ column: getColumnKey(chosenColumn), family: undefined })}
              onRetry={columns.reload}
            />
          ) : (
            columns.value !== undefined && (
              <NoColumns
                what="Put IDs or profile links into a column. For websites, use Enrich."
                onRetry={columns.reload}
              />
            )
          )}
        </>
      )}
      {bySearch && source === undefined && (
        <Empty title={isAtCompanies ? 'Not for searches at companies' : 'The search has a mistake'}>
          <p>
            {isAtCompanies
              ? `A bulk order takes one search, not the companies of a column. Write the ${nouns} in Search and order them by ID.`
              : 'Correct it in Search first.'}
          </p>
          <Button onClick={() => props.onTab('search')}>Open Search</Button>
          {isAtCompanies && parseDraft(search).query && (
            <>
              <Button onClick={() => leave({ by: 'column' })}>Choose a column of IDs</Button>
              <Button onClick={() => leave({ isEverywhere: true })}>Order at all companies</Button>
            </>
          )}
        </Empty>
      )}
      {source !== undefined && (
        <>
          {bySearch ? (
            <>
              <div>
                <p class="breaks">{source.title}</p>
                <Hint>
                  {getFamilyLabel(source.family)}
                  {getEnteredConditions(search)?.length === 0 && ', without conditions'}
                  {isAtCompanies && ', at all companies'}
                </Hint>
                <Link onClick={() => props.onTab('search')}>Change the search</Link>
              </div>
              <TextField
                label="Maximum number of records"
                value={bulk.limit}
                hint={`Up to ${formatNumber(maxRequestRecords)}.`}
                error={parseLimit(bulk) === undefined ? 'Enter a whole number from 1 to 10,000.' : undefined}
                onInput={(limit) => put({ limit })}
              />
            </>
          ) : (
            <>
              <FamilySelect
                label="Look up"
                value={source.family}
                families={column?.families ?? []}
                price="record"
                onChange={(chosenFamily) => put({ family: chosenFamily })}
              />
              <ScopeChoice value={bulk.scope} onChange={(scope) => put({ scope })} />
            </>
          )}
          <Disclosure title="Columns" aside={chosen && String(chosen.length)}>
            <RecordColumns
              label="Columns, in order"
              available={available}
              chosen={chosen}
              onChange={(names) => put({ chosen: { ...bulk.chosen, [source.family]: names } })}
            />
          </Disclosure>
          <DestinationChoice
            place={bulk}
            family={source.family}
            kinds={bulkTableKinds}
            onChange={(place, table) =>
              put({
                ...place,
                ...(table && { chosen: { ...bulk.chosen, [source.family]: table.columns } }),
              })
            }
          />
          <PushSwitch account={account} on={bulk.push} onChange={(push) => put({ push })} />
          <Disclosure title="Name">
            <TextField
              label="Name"
              value={bulk.title}
              placeholder={cutTitle(source.title)}
              maxLength={100}
              onInput={(title) => put({ title })}
            />
          </Disclosure>
          <Hint>{ownUseNotice}</Hint>
        </>
      )}
    </TabLayout>
  );
}

/** The bulk tab. */
export function BulkTab(
  props: TabProps &
    Pick<DraftProps, 'draft'> & {
      /** The table whose order is filled in. Each new object fills it in again. */
      orderAgain: Table | undefined;
    },
): JSX.Element {
  const { runs, shown, orderAgain } = props;
  const [view, setView] = useState<'new' | 'list'>('new');
  const [bulk, setBulk] = useState(emptyBulkDraft);
  useMinutes(shown);
  useEffect(() => {
    if (orderAgain === undefined) return;
    setBulk(toBulkDraft(orderAgain));
    setView('new');
  }, [orderAgain]);
  const list = useScriptValue('bulkRequests', {});
  useReloadWhenShown(shown, getChangeKey(runs), list.reload);
  const open = list.value?.requests.filter(({ ended_at }) => ended_at === null).length ?? 0;
  const views = (
    <Segments
      label="Bulk orders"
      value={view}
      options={[
        { value: 'new', label: 'New order' },
        { value: 'list', label: open === 0 ? 'Orders' : `Orders (${open})` },
      ]}
      onChange={setView}
    />
  );
  return view === 'new' ? (
    <NewOrder
      {...props}
      bulk={bulk}
      onBulk={setBulk}
      list={list}
      onOrdered={(ordered) => {
        list.put(ordered);
        setView('list');
        const isReady = ordered.requests[0]?.state === 'ready';
        runs.showSuccess({
          sentence: isReady
            ? 'Your team already bought all these records: they appear now.'
            : 'Order placed. Its rows appear when they are ready.',
        });
        if (isReady) props.onReady();
      }}
    >
      {views}
    </NewOrder>
  ) : (
    <Orders {...props} list={list}>
      {views}
    </Orders>
  );
}
