// The lists of erasures and of refused keys.
import {
  type ErasureView,
  erasureList,
  type RefusedKeyList,
  refusedKeyList,
} from '../../../../../shared/api/admin-erasures.ts';
import { formatNumber } from '../../../../../shared/lib/format-count.ts';
import { Badge, type Column, Pager, Table, Time } from '../../components/data.tsx';
import type { Page } from '../../context.ts';
import { ERASURES, getErasurePage, RECORDS, REFUSED_KEYS } from '../paths.tsx';
import { describeSubject } from './erase.tsx';

const PAGE_SIZE = 50;

const erasureColumns: readonly Column<ErasureView>[] = [
  {
    label: 'Requested',
    render: ({ id, erased_at }) => (
      <a href={getErasurePage(id)}>
        <Time at={erased_at} />
      </a>
    ),
  },
  { label: 'Of', render: ({ subject }) => describeSubject(subject) },
  {
    label: 'State',
    render: ({ gone_everywhere_by }) =>
      gone_everywhere_by === null ? (
        <Badge tone="warning">in progress</Badge>
      ) : (
        <Badge tone="good">complete</Badge>
      ),
  },
  { label: 'Refused keys', isNumber: true, render: ({ removed }) => formatNumber(removed.keys) },
  {
    label: 'Removed copies',
    isNumber: true,
    render: ({ removed }) => formatNumber(removed.kv + removed.flights),
  },
  { label: 'Removed rows', isNumber: true, render: ({ removed }) => formatNumber(removed.rows) },
  { label: 'Cleaned others', isNumber: true, render: ({ removed }) => formatNumber(removed.mentions) },
];

const listPage: Page = {
  path: '/records/erasures',
  render: async ({ api, query: { after } }) => {
    const { erasures, next } = await api.get('/erasures', erasureList, { after, limit: PAGE_SIZE });
    return {
      title: 'Erasures',
      body: (
        <>
          <p class="lead">People and companies that were erased. Each erasure has a proof to print.</p>
          <Table
            caption="Erasures, newest first"
            columns={erasureColumns}
            rows={erasures}
            empty="Nobody was erased yet."
          />
          <Pager href={next === null ? undefined : `${ERASURES}?after=${encodeURIComponent(next)}`} />
          <p class="actions">
            <a href={REFUSED_KEYS}>Refused keys</a>
            <a href={RECORDS}>Look a record up</a>
          </p>
        </>
      ),
    };
  },
};

const keyColumns: readonly Column<RefusedKeyList['keys'][number]>[] = [
  { label: 'Pseudonym', render: ({ pseudonym }) => <code>{pseudonym}</code> },
  {
    label: 'Refused since',
    render: ({ erasure, refused_at }) => (
      <a href={getErasurePage(erasure)}>
        <Time at={refused_at} />
      </a>
    ),
  },
];

const keysPage: Page = {
  path: '/records/refused-keys',
  render: async ({ api, query: { after } }) => {
    const { total, keys, next } = await api.get('/refused-keys', refusedKeyList, { after, limit: PAGE_SIZE });
    return {
      title: 'Refused keys',
      body: (
        <>
          <p class="lead">
            {formatNumber(total)} in all. The keys themselves are not kept:{' '}
            <a href={RECORDS}>look a key up</a> to see whether it is refused.
          </p>
          <Table caption="Refused keys" columns={keyColumns} rows={keys} empty="No key is refused." />
          <Pager href={next === null ? undefined : `${REFUSED_KEYS}?after=${encodeURIComponent(next)}`} />
          <p class="actions">
            <a href={ERASURES}>All erasures</a>
          </p>
        </>
      ),
    };
  },
};

export const erasureListPages: readonly Page[] = [listPage, keysPage];
