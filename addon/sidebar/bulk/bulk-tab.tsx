// The bulk tab: up to 10,000 whole records at once, and what became of earlier orders.
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { maxRequestRecords } from '../../../shared/limits.ts';
import type { BulkList } from '../../server/api/index.ts';
import { PricedAction, TabLayout, Warnings } from '../dock.tsx';
import { ColumnChoice, getColumnKey, NoColumns, ScopeChoice } from '../enrich/columns.tsx';
import { formatNumber, getFamilyLabel, ownUseNotice } from '../format.ts';
import {
  type EditableAsyncValue,
  getCurrentValue,
  TYPING_DELAY_MS,
  useReloadWhenShown,
  useScriptValue,
} from '../hooks.ts';
import { Disclosure, Empty, Hint, Loading } from '../parts/basics.tsx';
import { RecordColumns } from '../parts/column-picker.tsx';
import { Button, Link, RadioGroup, Segments, TextField } from '../parts/controls.tsx';
import { DestinationChoice } from '../parts/destination.tsx';
import { FamilySelect } from '../parts/family-select.tsx';
import { PushSwitch } from '../parts/push-switch.tsx';
import type { TabProps } from '../tab-props.ts';
import {
  type BulkDraft,
  buildBulkOrder,
  emptyBulkDraft,
  formatOrderLabel,
  formatPrice,
  getColumns,
  parseLimit,
  sourceFromColumn,
  sourceFromSearch,
} from './draft.ts';
import { bulkTableKinds, Orders } from './orders.tsx';

/** What there is to fill in, with the price at the foot. */
function NewOrder(
  props: TabProps & {
    bulk: BulkDraft;
    onBulk: (bulk: BulkDraft) => void;
    list: EditableAsyncValue<BulkList>;
    onOrdered: (list: BulkList) => void;
    children: ComponentChildren;
  },
): JSX.Element {
  const { bulk, onBulk, runs, shown, list } = props;
  const put = (change: Partial<BulkDraft>): void => onBulk({ ...bulk, ...change });
  const bySearch = bulk.by === 'search';
  const columns = useScriptValue('columns', bySearch ? undefined : {});
  // Websites name no record that could be asked for in bulk.
  const all = columns.value?.filter(({ kind }) => kind !== 'website') ?? [];
  const column = all.find((one) => getColumnKey(one) === bulk.column) ?? all[0];
  const origin = bySearch ? sourceFromSearch(props.draft, bulk) : sourceFromColumn(column, bulk);
  const family = origin?.family;
  const available = useScriptValue('fields', family && { family });
  const chosen = origin && getColumns(bulk, origin, available.busy ? undefined : available.value);
  const order = origin && buildBulkOrder(bulk, origin, chosen);
  const ready = typeof order === 'object' ? order : undefined;
  const plan = useScriptValue('planBulk', shown && runs.isFree ? ready : undefined, TYPING_DELAY_MS);
  const current = getCurrentValue(plan);
  const records = ready && current?.records;
  const account = list.value?.pushAccount ?? null;
  return (
    <TabLayout
      runs={runs}
      foot={
        origin !== undefined && (
          <>
            <Warnings of={current} />
            <PricedAction
              asked={plan}
              price={typeof order === 'string' ? order : current && formatPrice(current)}
              note={`The rows appear by themselves when they are ready. ${ownUseNotice}`}
              button={records ? formatOrderLabel(current) : 'Order records'}
              credits={current?.credits}
              ready={Boolean(records)}
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
              onChange={(one) => put({ column: getColumnKey(one), family: undefined })}
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
      {bySearch && origin === undefined && (
        <Empty title="No search yet">
          <p>Fill in Search first. A bulk order delivers its full records, up to 10,000 at once.</p>
          <Button onClick={() => props.onTab('search')}>Open Search</Button>
        </Empty>
      )}
      {origin !== undefined && (
        <>
          {bySearch ? (
            <>
              <div>
                <p class="breaks">{origin.title}</p>
                <Hint>{getFamilyLabel(origin.family)}</Hint>
                <Link onClick={() => props.onTab('search')}>Change the search</Link>
              </div>
              <TextField
                label="Maximum number of records"
                value={bulk.limit}
                hint={`Up to ${formatNumber(maxRequestRecords)} records.`}
                error={parseLimit(bulk) === undefined ? 'Enter a whole number from 1 to 10,000.' : undefined}
                onInput={(limit) => put({ limit })}
              />
            </>
          ) : (
            <>
              <FamilySelect
                label="Look up"
                value={origin.family}
                families={column?.families ?? []}
                onChange={(one) => put({ family: one })}
              />
              <ScopeChoice value={bulk.scope} onChange={(scope) => put({ scope })} />
            </>
          )}
          <Disclosure title="Columns" aside={chosen && String(chosen.length)}>
            <RecordColumns
              label="Columns, in order"
              available={available}
              chosen={chosen}
              onChange={(some) => put({ chosen: { ...bulk.chosen, [origin.family]: some } })}
            />
          </Disclosure>
          <DestinationChoice
            place={bulk}
            family={origin.family}
            kinds={bulkTableKinds}
            onChange={(place, table) =>
              put({
                ...place,
                ...(table && { chosen: { ...bulk.chosen, [origin.family]: table.columns } }),
              })
            }
          />
          <PushSwitch account={account} on={bulk.push} onChange={(push) => put({ push })} />
          <Disclosure title="Name">
            <TextField
              label="Name"
              value={bulk.title}
              placeholder={origin.title}
              maxLength={100}
              onInput={(title) => put({ title })}
            />
          </Disclosure>
        </>
      )}
    </TabLayout>
  );
}

/** The bulk tab. */
export function BulkTab(props: TabProps): JSX.Element {
  const { runs, shown } = props;
  const [view, setView] = useState<'new' | 'list'>('new');
  const [bulk, setBulk] = useState(emptyBulkDraft);
  const list = useScriptValue('bulkRequests', {});
  useReloadWhenShown(shown, runs.endCount, list.reload);
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
        const atOnce = ordered.requests[0]?.state === 'ready';
        runs.showSuccess({
          sentence: atOnce
            ? 'Your team already bought all these records. Their rows appear now.'
            : 'Order placed. Its rows appear by themselves when they are ready.',
        });
        if (atOnce) props.onReady();
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
