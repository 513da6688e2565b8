// The foot of the sidebar: what a click would cost, then how the run goes, then how it ended.
import { type ComponentChildren, createContext, type JSX } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { Progress } from '../server/api/index.ts';
import { addPrice, formatCount, formatCredits, formatNumber } from './format.ts';
import type { AsyncValue } from './hooks.ts';
import { ErrorNotice, Hint, Notice, Row } from './parts/basics.tsx';
import { Confirm, OverwriteSample } from './parts/confirm.tsx';
import { Button } from './parts/controls.tsx';
import { isInactive, type Runs, type SuccessMessage } from './runs.ts';

/** What rows that failed show, in words. */
const FAILURE_LABELS: Readonly<Record<string, string>> = {
  '#NOT_FOUND': 'not found',
  '#BUDGET': 'over budget',
  '#RATE_LIMIT': 'rate-limited',
  '#INVALID_KEY': 'invalid',
  '#UNAVAILABLE': 'unavailable',
  '#ERASED': 'erased',
};

function formatOutcome({ rows, credits, saved, failed }: Progress): string {
  const parts = [formatCount(rows, 'row'), formatCredits(credits)];
  if (saved > 0) parts.push(`${formatCredits(saved)} saved`);
  for (const [word, number] of Object.entries(failed)) {
    if (number > 0) parts.push(`${formatNumber(number)} ${FAILURE_LABELS[word] ?? word}`);
  }
  return parts.join(' · ');
}

const HEADINGS = {
  running: 'Writing',
  waiting: 'Waiting',
  paused: 'Paused',
  stopped: 'Stopped',
  done: 'Done',
} as const;

function RunView(props: { runs: Runs; progress: Progress; extra: ComponentChildren }): JSX.Element {
  const { runs, progress } = props;
  const { state, done, total, title, sheet, failure, undo, waitMs, credits, maxCredits } = progress;
  const waits = state === 'paused' && waitMs !== undefined;
  const heading = HEADINGS[waits ? 'waiting' : state];
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    // The button that began it is gone: whoever uses keys goes on from here.
    if (document.activeElement === document.body) box.current?.focus();
  }, []);
  return (
    <section class="run" ref={box} tabIndex={-1} aria-label={`${heading}: ${title}`}>
      <div class="between">
        <h2>
          {heading} <span class="title">{title}</span>
        </h2>
        {total > 0 && (
          <span class="number">
            {formatNumber(done)} of {formatNumber(total)}
          </span>
        )}
      </div>
      <progress
        class={state}
        value={done}
        max={Math.max(1, total)}
        aria-label={`${title}: ${done} of ${total} rows`}
      />
      <p class="hint" role="status">
        {runs.isStopping ? 'Stopping … ' : state === 'running' ? `Writing to “${sheet}”. ` : ''}
        {formatOutcome(progress)}
      </p>
      {failure !== undefined && <Notice tone="warn">{failure.message}</Notice>}
      <ErrorNotice refusal={runs.error} />
      <Row>
        {(state === 'running' || waits) && (
          <Button onClick={runs.stop} busy={runs.isStopping} label={`Stop ${title}`}>
            Stop
          </Button>
        )}
        {((state === 'paused' && !waits) || state === 'stopped') && done < total && (
          <Button kind="primary" onClick={() => runs.resume(progress)} busy={runs.busy}>
            {addPrice('Resume', maxCredits - credits, 'up to ')}
          </Button>
        )}
        {state !== 'running' && !waits && (
          <>
            {undo.possible && (
              <Button onClick={() => runs.undo(progress.runId)} busy={runs.busy}>
                Undo
              </Button>
            )}
            {props.extra}
            <Button kind="quiet" onClick={runs.close}>
              Close
            </Button>
          </>
        )}
      </Row>
      {state === 'done' && !undo.possible && <Hint>{undo.why}</Hint>}
    </section>
  );
}

/**
 * The foot of the sidebar.
 * @param props.children - price and button of the tab in front, unless a run is under way
 * @param props.extra - a button more at the end of a run
 */
