// Tables, figures, times and messages.
import type { Child } from 'hono/jsx';
import { HELP_PATH } from '../../../../shared/help-path.ts';
import { formatNumber } from '../../../../shared/lib/format-count.ts';
import type { Problem } from '../../../../shared/problems.ts';

export interface Column<T> {
  label: string;
  /** Figures are aligned at the right. */
  isNumber?: boolean;
  render: (row: T) => Child;
}

interface TableProps<T> {
  /** What the table shows, for screen readers. */
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  /** Said in place of an empty table. */
  empty: string;
}

/** Renders a table. On narrow screens each row is a block of labelled values. */
export const Table = <T,>({ caption, columns, rows, empty }: TableProps<T>) =>
  rows.length === 0 ? (
    <Empty>{empty}</Empty>
  ) : (
    <section class="wide" tabindex={0} aria-label={caption}>
      <table>
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ label, isNumber }) => (
              <th scope="col" class={isNumber ? 'number' : undefined}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {columns.map(({ label, isNumber, render }) => (
                <td data-label={label} class={isNumber ? 'number' : undefined}>
                  {render(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );

const times = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});

/** Formats a time. @param at - ISO 8601 */
export const formatTime = (at: string): string => `${times.format(new Date(at))} UTC`;

const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** Formats a day. @param day - `YYYY-MM-DD` */
export const formatDate = (day: string): string => dates.format(new Date(day));

/** Renders a time, or a dash. @param at - ISO 8601 */
export const Time = ({ at }: { at: string | null }) =>
  at === null ? <>–</> : <time datetime={at}>{formatTime(at)}</time>;

export const ShortId = ({ id }: { id: string }) => <code class="id">{id.slice(0, 8)}</code>;

/** Formats credits; null is no limit. */
export const formatCredits = (credits: number | null): string =>
  credits === null
    ? 'no limit'
    : `${formatNumber(credits)} ${Math.abs(credits) === 1 ? 'credit' : 'credits'}`;

export const Figure = ({
  label,
  value,
  hint,
}: {
  label: string;
  value: string;
  hint?: string | undefined;
}) => (
  <div class="figure">
    <dt>{label}</dt>
    <dd>
      <strong>{value}</strong>
      {hint === undefined ? null : <small>{hint}</small>}
    </dd>
  </div>
);

export const Facts = ({ facts }: { facts: readonly (readonly [string, Child])[] }) => (
  <dl class="facts">
    {facts.map(([name, value]) => (
      <>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </>
    ))}
  </dl>
);

export const Figures = ({ children }: { children: Child }) => <dl class="figures">{children}</dl>;

/** Renders how much of a limit is used. Without a limit it renders only the amount. */
export const Usage = ({ used, limit, label }: { used: number; limit: number | null; label: string }) =>
  limit === null ? (
    <span>
      {formatNumber(used)} <small>no limit</small>
    </span>
  ) : (
    <span class="usage">
      <span>
        {formatNumber(used)} of {formatNumber(limit)}
      </span>
      <meter
        aria-label={label}
        min={0}
        max={Math.max(1, limit)}
        high={Math.max(1, limit) * 0.8}
        optimum={0}
        value={Math.min(used, Math.max(1, limit))}
      />
    </span>
  );

/** Renders the link to the next page of a list. @param href - undefined on the last page */
export const Pager = ({ href }: { href: string | undefined }) =>
  href === undefined ? null : (
    <p class="pager">
      <a href={href}>Next page</a>
    </p>
  );

/** Renders the cause of a failure and its fix. */
export const ProblemMessage = ({
  problem: { detail, fix, code },
}: {
  problem: Pick<Problem, 'detail' | 'fix' | 'code'>;
}) => (
  <div class="problem" role="alert">
    <p>
      <strong>{detail}</strong>
    </p>
    <p>
      {fix}{' '}
      <a href={`${HELP_PATH}#${code}`}>
        <code>{code}</code>
      </a>
    </p>
  </div>
);

export const Empty = ({ children }: { children: Child }) => <p class="empty">{children}</p>;

export type Tone = 'good' | 'warning' | 'bad' | 'neutral';

export const Badge = ({ tone = 'neutral', children }: { tone?: Tone; children: Child }) => (
  <span class={`badge ${tone}`}>{children}</span>
);
