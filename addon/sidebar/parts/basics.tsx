// Basic layout and text components.
import type { ComponentChildren, JSX } from 'preact';
import { useContext, useId } from 'preact/hooks';
import type { ProblemSummary } from '../../../shared/problems.ts';
import { formatNumber, t, translateMessage } from '../../texts/texts.ts';
import { SidebarContext } from '../context.ts';
import type { AsyncValue } from '../hooks.ts';
import type { ScriptError } from '../script.ts';
import { Button } from './controls.tsx';

interface WithChildren {
  children: ComponentChildren;
}

export const Row = ({ children }: WithChildren): JSX.Element => <div class="row">{children}</div>;

export const Stack = ({ children }: WithChildren): JSX.Element => <div class="stack">{children}</div>;

export const Hint = ({ children }: WithChildren): JSX.Element => <p class="hint">{children}</p>;

export const DataTerms = (): JSX.Element => (
  <Hint>
    {t(
      'The data is for your company’s own use: don’t sell it, publish it or pass copies on. Delete it after twelve months.',
    )}
  </Hint>
);

export const StatusText = ({ children }: WithChildren): JSX.Element => (
  <p class="hint" role="status">
    {children}
  </p>
);

/** Named figures; `–` for unknown ones. */
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

export function ShowMore(props: { left: number; onClick: () => void }): JSX.Element | null {
  if (props.left === 0) return null;
  return (
    <Button kind="quiet" onClick={props.onClick}>
      {t('Show {left} more', { left: props.left })}
    </Button>
  );
}

export function Section({ title, children }: WithChildren & { title: string }): JSX.Element {
  const id = useId();
  return (
    <section class="stack" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/** Opens the troubleshooting page; null without a connection. @param code - of the error */
export function HelpLink({ code }: { code?: string | undefined }): JSX.Element | null {
  const url = useContext(SidebarContext)?.status.helpUrl;
  if (url === undefined) return null;
  return (
    <a href={code === undefined ? url : `${url}#${code}`} target="_blank" rel="noreferrer">
      {t('Troubleshooting')}
    </a>
  );
}

/** Says what happened. The page has no table of problems, so it quotes a detail without a translation. */
export const describeDetail = (detail: string): string =>
  translateMessage(detail) ?? t('The gateway says: “{detail}”', { detail });

/** A problem of the gateway with its fix; null if there is none. */
export function ProblemNotice(props: { problem: ProblemSummary | undefined }): JSX.Element | null {
  const { problem } = props;
  if (problem === undefined) return null;
  return (
    <Notice tone="warn">
      {describeDetail(problem.detail)} {translateMessage(problem.fix) ?? problem.fix}{' '}
      <HelpLink code={problem.code} />
    </Notice>
  );
}

/** A notice. Screen readers announce errors at once. */
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

/** The message of a failed call; null if there is none. */
export function ErrorNotice(props: {
  error: Pick<ScriptError, 'message' | 'code'> | undefined;
  onRetry?: () => void;
}): JSX.Element | null {
  if (props.error === undefined) return null;
  // A changed sheet is no fault of anybody.
  const isFault = props.error.code !== 'price_changed';
  return (
    <Notice tone={isFault ? 'error' : 'warn'}>
      <p role={isFault ? undefined : 'alert'}>
        {props.error.message} {props.error.code !== undefined && <HelpLink code={props.error.code} />}
      </p>
      {props.onRetry !== undefined && (
        <Button kind="quiet" onClick={props.onRetry}>
          {t('Try again')}
        </Button>
      )}
    </Notice>
  );
}

const SKELETON_LINES = [...'abcdef'];

export function Skeleton(props: { label: string; lines?: number }): JSX.Element {
  return (
    <div class="waiting" role="status" aria-label={props.label}>
      {SKELETON_LINES.slice(0, props.lines ?? 3).map((bone) => (
        <span key={bone} class="bone" />
      ))}
    </div>
  );
}

/** Shows a placeholder while a value loads, and the error if it fails. */
export function Loading(props: { of: AsyncValue<unknown>; label: string; lines?: number }): JSX.Element {
  const { of, label, lines = 3 } = props;
  return (
    <>
      {of.value === undefined && of.busy && <Skeleton label={label} lines={lines} />}
      <ErrorNotice error={of.error} onRetry={of.reload} />
    </>
  );
}

export function Empty(props: { title: string; children: ComponentChildren }): JSX.Element {
  return (
    <div class="empty">
      <h3>{props.title}</h3>
      {props.children}
    </div>
  );
}

export function Disclosure(props: {
  title: string;
  aside?: string | undefined;
  onExpand?: () => void;
  children: ComponentChildren;
}): JSX.Element {
  return (
    <details class="fold" onToggle={props.onExpand}>
      <summary>
        <span>{props.title}</span>
        {props.aside !== undefined && <span class="aside">{props.aside}</span>}
      </summary>
      <Stack>{props.children}</Stack>
    </details>
  );
}
