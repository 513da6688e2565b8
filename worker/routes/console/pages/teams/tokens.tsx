// Tokens of a team: all of them, a new one, which is shown once, changes and revocation.
import { encode } from 'uqr';
import {
  issuedToken,
  type TokenView,
  teamView,
  tokenList,
  tokenView,
} from '../../../../../shared/api/admin.ts';
import { formatNumber } from '../../../../../shared/lib/format-count.ts';
import { ProblemError } from '../../../../http/problem-error.ts';
import { Facts, Pager, Time } from '../../components/data.tsx';
import { Field, Form, readNumber, readText } from '../../components/form.tsx';
import type { Action, ConsoleContext, Page } from '../../context.ts';
import { getTeamPage, getTeamPath } from '../paths.tsx';
import { describeScopes, readScopes, ScopeFields } from './scopes.tsx';
import { TokenTable } from './token-table.tsx';

const PAGE_SIZE = 50;

const getTokenPage = (team = '', token = ''): string =>
  `${getTeamPage(team)}/tokens/${encodeURIComponent(token)}`;

const list: Page = {
  path: '/teams/:id/tokens',
  render: async ({ api, now, params: { id }, query: { after } }) => {
    const path = getTeamPath(id);
    const [team, { tokens, next }] = await Promise.all([
      api.get(path, teamView),
      api.get(`${path}/tokens`, tokenList, { after, limit: PAGE_SIZE }),
    ]);
    return {
      title: `Tokens of ${team.name}`,
      body: (
        <>
          <p class="actions">
            <a class="button" href={`${getTeamPage(id)}/new-token`}>
              Create a token
            </a>
            <a href={getTeamPage(id)}>Back to the team</a>
          </p>
          <TokenTable team={team.id} tokens={tokens} now={now} />
          <Pager href={next === null ? undefined : `${getTeamPage(id)}/tokens?after=${next}`} />
        </>
      ),
    };
  },
};

const newToken: Page = {
  path: '/teams/:id/new-token',
  render: async ({ api, params: { id } }, failed) => {
    const team = await api.get(getTeamPath(id), teamView);
    return {
      title: `New token of ${team.name}`,
      body: (
        <section class="card">
          <Form action={`${getTeamPage(id)}/new-token`} submit="Create the token" failed={failed}>
            <Field label="Name" name="name" hint="For whom or what it is." maxlength={100} />
            <Field label="Credits per day" name="day" hint="Of this token. Empty: only the team’s limit." />
            <Field
              label="Credits per month"
              name="month"
              hint="Of this token. Empty: only the team’s limit."
            />
            <Field
              label="Expires on"
              name="expires"
              type="date"
              hint="At the end of this day (UTC). Empty: never."
            />
            <ScopeFields families={null} operations={null} />
          </Form>
        </section>
      ),
    };
  },
};

/** Reads the end of the chosen day. @throws ProblemError `invalid_request` */
function readExpiry(day: string): string | null {
  if (day === '') return null;
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(Date.parse(day)))
    throw new ProblemError('invalid_request', 'The day is not a date such as 2027-01-31.');
  return `${day}T23:59:59Z`;
}

const create: Action = {
  path: '/teams/:id/new-token',
  page: newToken,
  run: async ({ api, params: { id } }, form) => {
    const body = {
      name: readText(form, 'name'),
      expires_at: readExpiry(readText(form, 'expires')),
      budget: { day: readNumber(form, 'day'), month: readNumber(form, 'month') },
      ...readScopes(form),
    };
    const { token, connection_link: link } = await api.send(
      'POST',
      `${getTeamPath(id)}/tokens`,
      issuedToken,
      body,
    );
    return {
      title: 'The token was created',
      body: (
        <section class="card">
          <p>
            <strong>Copy it now: it is shown only once.</strong> Whoever has it spends from the team’s budget.
          </p>
          <h2>Connection link</h2>
          <p>In the spreadsheet, choose Extensions → CDAPI → Connect and paste this link.</p>
          <code class="secret">{link}</code>
          <QrCode text={link} label="Connection link as a QR code" />
          <h2>Token</h2>
          <p>For programs that call the gateway in place of the provider.</p>
          <code class="secret">{token}</code>
          <p class="actions">
            <a class="button" href={getTeamPage(id)}>
              I have saved it
            </a>
          </p>
        </section>
      ),
    };
  },
};

