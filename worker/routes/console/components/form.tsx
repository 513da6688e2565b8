// Forms: fields with labels and hints, the values of a failed attempt, and the token against forged requests.
import { type Child, createContext, useContext } from 'hono/jsx';
import { ProblemError } from '../../../http/problem-error.ts';
import type { FailedForm, FormValues, WrongValue } from '../context.ts';
import type { Options } from './texts.ts';

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

/** The wrong value of a filter form, which its field explains. */
export const WrongValueContext = createContext<WrongValue | undefined>(undefined);

/** Name of the field with the session's token. */
export const CSRF_FIELD = 'csrf';

interface FormProps {
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

/** Renders a section around a form, for roles that may send it. */
export const FormCard = ({
  action,
  title,
  children,
}: Pick<FormProps, 'action' | 'children'> & { title: string }) => (
  <Allowed to={action} method="POST">
    <section class="card">
      <h2>{title}</h2>
      {children}
    </section>
  </Allowed>
);

/** Renders a content for roles that may open a page or send a form. @param to - its address; @param method - of a form */
export const Allowed = ({ to, method, children }: { to: string; method?: 'POST'; children?: Child }) =>
  useContext(RequestContext).mayUse(to, method) ? children : null;

/** Renders a link to a page, for roles that may use it. */
export const PageLink = ({
  href,
  button = false,
  children,
}: {
  href: string;
  button?: boolean;
  children?: Child;
}) => (
  <Allowed to={href}>
    <a href={href} class={button ? 'button' : undefined}>
      {children}
    </a>
  </Allowed>
);

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

interface LabelledProps {
  label: string;
  name: string;
  /** One short sentence below the label. */
  hint?: string | undefined;
}

interface FieldProps extends LabelledProps {
  /** Shown until the person has sent something else. */
  value?: string | number | null | undefined;
}

/**
 * Renders the label, the hint and the wrong value of a field.
 * @param render - renders the field with its attributes and its value
 */
const Labelled = ({
  label,
  name,
  hint,
  value,
  render,
}: FieldProps & {
  render: (attributes: Readonly<Record<string, string | undefined>>, shown: string | undefined) => Child;
}) => {
  const wrong = useContext(WrongValueContext);
  const isWrong = wrong?.name === name;
  const described = [
    ...(hint === undefined ? [] : [`${name}-hint`]),
    ...(isWrong ? [`${name}-problem`] : []),
  ].join(' ');
  const attributes = {
    id: name,
    name,
    'aria-describedby': described || undefined,
    'aria-invalid': isWrong ? 'true' : undefined,
  };
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {hint === undefined ? null : (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {render(attributes, useContext(ValuesContext)?.get(name) ?? value?.toString())}
      {isWrong ? (
        <p class="wrong" id={`${name}-problem`} role="alert">
          {wrong.text.charAt(0).toUpperCase() + wrong.text.slice(1)}.
        </p>
      ) : null}
    </div>
  );
};

interface InputProps {
  type?: 'text' | 'date';
  required?: boolean;
  maxlength?: number;
  /** Id of a list of suggestions. */
  list?: string;
}

export const Field = ({ type = 'text', required, maxlength, list, ...field }: FieldProps & InputProps) => (
  <Labelled
    {...field}
    render={(own, shown) => (
      <input
        {...own}
        type={type}
        value={shown}
        autocomplete="off"
        required={required}
        maxlength={maxlength}
        list={list}
      />
    )}
  />
);

export const TextArea = (field: FieldProps) => (
  <Labelled
    {...field}
    render={(own, shown) => (
      <textarea {...own} rows={10} spellcheck={false} autocomplete="off">
        {shown}
      </textarea>
    )}
  />
);

export const Select = ({ options, ...field }: FieldProps & { options: Options }) => (
  <Labelled
    {...field}
    render={(own, shown) => (
      <select {...own}>
        {options.map(([option, text]) => (
          <option value={option} selected={option === shown}>
            {text}
          </option>
        ))}
      </select>
    )}
  />
);

interface ChoicesProps {
  legend: string;
  name: string;
  options: Options;
  values: readonly string[];
  hint?: string;
}

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
