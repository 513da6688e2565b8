// List pages from a description: columns, filter, empty text and actions; and the columns that lists share.
import type { Child } from 'hono/jsx';
import type { BudgetView } from '../../../../shared/api/admin.ts';
import type { AdminName } from '../../../../shared/api/admin-endpoints.ts';
import { DAY_MS } from '../../../../shared/lib/durations.ts';
import { formatNumber } from '../../../../shared/lib/format-count.ts';
import { ProblemError } from '../../../http/problem-error.ts';
import type { Query } from '../admin-client.ts';
import type { Action, ConsoleContext, FailedForm, Page, WrongValue } from '../context.ts';
import { ACTIVITY, ERASURES, getTeamPage } from '../pages/paths.ts';
import { type Column, Pager, ShortId, Table, Time, Usage } from './data.tsx';
import { PageLink, Select } from './form.tsx';

const PAGE_SIZE = 50;
/** Said in place of an empty table where lines are filtered. */
export const NO_MATCH = 'No line matches these filters.';

export interface ListLines<T> {
  rows: readonly T[];
  /** Cursor of the next page; null on the last one. */
  next: string | number | null;
  /** Replaces the title and the introduction of the description. */
  title?: string;
  lead?: Child;
  /** Content between the introduction and the table. */
  before?: Child;
}

interface LineAction extends Pick<Action, 'needs'> {
  /** What the list says after the change. */
  done: string;
  /** Builds the body of the call. Absent: the endpoint has the id in its path. */
  buildBody?: (id: string) => object;
}

export interface List<T> extends Pick<Page, 'needs' | 'tab'> {
  /** Hono path below `/console`. A parameter of a list with actions is not `:id`, which is the line’s. */
  path: string;
  title: string;
  /** What the table shows, for screen readers. */
  caption: string;
  lead?: Child;
  /** Links and buttons above the table. */
  above?: (context: ConsoleContext) => Child;
  below?: (context: ConsoleContext) => Child;
  /** Parameters of the address that choose lines. The next page keeps them. */
  filters?: readonly string[];
  /** Renders the fields of the filters. */
  form?: (context: ConsoleContext) => Child | Promise<Child>;
  /** Parameter of the address and the call with the cursor. */
  cursor?: 'after' | 'before';
  /**
   * @param failed - the form that was sent from this page and failed
   */
  load: (context: ConsoleContext, query: Query, failed?: FailedForm) => Promise<ListLines<T>>;
  columns: readonly Column<T>[] | ((context: ConsoleContext) => readonly Column<T>[]);
  empty: string;
  /** Seconds after which the open page loads the lines again. */
  refreshS?: number;
  /** Changes of a line by name, requested by POST at `<path>/:id/<name>`. */
  actions?: Readonly<Record<string, LineAction>>;
}

export function buildList<T>(list: List<T>): Page {
  const { path, needs, tab, caption, columns, empty, filters = [], cursor = 'after', refreshS } = list;
  return {
    path,
    needs,
    tab,
    render: async (context, failed) => {
      const { query } = context;
      const chosen = pick(query, filters);
      const call = { ...chosen, [cursor]: query[cursor], limit: PAGE_SIZE };
      const address = `/console${fillPath(path, context.params)}`;
      const [form, { answer, wrong }] = await Promise.all([
        list.form?.(context),
        answerQuery(filters, list.load(context, call, failed)),
      ]);
      const { rows, next, before, ...texts } = answer ?? { rows: [], next: null };
      const { title, lead } = { ...list, ...texts };
      return {
        title,
        wrong,
        body: (
          <>
            {list.above?.(context)}
            {lead === undefined ? null : <p class="lead">{lead}</p>}
            {form === undefined ? null : <Filters action={address}>{form}</Filters>}
            {before}
            {wrong !== undefined ? null : (
              <div id="list" data-live={refreshS}>
                <Table
                  caption={caption}
                  columns={typeof columns === 'function' ? columns(context) : columns}
                  rows={rows}
                  empty={Object.keys(chosen).length === 0 ? empty : NO_MATCH}
                />
              </div>
            )}
            <Pager
              href={
                next === null
                  ? undefined
                  : `${address}?${new URLSearchParams({ ...chosen, [cursor]: String(next) })}`
              }
            />
            {list.below === undefined ? null : <p class="actions">{list.below(context)}</p>}
          </>
        ),
      };
    },
    actions: Object.fromEntries(
      Object.entries(list.actions ?? {}).map(([name, { needs, done, buildBody }]) => [
        `${path}/:id/${name}`,
        {
          needs,
          done,
          run: async ({ api, params, query }) => {
            await api.fetch<AdminName>(needs, { params, body: buildBody?.(params.id ?? '') });
            const shown = new URLSearchParams(pick(query, [...filters, cursor]));
            return `/console${fillPath(path, params)}${shown.size === 0 ? '' : `?${shown}`}`;
          },
        },
      ]),
    ),
  };
}

