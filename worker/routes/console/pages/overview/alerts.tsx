// Operator alerts that hold now.
import type { OperatorAlertList } from '../../../../../shared/api/admin-alerts.ts';
import { getAlertTitle } from '../../components/alert-titles.ts';
import { Time } from '../../components/data.tsx';

/** Renders what is wrong now; nothing if everything is in order. */
export const Alerts = ({ list: { alerts } }: { list: OperatorAlertList }) =>
  alerts.length === 0 ? null : (
    <section class="problem">
      {alerts.map(({ kind, since }) => (
        <p>
          <strong>{getAlertTitle(kind)}</strong> since <Time at={since} />.
        </p>
      ))}
      <p>
        <a href="/console/settings#alerts">Who was told</a>
      </p>
    </section>
  );
