// Alert addresses of a team: where messages go, about what, and from which share of the budget on.
import type { Alert } from '../../../../../shared/api/schedules.ts';
import { alertKinds, defaultBudgetPercents } from '../../../../../shared/limits.ts';
import { ProblemError } from '../../../../http/problem-error.ts';
import { requireFound } from '../../../admin/route.ts';
import { createChange } from '../../change.ts';
import { Badge, Time } from '../../components/data.tsx';
import { Choices, Field, Form, PageLink, readText } from '../../components/form.tsx';
import { buildList } from '../../components/list.tsx';
import type { Action, ConsoleContext, FormValues, Page } from '../../context.ts';
import { getTeamPage } from '../paths.ts';

const alertLabels: Readonly<Record<(typeof alertKinds)[number], string>> = {
  failure: 'Failures',
  change: 'New rows',
  budget: 'Budget',
  summary: 'Weekly summary',
};
const alertOptions = alertKinds.map((kind) => [kind, alertLabels[kind]] as const);

const PATH = '/teams/:id/alerts';
const getPage = (team = ''): string => `${getTeamPage(team)}/alerts`;

const AlertFields = ({
  on,
  percents,
  isNew,
}: {
  on: readonly string[];
  percents: readonly number[];
  isNew: boolean;
}) => (
  <>
    <Field
      label={isNew ? 'Webhook link' : 'New webhook link'}
      name="url"
      required={isNew}
      hint={isNew ? 'An https address that takes {"text": …}, as of Slack.' : 'Empty: the present one.'}
    />
    <Choices legend="Send alerts about" name="on" options={alertOptions} values={on} />
    <Field
      label="Budget alerts at (%)"
      name="percents"
      value={percents.join(', ')}
      hint="Shares of the daily and monthly budget, such as 50, 80, 100."
    />
  </>
);

/** Reads percentages. A text that is no number stays one, which the admin API refuses. */
const readPercents = (form: FormValues) =>
  readText(form, 'percents')
    .split(/[\s,;%]+/)
    .filter((part) => part !== '')
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));

const readBody = (form: FormValues) => {
  const url = readText(form, 'url');
  return {
    ...(url === '' ? {} : { url }),
    on: form.getAll('on'),
    budget_percents: readPercents(form),
  };
};

const Last = ({ last }: Pick<Alert, 'last'>) =>
  last === null ? (
    <>none yet</>
  ) : (
    <>
      <Badge tone={last.delivered ? 'good' : 'bad'}>{last.delivered ? 'delivered' : 'failed'}</Badge>{' '}
      <Time at={last.at} />
      {last.error === null ? null : <p>{last.error}</p>}
    </>
  );

const list = buildList<Alert>({
  path: PATH,
  needs: 'listTeamAlerts',
  title: 'Alerts',
  caption: 'Alert addresses, the oldest first',
  load: async ({ api, params: { id = '' } }, _, failed) => {
    const [team, { alerts }] = await Promise.all([
      api.call('getTeam', { params: { id } }),
      api.call('listTeamAlerts', { params: { id } }),
    ]);
    const before = (
      <details class="card" open={failed?.action === getPage(id) || alerts.length === 0}>
        <summary>Add an alert address</summary>
        <Form action={getPage(id)} submit="Add the address" failed={failed}>
          <AlertFields on={['failure', 'budget']} percents={defaultBudgetPercents} isNew />
        </Form>
      </details>
    );
    return { rows: alerts, next: null, title: `Alerts of ${team.name}`, before };
  },
  lead: 'Webhooks of chats that hear of the team’s failures, new rows and budgets. Members add their own in the sidebar. A link is a secret: only its host is shown.',
  columns: ({ params: { id } }) => [
    { label: 'Host', render: ({ host }) => host },
    { label: 'About', render: ({ on }) => on.map((kind) => alertLabels[kind]).join(' · ') },
    {
      label: 'Budget at',
      render: ({ on, budget_percents }) => (on.includes('budget') ? `${budget_percents.join(', ')} %` : '–'),
    },
    { label: 'Last message', render: ({ last }) => <Last last={last} /> },
    {
      label: 'Change',
      render: ({ id: alert }) => {
        const address = `${getPage(id)}/${encodeURIComponent(alert)}`;
        return (
          <>
            <Form action={`${address}/test`} submit="Send a test" second />
            <PageLink href={address}>Change or delete</PageLink>
          </>
        );
      },
    },
  ],
  empty: 'This team has no alert address.',
  below: ({ params: { id } }) => <a href={getTeamPage(id)}>Back to the team</a>,
});

const backToList = ({ id }: ConsoleContext['params']): string => getPage(id);

const create = createChange(
  'createTeamAlert',
  'The address was added. Send a test to see whether it works.',
  backToList,
  (form) => ({ url: '', ...readBody(form) }),
);

const test: Action = {
  needs: 'testTeamAlert',
  done: 'The receiver accepted the test message.',
  run: async ({ api, params: { id = '', alert_id = '' } }) => {
    const { last } = await api.call('testTeamAlert', { params: { id, alert_id } });
    if (last?.delivered === true) return getPage(id);
    throw new ProblemError(
      'undelivered',
      `The test message was not delivered. ${last?.error ?? ''}`.trim(),
      'It is sent again for a while. If the link is wrong, change it.',
    );
  },
};

const teamAlerts: Page = { ...list, actions: { [PATH]: create, [`${PATH}/:alert_id/test`]: test } };

const teamAlert: Page = {
  path: `${PATH}/:alert_id`,
  needs: 'updateTeamAlert',
  render: async ({ api, params: { id = '', alert_id: alert = '' } }, failed) => {
    const { alerts } = await api.call('listTeamAlerts', { params: { id } });
    const { host, on, budget_percents } = requireFound(alerts.find((each) => each.id === alert));
    const address = `${getPage(id)}/${encodeURIComponent(alert)}`;
    return {
      title: `Alert address at ${host}`,
      body: (
        <section class="card">
          <Form action={`${address}/change`} submit="Save" failed={failed}>
            <AlertFields on={on} percents={budget_percents} isNew={false} />
          </Form>
          <p>No message is sent to a deleted address any more.</p>
          <Form action={`${address}/delete`} submit="Delete the address" danger />
          <p>
            <a href={getPage(id)}>Back to the alerts</a>
          </p>
        </section>
      ),
    };
  },
  actions: {
    [`${PATH}/:alert_id/change`]: createChange(
      'updateTeamAlert',
      'The address was changed.',
      backToList,
      readBody,
    ),
    [`${PATH}/:alert_id/delete`]: createChange('deleteTeamAlert', 'The address was deleted.', backToList),
  },
};

export const teamAlertPages = [teamAlerts, teamAlert] as const;
