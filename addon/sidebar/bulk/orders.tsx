// The team's bulk requests: how each goes on, what it cost, and what can be done with it.
import type { ComponentChildren, JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { DataRequestState, DataRequestView } from '../../../shared/api/data-requests.ts';
import type { BulkList, BulkOrderStatus } from '../../server/api/index.ts';
import { TabLayout } from '../dock.tsx';
import {
  formatCount,
  formatCredits,
  formatDate,
  formatNumber,
  formatTimeSince,
  getFamilyLabel,
} from '../format.ts';
import { type EditableAsyncValue, useScriptAction } from '../hooks.ts';
import { Empty, ErrorNotice, Loading, ProblemNotice, Row, Stack } from '../parts/basics.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Button } from '../parts/controls.tsx';
import { buildTarget, DestinationChoice, defaultDestination } from '../parts/destination.tsx';
import { type Runs, useRunDone } from '../runs.ts';
import type { TabProps } from '../tab-props.ts';
import { useLiveUpdates } from './live-updates.ts';

/** The kinds of table that rows of a request can be written into. */
export const bulkTableKinds: readonly string[] = ['bulk'];

/** A state in a word and in a sentence. */
const STATE_TEXTS: Readonly<Record<DataRequestState | 'unwatched' | 'left', [string, string]>> = {
  reserved: ['Waiting', 'Its credits are reserved. The gateway sends it in a moment.'],
  submitted: ['Sent', 'The provider has the order and starts soon.'],
  running: ['Running', 'The provider is collecting the records.'],
  ingesting: ['Reading', 'The records have arrived. The gateway is reading them.'],
  ready: ['Ready', 'The rows are ready. Choose where to write them.'],
  failed: ['Failed', 'The order delivered no records.'],
  cancelled: ['Cancelled', 'The gateway didn’t send the order and released its credits.'],
  unclear: ['Unclear', 'The provider didn’t confirm the order. It may still charge for it.'],
  unwatched: ['Not waiting', 'The provider delivers the order and charges what it delivers.'],
  left: ['Not waiting', 'The provider delivered the order and charged it. You can write its rows for free.'],
};

/** How it stands: what nobody watches was sent, and is charged when it is delivered. */
function getDisplayState({ state, watched, ended_at, rows }: BulkOrderStatus): keyof typeof STATE_TEXTS {
  if (ended_at === null) return watched ? state : 'unwatched';
  return state === 'cancelled' && rows > 0 ? 'left' : state;
}

/** Where and how the rows of a request are written again. */
function WriteAgain({ request, runs }: { request: BulkOrderStatus; runs: Runs }): JSX.Element {
  const [place, setPlace] = useState(defaultDestination);
  const { id, family, title } = request;
  const target = buildTarget(place);
  return (
    <Stack>
      <DestinationChoice
        place={place}
        family={family}
        kinds={bulkTableKinds}
        onChange={(change) => setPlace({ ...place, ...change })}
      />
      <Row>
        <Button
          kind="primary"
          disabled={target === undefined}
          busy={runs.busy}
          onClick={() => target && runs.start('writeBulk', { id, title, ...target })}
        >
          Write rows for free
        </Button>
      </Row>
    </Stack>
  );
}

/** What is known of a request, a line each. */
function describeOrder(request: BulkOrderStatus): string[] {
  const { family, asked, cached, rows, credits, files, created_at, ended_at, rows_until } = request;
  const cost =
    credits.charged === null ? `${formatCredits(credits.reserved)} reserved` : formatCredits(credits.charged);
  const writable = rows > 0 && ended_at !== null && Date.parse(rows_until) > Date.now();
  return [
    `${getFamilyLabel(family)} · ${formatTimeSince(created_at)}`,
    `${rows === 0 ? '' : `${formatNumber(rows)} of `}${formatCount(asked, 'record')}${cached === 0 ? '' : `, ${formatNumber(cached)} already bought`} · ${cost}`,
    ...(files.length > 0 || writable
      ? [
          formatCount(files.length, 'file') +
            (writable ? ` · free to write until ${formatDate(rows_until)}` : ''),
        ]
      : []),
  ];
}

function OrderCard(props: {
  request: BulkOrderStatus;
  runs: Runs;
  onList: (list: BulkList) => void;
}): JSX.Element {
  const { request, runs } = props;
  const { id, title, state, watched, ended_at, asked, rows, sheet, tableId, written, problem } = request;
  const deed = useScriptAction();
  const [asking, setAsking] = useState(false);
  const [again, setAgain] = useState(false);
  const { kind, title: ran } = runs.progress ?? {};
  // Its rows are where they were wanted.
  useRunDone(runs, kind === 'bulk' && ran === title, () => setAgain(false));
  const open = ended_at === null;
  const ending = state === 'reserved' ? 'Cancel order' : 'Stop waiting (you’ll still be charged)';
  const stands = getDisplayState(request);
  const [word, sentence] = STATE_TEXTS[stands];
  const verb = written ? 'Write rows again' : 'Write rows';
  const stop = async (): Promise<void> => {
    const stopped = await deed.run('stopBulk', { id });
    setAsking(false);
    if (stopped === undefined) return;
    props.onList(stopped.list);
    runs.showSuccess({ sentence: stopped.message });
  };
  return (
    <article class="table" aria-label={title}>
      <div class="between">
        <h3 class="cut" title={title}>
          {title}
        </h3>
        <span class={problem === undefined ? 'badge' : 'badge warn'}>{word}</span>
      </div>
      {open && watched && (
        <progress
          value={rows}
          max={Math.max(1, asked)}
          aria-label={`${title}: ${rows} of ${asked} records`}
        />
      )}
      <p role="status">
        {sheet !== undefined && written
          ? `The rows are in “${sheet}”.`
          : sheet !== undefined && state === 'ready'
            ? `The rows appear in “${sheet}” by themselves.`
            : sentence}
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
            onClick={() => void deed.run('showTable', { id: tableId })}
            label={`Show ${title} in the sheet`}
          >
            Show
          </Button>
        )}
        {!open && rows > 0 && Date.parse(request.rows_until) > Date.now() && (
          <Button onClick={() => setAgain(!again)} expanded={again} label={`${verb}: ${title}`}>
            {verb} …
          </Button>
        )}
        {open && watched && (
          <Button
            busy={deed.busy}
            onClick={() => (state === 'reserved' ? void stop() : setAsking(true))}
            label={`${ending}: ${title}`}
          >
            {ending}
          </Button>
        )}
      </Row>
      {asking && open && watched && (
        <Confirm
          question={`Stop waiting for “${title}”? It was already sent, so you’ll still be charged up to ${formatCredits(request.credits.reserved)}.`}
          yes="Stop waiting"
          busy={deed.busy}
          onYes={() => void stop()}
          onNo={() => setAsking(false)}
        />
      )}
      {again && <WriteAgain request={request} runs={runs} />}
      <ErrorNotice refusal={deed.refusal} />
    </article>
  );
}

