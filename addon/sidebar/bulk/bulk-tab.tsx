// The bulk tab: up to 10,000 whole records at once, and what became of earlier orders.
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { maxRequestRecords } from '../../../shared/limits.ts';
import type { BulkList } from '../../server/api/index.ts';
import { Pane, PriceTag, Warnings } from '../dock.tsx';
import { Candidates, columnKey, NoColumns, ScopeChoice } from '../enrich/columns.tsx';
import { count, familyLabel, ownUse } from '../format.ts';
import { type Loaded, settled, TYPING_MS, useAnswer, useFresh } from '../hooks.ts';
import { Empty, Fold, Hint, Loading } from '../parts/basics.tsx';
import { RecordColumns } from '../parts/column-picker.tsx';
import { Button, Choice, Link, Segments, TextField } from '../parts/controls.tsx';
import { WhereTo } from '../parts/destination.tsx';
import { FamilySelect } from '../parts/family-select.tsx';
import { PushSwitch } from '../parts/push-switch.tsx';
import type { TabProps } from '../tab-props.ts';
import {
  type BulkDraft,
  bulkOrder,
  columnOrigin,
  columnsOf,
  emptyBulk,
  limitOf,
  orderLabel,
  priceOf,
  searchOrigin,
} from './draft.ts';
import { bulkTables, Requests } from './orders.tsx';

/** What there is to fill in, with the price at the foot. */
function NewRequest(
  props: TabProps & {
    bulk: BulkDraft;
    onBulk: (bulk: BulkDraft) => void;
    list: Loaded<BulkList>;
    onOrdered: (list: BulkList) => void;
    children: ComponentChildren;
  },
): JSX.Element {
  const { bulk, onBulk, runs, shown, list } = props;
  const put = (change: Partial<BulkDraft>): void => onBulk({ ...bulk, ...change });
  const bySearch = bulk.by === 'search';
  const columns = useAnswer('columns', bySearch ? undefined : {});
  // Websites name no record that could be asked for in bulk.
  const all = columns.value?.filter(({ kind }) => kind !== 'website') ?? [];
  const column = all.find((one) => columnKey(one) === bulk.column) ?? all[0];
  const origin = bySearch ? searchOrigin(props.draft, bulk) : columnOrigin(column, bulk);
  const family = origin?.family;
  const available = useAnswer('fields', family && { family });
  const chosen = origin && columnsOf(bulk, origin, available.busy ? undefined : available.value);
  const order = origin && bulkOrder(bulk, origin, chosen);
  const ready = typeof order === 'object' ? order : undefined;
  const plan = useAnswer('planBulk', shown && runs.free ? ready : undefined, TYPING_MS);
  const current = settled(plan);
  const records = ready && current?.records;
  const account = list.value?.pushAccount ?? null;
  return (
    <Pane
      runs={runs}
      foot={
        origin !== undefined && (
          <>
            <Warnings of={current} />
            <PriceTag
              asked={plan}
              price={typeof order === 'string' ? order : current && priceOf(current)}
              note={`The rows appear by themselves when they are ready. ${ownUse}`}
              button={records ? orderLabel(current) : 'Order records'}
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
      <Choice
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
            <Candidates
              columns={all}
              chosen={columnKey(column)}
              onChange={(one) => put({ column: columnKey(one), family: undefined })}
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
                <Hint>{familyLabel(origin.family)}</Hint>
                <Link onClick={() => props.onTab('search')}>Change the search</Link>
              </div>
              <TextField
                label="Maximum number of records"
                value={bulk.limit}
                hint={`Up to ${count(maxRequestRecords)} records.`}
                error={limitOf(bulk) === undefined ? 'Enter a whole number from 1 to 10,000.' : undefined}
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
          <Fold title="Columns" aside={chosen && String(chosen.length)}>
            <RecordColumns
              label="Columns, in order"
              available={available}
              chosen={chosen}
              onChange={(some) => put({ chosen: { ...bulk.chosen, [origin.family]: some } })}
            />
          </Fold>
          <WhereTo
            place={bulk}
            family={origin.family}
            kinds={bulkTables}
            onChange={(place, table) =>
              put({
                ...place,
                ...(table && { chosen: { ...bulk.chosen, [origin.family]: table.columns } }),
              })
            }
          />
          <PushSwitch account={account} on={bulk.push} onChange={(push) => put({ push })} />
          <Fold title="Name">
            <TextField
              label="Name"
              value={bulk.title}
              placeholder={origin.title}
              maxLength={100}
              onInput={(title) => put({ title })}
            />
          </Fold>
        </>
      )}
    </Pane>
  );
}

/** The bulk tab. */
export function BulkTab(props: TabProps): JSX.Element {
  const { runs, shown } = props;
  const [view, setView] = useState<'new' | 'list'>('new');
  const [bulk, setBulk] = useState(emptyBulk);
  const list = useAnswer('bulkRequests', {});
  useFresh(shown, runs.ended, list.reload);
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
    <NewRequest
      {...props}
      bulk={bulk}
      onBulk={setBulk}
      list={list}
      onOrdered={(ordered) => {
        list.put(ordered);
        setView('list');
        const atOnce = ordered.requests[0]?.state === 'ready';
        runs.say({
          sentence: atOnce
            ? 'Your team already bought all these records. Their rows appear now.'
            : 'Order placed. Its rows appear by themselves when they are ready.',
        });
        if (atOnce) props.onReady();
      }}
    >
      {views}
    </NewRequest>
  ) : (
    <Requests {...props} list={list}>
      {views}
    </Requests>
  );
}
