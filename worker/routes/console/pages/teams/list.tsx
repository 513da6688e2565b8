// Teams: the list, and a new team.
import { type TeamView, teamList, teamView } from '../../../../../shared/api/admin.ts';
import { Badge, type Column, formatCredits, Pager, Table, Usage } from '../../components/data.tsx';
import { Checkbox, Field, Form, readNumber, readSwitch, readText } from '../../components/form.tsx';
import type { Action, Page } from '../../context.ts';
import { getTeamPage } from '../paths.tsx';

const columns: readonly Column<TeamView>[] = [
  { label: 'Team', render: ({ id, name }) => <a href={getTeamPage(id)}>{name}</a> },
  {
    label: 'Spent today',
    render: ({ budget }) => <Usage label="Spent today" used={budget.spent.day} limit={budget.day} />,
  },
  {
    label: 'Spent this month',
    render: ({ budget }) => <Usage label="Spent this month" used={budget.spent.month} limit={budget.month} />,
  },
  { label: 'Reused this month', isNumber: true, render: ({ budget }) => formatCredits(budget.saved.month) },
  {
    label: 'Spending',
    render: ({ budget }) => (
      <Badge tone={budget.spending ? 'good' : 'warning'}>{budget.spending ? 'on' : 'off'}</Badge>
    ),
  },
];

const list: Page = {
  path: '/teams',
  render: async ({ api, query: { after } }) => {
    const { teams, next } = await api.get('/teams', teamList, { after, limit: 50 });
    return {
      title: 'Teams',
      body: (
        <>
          <p class="actions">
            <a class="button" href="/console/new-team">
              Create a team
            </a>
            <a href="/console/people">People who sign in with Google</a>
          </p>
          <Table
            caption="Teams"
            columns={columns}
            rows={teams}
            empty="No team exists yet. Create the first one."
          />
          <Pager href={next === null ? undefined : `/console/teams?after=${next}`} />
        </>
      ),
    };
  },
};

const newTeam: Page = {
  path: '/new-team',
  render: async (_, failed) => ({
    title: 'New team',
    body: (
      <section class="card">
        <Form action="/console/new-team" submit="Create the team" failed={failed}>
          <Field label="Name" name="name" required maxlength={100} />
          <Field label="Credits per day" name="day" value={1000} hint="Empty: no limit." />
          <Field label="Credits per month" name="month" hint="Empty: no limit." />
          <Checkbox label="Members may spend credits" name="spending" checked />
        </Form>
      </section>
    ),
  }),
};

const create: Action = {
  path: '/new-team',
  page: newTeam,
  run: async ({ api }, form) => {
    const body = {
      name: readText(form, 'name'),
      budget: { day: readNumber(form, 'day'), month: readNumber(form, 'month') },
      spending: readSwitch(form, 'spending'),
    };
    const { id } = await api.send('POST', '/teams', teamView, body);
    return { redirect: getTeamPage(id), notice: 'team_created' };
  },
};

export const listPages: readonly Page[] = [list, newTeam];
export const listActions: readonly Action[] = [create];
