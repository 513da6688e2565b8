// The foot of the sidebar: what a click would cost, then how the run goes, then how it ended.
import { type ComponentChildren, createContext, type JSX } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { Progress } from '../server/api/index.ts';
import { count, counted, inCredits, withPrice } from './format.ts';
import type { Asked } from './hooks.ts';
import { Hint, Notice, Refused, Row } from './parts/basics.tsx';
import { Confirm, OverwriteSample } from './parts/confirm.tsx';
import { Button } from './parts/controls.tsx';
import { isOver, type Runs, type Said } from './runs.ts';

/** What rows that failed show, in words. */
const FAILURES: Readonly<Record<string, string>> = {
  '#NOT_FOUND': 'not found',
  '#BUDGET': 'over budget',
  '#RATE_LIMIT': 'rate-limited',
  '#INVALID_KEY': 'invalid',
  '#UNAVAILABLE': 'unavailable',
  '#ERASED': 'erased',
};

function outcome({ rows, credits, saved, failed }: Progress): string {
  const parts = [counted(rows, 'row'), inCredits(credits)];
  if (saved > 0) parts.push(`${inCredits(saved)} saved`);
  for (const [word, number] of Object.entries(failed)) {
    if (number > 0) parts.push(`${count(number)} ${FAILURES[word] ?? word}`);
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
            {count(done)} of {count(total)}
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
        {runs.stopping ? 'Stopping … ' : state === 'running' ? `Writing to “${sheet}”. ` : ''}
        {outcome(progress)}
      </p>
      {failure !== undefined && <Notice tone="warn">{failure.message}</Notice>}
      <Refused refusal={runs.refusal} />
      <Row>
        {(state === 'running' || waits) && (
          <Button onClick={runs.stop} busy={runs.stopping} label={`Stop ${title}`}>
            Stop
          </Button>
        )}
        {((state === 'paused' && !waits) || state === 'stopped') && done < total && (
          <Button kind="primary" onClick={() => runs.goOn(progress)} busy={runs.busy}>
            {withPrice('Resume', maxCredits - credits, 'up to ')}
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
  const { progress, question, said, refusal } = runs;
  if (question !== undefined) {
    return (
      <footer class="dock">
        <Confirm question={question.sentence} yes="Replace cells" onYes={question.yes} onNo={runs.cancel}>
          {question.overwrite !== undefined && <OverwriteSample overwrite={question.overwrite} />}
        </Confirm>
      </footer>
    );
  }
  const run = progress && <RunView runs={runs} progress={progress} extra={props.extra} />;
  if (progress !== undefined && !isOver(progress)) return <footer class="dock">{run}</footer>;
  if (!props.children && run === undefined && said === undefined && refusal === undefined) return null;
  return (
    <footer class="dock">
      {run}
      {said !== undefined && <SaidNotice runs={runs} said={said} />}
      {run === undefined && <Refused refusal={refusal} />}
      {props.children}
    </footer>
  );
}

/** What went well, with its Undo. */
function SaidNotice({ runs, said: { sentence, undo } }: { runs: Runs; said: Said }): JSX.Element {
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
export function Pane(props: {
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
      <div class={wide ? 'content stack wide' : 'content stack'} inert={!wide && runs.writing}>
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
export const ConfirmAbove = createContext<number | null>(null);

/** A price, or why there is none, and the button that pays it. A large price is confirmed first. */
export function PriceTag(props: {
  /** The question what it costs. */
  asked: Pick<Asked<unknown>, 'refusal' | 'reload'>;
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
  const confirmAbove = useContext(ConfirmAbove);
  /** The click that is being confirmed: another price is another click. */
  const click = `${button} ${credits}`;
  const [confirming, setConfirming] = useState('');
  if (ready && confirming === click) {
    return (
      <Confirm
        question={`This costs up to ${inCredits(credits)}. Continue?`}
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
      <Refused refusal={asked.refusal} onRetry={asked.reload} />
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
