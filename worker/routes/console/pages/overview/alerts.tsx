// Operator alerts that hold now.
import type { OperatorAlertList } from '../../../../../shared/api/admin-alerts.ts';
import { getAlertTitle } from '../../components/alert-titles.ts';
import { Time } from '../../components/data.tsx';

/** Renders active operator alerts; nothing if there are none. */
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
