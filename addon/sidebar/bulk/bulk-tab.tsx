// The bulk tab: new orders of up to 10,000 whole records, and the list of orders.
import type { ComponentChildren, JSX } from 'preact';
import type { Dispatch, StateUpdater } from 'preact/hooks';
import { maxRequestRecords } from '../../../shared/limits.ts';
import type { BulkList } from '../../server/api/index.ts';
import { t } from '../../texts/texts.ts';
import { useSidebar } from '../context.ts';
import { PricedAction, TabLayout, Warnings } from '../dock.tsx';
import { ColumnChoice, getColumnKey, NoColumns, ScopeChoice } from '../enrich/columns.tsx';
import { formatCredits, getFamilyLabel, getRecordNouns, ownUseNotice } from '../format.ts';
import {
  type EditableAsyncValue,
  getCurrentValue,
  useMinutes,
  useReloadAfterRuns,
  useScriptValue,
} from '../hooks.ts';
import { Disclosure, Empty, Hint, Loading } from '../parts/basics.tsx';
import { RecordColumns } from '../parts/column-picker.tsx';
import { Button, Link, RadioGroup, Segments, TextField } from '../parts/controls.tsx';
import { DestinationChoice } from '../parts/destination.tsx';
import { FamilySelect } from '../parts/family-select.tsx';
import { PushSwitch } from '../parts/push-switch.tsx';
import {
  createDraft,
  cutTitle,
  getEnteredConditions,
  listFamilies,
  parseDraft,
  type SearchDraft,
} from '../search/draft.ts';
import {
  type BulkDraft,
  type BulkInput,
  buildBulkOrder,
  findCheaperSearch,
  formatOrderLabel,
  formatPrice,
  formatSearchPrice,
  getColumns,
  parseLimit,
  sourceFromColumn,
  sourceFromSearch,
} from './draft.ts';
import { Orders } from './orders.tsx';

