// Teams: the list, and a new team.
import type { TeamView } from '../../../../../shared/api/admin.ts';
import { Badge, formatCredits, Usage } from '../../components/data.tsx';
import {
  BudgetFields,
  Checkbox,
  Field,
  Form,
  readBudget,
  readSwitch,
  readText,
} from '../../components/form.tsx';
import { buildList } from '../../components/list.tsx';
import type { Page } from '../../context.ts';
import { getTeamPage, PEOPLE } from '../paths.ts';

export const teams = buildList<TeamView>({
  path: '/teams',
  title: 'Teams',
  caption: 'Teams',
  above: () => (
    <p class="actions">
      <a class="button" href="/console/new-team">
        Create a team
      </a>
      <a href={PEOPLE}>People who sign in with Google</a>
    </p>
  ),
  load: async ({ api }, query) => {
    const { teams: rows, next } = await api.call('listTeams', { query });
    return { rows, next };
  },
  columns: [
    { label: 'Team', render: ({ id, name }) => <a href={getTeamPage(id)}>{name}</a> },
    {
      label: 'Spent today',
      render: ({ budget }) => <Usage label="Spent today" used={budget.spent.day} limit={budget.day} />,
    },
    {
      label: 'Spent this month',
      render: ({ budget }) => (
        <Usage label="Spent this month" used={budget.spent.month} limit={budget.month} />
      ),
    },
    { label: 'Reused this month', isNumber: true, render: ({ budget }) => formatCredits(budget.saved.month) },
    {
      label: 'Spending',
      render: ({ budget }) => (
        <Badge tone={budget.spending ? 'good' : 'warning'}>{budget.spending ? 'on' : 'off'}</Badge>
      ),
    },
  ],
  empty: 'No team exists yet. Create the first one.',
});

export const newTeam: Page = {
  path: '/new-team',
  render: async (_, failed) => ({
    title: 'New team',
    body: (
      <section class="card">
        <Form action="/console/new-team" submit="Create the team" failed={failed}>
          <Field label="Name" name="name" required maxlength={100} />
          <BudgetFields day={1000} hint="Empty: no limit." />
          <Checkbox label="Members may spend credits" name="spending" checked />
        </Form>
      </section>
    ),
  }),
  actions: {
    '/new-team': {
      done: 'The team was created.',
      run: async ({ api }, form) => {
        const body = {
          name: readText(form, 'name'),
          budget: readBudget(form),
          spending: readSwitch(form, 'spending'),
        };
        const { id } = await api.call('createTeam', { body });
        return getTeamPage(id);
      },
    },
  },
};