const getToken = ({ api, params: { id, token = '' } }: ConsoleContext): Promise<TokenView> =>
  api.get(`${getTeamPath(id)}/tokens/${encodeURIComponent(token)}`, tokenView);

const tokenPage: Page = {
  path: '/teams/:id/tokens/:token',
  render: async (context, failed) => {
    const { id } = context.params;
    const token = await getToken(context);
    const address = getTokenPage(id, token.id);
    return {
      title: token.name || 'Token without a name',
      body: (
        <div class="columns">
          <section class="card">
            <h2>Token</h2>
            <Facts
              facts={[
                ['Begins with', <code>{token.prefix}</code>],
                ['Permits', describeScopes(token)],
                ['Created', <Time at={token.created_at} />],
                ['Expires', token.expires_at === null ? 'never' : <Time at={token.expires_at} />],
                ['Last used', <Time at={token.last_used_at} />],
                ['Revoked', token.revoked_at === null ? 'no' : <Time at={token.revoked_at} />],
                ['Spent today', `${formatNumber(token.budget.spent.day)} credits`],
                ['Spent this month', `${formatNumber(token.budget.spent.month)} credits`],
              ]}
            />
            <p class="actions">
              <a href={getTeamPage(id)}>Back to the team</a>
              <a
                href={`/console/ledger?team=${encodeURIComponent(id ?? '')}&token=${encodeURIComponent(token.id)}`}
              >
                Its lines of the ledger
              </a>
              {token.revoked_at === null ? <a href={`${address}/revoke`}>Revoke the token</a> : null}
            </p>
          </section>
          <section class="card">
            <h2>Limits</h2>
            <Form action={address} submit="Save the token" failed={failed}>
              <Field label="Name" name="name" value={token.name} maxlength={100} />
              <Field
                label="Credits per day"
                name="day"
                value={token.budget.day}
                hint="Empty: only the team’s limit."
              />
              <Field
                label="Credits per month"
                name="month"
                value={token.budget.month}
                hint="Empty: only the team’s limit."
              />
              <Field label="Calls per minute" name="rate_per_minute" value={token.rate_per_minute} required />
            </Form>
          </section>
        </div>
      ),
    };
  },
};

const change: Action = {
  path: '/teams/:id/tokens/:token',
  page: tokenPage,
  run: async ({ api, params: { id, token } }, form) => {
    const body = {
      name: readText(form, 'name'),
      rate_per_minute: readNumber(form, 'rate_per_minute'),
      budget: { day: readNumber(form, 'day'), month: readNumber(form, 'month') },
    };
    await api.send('PATCH', `${getTeamPath(id)}/tokens/${encodeURIComponent(token ?? '')}`, tokenView, body);
    return { redirect: getTokenPage(id, token), notice: 'token_changed' };
  },
};

const revokePage: Page = {
  path: '/teams/:id/tokens/:token/revoke',
  render: async (context) => {
    const { id } = context.params;
    const token = await getToken(context);
    return {
      title: `Revoke ${token.name || 'this token'}?`,
      body: (
        <section class="card">
          <p>
            Every spreadsheet and program that uses this token stops: it can neither spend nor change anything
            from now on, and reads nothing after 30 seconds. It has spent{' '}
            {formatNumber(token.budget.spent.month)} credits this month; they stay spent. Its schedules stop,
            and a colleague can take them over. This can’t be undone.
          </p>
          <Form action={`${getTokenPage(id, token.id)}/revoke`} submit="Revoke the token" danger />
          <p>
            <a href={getTokenPage(id, token.id)}>Keep it</a>
          </p>
        </section>
      ),
    };
  },
};

const revoke: Action = {
  path: '/teams/:id/tokens/:token/revoke',
  page: revokePage,
  run: async ({ api, params: { id, token } }) => {
    await api.delete(`${getTeamPath(id)}/tokens/${encodeURIComponent(token ?? '')}`);
    return { redirect: getTeamPage(id), notice: 'token_revoked' };
  },
};

export const tokenPages: readonly Page[] = [list, newToken, tokenPage, revokePage];
export const tokenActions: readonly Action[] = [create, change, revoke];

/** Dark modules get one unit each; light ones around them are needed to read the code. */
const BORDER = 2;

/** Renders a text as a QR code. @param label - says what it leads to, for screen readers */
const QrCode = ({ text, label }: { text: string; label: string }) => {
  const { data, size } = encode(text, { border: BORDER });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={path.join('')} />
    </svg>
  );
};
