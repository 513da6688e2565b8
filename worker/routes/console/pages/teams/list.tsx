// Teams: the list, a new team, its deletion and webhook secret after their effects are stated.
import type { TeamView } from '../../../../../shared/api/admin.ts';
import { formatNumber } from '../../../../../shared/lib/format-count.ts';
import { createChange } from '../../change.ts';
import { Badge, formatCredits } from '../../components/data.tsx';
import {
  BudgetFields,
  Checkbox,
  Confirm,
  Field,
  Form,
  Hidden,
  NewSecret,
  PageLink,
  readBudget,
  readSwitch,
  readText,
} from '../../components/form.tsx';
import { buildList, spendingColumns } from '../../components/list.tsx';
import type { Page } from '../../context.ts';
import { getTeamPage, PEOPLE } from '../paths.ts';

const teams = buildList<TeamView>({
  path: '/teams',
  // Lookups may list the names of teams, but this page shows what they spent.
  needs: 'listBudgets',
  title: 'Teams',
  caption: 'Teams',
  above: () => (
    <p class="actions">
      <PageLink button href="/console/new-team">
        Create a team
      </PageLink>
      <PageLink href={PEOPLE}>People who sign in with Google</PageLink>
    </p>
  ),
  load: async ({ api }, query) => {
    const { teams: rows, next } = await api.call('listTeams', { query });
    return { rows, next };
  },
  columns: [
    { label: 'Team', render: ({ id, name }) => <a href={getTeamPage(id)}>{name}</a> },
    ...spendingColumns,
    { label: 'Reused this month', isNumber: true, render: ({ budget }) => formatCredits(budget.saved.month) },
    {
      label: 'Unclear',
      isNumber: true,
      render: ({ budget }) => formatCredits(budget.unclear + budget.disputed),
    },
    {
      label: 'Spending',
      render: ({ budget }) => (
        <Badge tone={budget.spending ? 'good' : 'warning'}>{budget.spending ? 'on' : 'off'}</Badge>
      ),
    },
  ],
  empty: 'No team exists yet. Create the first one.',
});

const newTeam: Page = {
  path: '/new-team',
  needs: 'createTeam',
  render: async (_, failed) => ({
    title: 'New team',
    body: (
      <section class="card">
        <Form action="/console/new-team" submit="Create the team" failed={failed}>
          <Field label="Name" name="name" required maxlength={100} />
          <BudgetFields day={1000} hint="Empty: no limit." />
          <Checkbox label="Members may spend credits" name="spending" checked />
          {failed === undefined ? null : (
            <Checkbox label="Create it even if another team has this name" name="same_name" checked={false} />
          )}
          <Hidden name="key" value={crypto.randomUUID()} />
        </Form>
      </section>
    ),
  }),
  actions: {
    '/new-team': {
      needs: 'createTeam',
      done: 'The team was created.',
      run: async ({ api }, form) => {
        const body = {
          name: readText(form, 'name'),
          budget: readBudget(form),
          spending: readSwitch(form, 'spending'),
          allow_same_name: readSwitch(form, 'same_name'),
        };
        const headers = { 'idempotency-key': readText(form, 'key') };
        const { id } = await api.call('createTeam', { headers, body });
        return getTeamPage(id);
      },
    },
  },
};

const MAX_COUNTED = 100;

/** Formats a count that may be larger, with its noun. */
const formatAtLeast = (count: number, hasMore: boolean, noun: string): string =>
  `${formatNumber(count)} ${hasMore ? 'or more ' : ''}${noun}${count === 1 ? '' : 's'}`;

const deleteTeam: Page = {
  path: '/teams/:id/delete',
  needs: 'deleteTeam',
  render: async ({ api, params: { id = '' } }) => {
    const [team, { tokens, next }, domains] = await Promise.all([
      api.call('getTeam', { params: { id } }),
      api.call('listTokens', { params: { id }, query: { limit: MAX_COUNTED } }),
      api.call('listDomains', { query: { limit: MAX_COUNTED } }),
    ]);
    const active = tokens.filter(({ revoked_at }) => revoked_at === null).length;
    const assigned = domains.domains.filter((domain) => domain.team === team.id).length;
    return {
      title: `Delete ${team.name}?`,
      body: (
        <Confirm back={getTeamPage(id)}>
          <ul>
            <li>Revoked at once: {formatAtLeast(active, next !== null, 'token')}.</li>
            <li>
              Removed, with the access of their people:{' '}
              {formatAtLeast(assigned, domains.next !== null, 'domain')}.
            </li>
            <li>Its saved searches, tables, schedules and alerts are deleted.</li>
            <li>Lost from top-ups: {formatCredits(team.budget.top_up)}.</li>
            <li>Bulk orders that were sent are paid for and run to their end.</li>
            <li>
              Its ledger is deleted once nothing is open.{' '}
              <a href={`/console/ledger/export?format=csv&team=${encodeURIComponent(team.id)}`}>
                Export it first
              </a>
              . The overview keeps the daily totals.
            </li>
          </ul>
          <p>This can’t be undone.</p>
          <Form action={`${getTeamPage(id)}/delete`} submit="Delete the team" danger />
        </Confirm>
      ),
    };
  },
  actions: {
    '/teams/:id/delete': createChange('deleteTeam', 'The team was deleted.', () => '/console/teams'),
  },
};

const newWebhookSecret: Page = {
  path: '/teams/:id/webhook-secret',
  needs: 'createWebhookSecret',
  render: async ({ api, params: { id = '' } }) => {
    const team = await api.call('getTeam', { params: { id } });
    return {
      title: `Webhook secret of ${team.name}`,
      body: (
        <section class="card">
          <p>
            Webhooks to programs of this team are signed with a secret, so that they can check the sender. If
            the team already has one, both sign for 24 hours; give the new one to the programs within this
            time.
          </p>
          <Form action={`${getTeamPage(id)}/webhook-secret`} submit="Create a new secret" />
          <p>
            <a href={getTeamPage(id)}>Back to the team</a>
          </p>
        </section>
      ),
    };
  },
  actions: {
    '/teams/:id/webhook-secret': {
      needs: 'createWebhookSecret',
      run: async ({ api, params: { id = '' } }) => {
        const { secret } = await api.call('createWebhookSecret', { params: { id } });
        return {
          title: 'The webhook secret was created',
          body: (
            <NewSecret text="Every Standard Webhooks library accepts it." back={getTeamPage(id)}>
              <code class="secret">{secret}</code>
            </NewSecret>
          ),
        };
      },
    },
  },
};

export const teamListPages = [teams, newTeam, deleteTeam, newWebhookSecret] as const;