/** The list. */
export function Orders(
  props: TabProps & { list: EditableAsyncValue<BulkList>; children: ComponentChildren },
): JSX.Element {
  const { list, runs, shown, visible, onReady } = props;
  const requests = list.value?.requests;
  const latest = useRef(list.value);
  latest.current = list.value;
  const take = (view: DataRequestView): void => {
    const known = latest.current;
    if (known === undefined) return;
    latest.current = {
      ...known,
      requests: known.requests.map((one) => (one.id === view.id ? { ...one, ...view } : one)),
    };
    list.put(latest.current);
    if (view.state === 'ready') onReady();
  };
  const open = requests?.filter(({ ended_at }) => ended_at === null) ?? [];
  useLiveUpdates(
    open.map(({ id }) => id),
    shown && visible,
    take,
    list.reload,
  );
  return (
    <TabLayout runs={runs}>
      {props.children}
      <Loading of={list} label="Loading orders" lines={5} />
      {requests?.length === 0 && (
        <Empty title="No bulk orders yet">
          <p>
            A bulk order delivers up to 10,000 full records within minutes. You can close the spreadsheet: the
            rows appear when you open it again.
          </p>
        </Empty>
      )}
      {requests?.map((request) => (
        <OrderCard key={request.id} request={request} runs={runs} onList={list.put} />
      ))}
    </TabLayout>
  );
}
