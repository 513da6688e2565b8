// The dock at the bottom: price and button of the tab, progress of the run, messages.
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { EnrichPlan, Payload } from '../server/api/index.ts';
import { formatCount, t } from '../texts/texts.ts';
import { useSidebar } from './context.ts';
import { formatBudget, formatCredits } from './format.ts';
import { type AsyncValue, getCurrentValue } from './hooks.ts';
import { ErrorNotice, Hint, Notice } from './parts/basics.tsx';
import { Confirm, OverwriteSample } from './parts/confirm.tsx';
import { Button } from './parts/controls.tsx';
import { isInactive, isWriting } from './run-state.ts';
import { RunView, SuccessNotice } from './run-view.tsx';
import type { StartMethod } from './runs.ts';

interface DockProps {
  /** Price and button of the tab, hidden during a run. */
  foot?: ComponentChildren;
  /** Additional button of an ended run. */
  extra?: ComponentChildren;
}

function Dock({ foot, extra }: DockProps): JSX.Element | null {
  const { state, progress, dispatch } = useSidebar().runs;
  if (state.kind === 'asking') {
    const { text, overwrite, confirm } = state.question;
    return (
      <footer class="dock">
        <Confirm
          question={text}
          yes={t('Replace')}
          onYes={() => confirm()}
          onNo={() => dispatch({ type: 'closed' })}
          {...(overwrite?.canKeep && { onKeep: () => confirm(true) })}
        >
          {overwrite !== undefined && <OverwriteSample overwrite={overwrite} />}
        </Confirm>
      </footer>
    );
  }
  const run = progress && <RunView progress={progress} extra={extra} />;
  if (progress !== undefined && !isInactive(progress)) return <footer class="dock">{run}</footer>;
  const { message } = state;
  const error = run === undefined && state.kind === 'failed' ? state.error : undefined;
  if (!foot && run === undefined && message === undefined && error === undefined) return null;
  return (
    <footer class="dock">
      {run}
      {message !== undefined && <SuccessNotice message={message} />}
      <ErrorNotice error={error} />
      {foot}
    </footer>
  );
}

export function TabLayout(
  props: DockProps & {
    children: ComponentChildren;
    /** Wide sections, which stay enabled while a run writes, but not while a question is open. */
    wide?: boolean;
  },
): JSX.Element {
  const { children, wide = false, ...dock } = props;
  const { state } = useSidebar().runs;
  return (
    <>
      <div
        class={wide ? 'content stack wide' : 'content stack'}
        inert={state.kind === 'asking' || (!wide && isWriting(state))}
      >
        {children}
      </div>
      <Dock {...dock} />
    </>
  );
}

export function Warnings(props: { of: { warnings: string[] } | undefined }): JSX.Element {
  return (
    <>
      {props.of?.warnings.map((warning) => (
        <Notice key={warning}>{warning}</Notice>
      ))}
    </>
  );
}

/** Shows a price, or why there is none, and the button that pays it. Large prices need a confirmation. */
export function PricedAction(props: {
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
  children?: ComponentChildren;
}): JSX.Element {
  const {
    pricing,
    price = pricing.error && t('Couldn’t get the price.'),
    button,
    credits = 0,
    ready,
  } = props;
  const { status, remaining, runs } = useSidebar();
  const { confirmAbove = null } = status.connection ?? {};
  // A report takes the place of what explains the next price.
  const isReporting = runs.progress !== undefined || runs.state.message !== undefined;
  const isCompact = runs.progress !== undefined && runs.progress.state !== 'done';
  const note = isReporting ? undefined : props.note;
  const budget = isReporting && credits === 0 ? '' : formatBudget(remaining, credits);
  const hints = [budget, note ?? ''].filter(Boolean);
  // A new price needs a new confirmation.
  const click = `${button} ${credits}`;
  // The price stands above the button, unless a run needs the space; the accessible name always includes it.
  const [label = button] = button.split(' · ');
  const [confirming, setConfirming] = useState('');
  if (ready && confirming === click) {
    return (
      <Confirm
        question={t('This costs up to {credits}. Continue?', { credits: formatCredits(credits) })}
        yes={label}
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
        {!isCompact && (
          <>
            <p role="status" class={price === undefined ? 'pale' : ''}>
              {price ?? t('Calculating the price …')}
            </p>
            {hints.length > 0 && <Hint>{hints.join(' ')}</Hint>}
            {props.children}
          </>
        )}
        <Button
          kind="primary"
          onClick={() => (isLarge ? setConfirming(click) : props.onClick())}
          disabled={!ready}
          busy={props.busy}
          label={button}
        >
          {isCompact ? button : label}
        </Button>
      </div>
    </>
  );
}

type RunPlan = Pick<EnrichPlan, 'rows' | 'credits' | 'approval' | 'willOverwrite'>;

export function RunAction<M extends StartMethod>(props: {
  plan: AsyncValue<RunPlan>;
  /** Instead of rows and credits: the missing input, or more about the price. */
  price?: string | undefined;
  button: string;
  method: M;
  /** Returns the order with the approval of its price; undefined if there is none. */
  build: (approval: EnrichPlan['approval']) => Payload<M> | undefined;
}): JSX.Element {
  const { plan, button } = props;
  const { runs } = useSidebar();
  const current = getCurrentValue(plan);
  const { rows = 0, credits = 0 } = current ?? {};
  const price = `${formatCount(rows, 'row')} · ${credits === 0 ? t('free') : formatCredits(credits)}`;
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
