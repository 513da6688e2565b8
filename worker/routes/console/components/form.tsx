// Forms: fields with labels and hints, the values of a failed attempt, and the token against forged requests.
import { type Child, createContext, useContext } from 'hono/jsx';
import { ProblemError } from '../../../http/problem-error.ts';
import type { FailedForm, FormValues } from '../context.ts';

/** Tells whether the role of the admin may open a page, or send a form by POST. @param address - from `/console` on */
export type MayUse = (address: string, method?: 'POST') => boolean;

/** What every form of a request needs. */
export const RequestContext = createContext<{
  csrf: string;
  /** Query of the page, with its question mark: an action returns to it. */
  search: string;
  mayUse: MayUse;
}>({ csrf: '', search: '', mayUse: () => true });

/** Values of the form's failed attempt, which fields show again. */
const ValuesContext = createContext<FormValues | undefined>(undefined);

/** Name of the field with the session's token. */
export const CSRF_FIELD = 'csrf';

interface FormProps {
  /** Path of the action. */
  action: string;
  /** Text of the button: a verb with an object. */
  submit: string;
  /** Marks a change that can't be undone. */
  danger?: boolean;
  /** Marks the lesser of two changes. */
  second?: boolean;
  /** Lays the fields out in a row. */
  inline?: boolean;
  failed?: FailedForm | undefined;
  children?: Child;
}

/** Renders a form that changes something, for roles that may do it. */
export const Form = ({
  action,
  submit,
  danger = false,
  second = false,
  inline = false,
  failed,
  children,
}: FormProps) => {
  const { csrf, search, mayUse } = useContext(RequestContext);
  if (!mayUse(action, 'POST')) return null;
  const own = failed?.action === action ? failed : undefined;
  return (
    <form method="post" action={action + search} class={inline ? 'inline' : undefined}>
      <input type="hidden" name={CSRF_FIELD} value={csrf} />
      <ValuesContext.Provider value={own?.values}>{children}</ValuesContext.Provider>
      <button type="submit" class={danger ? 'danger' : second ? 'second' : undefined}>
        {submit}
      </button>
    </form>
  );
};

/** Renders a link to a page, for roles that may use it. */
export const PageLink = ({
  href,
  button = false,
  children,
}: {
  href: string;
  button?: boolean;
  children?: Child;
}) =>
  useContext(RequestContext).mayUse(href) ? (
    <a href={href} class={button ? 'button' : undefined}>
      {children}
    </a>
  ) : null;

interface ConfirmProps {
  /** Address of the page that changes nothing, and the text of its link. */
  back: string;
  keep?: string;
  children: Child;
}

/** Renders the effect of a change, its forms, and the way back. */
export const Confirm = ({ back, keep = 'Keep it', children }: ConfirmProps) => (
  <section class="card">
    {children}
    <p>
      <a href={back}>{keep}</a>
    </p>
  </section>
);

/** Renders a credential that is shown only now, with the way on. */
export const NewSecret = ({ text, back, children }: { text: string; back: string; children: Child }) => (
  <section class="card">
    <p>
      <strong>Copy it now: it is shown only once.</strong> {text}
    </p>
    {children}
    <p class="actions">
      <a class="button" href={back}>
        I have saved it
      </a>
    </p>
  </section>
);

interface BudgetFieldsProps {
  day?: number | null;
  month?: number | null;
  /** What no figure means. */
  hint: string;
}

/** Renders limits in credits. */
export const BudgetFields = ({ day, month, hint }: BudgetFieldsProps) => (
  <>
    <Field label="Credits per day" name="day" value={day} hint={hint} />
    <Field label="Credits per month" name="month" value={month} hint={hint} />
  </>
);

/** Reads limits in credits; null is no limit. */
export const readBudget = (form: FormValues) => ({
  day: readNumber(form, 'day'),
  month: readNumber(form, 'month'),
});

/** Renders a value that is sent with the form. */
export const Hidden = ({ name, value }: { name: string; value: string }) => {
  const shown = useContext(ValuesContext)?.get(name) ?? value;
  return <input type="hidden" name={name} value={shown} />;
};

