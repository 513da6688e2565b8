// Buttons and inputs.
import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { Provenance } from '../../server/api/index.ts';
import { t } from '../../texts/texts.ts';

interface ButtonProps {
  children: ComponentChildren;
  onClick?: (() => void) | undefined;
  kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  disabled?: boolean;
  busy?: boolean;
  type?: 'button' | 'submit';
  /** Accessible name, if the text is not enough. */
  label?: string;
  title?: string;
  expanded?: boolean;
}

/** A button. While busy it keeps its size and ignores clicks. */
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
      title={props.title}
      aria-expanded={props.expanded}
    >
      {children}
    </button>
  );
}

export function Link(props: {
  children: ComponentChildren;
  onClick: () => void;
  /** See {@link Button}. */
  label?: string;
}): JSX.Element {
  return (
    <button type="button" class="link" aria-label={props.label} onClick={props.onClick}>
      {props.children}
    </button>
  );
}

export function IconButton(props: {
  label: string;
  sign: 'up' | 'down' | 'remove';
  onClick: () => void;
  disabled?: boolean;
  /** −1 if a key does the same. */
  tabIndex?: -1;
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
      tabIndex={props.tabIndex}
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

interface ChoiceProps<T, O = object> {
  label: string;
  value: T;
  options: readonly ({ value: T; label: string } & O)[];
  onChange: (value: T) => void;
}

export function Select<T extends string | number | null>(props: ChoiceProps<T>): JSX.Element {
  const { label, value, options, onChange } = props;
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={String(value ?? '')}
        onChange={({ currentTarget }) => {
          const chosen = options[currentTarget.selectedIndex];
          if (chosen !== undefined) onChange(chosen.value);
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={String(option.value ?? '')} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Whether, and how, each row says where it comes from. */
export function SourceSelect(props: {
  value: Provenance;
  onChange: (value: Provenance) => void;
}): JSX.Element {
  return (
    <Select<Provenance>
      label={t('Add a source column')}
      options={[
        { value: 'none', label: t('No') },
        { value: 'columns', label: t('Yes, beside each row') },
        { value: 'notes', label: t('As a note on the first cell') },
      ]}
      {...props}
    />
  );
}

export function TextField(props: {
  label: string;
  value: string;
  onInput: (value: string) => void;
  hint?: string | undefined;
  error?: string | undefined;
  placeholder?: string;
  maxLength?: number;
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
        autocomplete="off"
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

export function Segments<T extends string>(props: ChoiceProps<T>): JSX.Element {
  return (
    <fieldset class="segments" aria-label={props.label}>
      {props.options.map(({ value, label }) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === props.value}
          onClick={() => props.onChange(value)}
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}

export function RadioGroup<T extends string>(
  props: ChoiceProps<T, { hint?: string; disabled?: boolean }>,
): JSX.Element {
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

export function Checkbox(props: {
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
          const { checked } = currentTarget;
          // Shows the stored state until the change has succeeded.
          currentTarget.checked = props.checked;
          props.onChange(checked);
        }}
      />
      <span>
        {props.label}
        {props.hint !== undefined && <small>{props.hint}</small>}
      </span>
    </label>
  );
}