/** Renders a form that chooses lines of a list. @param action - address of the list */
export const Filters = ({
  action,
  submit = 'Show',
  children,
}: {
  action: string;
  submit?: string;
  children: Child;
}) => (
  <form method="get" action={action} class="card inline">
    {children}
    <button type="submit">{submit}</button>
  </form>
);

/**
 * Waits for the answer to a filter form.
 * @param fields - names of its fields
 * @returns the answer, or the wrong value of a field
 * @throws ProblemError if something else is wrong
 */
export async function answerQuery<T>(
  fields: readonly string[],
  query: Promise<T>,
): Promise<{ answer: T; wrong?: undefined } | { answer?: undefined; wrong: WrongValue }> {
  try {
    return { answer: await query };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const { problem } = error;
    const detail = problem.code === 'not_found' ? 'team: no team has this name' : problem.detail;
    const [, name = '', text = ''] = /^(\w+): (.+)$/s.exec(detail) ?? [];
    if (!fields.includes(name)) throw error;
    return { wrong: { name, text, problem } };
  }
}

/** The choices of an age, in days. */
const ages = [
  ['', 'Any'],
  ['1', 'A day'],
  ['7', 'A week'],
  ['14', 'Two weeks'],
] as const;

export const AgeFilter = ({ value }: { value: string | undefined }) => (
  <Select label="Older than" name="older" options={ages} value={value} />
);

/** Reads the chosen age as the time before which lines began, ISO 8601. */
export function readAge({ query: { older = '' }, now }: ConsoleContext): { before?: string } {
  const days = ages.some(([each]) => each === older) ? Number(older) : 0;
  return days === 0 ? {} : { before: new Date(now - days * DAY_MS).toISOString() };
}

/** Returns the named parameters that have a value. */
export const pick = (query: Readonly<Record<string, string>>, names: readonly string[]) =>
  Object.fromEntries(
    names.flatMap((name): [string, string][] => {
      const value = query[name]?.trim() ?? '';
      return value === '' ? [] : [[name, value]];
    }),
  );

const fillPath = (path: string, params: ConsoleContext['params']): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

/** A column of figures, aligned at the right. */
export const numbers = <T,>(label: string, read: (row: T) => number): Column<T> => ({
  label,
  isNumber: true,
  render: (row) => formatNumber(read(row)),
});

/** The columns of what was spent of limits, today and this month. */
export const spendingColumns: readonly Column<{
  budget: Pick<BudgetView, 'day' | 'month' | 'spent'>;
}>[] = [
  {
    label: 'Spent today',
    render: ({ budget }) => <Usage label="Spent today" used={budget.spent.day} limit={budget.day} />,
  },
  {
    label: 'Spent this month',
    render: ({ budget }) => <Usage label="Spent this month" used={budget.spent.month} limit={budget.month} />,
  },
];

/** A column of times. @param read - returns ISO 8601, or null for a dash */
export const times = <T,>(label: string, read: (row: T) => string | null): Column<T> => ({
  label,
  render: (row) => <Time at={read(row)} />,
});

/** The column of the team, with a link to its page. */
export const teamColumn: Column<{ team: string; team_name: string | null }> = {
  label: 'Team',
  render: ({ team, team_name }) => <TeamLink id={team} name={team_name} />,
};

/** Renders a team as a link to its page. @param name - null if the team is unknown */
export const TeamLink = ({ id, name }: { id: string; name: string | null }) =>
  name === null ? <code>{id}</code> : <a href={getTeamPage(id)}>{name}</a>;

const TEAMS = ['/console/teams', 'Teams'] as const;

/** Pages that show what an alert is about. */
const alertPages: Readonly<Record<string, readonly [string, string]>> = {
  dead_letters: [`${ACTIVITY}/failed`, 'Failed messages'],
  erasure_failing: [ERASURES, 'Erasures'],
  unclear_outcomes: TEAMS,
  disputed_charges: TEAMS,
  budget_80: TEAMS,
  budget_100: TEAMS,
};

/** Renders the link to the page on which an alert is dealt with, if there is one. */
export const AlertLink = ({ kind }: { kind: string }) => {
  const [href, label] = alertPages[kind] ?? [];
  return href === undefined ? null : <PageLink href={href}>{label}</PageLink>;
};

/** Renders who pays: an address or the name of a connection, the beginning of an id where neither is known. */
export const Payer = ({ token, name }: { token: string | null; name: string | null }) =>
  token === null ? (
    <span>Admin</span>
  ) : name === null ? (
    <ShortId id={token} />
  ) : (
    <span class="address">{name}</span>
  );