function NewOrder(props: {
  search: SearchDraft | undefined;
  bulk: BulkDraft;
  onBulk: (bulk: BulkDraft) => void;
  list: EditableAsyncValue<BulkList>;
  onOrdered: (list: BulkList) => void;
  children: ComponentChildren;
}): JSX.Element {
  const { status, runs, shown, openTab } = useSidebar();
  const { bulk, onBulk, list } = props;
  const put = (change: Partial<BulkDraft>): void => onBulk({ ...bulk, ...change });
  const leave = (change: Partial<BulkDraft>): void => {
    // The clicked button disappears.
    document.querySelector<HTMLInputElement>('#panel-bulk input:checked')?.focus();
    put(change);
  };
  const bySearch = bulk.by === 'search';
  const { search = createDraft(listFamilies(status)[0] ?? 'company_base') } = props;
  const { query } = parseDraft(search);
  const isSorted = query !== undefined && 'es_dsl' in query && query.es_dsl.sort !== undefined;
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
  const plan = useScriptValue('planBulk', shown && runs.isFree ? ready : undefined, { typed: true });
  const current = getCurrentValue(plan);
  const records = ready && current?.records;
  const cheaper = current && source && chosen && findCheaperSearch(current, source, chosen);
  // Pages that the team already bought are free.
  const searchPlan = useScriptValue('planSearch', shown ? cheaper : undefined);
  const account = list.value?.pushAccount ?? null;
  const isOrdering = 'calling' in runs.state && runs.state.calling === 'startBulk';
  return (
    <TabLayout
      foot={
        source !== undefined && (
          <>
            <Warnings of={current} />
            {cheaper && (
              <Hint>
                {formatSearchPrice(current, cheaper, getCurrentValue(searchPlan)?.credits)}{' '}
                <Link onClick={() => openTab('search')}>{t('Open Search')}</Link>
              </Hint>
            )}
            <PricedAction
              pricing={plan}
              price={typeof order === 'string' ? order : current && formatPrice(current)}
              note={
                records === 0
                  ? undefined
                  : current?.credits === 0
                    ? t('The rows appear at once.')
                    : `${current ? `${t('{credits} a record', { credits: formatCredits(current.creditsPerRecord) })}. ` : ''}${t('The rows appear when they are ready.')}`
              }
              button={isOrdering ? t('Ordering …') : records ? formatOrderLabel(current) : t('Order records')}
              credits={current?.credits}
              ready={Boolean(records) && status.sheetSpending}
              busy={runs.busy}
              onClick={() => {
                if (ready && current) {
                  const { approval, willOverwrite } = current;
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
        label={t('Records')}
        value={bulk.by}
        options={[
          { value: 'search', label: t('From the current search') },
          { value: 'column', label: t('From IDs or links in a column') },
        ]}
        onChange={(by) => put({ by })}
      />
      {!bySearch && (
        <>
          <Loading of={columns} label={t('Looking for columns')} />
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
                what={t('Put IDs or profile links into a column. For websites, use Enrich.')}
                onRetry={columns.reload}
              />
            )
          )}
        </>
      )}
      {bySearch && source === undefined && (
        <Empty title={isAtCompanies ? t('Not for searches at companies') : t('The search has a mistake')}>
          <p>
            {isAtCompanies
              ? t(
                  'A bulk order takes one search, not the companies of a column. Write the {nouns} in Search and order them by ID.',
                  { nouns },
                )
              : t('Correct it in Search first.')}
          </p>
          <Button onClick={() => openTab('search')}>{t('Open Search')}</Button>
          {isAtCompanies && parseDraft(search).query && (
            <>
              <Button onClick={() => leave({ by: 'column' })}>{t('Choose a column of IDs')}</Button>
              <Button onClick={() => leave({ isEverywhere: true })}>{t('Order at all companies')}</Button>
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
                  {getEnteredConditions(search)?.length === 0 && `, ${t('without conditions')}`}
                  {isAtCompanies && `, ${t('at all companies')}`}
                </Hint>
                <Link onClick={() => openTab('search')}>{t('Change the search')}</Link>
              </div>
              <TextField
                label={t('Maximum number of records')}
                value={bulk.limit}
                hint={`${t('Up to {max}.', { max: maxRequestRecords })} ${isSorted ? t('If more match, you get the first ones in the order of the search.') : t('If more match, the provider chooses which ones: an order has no best matches.')}`}
                error={
                  parseLimit(bulk) === undefined ? t('Enter a whole number from 1 to 10,000.') : undefined
                }
                onInput={(limit) => put({ limit })}
              />
            </>
          ) : (
            <>
              <FamilySelect
                label={t('Look up')}
                value={source.family}
                families={column?.families ?? []}
                price="record"
                onChange={(chosenFamily) => put({ family: chosenFamily })}
              />
              <ScopeChoice value={bulk.scope} onChange={(scope) => put({ scope })} />
            </>
          )}
          <Disclosure title={t('Columns')} aside={chosen && String(chosen.length)}>
            <RecordColumns
              label={t('Columns, in order')}
              available={available}
              chosen={chosen}
              onChange={(names) => put({ chosen: { ...bulk.chosen, [source.family]: names } })}
            />
          </Disclosure>
          <DestinationChoice
            key={source.family}
            place={bulk.destination}
            family={source.family}
            kind="bulk"
            onChange={(destination, table) =>
              put({
                destination,
                ...(table && { chosen: { ...bulk.chosen, [source.family]: table.columns } }),
              })
            }
          />
          <PushSwitch account={account} on={bulk.push} onChange={(push) => put({ push })} />
          <Disclosure title={t('Name')}>
            <TextField
              label={t('Name')}
              value={bulk.title}
              placeholder={cutTitle(source.title)}
              maxLength={100}
              onInput={(title) => put({ title })}
            />
          </Disclosure>
          <Hint>{t(ownUseNotice)}</Hint>
        </>
      )}
    </TabLayout>
  );
}

export function BulkTab(props: {
  /** Input of the search tab; undefined until it is changed. */
  search: SearchDraft | undefined;
  input: BulkInput;
  onInput: Dispatch<StateUpdater<BulkInput>>;
}): JSX.Element {
  const { search, input, onInput } = props;
  const { view } = input;
  const { runs, checkDeliveries } = useSidebar();
  useMinutes();
  const list = useScriptValue('bulkRequests', {});
  useReloadAfterRuns(list.reload);
  const open = list.value?.requests.filter(({ ended_at }) => ended_at === null).length ?? 0;
  const views = (
    <Segments
      label={t('Bulk orders')}
      value={view}
      options={[
        { value: 'new', label: t('New order') },
        { value: 'list', label: open === 0 ? t('Orders') : t('Orders ({open})', { open }) },
      ]}
      onChange={(next) => onInput({ ...input, view: next })}
    />
  );
  return view === 'new' ? (
    <NewOrder
      search={search}
      bulk={input.draft}
      onBulk={(draft) => onInput({ ...input, draft })}
      list={list}
      onOrdered={(ordered) => {
        list.put(ordered);
        onInput((current) => ({ ...current, view: 'list' }));
        const isReady = ordered.requests[0]?.state === 'ready';
        runs.report(
          isReady
            ? t('Your team already bought all these records: they appear now.')
            : t('Order placed. Its rows appear when they are ready.'),
        );
        if (isReady) checkDeliveries();
      }}
    >
      {views}
    </NewOrder>
  ) : (
    <Orders list={list}>{views}</Orders>
  );
}
