// The page of a team: its spending, budget, top-ups and settings.
import type { BudgetView, TeamView, TopUpList } from '../../../../../shared/api/admin.ts';
import { formatNumber } from '../../../../../shared/lib/format-count.ts';
import { createChange } from '../../change.ts';
import { Figure, Figures, formatCredits, Table } from '../../components/data.tsx';
import {
  Allowed,
  BudgetFields,
  Checkbox,
  Field,
  Form,
  FormCard,
  Hidden,
  PageLink,
  readBudget,
  readNumber,
  readSwitch,
  readText,
} from '../../components/form.tsx';
import { numbers, times } from '../../components/list.tsx';
import type { ConsoleContext, FailedForm, Page } from '../../context.ts';
import { ACTIVITY, COSTS_BY_PERSON, getTeamPage } from '../paths.ts';
import { TokenTable } from './tokens.tsx';

const TOKENS_SHOWN = 20;

const formatLimit = (limit: number | null): string =>
  limit === null ? 'no limit' : `of ${formatCredits(limit)}`;

const Unclear = ({ team: { id, budget } }: { team: TeamView }) =>
  budget.unclear === 0 ? null : (
    <p class="notice">
      Nobody knows whether {formatCredits(budget.unclear)} of lost answers were charged. They count as spent.{' '}
      <a href={`${getTeamPage(id)}/unclear`}>Reconcile them</a>
    </p>
  );

const Disputed = ({ team: { id, budget } }: { team: TeamView }) =>
  budget.disputed === 0 ? null : (
    <p class="notice">
      The provider seems to have charged {formatCredits(budget.disputed)} beyond what was reserved. They do
      not count as spent. <a href={`${getTeamPage(id)}/disputed`}>Resolve them</a>
    </p>
  );

const Spending = ({ budget }: { budget: BudgetView }) => (
  <Figures>
    <Figure label="Spent today" value={formatNumber(budget.spent.day)} hint={formatLimit(budget.day)} />
    <Figure
      label="Spent this month"
      value={formatNumber(budget.spent.month)}
      hint={formatLimit(budget.month)}
    />
    <Figure label="Reused this month" value={formatNumber(budget.saved.month)} hint="credits" />
    <Figure
      label="May still be spent"
      value={budget.remaining === null ? 'no limit' : formatNumber(budget.remaining)}
      hint={`${formatNumber(budget.reserved)} credits reserved for open calls`}
    />
    <Figure
      label="Top-ups left"
      value={formatNumber(budget.top_up)}
      hint="credits, used once a limit is reached"
    />
    <Figure label="Unclear" value={formatNumber(budget.unclear)} hint="credits, counted as spent" />
  </Figures>
);

interface Props {
  team: TeamView;
  failed: FailedForm | undefined;
}

const BudgetForms = ({ team: { id, budget }, failed }: Props) => (
  <FormCard action={`${getTeamPage(id)}/budget`} title="Budget">
    <Form action={`${getTeamPage(id)}/budget`} submit="Save the budget" failed={failed}>
      <BudgetFields day={budget.day} month={budget.month} hint="Empty: no limit." />
      <Checkbox label="Members may spend credits" name="spending" checked={budget.spending} />
    </Form>
    <p>
      <small>With spending off, only records that are already bought are returned.</small>
    </p>
  </FormCard>
);

const TopUps = ({
  team,
  failed,
  topUps,
  reference,
}: Props & { topUps: TopUpList['top_ups']; reference: string }) => (
  <section class="card">
    <h2>Top-ups</h2>
    <p>Credits beyond the limits, for once. They are used when a limit of the team is reached.</p>
    <Form action={`${getTeamPage(team.id)}/top-up`} submit="Add the credits" failed={failed}>
      <Hidden name="reference" value={reference} />
      <Field label="Credits" name="credits" required />
      <Field label="Note" name="note" hint="Optional, for the ledger." maxlength={500} />
    </Form>
    <Table
      caption="Top-ups"
      columns={[
        times('When', (topUp: { at: string }) => topUp.at),
        numbers('Credits', (topUp: { credits: number }) => topUp.credits),
        { label: 'Note', render: ({ note }) => note ?? '' },
      ]}
      rows={topUps.slice(0, 5)}
      empty="Nothing was added yet."
    />
  </section>
);