function Dock(props: {
  runs: Runs;
  children: ComponentChildren;
  extra: ComponentChildren;
}): JSX.Element | null {
  const { runs } = props;
  const { progress, question, success, error } = runs;
  if (question !== undefined) {
    return (
      <footer class="dock">
        <Confirm
          question={question.text}
          yes="Replace cells"
          onYes={question.confirm}
          onNo={runs.cancelQuestion}
        >
          {question.overwrite !== undefined && <OverwriteSample overwrite={question.overwrite} />}
        </Confirm>
      </footer>
    );
  }
  const run = progress && <RunView runs={runs} progress={progress} extra={props.extra} />;
  if (progress !== undefined && !isInactive(progress)) return <footer class="dock">{run}</footer>;
  if (!props.children && run === undefined && success === undefined && error === undefined) return null;
  return (
    <footer class="dock">
      {run}
      {success !== undefined && <SuccessNotice runs={runs} said={success} />}
      {run === undefined && <ErrorNotice refusal={error} />}
      {props.children}
    </footer>
  );
}

/** What went well, with its Undo. */
function SuccessNotice({
  runs,
  said: { sentence, undo },
}: {
  runs: Runs;
  said: SuccessMessage;
}): JSX.Element {
  return (
    <Notice tone="success">
      <p role="status">{sentence}</p>
      <Row>
        {undo !== undefined && (
          <Button kind="quiet" onClick={() => runs.undo(undo)} busy={runs.busy}>
            Undo
          </Button>
        )}
        <Button kind="quiet" onClick={runs.close}>
          Close
        </Button>
      </Row>
    </Notice>
  );
}

/** What a tab shows, above its foot. */
export function TabLayout(props: {
  runs: Runs;
  children: ComponentChildren;
  /** Price and button of the tab, unless a run is under way. */
  foot?: ComponentChildren;
  /** A button more at the end of a run. */
  extra?: ComponentChildren;
  /** Sections, which stay in use while a run writes. */
  wide?: boolean;
}): JSX.Element {
  const { runs, wide = false } = props;
  return (
    <>
      <div class={wide ? 'content stack wide' : 'content stack'} inert={!wide && runs.isWriting}>
        {props.children}
      </div>
      <Dock runs={runs} extra={props.extra}>
        {props.foot}
      </Dock>
    </>
  );
}

/** What to know before, a note each. */
export function Warnings(props: { of: { warnings: string[] } | undefined }): JSX.Element {
  return (
    <>
      {props.of?.warnings.map((warning) => (
        <Notice key={warning}>{warning}</Notice>
      ))}
    </>
  );
}

/** A click that costs more credits than this is confirmed first; null: none is. */
export const ConfirmAboveContext = createContext<number | null>(null);

/** A price, or why there is none, and the button that pays it. A large price is confirmed first. */
export function PricedAction(props: {
  /** The question what it costs. */
  asked: Pick<AsyncValue<unknown>, 'refusal' | 'reload'>;
  /** What it costs and brings, or what is missing; undefined while that is being found out. */
  price: string | undefined;
  note?: string | undefined;
  button: string;
  /** What the click costs at most; undefined while that is not known. */
  credits?: number | undefined;
  ready: boolean;
  busy: boolean;
  onClick: () => void;
}): JSX.Element {
  const { asked, price = asked.refusal && 'Couldn’t get the price.', button, credits = 0, ready } = props;
  const confirmAbove = useContext(ConfirmAboveContext);
  /** The click that is being confirmed: another price is another click. */
  const click = `${button} ${credits}`;
  const [confirming, setConfirming] = useState('');
  if (ready && confirming === click) {
    return (
      <Confirm
        question={`This costs up to ${formatCredits(credits)}. Continue?`}
        yes={button}
        busy={props.busy}
        onYes={() => {
          setConfirming('');
          props.onClick();
        }}
        onNo={() => setConfirming('')}
      />
    );
  }
  const isLarge = confirmAbove !== null && credits > confirmAbove;
  return (
    <>
      <ErrorNotice refusal={asked.refusal} onRetry={asked.reload} />
      <div class="price">
        <p role="status" class={price === undefined ? 'pale' : ''}>
          {price ?? 'Calculating the price …'}
        </p>
        {props.note !== undefined && <Hint>{props.note}</Hint>}
        <Button
          kind="primary"
          onClick={() => (isLarge ? setConfirming(click) : props.onClick())}
          disabled={!ready}
          busy={props.busy}
        >
          {button}
        </Button>
      </div>
    </>
  );
}
