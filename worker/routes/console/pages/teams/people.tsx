// People who sign in with their Google accounts: their domains, and who they are.
import { teamList } from '../../../../../shared/api/admin.ts';
import {
  type DomainView,
  domainList,
  domainView,
  type PersonView,
  personList,
} from '../../../../../shared/api/admin-people.ts';
import { formatNumber } from '../../../../../shared/lib/format-count.ts';
import { Badge, type Column, formatCredits, Pager, Table, Time } from '../../components/data.tsx';
import { Field, Form, readNumber, readText, Select } from '../../components/form.tsx';
import type { Action, Page } from '../../context.ts';
import { DOMAINS, getPersonPage, getTeamPage, PEOPLE } from '../paths.tsx';
import { describeScopes, readScopes, ScopeFields } from './scopes.tsx';

const PAGE_SIZE = 50;
const MAX_TEAMS = 100;
const MAX_COUNTED = 100;
const getDomainPage = (domain: string): string => `${DOMAINS}/${encodeURIComponent(domain)}/remove`;

const domainColumns: readonly Column<DomainView>[] = [
  { label: 'Domain', render: ({ domain }) => domain },
  { label: 'Team', render: ({ team }) => <a href={getTeamPage(team)}>{team}</a> },
  { label: 'Permits', render: describeScopes },
  {
    label: 'Credits of each person',
    render: ({ budget }) => `${formatCredits(budget.day)} a day, ${formatCredits(budget.month)} a month`,
  },
  { label: 'Sign-in lasts', render: ({ token_days }) => `${formatNumber(token_days)} days` },
  { label: '', render: ({ domain }) => <a href={getDomainPage(domain)}>Remove</a> },
];

const personColumns: readonly Column<PersonView>[] = [
  {
    label: 'Person',
    render: ({ id, email }) => <a href={getPersonPage(id)}>{email ?? 'address deleted'}</a>,
  },
  { label: 'Domain', render: ({ domain }) => domain },
  { label: 'First sign-in', render: ({ created_at }) => <Time at={created_at} /> },
  { label: 'Last sign-in', render: ({ last_seen_at }) => <Time at={last_seen_at} /> },
  {
    label: 'State',
    render: ({ revoked_at }) => (
      <Badge tone={revoked_at === null ? 'good' : 'bad'}>{revoked_at === null ? 'active' : 'revoked'}</Badge>
    ),
  },
];

const page: Page = {
  path: '/people',
  render: async ({ api, query: { after } }, failed) => {
    const [{ domains }, { people, next }, { teams }] = await Promise.all([
      api.get('/domains', domainList, { limit: PAGE_SIZE }),
      api.get('/people', personList, { after, limit: PAGE_SIZE }),
      api.get('/teams', teamList, { limit: MAX_TEAMS }),
    ]);
    return {
      title: 'People',
      body: (
        <>
          <p class="lead">
            With a release of the add-on that was built with <code>--identity</code>, people of your Google
            Workspace open the sidebar and are connected. Each has a budget of their own and can be revoked
            alone.
          </p>
          <h2>Domains</h2>
          <Table
            caption="Domains"
            columns={domainColumns}
            rows={domains}
            empty="No domain is assigned to a team yet."
          />
          <details class="card" open={failed !== undefined}>
            <summary>Assign a domain to a team</summary>
            <Form action={DOMAINS} submit="Assign the domain" failed={failed}>
              <Field
                label="Domain"
                name="domain"
                hint="Of your Google Workspace, such as acme.com."
                required
              />
              <Select label="Team" name="team" options={teams.map(({ id, name }) => [id, name] as const)} />
              <Field
                label="Client ID of the release"
                name="audience"
                hint="The sidebar shows it to people whose domain is not assigned."
                required
              />
              <Field
                label="Credits per day"
                name="day"
                hint="Of each person. Empty: only the team’s limit."
              />
              <Field
                label="Credits per month"
                name="month"
                hint="Of each person. Empty: only the team’s limit."
              />
              <Field
                label="Days until a sign-in ends"
                name="token_days"
                value={30}
                hint="1 to 90. The open sidebar renews it."
                required
              />
              <ScopeFields families={null} operations={null} />
            </Form>
          </details>
          <h2>People</h2>
          <Table caption="People" columns={personColumns} rows={people} empty="Nobody has signed in yet." />
          <Pager href={next === null ? undefined : `${PEOPLE}?after=${next}`} />
        </>
      ),
    };
  },
};

const assign: Action = {
  path: '/domains',
  page,
  run: async ({ api }, form) => {
    const body = {
      team: readText(form, 'team'),
      audience: readText(form, 'audience'),
      budget: { day: readNumber(form, 'day'), month: readNumber(form, 'month') },
      token_days: readNumber(form, 'token_days'),
      ...readScopes(form),
    };
    await api.send(
      'PUT',
      `/domains/${encodeURIComponent(readText(form, 'domain') || '-')}`,
      domainView,
      body,
    );
    return { redirect: PEOPLE, notice: 'domain_assigned' };
  },
};

const removePage: Page = {
  path: '/domains/:domain/remove',
  render: async ({ api, params: { domain = '' } }) => {
    const { people, next } = await api.get('/people', personList, { domain, limit: MAX_COUNTED });
    const active = people.filter(({ revoked_at }) => revoked_at === null).length;
    return {
      title: `Remove ${domain}?`,
      body: (
        <section class="card">
          <p>
            The tokens of {next === null ? formatNumber(active) : `${formatNumber(active)} or more`} people
            stop at once, and nobody of this domain can sign in. What they have bought stays with the team.
          </p>
          <Form action={getDomainPage(domain)} submit="Remove the domain" danger />
          <p>
            <a href={PEOPLE}>Keep it</a>
          </p>
        </section>
      ),
    };
  },
};

const remove: Action = {
  path: '/domains/:domain/remove',
  page: removePage,
  run: async ({ api, params: { domain = '' } }) => {
    await api.delete(`/domains/${encodeURIComponent(domain)}`);
    return { redirect: PEOPLE, notice: 'domain_removed' };
  },
};

export const domainPages: readonly Page[] = [page, removePage];
export const domainActions: readonly Action[] = [assign, remove];
