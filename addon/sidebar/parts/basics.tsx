// The small parts that every tab is made of: what it says, and how it is laid out.
import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import { formatNumber } from '../format.ts';
import type { AsyncValue, ScriptError } from '../hooks.ts';
import { Button } from './controls.tsx';

interface WithChildren {
  children: ComponentChildren;
}

/** Parts beside each other. */
export const Row = ({ children }: WithChildren): JSX.Element => <div class="row">{children}</div>;

/** Parts above each other. */
export const Stack = ({ children }: WithChildren): JSX.Element => <div class="stack">{children}</div>;

/** What is good to know, in small letters. */
export const Hint = ({ children }: WithChildren): JSX.Element => <p class="hint">{children}</p>;

/** What has just become of something; it is read out. */
export const StatusText = ({ children }: WithChildren): JSX.Element => (
  <p class="hint" role="status">
    {children}
  </p>
);

/** Figures beside each other, each under its name; `–` where one is not known. */
export function Figures(props: {
  of: Readonly<Record<string, string | number | null | undefined>>;
  busy?: boolean;
}): JSX.Element {
  return (
    <dl class={props.busy ? 'facts pale' : 'facts'}>
      {Object.entries(props.of).map(([name, figure]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{typeof figure === 'number' ? formatNumber(figure) : (figure ?? '–')}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Something to fill in and to send, also with Enter. */
export function Form(props: WithChildren & { onSend: () => Promise<void> }): JSX.Element {
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void props.onSend();
      }}
    >
      {props.children}
    </form>
  );
}

/** Shows the rest of a list; nothing where nothing is left. */
export function ShowMore(props: { left: number; onClick: () => void }): JSX.Element | null {
  if (props.left === 0) return null;
  return (
    <Button kind="quiet" onClick={props.onClick}>
      Show {formatNumber(props.left)} more
    </Button>
  );
}

/** A part of a tab under a heading. */
export function Section({ title, children }: WithChildren & { title: string }): JSX.Element {
  const id = useId();
  return (
    <section class="stack" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/** Why something of the gateway's did not go on, and what to do; nothing where it did. */
export function ProblemNotice(props: {
  problem: { detail: string; fix: string } | undefined;
}): JSX.Element | null {
  const { problem } = props;
  if (problem === undefined) return null;
  return (
    <Notice tone="warn">
      {problem.detail} {problem.fix}
    </Notice>
  );
}

/** Something to know. An error is read out at once. */
export function Notice(props: {
  tone?: 'info' | 'warn' | 'error' | 'success';
  children: ComponentChildren;
}): JSX.Element {
  const { tone = 'info' } = props;
  return (
    <div class={`notice ${tone}`} role={tone === 'error' ? 'alert' : undefined}>
      {props.children}
    </div>
  );
}

/** Why something was refused, with what to do. */
export function ErrorNotice(props: {
  refusal: Pick<ScriptError, 'message'> | undefined;
  onRetry?: () => void;
}): JSX.Element | null {
  if (props.refusal === undefined) return null;
  return (
    <Notice tone="error">
      <p>{props.refusal.message}</p>
      {props.onRetry !== undefined && (
        <Button kind="quiet" onClick={props.onRetry}>
          Try again
        </Button>
      )}
    </Notice>
  );
}

const SKELETON_LINES = ['a', 'b', 'c', 'd', 'e', 'f'];

/** Holds the place of what is on its way. */
export function Skeleton(props: { label: string; lines?: number }): JSX.Element {
  return (
    <div class="waiting" role="status" aria-label={props.label}>
      {SKELETON_LINES.slice(0, props.lines ?? 3).map((bone) => (
        <span key={bone} class="bone" />
      ))}
    </div>
  );
}

/** Holds the place of what is on its way, or says why it did not come; nothing once it is there. */
export function Loading(props: { of: AsyncValue<unknown>; label: string; lines?: number }): JSX.Element {
  const { of, label, lines = 3 } = props;
  return (
    <>
      {of.value === undefined && of.busy && <Skeleton label={label} lines={lines} />}
      <ErrorNotice refusal={of.refusal} onRetry={of.reload} />
    </>
  );
}

/** A place with nothing in it yet says what comes there. */
export function Empty(props: { title: string; children: ComponentChildren }): JSX.Element {
  return (
    <div class="empty">
      <h3>{props.title}</h3>
      {props.children}
    </div>
  );
}

/** A part of a tab that can be folded away. */
export function Disclosure(props: {
  title: string;
  aside?: string | undefined;
  children: ComponentChildren;
}): JSX.Element {
  return (
    <details class="fold">
      <summary>
        <span>{props.title}</span>
        {props.aside !== undefined && <span class="aside">{props.aside}</span>}
      </summary>
      <Stack>{props.children}</Stack>
    </details>
  );
}
