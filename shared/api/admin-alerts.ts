// Bodies of /admin/v1/alerts: operator alerts that hold.
import * as z from 'zod';
import { time } from './common.ts';

const alertDeliveries = ['pending', 'delivered', 'dropped'] as const;
export type AlertDelivery = (typeof alertDeliveries)[number];

const operatorAlert = z.object({
  kind: z.string().describe('Such as `breaker_open`: docs/admin.md, Operator alerts.'),
  since: time,
  last_notified: time.describe('Time of the last message: its beginning or a reminder.'),
  delivery: z
    .enum(alertDeliveries)
    .describe(
      'What became of the last message. `pending`: it is sent again. `dropped`: the receiver did not accept it; the daily reminder follows.',
    ),
});

export const operatorAlertList = z.object({
  configured: z.boolean().describe('False: OPERATOR_ALERT_URL is not set, so nothing is checked.'),
  problem: z.string().nullable().describe('Why no alerts can be sent. Null if the settings are right.'),
  alerts: z.array(operatorAlert),
});
export type OperatorAlertList = z.infer<typeof operatorAlertList>;

export const testAlertResult = z.object({
  accepted: z.boolean(),
  problem: z
    .string()
    .nullable()
    .describe('Why the receiver did not accept the message, without its address and its response.'),
});
export type TestAlertResult = z.infer<typeof testAlertResult>;
