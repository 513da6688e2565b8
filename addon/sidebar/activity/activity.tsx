// The activity tab: credits against the budget, what memory saved, last runs and errors, the connection.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Activity } from '../../server/api.ts';
import { Dock } from '../dock.tsx';
import { useAnswer, useDeed, useFresh } from '../hooks.ts';
import { Button, Check, Fold, Notice, Refused, Waiting } from '../parts/basics.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Meter } from '../parts/meter.tsx';
import type { TabProps } from '../tab.ts';
import { ago, count, counted } from '../words.ts';
import { Connect } from './connect.tsx';

const SHOWN_RUNS = 5;
const RUN_STATES = { done: '', stopped: 'stopped', failed: 'failed' } as const;

function Credits({ activity }: { activity: Activity }): JSX.Element {
  const { budget, spent, saved, hitRate, remaining } = activity;
  return (
    <section class="stack" aria-labelledby="credits">
      <h2 id="credits">Credits</h2>
      <Meter label="Today" spent={spent.day} cap={budget.day} />
      <Meter label="This month" spent={spent.month} cap={budget.month} />
      <dl class="facts">
        <div>
          <dt>Left</dt>
          <dd>{remaining === null ? '–' : count(remaining)}</dd>
        </div>
        <div>
          <dt>Saved</dt>
          <dd>{count(saved.month)}</dd>
        </div>
        <div>
          <dt>From memory</dt>
          <dd>{hitRate === null ? '–' : `${Math.round(hitRate * 100)} %`}</dd>
        </div>
      </dl>
    </section>
  );
}

function Errors({ errors }: Pick<Activity, 'errors'>): JSX.Element | null {
  if (errors.length === 0) return null;
  return (
    <section aria-labelledby="errors">
      <h2 id="errors">Went wrong here</h2>
      <ul class="list">
        {errors.slice(0, SHOWN_RUNS).map(({ at, message }) => (
          <li key={at + message} class="entry">
            {message}
            <small>{ago(at)}</small>
          </li>
        ))}
      </ul>
    </section>
  );
}

function RunList({ runs }: Pick<Activity, 'runs'>): JSX.Element {
  const [all, setAll] = useState(false);
  const shown = all ? runs : runs.slice(0, SHOWN_RUNS);
  return (
    <section aria-labelledby="runs">
      <h2 id="runs">Last runs of the team</h2>
      {runs.length === 0 ? (
        <p class="hint">Nothing yet. Searches and enrichments are listed here.</p>
      ) : (
        <ul class="list">
          {shown.map(({ id, title, rows, failed, credits, state, ended_at }) => (
            <li key={id} class="entry">
              <span class="breaks">{title}</span>
              <small>
                {counted(rows, 'row')} · {counted(credits, 'credit')}
                {failed > 0 && ` · ${count(failed)} without a result`}
                {state !== 'done' && ` · ${RUN_STATES[state]}`} · {ago(ended_at)}
              </small>
            </li>
          ))}
        </ul>
      )}
      {runs.length > shown.length && (
        <Button kind="quiet" onClick={() => setAll(true)}>
          Show {count(runs.length - shown.length)} more
        </Button>
      )}
    </section>
  );
}

function Settings({ status, onStatus }: Pick<TabProps, 'status' | 'onStatus'>): JSX.Element {
  const deed = useDeed();
  const [leaving, setLeaving] = useState(false);
  const { connection } = status;
  const take = (changed: typeof status | undefined): void => {
    if (changed !== undefined) onStatus(changed);
  };
  if (connection === null) {
    return (
      <section class="stack" aria-labelledby="connect">
        <h2 id="connect">Connect</h2>
        <Connect status={status} onStatus={onStatus} />
      </section>
    );
  }
  const whom = connection.for === 'sheet' ? 'everybody who edits this sheet' : 'you alone';
  return (
    <section class="stack" aria-labelledby="connection">
      <h2 id="connection">Connection</h2>
      <p>
        Team <b>{connection.team}</b>, for {whom}.
        {connection.mode === 'embedded' && ' The records are fictional.'}
      </p>
      {!connection.spending && (
        <Notice tone="warn">Your admin has switched spending off. What is remembered still works.</Notice>
      )}
      <Check
        label="Spend credits in this sheet"
        hint="Off: only what is remembered is answered."
        checked={status.sheetSpending}
        onChange={(on) => void deed.run('setSpending', { on }).then(take)}
      />
      <Refused refusal={deed.refusal} />
      {leaving ? (
        <Confirm
          question={`Disconnect ${whom}? Tables and values stay; formulas ask no more.`}
          yes="Disconnect"
          busy={deed.busy}
          onYes={() =>
            void deed.run('disconnect', { for: connection.for }).then((changed) => {
              setLeaving(false);
              take(changed);
            })
          }
          onNo={() => setLeaving(false)}
        />
      ) : (
        <div class="row">
          <Button onClick={() => setLeaving(true)}>Disconnect</Button>
        </div>
      )}
      <Fold title="Connect with another link">
        <Connect status={status} onStatus={onStatus} />
      </Fold>
    </section>
  );
}

/** The activity tab. */
export function ActivityTab(props: TabProps): JSX.Element {
  const { status, onStatus, runs, waiting, shown } = props;
  const connected = status.connection !== null;
  const activity = useAnswer('activity', connected ? {} : undefined);
  useFresh(shown, `${runs.progress?.state} ${status.connection?.team}`, activity.reload);
  return (
    <>
      <div class="content stack wide">
        {connected && activity.value === undefined && activity.busy && (
          <Waiting label="Loading activity" lines={5} />
        )}
        {connected && <Refused refusal={activity.refusal} onRetry={activity.reload} />}
        {connected && activity.value !== undefined && (
          <>
            <Credits activity={activity.value} />
            {waiting > 0 && (
              <p class="hint" role="status">
                {counted(waiting, 'formula')} waiting for rows; {waiting === 1 ? 'it is' : 'they are'}{' '}
                completed while this sidebar is open.
              </p>
            )}
            <Errors errors={activity.value.errors} />
            <RunList runs={activity.value.runs} />
          </>
        )}
        <Settings status={status} onStatus={onStatus} />
      </div>
      <Dock runs={runs} />
    </>
  );
}
