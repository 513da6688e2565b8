// The small parts that every tab is made of.
import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { Refusal } from '../hooks.ts';

interface ButtonProps {
  children: ComponentChildren;
  onClick?: (() => void) | undefined;
  kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  disabled?: boolean;
  busy?: boolean;
  type?: 'button' | 'submit';
  /** What a screen reader says, where the text alone does not tell. */
  label?: string;
  expanded?: boolean;
}

/** A button; while it is busy it keeps its size and can't be pressed again. */
export function Button(props: ButtonProps): JSX.Element {
  const { children, onClick, kind = 'plain', disabled = false, busy = false, type = 'button' } = props;
  return (
    <button
      type={type}
      class={`button ${kind}`}
      onClick={busy ? undefined : onClick}
      disabled={disabled}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      aria-label={props.label}
      aria-expanded={props.expanded}
    >
      {children}
    </button>
  );
}

/** A button that shows a sign alone. */
export function IconButton(props: {
  label: string;
  sign: 'up' | 'down' | 'remove';
  onClick: () => void;
  disabled?: boolean;
}): JSX.Element {
  const paths = { up: 'M4 10l4-4 4 4', down: 'M4 6l4 4 4-4', remove: 'M4.5 4.5l7 7m0-7l-7 7' };
  return (
    <button
      type="button"
      class="icon"
      aria-label={props.label}
      title={props.label}
      onClick={props.onClick}
      disabled={props.disabled ?? false}
    >
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path
          d={paths[props.sign]}
          fill="none"
          stroke="currentColor"
          stroke-width="1.5"
          stroke-linecap="round"
        />
      </svg>
    </button>
  );
}

interface Option {
  value: string;
  label: string;
}

/** One choice of several, with its label above. */
export function Select(props: {
  label: string;
  value: string;
  options: readonly Option[];
  onChange: (value: string) => void;
  hideLabel?: boolean;
}): JSX.Element {
  const id = useId();
  return (
    <div class="field">
      <label for={id} class={props.hideLabel ? 'unseen' : ''}>
        {props.label}
      </label>
      <select
        id={id}
        value={props.value}
        onChange={({ currentTarget }) => props.onChange(currentTarget.value)}
      >
        {props.options.map(({ value, label }) => (
          <option key={value} value={value} selected={value === props.value}>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}

/** A line of text, with its label above. */
export function TextField(props: {
  label: string;
  value: string;
  onInput: (value: string) => void;
  hint?: string;
  error?: string | undefined;
  placeholder?: string;
  maxLength?: number;
  autoComplete?: string;
}): JSX.Element {
  const id = useId();
  const about = props.error ?? props.hint;
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <input
        id={id}
        type="text"
        value={props.value}
        placeholder={props.placeholder}
        maxLength={props.maxLength}
        autocomplete={props.autoComplete ?? 'off'}
        spellcheck={false}
        aria-invalid={props.error === undefined ? undefined : true}
        aria-describedby={about === undefined ? undefined : `${id}-about`}
        onInput={({ currentTarget }) => props.onInput(currentTarget.value)}
      />
      {about !== undefined && (
        <p id={`${id}-about`} class={props.error === undefined ? 'hint' : 'hint wrong'}>
          {about}
        </p>
      )}
    </div>
  );
}

/** One of a few, all in sight. */
export function Choice<T extends string>(props: {
  label: string;
  value: T;
  options: readonly { value: T; label: string; hint?: string; disabled?: boolean }[];
  onChange: (value: T) => void;
}): JSX.Element {
  const name = useId();
  return (
    <fieldset class="choice">
      <legend>{props.label}</legend>
      {props.options.map(({ value, label, hint, disabled }) => (
        <label key={value} class="option">
          <input
            type="radio"
            name={name}
            value={value}
            checked={value === props.value}
            disabled={disabled ?? false}
            onChange={() => props.onChange(value)}
          />
          <span>
            {label}
            {hint !== undefined && <small>{hint}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** Yes or no. */
export function Check(props: {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  hint?: string;
}): JSX.Element {
  return (
    <label class="option">
      <input
        type="checkbox"
        checked={props.checked}
        onChange={({ currentTarget }) => {
          const wanted = currentTarget.checked;
          // It shows what is so: whoever was asked may refuse.
          currentTarget.checked = props.checked;
          props.onChange(wanted);
        }}
      />
      <span>
        {props.label}
        {props.hint !== undefined && <small>{props.hint}</small>}
      </span>
    </label>
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
export function Refused(props: { refusal: Refusal | undefined; onRetry?: () => void }): JSX.Element | null {
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

const BONES = ['a', 'b', 'c', 'd', 'e', 'f'];

/** Holds the place of what is on its way. */
export function Waiting(props: { label: string; lines?: number }): JSX.Element {
  return (
    <div class="waiting" role="status" aria-label={props.label}>
      {BONES.slice(0, props.lines ?? 3).map((bone) => (
        <span key={bone} class="bone" />
      ))}
    </div>
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
export function Fold(props: {
  title: string;
  aside?: string;
  children: ComponentChildren;
  open?: boolean;
}): JSX.Element {
  return (
    <details class="fold" open={props.open ?? false}>
      <summary>
        <span>{props.title}</span>
        {props.aside !== undefined && <span class="aside">{props.aside}</span>}
      </summary>
      <div class="stack">{props.children}</div>
    </details>
  );
}