interface FieldProps {
  label: string;
  name: string;
  /** Shown until the person has sent something else. */
  value?: string | number | null | undefined;
  /** One short sentence below the label. */
  hint?: string;
  type?: 'text' | 'number' | 'date' | 'search' | 'password';
  required?: boolean;
  min?: number;
  maxlength?: number;
  autocomplete?: string;
}

export const Field = ({ label, name, value, hint, type = 'text', ...attributes }: FieldProps) => {
  const shown = useContext(ValuesContext)?.get(name) ?? value;
  const hintId = `${name}-hint`;
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {hint === undefined ? null : (
        <p class="hint" id={hintId}>
          {hint}
        </p>
      )}
      <input
        id={name}
        name={name}
        type={type}
        value={shown === null || shown === undefined ? undefined : String(shown)}
        aria-describedby={hint === undefined ? undefined : hintId}
        autocomplete="off"
        {...attributes}
      />
    </div>
  );
};

/** Renders a field for many lines. */
export const TextArea = ({
  label,
  name,
  value,
  hint,
  rows = 10,
}: Pick<FieldProps, 'label' | 'name' | 'hint'> & { value?: string; rows?: number }) => {
  const shown = useContext(ValuesContext)?.get(name) ?? value;
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {hint === undefined ? null : (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      <textarea
        id={name}
        name={name}
        rows={rows}
        spellcheck={false}
        autocomplete="off"
        aria-describedby={hint === undefined ? undefined : `${name}-hint`}
      >
        {shown}
      </textarea>
    </div>
  );
};

interface SelectProps {
  label: string;
  name: string;
  options: readonly (readonly [string, string])[];
  value?: string | undefined;
  hint?: string;
}

export const Select = ({ label, name, options, value, hint }: SelectProps) => {
  const shown = useContext(ValuesContext)?.get(name) ?? value;
  const hintId = `${name}-hint`;
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {hint === undefined ? null : (
        <p class="hint" id={hintId}>
          {hint}
        </p>
      )}
      <select id={name} name={name} aria-describedby={hint === undefined ? undefined : hintId}>
        {options.map(([option, text]) => (
          <option value={option} selected={option === shown}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
};

interface ChoicesProps {
  legend: string;
  name: string;
  options: readonly (readonly [string, string])[];
  values: readonly string[];
  hint?: string;
}

/** Renders a choice of several. */
export const Choices = ({ legend, name, options, values, hint }: ChoicesProps) => {
  const shown = useContext(ValuesContext)?.getAll(name) ?? values;
  return (
    <fieldset class="field">
      <legend>{legend}</legend>
      {hint === undefined ? null : <p class="hint">{hint}</p>}
      {options.map(([option, text]) => (
        <label class="choice">
          <input type="checkbox" name={name} value={option} checked={shown.includes(option)} /> {text}
        </label>
      ))}
    </fieldset>
  );
};

/** Renders a switch. A form without its value means off. */
export const Checkbox = ({ label, name, checked }: { label: string; name: string; checked: boolean }) => {
  const values = useContext(ValuesContext);
  const shown = values === undefined ? checked : values.has(name);
  return (
    <label class="choice">
      <input type="checkbox" name={name} value="on" checked={shown} /> {label}
    </label>
  );
};

/** Reads a text without surrounding spaces. */
export const readText = (form: FormValues, name: string): string => form.get(name)?.trim() ?? '';

/**
 * Reads a number. An empty field is null: no limit. Spaces and commas between digits are ignored.
 * @throws ProblemError `invalid_request`
 */
export function readNumber(form: FormValues, name: string): number | null {
  const text = readText(form, name).replaceAll(/(?<=\d)[ ,](?=\d)/g, '');
  if (text === '') return null;
  if (/^-?\d+$/.test(text)) return Number(text);
  throw new ProblemError(
    'invalid_request',
    `“${text}” is not a whole number.`,
    'Write digits only, such as 1000. Nothing was changed.',
  );
}

export const readSwitch = (form: FormValues, name: string): boolean => form.has(name);

/** Reads a choice of several. None is null: all. */
export function readChoices(form: FormValues, name: string): string[] | null {
  const chosen = form.getAll(name);
  return chosen.length === 0 ? null : chosen;
}
