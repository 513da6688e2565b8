// The list of the team's bulk orders: state, cost and actions.
import type { ComponentChildren, JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { DataRequestState, DataRequestView } from '../../../shared/api/data-requests.ts';
import type { BulkList, BulkOrderStatus } from '../../server/api/index.ts';
import { formatCount, type Text, t, translate } from '../../texts/texts.ts';
import { useSidebar } from '../context.ts';
import { TabLayout } from '../dock.tsx';
import { formatCredits, formatDate, formatTimeSince, getFamilyLabel } from '../format.ts';
import { type EditableAsyncValue, useRunDone, useScriptAction } from '../hooks.ts';
import { Empty, ErrorNotice, Loading, ProblemNotice, Row, Stack } from '../parts/basics.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Button } from '../parts/controls.tsx';
import { buildTarget, type Destination, DestinationChoice } from '../parts/destination.tsx';
import { useLiveUpdates } from './live-updates.ts';

const STATE_TEXTS: Readonly<
  Record<DataRequestState | 'notWaiting' | 'delivered' | 'written', [Text, Text | '']>
> = {
  reserved: ['Waiting', 'Its credits are reserved. It is sent in a moment.'],
  submitted: ['Sent', 'The provider starts soon.'],
  running: ['Running', 'The provider is collecting the records.'],
  ingesting: ['Reading', 'The gateway is reading the records.'],
  ready: ['Ready', 'The rows are ready. Choose where to write them.'],
  failed: ['Failed', 'The order delivered no records.'],
  cancelled: ['Cancelled', 'It wasn’t sent. Its credits were released.'],
  unclear: ['Unclear', 'The provider didn’t confirm it, and may still charge for it.'],
  notWaiting: ['Not waiting', 'The provider delivers the order and charges what it delivers.'],
  delivered: ['Not waiting', 'It was delivered and charged. You can write its rows for free.'],
  // The sentence names the sheet.
  written: ['Written', ''],
};

/** Returns the state to show. A cancelled order that was sent is charged on delivery. */
function getDisplayState(request: BulkOrderStatus): keyof typeof STATE_TEXTS {
  const { state, cancel_requested, ended_at, rows, sheet, written } = request;
  if (written && sheet !== undefined) return 'written';
  if (ended_at === null) return cancel_requested ? 'notWaiting' : state;
  return state === 'cancelled' && rows > 0 ? 'delivered' : state;
}

function WriteAgain({ request }: { request: BulkOrderStatus }): JSX.Element {
  const { runs } = useSidebar();
  const [place, setPlace] = useState<Destination>({ kind: 'newSheet' });
  const { id, family, title } = request;
  const target = buildTarget(place);
  return (
    <Stack>
      <DestinationChoice place={place} family={family} kind="bulk" onChange={setPlace} />
      <Row>
        <Button
          kind="primary"
          disabled={target === undefined}
          busy={runs.busy}
          onClick={() => target && runs.start('writeBulk', { id, title, ...target })}
        >
          {t('Write rows for free')}
        </Button>
      </Row>
    </Stack>
  );
}

/** Tells whether the rows of an order can be written. After an update by a later order they would be older ones. */
const isWritable = ({ rows, ended_at, rows_until, updated }: BulkOrderStatus): boolean =>
  rows > 0 && ended_at !== null && !updated && Date.parse(rows_until) > Date.now();

function describeOrder(request: BulkOrderStatus): string[] {
  const { family, requested, cached, rows, credits, files, created_at, rows_until } = request;
  const cost =
    credits.charged === null
      ? t('{credits} reserved', { credits: formatCredits(credits.reserved) })
      : formatCredits(credits.charged);
  return [
    t('{familyLabel} · ordered {time}', {
      familyLabel: getFamilyLabel(family),
      time: formatTimeSince(created_at),
    }),
    `${[
      rows === 0 ? formatCount(requested, 'record') : t('{rows} of {requested} records', { rows, requested }),
      ...(cached === 0 ? [] : [t('{cached} already bought', { cached })]),
    ].join(', ')} · ${cost}`,
    [
      ...(files.length > 0 ? [formatCount(files.length, 'file')] : []),
      ...(isWritable(request) ? [t('free to write until {date}', { date: formatDate(rows_until) })] : []),
    ].join(' · '),
  ].filter(Boolean);
}

function OrderCard(props: { request: BulkOrderStatus; onList: (list: BulkList) => void }): JSX.Element {
  const { request } = props;
  const { runs } = useSidebar();
  const { id, title, state, requested, rows, sheet, tableId, problem } = request;
  const { written, updated, isAwaited } = request;
  const action = useScriptAction();
  const [isConfirming, setIsConfirming] = useState(false);
  const [isWriteFormOpen, setIsWriteFormOpen] = useState(false);
  const { kind, title: runTitle } = runs.progress ?? {};
  useRunDone(kind === 'bulk' && runTitle === title, () => setIsWriteFormOpen(false));
  const isOpen = request.ended_at === null && !request.cancel_requested;
  const stopLabel = state === 'reserved' ? t('Cancel order') : t('Stop waiting (you’ll still be charged)');
  const [badge, sentence] = STATE_TEXTS[getDisplayState(request)];
  const verb = written ? t('Write rows again') : t('Write rows');
  const stop = async (): Promise<void> => {
    const stopped = await action.run('stopBulk', { id });
    setIsConfirming(false);
    if (stopped === undefined) return;
    props.onList(stopped.list);
    runs.report(stopped.message);
  };
  return (
    <article class="table" aria-label={title}>
      <div class="between">
        <h3 class="cut" title={title}>
          {title}
        </h3>
        <span class={problem === undefined ? 'badge' : 'badge warn'}>{translate(badge)}</span>
      </div>
      {isOpen && (
        <progress
          value={rows}
          max={Math.max(1, requested)}
          aria-label={t('{title}: {rows} of {requested} records', { title, rows, requested })}
        />
      )}
      <p role="status">
        {sheet === undefined
          ? translate(sentence)
          : updated
            ? t('A later order has updated its table in “{sheet}”.', { sheet })
            : written
              ? t('The rows are in “{sheet}”.', { sheet })
              : state === 'ready' && isAwaited
                ? t('The rows appear in “{sheet}” automatically.', { sheet })
                : translate(sentence)}
      </p>
      <ul class="hint">
        {describeOrder(request).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <ProblemNotice problem={problem} />
      <Row>
        {tableId !== undefined && sheet !== undefined && (
          <Button
            onClick={() => void action.run('showTable', { id: tableId })}
            label={t('Show {title} in the sheet', { title })}
          >
            {t('Show')}
          </Button>
        )}
        {isWritable(request) && (
          <Button
            onClick={() => setIsWriteFormOpen(!isWriteFormOpen)}
            expanded={isWriteFormOpen}
            label={`${verb}: ${title}`}
          >
            {verb} …
          </Button>
        )}
        {isOpen && (
          <Button
            busy={action.busy}
            onClick={() => (state === 'reserved' ? void stop() : setIsConfirming(true))}
            label={`${stopLabel}: ${title}`}
          >
            {stopLabel}
          </Button>
        )}
      </Row>
      {isConfirming && isOpen && (
        <Confirm
          question={t(
            'Stop waiting for “{title}”? It was already sent, so you’ll still be charged up to {credits}.',
            { title, credits: formatCredits(request.credits.reserved) },
          )}
          yes={t('Stop waiting')}
          busy={action.busy}
          onYes={() => void stop()}
          onNo={() => setIsConfirming(false)}
        />
      )}
      {isWriteFormOpen && <WriteAgain request={request} />}
      <ErrorNotice error={action.error} />
    </article>
  );
}

export function Orders(props: {
  list: EditableAsyncValue<BulkList>;
  children: ComponentChildren;
}): JSX.Element {
  const { list } = props;
  const { shown, visible, checkDeliveries } = useSidebar();
  const requests = list.value?.requests;
  const latest = useRef(list.value);
  latest.current = list.value;
  const update = (view: DataRequestView): void => {
    const current = latest.current;
    if (current === undefined) return;
    latest.current = {
      ...current,
      requests: current.requests.map((each) => (each.id === view.id ? { ...each, ...view } : each)),
    };
    list.put(latest.current);
    if (view.state === 'ready') checkDeliveries();
  };
  const open = requests?.filter(({ ended_at }) => ended_at === null) ?? [];
  useLiveUpdates(
    open.map(({ id }) => id),
    shown && visible,
    update,
    list.reload,
  );
  return (
    <TabLayout>
      {props.children}
      <Loading of={list} label={t('Loading orders')} lines={5} />
      {requests?.length === 0 && (
        <Empty title={t('No bulk orders yet')}>
          <p>{t('An order delivers up to 10,000 full records, also while the spreadsheet is closed.')}</p>
        </Empty>
      )}
      {requests?.map((request) => (
        <OrderCard key={request.id} request={request} onList={list.put} />
      ))}
    </TabLayout>
  );
}
