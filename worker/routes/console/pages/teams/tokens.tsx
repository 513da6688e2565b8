// Tokens of a team: all of them, a new one, which is shown once, changes and revocation.
import { encode } from 'uqr';
import type { TokenView } from '../../../../../shared/api/admin.ts';
import { formatNumber } from '../../../../../shared/lib/format-count.ts';
import { ProblemError } from '../../../../http/problem-error.ts';
import { createChange } from '../../change.ts';
import { Badge, type Column, Facts, Table, Time, type Tone } from '../../components/data.tsx';
import {
  BudgetFields,
  Confirm,
  Field,
  Form,
  NewSecret,
  PageLink,
  readBudget,
  readNumber,
  readText,
} from '../../components/form.tsx';
import { buildList, spendingColumns, times } from '../../components/list.tsx';
import type { Action, ConsoleContext, Page } from '../../context.ts';
import { getTeamPage, getTokenPage } from '../paths.ts';
import { describeScopes, readScopes, ScopeFields } from './scopes.tsx';

function describeState({ revoked_at, expires_at }: TokenView, now: number): readonly [Tone, string] {
  if (revoked_at !== null) return ['bad', 'revoked'];
  if (expires_at !== null && Date.parse(expires_at) <= now) return ['warning', 'expired'];
  return ['good', 'active'];
}

/** Returns the address of the person, or the name of the token; empty if it has none. */
const getOwnName = ({ person, name }: TokenView): string => person ?? name;

const listColumns = (team: string, now: number): readonly Column<TokenView>[] => [
  {
    label: 'Token',
    render: (token) => (
      <span class="address">
        <a href={getTokenPage(team, token.id)}>{getOwnName(token) || 'without a name'}</a>
        <br />
        <code>{token.prefix}…</code>
      </span>
    ),
  },
  {
    label: 'State',
    render: (token) => {
      const [tone, text] = describeState(token, now);
      return <Badge tone={tone}>{text}</Badge>;
    },
  },
  ...spendingColumns,
  { label: 'Permits', render: describeScopes },
  {
    label: 'Expires',
    render: ({ expires_at }) => (expires_at === null ? 'never' : <Time at={expires_at} />),
  },
  times('Last used', ({ last_used_at }) => last_used_at),
];

const NO_TOKEN = 'No token exists yet. Create one to connect a spreadsheet.';

/** Renders tokens, without their values. */
export const TokenTable = ({
  team,
  tokens,
  now,
}: {
  team: string;
  tokens: readonly TokenView[];
  now: number;
}) => <Table caption="Tokens" columns={listColumns(team, now)} rows={tokens} empty={NO_TOKEN} />;

const tokens = buildList<TokenView>({
  path: '/teams/:id/tokens',
  needs: 'listTokens',
  title: 'Tokens',
  caption: 'Tokens',
  above: ({ params: { id } }) => (
    <p class="actions">
      <PageLink button href={`${getTeamPage(id)}/new-token`}>
        Create a token
      </PageLink>
      <a href={getTeamPage(id)}>Back to the team</a>
    </p>
  ),
  load: async ({ api, params: { id = '' } }, query) => {
    const [team, { tokens: rows, next }] = await Promise.all([
      api.call('getTeam', { params: { id } }),
      api.call('listTokens', { params: { id }, query }),
    ]);
    return { rows, next, title: `Tokens of ${team.name}` };
  },
  columns: ({ now, params: { id = '' } }) => listColumns(id, now),
  empty: NO_TOKEN,
});

/** Reads the end of the chosen day. @throws ProblemError `invalid_request` */
function readExpiry(day: string): string | null {
  if (day === '') return null;
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || Number.isNaN(Date.parse(day)))
    throw new ProblemError('invalid_request', 'The day is not a date such as 2027-01-31.');
  return `${day}T23:59:59Z`;
}

