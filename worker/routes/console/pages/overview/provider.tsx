// The state of the provider: circuit breaker, pace, balance and what our ledgers expect of it.
import type { ProviderView } from '../../../../../shared/api/admin-records.ts';
import { formatNumber } from '../../../../../shared/lib/format-count.ts';
import { Badge, Figure, Figures, Time, type Tone } from '../../components/data.tsx';

type Throttle = NonNullable<ProviderView['gate']>;

const breakers: Readonly<Record<Throttle['breaker']['state'], readonly [Tone, string]>> = {
  closed: ['good', 'reachable'],
  half_open: ['warning', 'being tested after failures'],
  open: ['bad', 'failing: calls are paused'],
};

const modes: Readonly<Record<ProviderView['mode'], string>> = {
  embedded: 'the sandbox with fictional records: nothing is charged',
  remote: 'the provider',
  none: 'not configured',
};

const Balance = ({ balance }: { balance: Throttle['balance'] }) =>
  balance === null ? (
    <Figure label="Balance" value="–" hint="known after the first paid call" />
  ) : (
    <>
      <Figure
        label="Balance"
        value={formatNumber(balance.reported)}
        hint="credits, as the provider last reported"
      />
      <Figure
        label="Drift"
        value={formatNumber(balance.drift)}
        hint={balance.drift === 0 ? 'our ledgers agree' : 'credits that our ledgers do not explain'}
      />
      <Figure
        label="Unclear"
        value={formatNumber(balance.unclear)}
        hint="credits of calls without an answer"
      />
    </>
  );

export const Provider = ({ provider: { mode, problem, gate } }: { provider: ProviderView }) => (
  <section class="card">
    <h2>Provider</h2>
    {problem === null ? null : (
      <p class="problem" role="alert">
        {problem}
      </p>
    )}
    <p>
      Records come from {modes[mode]}.{' '}
      {gate === null ? null : (
        <Badge tone={breakers[gate.breaker.state][0]}>{breakers[gate.breaker.state][1]}</Badge>
      )}
      {gate === null || gate.breaker.state === 'closed' ? null : (
        <small>
          {' '}
          since <Time at={gate.breaker.since} />
        </small>
      )}
    </p>
    {gate === null ? null : (
      <Figures>
        <Balance balance={gate.balance} />
        <Figure
          label="Pace"
          value={`${formatNumber(gate.pace.per_s)} calls/s`}
          hint={gate.pace.learnt ? 'learned from the provider’s answers' : 'configured'}
        />
        <Figure
          label="Waiting"
          value={formatNumber(gate.waiting)}
          hint={`calls; ${formatNumber(gate.open)} in progress`}
        />
      </Figures>
    )}
  </section>
);
