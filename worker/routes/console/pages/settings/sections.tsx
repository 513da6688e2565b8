// Sections of the settings page.
import type { SettingsView } from '../../../../../shared/api/admin-settings.ts';
import { familyLabels } from '../../../../../shared/families/registry.ts';
import { DAY_S, HOUR_S, MINUTE_S } from '../../../../../shared/lib/durations.ts';
import { formatCount, formatNumber } from '../../../../../shared/lib/format-count.ts';
import { Badge, Facts, Table, Time } from '../../components/data.tsx';
import { freshnessLabels, storedDataLabels } from '../../components/texts.ts';

interface Props {
  settings: SettingsView;
}

/** Formats a duration in the largest unit that divides it. */
function formatDuration(seconds: number): string {
  const [size, unit] =
    seconds % DAY_S === 0 ? [DAY_S, 'day'] : seconds % HOUR_S === 0 ? [HOUR_S, 'hour'] : [MINUTE_S, 'minute'];
  return formatCount(Math.round(seconds / size), unit);
}

const modes: Readonly<Record<SettingsView['provider']['mode'], string>> = {
  sandbox: 'sandbox with fictional records',
  live: 'connected',
  none: 'not configured',
};

export const Deployment = ({ settings }: Props) => (
  <section class="card">
    <h2>Deployment</h2>
    <Facts
      facts={[
        ['Environment', settings.environment],
        ['Version', settings.version],
        ['Address', settings.public_url ?? 'not set'],
        ['Region', settings.region ?? 'near the first use'],
        ['Jurisdiction', settings.jurisdiction ?? 'none'],
        ['Sign-in to this console', settings.access_team_domain ?? 'admin token'],
        ['Provider', settings.provider.problem ?? modes[settings.provider.mode]],
        [
          'Pace until the provider states its own',
          settings.provider.rate_per_s === null ? 'wrong setting' : `${settings.provider.rate_per_s} calls/s`,
        ],
        [
          'Closed spreadsheets',
          settings.push_account.problem ?? settings.push_account.email ?? 'not configured (docs/push.md)',
        ],
        [
          'Searches in words',
          settings.assistant.problem ?? settings.assistant.model ?? 'off (docs/assistant.md)',
        ],
        ['Request log', settings.request_log === 'all' ? 'every request' : 'without answers from memory'],
        ['Metrics', settings.metrics ? 'written to Analytics Engine' : 'off'],
      ]}
    />
  </section>
);

/** Renders which secrets are set. Their values are shown nowhere. */
export const Secrets = ({ settings }: Props) => (
  <section class="card">
    <h2>Secrets</h2>
    <Table
      caption="Secrets"
      columns={[
        { label: 'Secret', render: ({ name }) => <code>{name}</code> },
        {
          label: 'State',
          render: ({ set }) => <Badge tone={set ? 'good' : 'neutral'}>{set ? 'set' : 'not set'}</Badge>,
        },
      ]}
      rows={settings.secrets}
      empty="No secret is known."
    />
    {settings.previous_admin_token_until === null ? null : (
      <p>
        The previous admin token is accepted until <Time at={settings.previous_admin_token_until} />.
      </p>
    )}
    <details>
      <summary>Replace a secret without an interruption</summary>
      <p>
        Admin token: <code>npm run rotate -- admin-token</code>. Provider’s key:{' '}
        <code>CDAPI_KEY=… npm run deploy</code>. A team’s webhook secret: on the page of the team.{' '}
        <code>PSEUDONYM_SECRET</code> and <code>ENCRYPTION_SECRET</code> never change.
      </p>
    </details>
  </section>
);

export const Freshness = ({ settings: { freshness } }: Props) => (
  <section class="card">
    <h2>Freshness</h2>
    {freshness === null ? (
      <p class="problem">FRESH_FOR or KEEP_FOR is wrong, so nothing is looked up.</p>
    ) : (
      <>
        <Table
          caption="Freshness"
          columns={[
            { label: 'Data', render: ({ name }) => freshnessLabels[name] ?? name },
            {
              label: 'Covers',
              render: ({ families }) => families.map((family) => familyLabels[family].name).join(' · '),
            },
            { label: 'Fresh for', render: ({ fresh_for_s }) => formatDuration(fresh_for_s) },
          ]}
          rows={freshness.classes}
          empty="Nothing is cached."
        />
        <p>
          Bought records are kept for {formatDuration(freshness.keep_for_s)}. Older than fresh, they are shown
          as stale.
        </p>
      </>
    )}
  </section>
);

const limitLabels: Readonly<Record<keyof SettingsView['limits'], string>> = {
  lookup_keys: 'Keys in a lookup',
  lookup_wait_ms: 'Longest wait of a lookup (ms)',
  preview_pages: 'Preview pages in a call',
  order_records: 'Records in a bulk order',
  row_page: 'Rows of a bulk order in a page',
  list_page: 'Objects in a page of a list',
  usage_days: 'Days in a usage report',
  alert_addresses: 'Alert addresses of a team',
  single_flight_objects: 'Objects that share the calls to the provider',
  single_flight_calls: 'Calls at once of each of them',
};

export const Limits = ({ settings: { limits } }: Props) => (
  <section class="card">
    <h2>Limits</h2>
    <Facts
      facts={Object.entries(limitLabels).map(([name, label]) => [
        label,
        formatNumber(Number(Reflect.get(limits, name))),
      ])}
    />
  </section>
);

export const Retention = ({ settings: { retention } }: Props) => (
  <section class="card">
    <h2>Retention</h2>
    <Table
      caption="Retention"
      columns={[
        { label: 'Data', render: ({ data }) => storedDataLabels[data] ?? data },
        {
          label: 'Deleted after',
          isNumber: true,
          render: ({ days }) => (days === 0 ? 'at their end' : formatCount(days, 'day')),
        },
      ]}
      rows={retention}
      empty="Nothing expires."
    />
  </section>
);