const create: Action = {
  needs: 'createToken',
  run: async ({ api, params: { id = '' } }, form) => {
    const body = {
      name: readText(form, 'name'),
      expires_at: readExpiry(readText(form, 'expires')),
      budget: readBudget(form),
      ...readScopes(form),
    };
    const { token, connection_link: link } = await api.call('createToken', { params: { id }, body });
    return {
      title: 'The token was created',
      body: (
        <NewSecret text="Whoever has it spends from the team’s budget." back={getTeamPage(id)}>
          <h2>Connection link</h2>
          <p>In the spreadsheet, choose Extensions → CDAPI → Connect and paste this link.</p>
          <code class="secret">{link}</code>
          <QrCode text={link} label="Connection link as a QR code" />
          <h2>Token</h2>
          <p>For programs that call the gateway in place of the provider.</p>
          <code class="secret">{token}</code>
        </NewSecret>
      ),
    };
  },
};

const newToken: Page = {
  path: '/teams/:id/new-token',
  needs: 'createToken',
  render: async ({ api, params: { id = '' } }, failed) => {
    const team = await api.call('getTeam', { params: { id } });
    return {
      title: `New token of ${team.name}`,
      body: (
        <section class="card">
          <Form action={`${getTeamPage(id)}/new-token`} submit="Create the token" failed={failed}>
            <Field label="Name" name="name" hint="For whom or what it is." maxlength={100} />
            <BudgetFields hint="Of this token. Empty: only the team’s limit." />
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
  actions: { '/teams/:id/new-token': create },
};

const getToken = ({ api, params: { id = '', token_id = '' } }: ConsoleContext): Promise<TokenView> =>
  api.call('getToken', { params: { id, token_id } });

const tokenPage: Page = {
  path: '/teams/:id/tokens/:token_id',
  needs: 'getToken',
  render: async (context, failed) => {
    const { id } = context.params;
    const token = await getToken(context);
    const address = getTokenPage(id, token.id);
    return {
      title: getOwnName(token) || 'Token without a name',
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
              {token.revoked_at === null ? (
                <PageLink href={`${address}/revoke`}>Revoke the token</PageLink>
              ) : null}
            </p>
          </section>
          <section class="card">
            <h2>Limits</h2>
            <Form action={address} submit="Save the token" failed={failed}>
              <Field label="Name" name="name" value={token.name} maxlength={100} />
              <BudgetFields
                day={token.budget.day}
                month={token.budget.month}
                hint="Empty: only the team’s limit."
              />
              <Field label="Calls per minute" name="rate_per_minute" value={token.rate_per_minute} required />
            </Form>
          </section>
        </div>
      ),
    };
  },
  actions: {
    '/teams/:id/tokens/:token_id': createChange(
      'updateToken',
      'The token was saved.',
      ({ id, token_id }) => getTokenPage(id, token_id),
      (form) => ({
        name: readText(form, 'name'),
        rate_per_minute: readNumber(form, 'rate_per_minute'),
        budget: readBudget(form),
      }),
    ),
  },
};

const revokeToken: Page = {
  path: '/teams/:id/tokens/:token_id/revoke',
  needs: 'revokeToken',
  render: async (context) => {
    const { id } = context.params;
    const token = await getToken(context);
    return {
      title: `Revoke ${getOwnName(token) || 'this token'}?`,
      body: (
        <Confirm back={getTokenPage(id, token.id)}>
          <p>
            Every spreadsheet and program that uses this token stops: it can neither spend nor change anything
            from now on, and reads nothing after 30 seconds. It has spent{' '}
            {formatNumber(token.budget.spent.month)} credits this month; they stay spent. Its schedules stop,
            and a colleague can take them over. This can’t be undone.
          </p>
          <Form action={`${getTokenPage(id, token.id)}/revoke`} submit="Revoke the token" danger />
        </Confirm>
      ),
    };
  },
  actions: {
    '/teams/:id/tokens/:token_id/revoke': createChange(
      'revokeToken',
      'The token was revoked. Nothing can be bought with it from now on.',
      ({ id }) => getTeamPage(id),
    ),
  },
};

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

export const tokenPages = [tokens, newToken, tokenPage, revokeToken] as const;
