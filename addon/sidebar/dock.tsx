// The dock at the bottom: price and button of the tab, progress of the run, messages.
import { type ComponentChildren, createContext, type JSX } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { Progress } from '../server/api/index.ts';
import { addPrice, formatCompanyLimit, formatCount, formatCredits, formatNumber } from './format.ts';
import type { AsyncValue } from './hooks.ts';
import { ErrorNotice, Hint, Notice, Row } from './parts/basics.tsx';
import { Confirm, OverwriteSample } from './parts/confirm.tsx';
import { Button } from './parts/controls.tsx';
import { isInactive, type Runs, type SuccessMessage } from './runs.ts';

/** Labels of the error texts in cells. */
export const FAILURE_LABELS: Readonly<Record<string, string>> = {
  '#NOT_FOUND': 'not found',
  '#BUDGET': 'over budget',
  '#RATE_LIMIT': 'rate-limited',
  '#INVALID_KEY': 'invalid',
  '#UNAVAILABLE': 'unavailable',
  '#ERASED': 'erased',
  '#AMBIGUOUS': 'not certain',
};

/** `50 credits charged, as shown`, `40 credits charged (shown: 50)`. The price of a bulk order is not that of its rows. */
function formatCharge({ kind, credits, maxCredits }: Progress): string {
  const charged = `${formatCredits(credits)} charged`;
  if (kind === 'bulk' || maxCredits === 0) return charged;
  return credits === maxCredits ? `${charged}, as shown` : `${charged} (shown: ${formatNumber(maxCredits)})`;
}

/** `16 rows: 4 found, 12 not found · 40 credits charged`; without failed rows `16 rows · 160 credits charged`. */
function formatOutcome(progress: Progress): string {
  const { rows, done, saved, failed, perCompany } = progress;
  const failures = Object.entries(failed).filter(([, number]) => number > 0);
  const all = failures.reduce((sum, [, number]) => sum + number, rows);
  const outcomes = [['found', rows] as const, ...failures].map(
    ([word, number]) => `${formatNumber(number)} ${FAILURE_LABELS[word] ?? word}`,
  );
  // An update writes only rows that changed.
  const isUnchanged = all === 0 && done > 0;
  const details = isUnchanged ? ', nothing changed' : failures.length === 0 ? '' : `: ${outcomes.join(', ')}`;
  return [
    formatCount(isUnchanged ? done : all, 'row') + details,
    ...(perCompany === undefined ? [] : [formatCompanyLimit(perCompany)]),
    formatCharge(progress),
    ...(saved > 0 ? [`${formatCredits(saved)} of data reused`] : []),
  ].join(' · ');
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
  const isWaiting = state === 'paused' && waitMs !== undefined;
  const heading = HEADINGS[isWaiting ? 'waiting' : state];
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    // The button that had the focus is gone: keyboard users continue here.
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
      <ErrorNotice error={runs.error} />
      <Row>
        {(state === 'running' || isWaiting) && (
          <Button onClick={runs.stop} busy={runs.isStopping} label={`Stop ${title}`}>
            Stop
          </Button>
        )}
        {((state === 'paused' && !isWaiting) || state === 'stopped') && done < total && (
          <Button kind="primary" onClick={() => runs.resume(progress)} busy={runs.busy}>
            {addPrice('Resume', maxCredits - credits, 'up to ')}
          </Button>
        )}
        {state !== 'running' && !isWaiting && (
          <>
            {undo.possible && (
              <Button onClick={() => runs.undo(progress.runId, credits > 0)} busy={runs.busy}>
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
 * The dock.
 * @param props.children - price and button of the tab, hidden during a run
 * @param props.extra - additional button of an ended run
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
      {success !== undefined && <SuccessNotice runs={runs} message={success} />}
      {run === undefined && <ErrorNotice error={error} />}
      {props.children}
    </footer>
  );
}

/** Shows a success message, with Undo if possible. */
function SuccessNotice({
  runs,
  message: { sentence, undo, undoLabel = 'Undo', isPaid },
}: {
  runs: Runs;
  message: SuccessMessage;
}): JSX.Element {
  return (
    <Notice tone="success">
      <p role="status">{sentence}</p>
      <Row>
        {undo !== undefined && (
          <Button kind="quiet" onClick={() => runs.undo(undo, isPaid)} busy={runs.busy}>
            {undoLabel}
          </Button>
        )}
        <Button kind="quiet" onClick={runs.close}>
          Close
        </Button>
      </Row>
    </Notice>
  );
}

/** Layout of a tab: content and dock. */
export function TabLayout(props: {
  runs: Runs;
  children: ComponentChildren;
  /** Price and button of the tab, hidden during a run. */
  foot?: ComponentChildren;
  /** Additional button of an ended run. */
  extra?: ComponentChildren;
  /** Wide sections, which stay enabled while a run writes. */
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

/** Shows the warnings of a plan. */
export function Warnings(props: { of: { warnings: string[] } | undefined }): JSX.Element {
  return (
    <>
      {props.of?.warnings.map((warning) => (
        <Notice key={warning}>{warning}</Notice>
      ))}
    </>
  );
}

/** Price above which a click needs a confirmation; null: never. */
export const ConfirmAboveContext = createContext<number | null>(null);

/** Credits that may still be spent; null without a budget. */
export const RemainingContext = createContext<number | null>(null);

/** `Budget left: 460 credits.` */
function formatBudget(remaining: number | null, credits: number): string {
  if (remaining === null) return '';
  return `Budget left: ${formatCredits(remaining)}${credits > remaining ? ', less than this price' : ''}.`;
}

/** Shows a price, or why there is none, and the button that pays it. Large prices need a confirmation. */
export function PricedAction(props: {
  /** The call that returns the price. */
  pricing: Pick<AsyncValue<unknown>, 'error' | 'reload'>;
  /** Price and result, or the missing input; undefined while loading. */
  price: string | undefined;
  note?: string | undefined;
  button: string;
  /** Maximum price; undefined while unknown. */
  credits?: number | undefined;
  ready: boolean;
  busy: boolean;
  onClick: () => void;
  /** A choice that belongs to the button. */
  children?: ComponentChildren;
}): JSX.Element {
  const { pricing, price = pricing.error && 'Couldn’t get the price.', button, credits = 0, ready } = props;
  const confirmAbove = useContext(ConfirmAboveContext);
  const hints = [formatBudget(useContext(RemainingContext), credits), props.note ?? ''].filter(Boolean);
  // A new price needs a new confirmation.
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
      <ErrorNotice error={pricing.error} onRetry={pricing.reload} />
      <div class="price">
        <p role="status" class={price === undefined ? 'pale' : ''}>
          {price ?? 'Calculating the price …'}
        </p>
        {hints.length > 0 && <Hint>{hints.join(' ')}</Hint>}
        {props.children}
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
