// The setup of a new deployment: completed steps, and the next action of each open one.
import type { SetupCheck } from '../../../../shared/api/admin-settings.ts';
import { Badge, type Tone } from '../components/data.tsx';
import type { Page } from '../context.ts';

interface Step {
  title: string;
  link?: readonly [string, string];
}

const steps: Readonly<Record<SetupCheck['id'], Step>> = {
  provider: { title: 'The provider’s key works', link: ['/console', 'See the provider'] },
  team: { title: 'A team has a budget', link: ['/console/teams', 'Open the teams'] },
  connection: {
    title: 'A spreadsheet can be connected',
    link: ['/console/teams', 'Open a team to create a connection link'],
  },
  push_account: { title: 'Rows reach closed spreadsheets' },
  operator_alerts: {
    title: 'Somebody is told about failures',
    link: ['/console/settings', 'Open the settings'],
  },
  monitoring: { title: 'A service outside watches /health/deep' },
  backups: { title: 'The database can be restored' },
};

function describeState({ done, required }: SetupCheck): readonly [Tone, string] {
  if (done === true) return ['good', '✓ done'];
  if (done === null) return ['neutral', 'not known here'];
  return required ? ['bad', 'missing'] : ['warning', 'optional'];
}

const Checks = ({ checks }: { checks: readonly SetupCheck[] }) => (
  <ol class="steps">
    {checks.map((check) => {
      const { title, link } = steps[check.id];
      const [tone, state] = describeState(check);
      return (
        <li>
          <Badge tone={tone}>{state}</Badge>
          <div>
            <h3>{title}</h3>
            <p>{check.detail}</p>
            {link === undefined || check.done === true ? null : (
              <p>
                <a href={link[0]}>{link[1]}</a>
              </p>
            )}
          </div>
        </li>
      );
    })}
  </ol>
);

export const setup: Page = {
  path: '/setup',
  needs: 'getSetup',
  render: async ({ api }) => {
    const { done, checks } = await api.call('getSetup');
    return {
      title: 'Setup',
      body: (
        <>
          <p class="lead">
            {done
              ? 'The gateway is ready: people can connect their spreadsheets.'
              : 'Three steps, and people can connect their spreadsheets.'}
          </p>
          <section class="card">
            <h2>Needed</h2>
            <Checks checks={checks.filter(({ required }) => required)} />
          </section>
          <section class="card">
            <h2>Recommended</h2>
            <Checks checks={checks.filter(({ required }) => !required)} />
          </section>
        </>
      ),
    };
  },
};
