// /admin/v1/alerts: operator alerts that hold, and a test message.

import { adminEndpoints as endpoints } from '../../../../shared/api/admin-endpoints.ts';
import type * as api from '../../../../shared/api/admin-settings.ts';
import { ProblemError } from '../../../http/problem-error.ts';
import { toIsoTime } from '../../../lib/format.ts';
import { getDelivery, OperatorAlertStore } from '../../../operations/alert-store.ts';
import { sendTestMessage } from '../../../operations/operator-alerts.ts';
import { readOperatorSettings } from '../../../operations/operator-settings.ts';
import { buildAuditInsert } from '../audit-log.ts';
import { route } from '../route.ts';
import { readSetting } from './settings.ts';

const listAlerts = route(endpoints.listAlerts, {
  summary: 'List the operator alerts that hold, oldest first',
  returns: 'The alerts',
  handle: async (_, { env }): Promise<api.OperatorAlertList> => {
    const { value: settings, problem } = readSetting(() => readOperatorSettings(env));
    const configured = Boolean(env.OPERATOR_ALERT_URL);
    // Without settings no sweep runs, so the stored state may be out of date.
    if (!settings) return { configured, problem, alerts: [] };
    const rows = await new OperatorAlertStore(env.DB).list();
    const alerts = rows.flatMap((row) =>
      row.since === null
        ? []
        : [
            {
              kind: row.kind,
              since: toIsoTime(row.since),
              last_notified_at: toIsoTime(row.notifiedAt),
              delivery: getDelivery(row),
              error: row.lastError,
            },
          ],
    );
    return { configured, problem, alerts };
  },
});

const testAlert = route(endpoints.testAlert, {
  summary: 'Send a test message to the operator’s webhook',
  description: 'The message is sent once and not repeated. `not_configured` without a webhook.',
  returns: 'Whether the receiver accepted it',
  handle: async (_, { env, now, actor }): Promise<api.TestAlertResult> => {
    const settings = readOperatorSettings(env);
    if (settings === undefined) {
      throw new ProblemError(
        'not_configured',
        'OPERATOR_ALERT_URL is not set.',
        'Set the secret to the address of an incoming webhook: docs/admin.md, Operator alerts.',
      );
    }
    await buildAuditInsert({ env, now, actor }, 'alert.test', 'operator');
    const problem = (await sendTestMessage(settings)) ?? null;
    return { accepted: problem === null, problem };
  },
});

export const alertRoutes = { listAlerts, testAlert };
