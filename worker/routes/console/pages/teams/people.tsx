// People who sign in with their Google accounts: their domains, the list, and the page of each with revocation and deletion.
import type { DomainView, PersonView } from '../../../../../shared/api/admin-people.ts';
import { formatNumber } from '../../../../../shared/lib/format-count.ts';
import { createChange } from '../../change.ts';
import { Badge, type Column, Facts, formatCredits, Pager, Table, Time } from '../../components/data.tsx';
import {
  BudgetFields,
  Confirm,
  Field,
  Form,
  FormCard,
  PageLink,
  readBudget,
  readNumber,
  readText,
} from '../../components/form.tsx';
import { buildList, TeamLink, times } from '../../components/list.tsx';
import { findTeamId, listTeamChoices, TeamSelect } from '../../components/team-select.tsx';
import type { Options } from '../../components/texts.ts';
import type { Action, FailedForm, Page } from '../../context.ts';
import { getPersonPage, PEOPLE, TEAM_RULES } from '../paths.ts';
import { describeScopes, readScopes, ScopeFields } from './scopes.tsx';

const PAGE_SIZE = 50;
const MAX_COUNTED = 100;
const DOMAINS = '/console/domains';
const getDomainPage = (domain: string): string => `${DOMAINS}/${encodeURIComponent(domain)}/remove`;

const domainColumns: readonly Column<DomainView>[] = [
  { label: 'Domain', render: ({ domain }) => domain },
  {
    label: 'Team',
    render: ({ team, team_name }) =>
      team === null ? 'only people with a rule' : <TeamLink id={team} name={team_name} />,
  },
  { label: 'Permits', render: describeScopes },
  {
    label: 'Credits of each person',
    render: ({ budget }) => `${formatCredits(budget.day)} a day, ${formatCredits(budget.month)} a month`,
  },
  { label: 'Sign-in lasts', render: ({ token_days }) => `${formatNumber(token_days)} days` },
  { label: '', render: ({ domain }) => <PageLink href={getDomainPage(domain)}>Remove</PageLink> },
];

const personColumns: readonly Column<PersonView>[] = [
  {
    label: 'Person',
    render: ({ id, email }) => <a href={getPersonPage(id)}>{email ?? 'address deleted'}</a>,
  },
  { label: 'Domain', render: ({ domain }) => domain },
  times('First sign-in', ({ created_at }) => created_at),
  times('Last sign-in', ({ last_seen_at }) => last_seen_at),
  {
    label: 'State',
    render: ({ revoked_at }) => (
      <Badge tone={revoked_at === null ? 'good' : 'bad'}>{revoked_at === null ? 'active' : 'revoked'}</Badge>
    ),
  },
];

const Domains = ({
  domains,
  next,
  teams,
  failed,
}: {
  domains: readonly DomainView[];
  /** Cursor of the next page; null on the last one. */
  next: string | null;
  teams: Options;
  failed: FailedForm | undefined;
}) => (
  <>
    <h2>Domains</h2>
    <Table
      caption="Domains"
      columns={domainColumns}
      rows={domains}
      empty="No domain is assigned to a team yet."
    />
    <Pager href={next === null ? undefined : `${PEOPLE}?${new URLSearchParams({ domains_after: next })}`} />
    <details class="card" open={failed !== undefined}>
      <summary>Assign a domain to a team</summary>
      <Form action={DOMAINS} submit="Assign the domain" failed={failed}>
        <Field label="Domain" name="domain" hint="Of your Google Workspace, such as acme.com." required />
        <TeamSelect
          label="Team of people without a rule"
          teams={teams}
          none="only people with a rule may sign in"
          value={teams.length === 1 ? teams[0]?.[0] : undefined}
        />
        <Field
          label="Client ID of the release"
          name="audience"
          hint="The sidebar shows it to people whose domain is not assigned."
          required
        />
        <BudgetFields hint="Of each person. Empty: only the team’s limit." />
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
    <p class="actions">
      <a class="button second" href={TEAM_RULES}>
        Rules for teams
      </a>{' '}
      map people of a domain to several teams.
    </p>
    <h2>People</h2>
  </>
);

