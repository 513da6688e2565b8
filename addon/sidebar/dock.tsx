// The dock at the bottom: price and button of the tab, progress of the run, messages.
import { type ComponentChildren, createContext, type JSX } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { formatCount } from '../../shared/lib/format-count.ts';
import type { EnrichPlan, Payload } from '../server/api/index.ts';
import { formatCredits } from './format.ts';
import { type AsyncValue, getCurrentValue } from './hooks.ts';
import { ErrorNotice, Hint, Notice } from './parts/basics.tsx';
import { Confirm, OverwriteSample } from './parts/confirm.tsx';
import { Button } from './parts/controls.tsx';
import { RunView, SuccessNotice } from './run-view.tsx';
import { isInactive, type Runs, type StartMethod } from './runs.ts';

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
          yes="Replace"
          onYes={() => question.confirm()}
          onNo={runs.cancelQuestion}
          {...(question.overwrite?.canKeep && { onKeep: () => question.confirm(true) })}
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

/** Layout of a tab: content and dock. */
export function TabLayout(props: {
  runs: Runs;
  children: ComponentChildren;
  /** Price and button of the tab, hidden during a run. */
  foot?: ComponentChildren;
  /** Additional button of an ended run. */
  extra?: ComponentChildren;
  /** Wide sections, which stay enabled while a run writes, but not while a question is open. */
  wide?: boolean;
}): JSX.Element {
  const { runs, wide = false } = props;
  return (
    <>
      <div
        class={wide ? 'content stack wide' : 'content stack'}
        inert={runs.question !== undefined || (!wide && runs.isWriting)}
      >
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

/** `460 credits left.` */
function formatBudget(remaining: number | null, credits: number): string {
  if (remaining === null) return '';
  return `${formatCredits(remaining)} left${credits > remaining ? ', less than this price' : ''}.`;
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

/** What a plan says about the run that it prices. */
type RunPlan = Pick<EnrichPlan, 'rows' | 'credits' | 'approval' | 'willOverwrite'>;

/** Shows the price of a run and the button that starts it once its plan is current. */
export function RunAction<M extends StartMethod>(props: {
  runs: Runs;
  plan: AsyncValue<RunPlan>;
  /** Instead of rows and credits: the missing input, or more about the price. */
  price?: string | undefined;
  button: string;
  method: M;
  /** Returns the order with the approval of its price; undefined if there is none. */
  build: (approval: EnrichPlan['approval']) => Payload<M> | undefined;
}): JSX.Element {
  const { runs, plan, button } = props;
  const current = getCurrentValue(plan);
  const { rows = 0, credits = 0 } = current ?? {};
  const price = `${formatCount(rows, 'row')} · ${credits === 0 ? 'free' : formatCredits(credits)}`;
  return (
    <PricedAction
      pricing={plan}
      price={props.price ?? (current && price)}
      button={button}
      credits={credits}
      ready={rows > 0}
      busy={runs.busy}
      onClick={() => {
        const payload = current && props.build(current.approval);
        if (payload !== undefined) runs.start(props.method, payload, current?.willOverwrite);
      }}
    />
  );
}
