// Settings in effect, operator alerts, and the audit log.
import type { AuditLine, AuditName } from '../../../../../shared/api/admin-reports.ts';
import type { OperatorAlertList, SettingsView } from '../../../../../shared/api/admin-settings.ts';
import { ProblemError } from '../../../../http/problem-error.ts';
import { auditLabels } from '../../../admin/audit-log.ts';
import { Badge, Empty, formatCredits, Table } from '../../components/data.tsx';
import { Form, PageLink } from '../../components/form.tsx';
import { AlertLink, buildList, times } from '../../components/list.tsx';
import { describeDetails, getAlertTitle } from '../../components/texts.ts';
import type { Page } from '../../context.ts';
import { getErasurePage, getPersonPage, getTeamPage, getTokenPage } from '../paths.ts';
import { Deployment, Freshness, Limits, Retention, Secrets } from './sections.tsx';

const OperatorAlerts = ({
  state: { configured, problem, alerts },
  settings,
}: {
  state: OperatorAlertList;
  settings: SettingsView;
}) => (
  <section class="card" id="alerts" data-live="30">
    <h2>Operator alerts</h2>
    {problem === null ? null : <p class="problem">{problem}</p>}
    {configured ? (
      <>
        <p>
          A webhook is told when something fails, when it works again, when teams near the end of their
          budgets or spend far more than usual, and when the provider’s account has fewer than{' '}
          {formatCredits(settings.alerts.low_balance)}.
        </p>
        <Table
          caption="Operator alerts"
          columns={[
            {
              label: 'Alert',
              render: ({ kind }) => (
                <span>
                  {getAlertTitle(kind)} <AlertLink kind={kind} />
                </span>
              ),
            },
            times('Since', (alert: { since: string | null }) => alert.since),
            times('Last message', (alert: { last_notified_at: string | null }) => alert.last_notified_at),
            {
              label: 'Delivery',
              render: ({ delivery, error }) => (
                <>
                  <Badge
                    tone={delivery === 'delivered' ? 'good' : delivery === 'pending' ? 'neutral' : 'bad'}
                  >
                    {delivery}
                  </Badge>
                  {error === null ? null : <p>{error}</p>}
                </>
              ),
            },
          ]}
          rows={alerts}
          empty="Everything is in order."
        />
        <Form action="/console/settings/test-alert" submit="Send a test message" />
      </>
    ) : (
      <Empty>
        Nobody is told about failures yet. Set the secret <code>OPERATOR_ALERT_URL</code> to a
        Slack-compatible webhook.
      </Empty>
    )}
  </section>
);

const settings: Page = {
  path: '/settings',
  needs: 'getSettings',
  render: async ({ api }) => {
    const [view, alerts] = await Promise.all([api.call('getSettings'), api.call('listAlerts')]);
    return {
      title: 'Settings',
      body: (
        <>
          <p class="lead">
            Settings come from the deployment; this page shows what is in effect.{' '}
            <a href="/console/setup">Setup</a> says what is missing, the{' '}
            <a href="/console/settings/audit">audit log</a> who changed what.
          </p>
          <p class="actions">
            <PageLink href="/console/settings/admins">Admins and their roles</PageLink>
          </p>
          <OperatorAlerts state={alerts} settings={view} />
          <div class="columns">
            <Deployment settings={view} />
            <Secrets settings={view} />
            <Freshness settings={view} />
            <Retention settings={view} />
            <Limits settings={view} />
          </div>
        </>
      ),
    };
  },
  actions: {
    '/settings/test-alert': {
      needs: 'testAlert',
      done: 'The test message was accepted by the receiver.',
      run: async ({ api }) => {
        const { accepted, problem } = await api.call('testAlert');
        if (accepted) return '/console/settings';
        throw new ProblemError(
          'not_configured',
          problem ?? undefined,
          'Check the webhook’s address, then send another test.',
        );
      },
    },
  },
};

/** A line with the names of its ids. */
interface Line extends AuditLine {
  names: ReadonlyMap<string, AuditName>;
}

const getName = ({ names }: Line, id: string | null): string | undefined => names.get(id ?? '')?.name;

function describeActor(line: Line): string {
  const { email, session, admin_token: token } = line;
  if (email !== null) return email;
  const admin = getName(line, token) ?? (token === 'previous' ? 'Previous admin token' : 'Admin token');
  return session === null ? admin : `${admin}, session ${session.slice(0, 6)}`;
}

const isAuditAction = (action: string): action is keyof typeof auditLabels => action in auditLabels;

/** Targets that say nothing: the line has no other object, or names it elsewhere. */
const NO_TARGET = /^(?:session|team_rules|alert|dead_letter|subject)\./;

const Target = ({ line: { action, target, detail, names } }: { line: Line }) => {
  const named = names.get(target);
  if (NO_TARGET.test(action)) return null;
  if (named?.kind === 'team') return <a href={getTeamPage(target)}>{named.name}</a>;
  const team = detail.team;
  const label = named?.name ?? (typeof detail.name === 'string' ? detail.name : target.slice(0, 36));
  if (action.startsWith('token.') && typeof team === 'string')
    return <a href={getTokenPage(team, target)}>{label}</a>;
  if (/^record\.(?:erase|allow)$/.test(action))
    return <PageLink href={getErasurePage(target)}>Its proof</PageLink>;
  if (action.startsWith('person.')) return <PageLink href={getPersonPage(target)}>{label}</PageLink>;
  return <span class="address">{label}</span>;
};

const audit = buildList<Line>({
  path: '/settings/audit',
  needs: 'listAuditEntries',
  title: 'Audit log',
  caption: 'Audit log',
  lead: 'Every change by an admin, newest first. Entries are never deleted.',
  cursor: 'before',
  load: async ({ api }, query) => {
    const { audit: lines, names: named, next } = await api.call('listAuditEntries', { query });
    const names = new Map(named.map((name) => [name.id, name]));
    return { rows: lines.map((line) => ({ ...line, names })), next };
  },
  columns: [
    times('When', ({ at }) => at),
    { label: 'Who', render: describeActor },
    { label: 'What', render: ({ action }) => (isAuditAction(action) ? auditLabels[action] : action) },
    { label: 'Of', render: (line) => <Target line={line} /> },
    {
      label: 'Details',
      render: ({ detail, names }) =>
        describeDetails(detail, new Map(Array.from(names, ([id, { name }]) => [id, name]))),
    },
  ],
  empty: 'Nothing was changed yet.',
});

export const settingsPages = [settings, audit] as const;