const people: Page = {
  ...buildList<PersonView>({
    path: '/people',
    needs: 'listPeople',
    title: 'People',
    caption: 'People',
    load: async ({ api, query: { domains_after: after } }, query, failed) => {
      const [assigned, { people: rows, next }, teams] = await Promise.all([
        api.call('listDomains', { query: { after, limit: PAGE_SIZE } }),
        api.call('listPeople', { query }),
        listTeamChoices(api),
      ]);
      return { rows, next, before: <Domains {...assigned} teams={teams} failed={failed} /> };
    },
    lead: (
      <>
        With a release of the add-on that was built with <code>--identity</code>, people of your Google
        Workspace open the sidebar and are connected. Each has a budget of their own and can be revoked alone.
      </>
    ),
    columns: personColumns,
    empty: 'Nobody has signed in yet.',
  }),
  actions: {
    '/domains': {
      needs: 'putDomain',
      done: 'The domain was assigned.',
      run: async ({ api }, form) => {
        const team = readText(form, 'team');
        const body = {
          team: team === '' ? null : findTeamId(await listTeamChoices(api), team),
          audience: readText(form, 'audience'),
          budget: readBudget(form),
          token_days: readNumber(form, 'token_days'),
          ...readScopes(form),
        };
        const domain = readText(form, 'domain');
        await api.call('putDomain', { params: { domain }, body });
        return PEOPLE;
      },
    },
  },
};

const removeDomain: Page = {
  path: '/domains/:domain/remove',
  needs: 'deleteDomain',
  render: async ({ api, params: { domain = '' } }) => {
    const { people: found, next } = await api.call('listPeople', { query: { domain, limit: MAX_COUNTED } });
    const active = found.filter(({ revoked_at }) => revoked_at === null).length;
    return {
      title: `Remove ${domain}?`,
      body: (
        <Confirm back={PEOPLE}>
          <p>
            The tokens of {next === null ? formatNumber(active) : `${formatNumber(active)} or more`} people
            stop at once, and nobody of this domain can sign in. What they have bought stays with the team.
          </p>
          <Form action={getDomainPage(domain)} submit="Remove the domain" danger />
        </Confirm>
      ),
    };
  },
  actions: {
    '/domains/:domain/remove': createChange(
      'deleteDomain',
      'The domain was removed. Tokens of its people have stopped.',
      () => PEOPLE,
    ),
  },
};

const setRevoked = (revoked: boolean, done: string): Action =>
  createChange(
    'updatePerson',
    done,
    ({ id }) => getPersonPage(id),
    () => ({ revoked }),
  );

const personPage: Page = {
  path: '/people/:id',
  needs: 'getPerson',
  render: async ({ api, params: { id = '' } }) => {
    const person = await api.call('getPerson', { params: { id } });
    const address = getPersonPage(id);
    return {
      title: person.email ?? 'Person without an address',
      body: (
        <div class="columns">
          <section class="card">
            <h2>Person</h2>
            <Facts
              facts={[
                ['Domain', person.domain],
                ['First sign-in', <Time at={person.created_at} />],
                ['Last sign-in', <Time at={person.last_seen_at} />],
                ['Revoked', person.revoked_at === null ? 'no' : <Time at={person.revoked_at} />],
                ['Token id', <code>{person.token_id}</code>],
              ]}
            />
            <p>
              <a href={PEOPLE}>All people</a>
            </p>
          </section>
          {person.revoked_at === null ? (
            <FormCard action={`${address}/revoke`} title="Revoke">
              <p>
                The person’s one token stops at once: no spending and no changes from now on, no reading after
                30 seconds. Schedules of this person stop. The person gets no other token until you allow it.
              </p>
              <Form action={`${address}/revoke`} submit="Revoke the person" danger />
            </FormCard>
          ) : (
            <FormCard action={`${address}/allow`} title="Allow">
              <p>The person may sign in again, with the budget of the domain.</p>
              <Form action={`${address}/allow`} submit="Allow the person" />
            </FormCard>
          )}
          <FormCard action={`${address}/delete`} title="Delete the data">
            <p>
              Deletes the e-mail address, its rule for a team, the token and one’s own saved searches. Who is
              not revoked may sign in again; who is revoked stays revoked, by a pseudonym. This can’t be
              undone.
            </p>
            <Form action={`${address}/delete`} submit="Delete the person’s data" danger />
          </FormCard>
        </div>
      ),
    };
  },
  actions: {
    '/people/:id/revoke': setRevoked(true, 'The person was revoked.'),
    '/people/:id/allow': setRevoked(false, 'The person may sign in again.'),
    '/people/:id/delete': createChange('deletePerson', 'The person’s data was deleted.', () => PEOPLE),
  },
};

export const peoplePages = [people, removeDomain, personPage] as const;