const Settings = ({ team, failed }: Props) => (
  <FormCard action={`${getTeamPage(team.id)}/settings`} title="Settings">
    <Form action={`${getTeamPage(team.id)}/settings`} submit="Save the settings" failed={failed}>
      <Field label="Name" name="name" value={team.name} required maxlength={100} />
      <Field
        label="Ask for confirmation above"
        name="confirm_above_credits"
        value={team.confirm_above_credits}
        hint="Credits of one click in the sidebar. Empty: never."
      />
      <Field
        label="Formulas ask above"
        name="formula_max_credits"
        value={team.formula_max_credits}
        hint="Credits of one run of a formula without max_credits. Empty: never."
      />
      <Checkbox
        label="Buy outdated records again in the background"
        name="background_refresh"
        checked={team.background_refresh}
      />
    </Form>
    <p class="actions">
      <PageLink href={`${getTeamPage(team.id)}/webhook-secret`}>Create a webhook secret</PageLink>
      <PageLink href={`${getTeamPage(team.id)}/delete`}>Delete the team</PageLink>
    </p>
  </FormCard>
);

const Links = ({ team: { id } }: { team: TeamView }) => {
  const query = new URLSearchParams({ team: id });
  return (
    <p class="actions">
      <PageLink href={`/console/ledger?${query}`}>Ledger</PageLink>
      <PageLink href={`${COSTS_BY_PERSON}?${query}`}>Costs by person</PageLink>
      <PageLink href={`${ACTIVITY}?${query}`}>Bulk orders</PageLink>
      <PageLink href={`${getTeamPage(id)}/alerts`}>Alerts</PageLink>
    </p>
  );
};

async function render({ api, now, params: { id = '' } }: ConsoleContext, failed?: FailedForm) {
  const [team, { top_ups: topUps }, { tokens, next }] = await Promise.all([
    api.call('getTeam', { params: { id } }),
    api.call('listTopUps', { params: { id } }),
    api.call('listTokens', { params: { id }, query: { limit: TOKENS_SHOWN } }),
  ]);
  const props = { team, failed };
  return {
    title: team.name,
    body: (
      <>
        <Unclear team={team} />
        <Disputed team={team} />
        <Links team={team} />
        <Spending budget={team.budget} />
        <section class="card">
          <h2>Tokens</h2>
          <Allowed to={`${getTeamPage(id)}/new-token`}>
            <p>
              A token connects spreadsheets to this team. Create one, and give its connection link to whoever
              may spend from its budget; or let{' '}
              <a href="/console/people">people sign in with their Google accounts</a>.
            </p>
            <p class="hint">
              In each spreadsheet somebody must open Extensions → CDAPI → Open sidebar once: formulas show
              #NAME? until then.
            </p>
            <p class="actions">
              <a class="button" href={`${getTeamPage(id)}/new-token`}>
                Create a token
              </a>
            </p>
          </Allowed>
          <TokenTable team={team.id} tokens={tokens} now={now} />
          {next === null ? null : (
            <p class="actions">
              <a href={`${getTeamPage(id)}/tokens`}>All tokens</a>
            </p>
          )}
        </section>
        <div class="columns">
          <BudgetForms {...props} />
          <TopUps {...props} topUps={topUps} reference={crypto.randomUUID()} />
          <Settings {...props} />
        </div>
      </>
    ),
  };
}

const backToTeam = ({ id }: ConsoleContext['params']): string => getTeamPage(id);

export const team: Page = {
  path: '/teams/:id',
  needs: 'getTeam',
  render,
  actions: {
    '/teams/:id/budget': createChange('setBudget', 'The budget was saved.', backToTeam, (form) => ({
      ...readBudget(form),
      spending: readSwitch(form, 'spending'),
    })),
    '/teams/:id/top-up': {
      needs: 'createTopUp',
      done: 'The credits were added.',
      run: async ({ api, params: { id = '' } }, form) => {
        const note = readText(form, 'note');
        const body = { credits: readNumber(form, 'credits'), ...(note === '' ? {} : { note }) };
        // Sent with the form, so that a form that is sent twice adds the credits once.
        const headers = { 'idempotency-key': readText(form, 'reference') };
        await api.call('createTopUp', { params: { id }, headers, body });
        return getTeamPage(id);
      },
    },
    '/teams/:id/settings': createChange('updateTeam', 'The team was saved.', backToTeam, (form) => ({
      name: readText(form, 'name'),
      confirm_above_credits: readNumber(form, 'confirm_above_credits'),
      formula_max_credits: readNumber(form, 'formula_max_credits'),
      background_refresh: readSwitch(form, 'background_refresh'),
    })),
  },
};
