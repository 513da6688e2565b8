// Messages after successful actions. The address holds only their code, so nobody can make the console show a text.

/** Messages by code. */
export const notices = {
  team_created: 'The team was created.',
  team_changed: 'The team was saved.',
  team_deleted: 'The team was deleted.',
  budget_changed: 'The budget was saved.',
  topped_up: 'The credits were added.',
  token_changed: 'The token was saved.',
  token_revoked: 'The token was revoked. Nothing can be bought with it from now on.',
  domain_assigned: 'The domain was assigned.',
  domain_removed: 'The domain was removed. Tokens of its people have stopped.',
  person_revoked: 'The person was revoked.',
  person_allowed: 'The person may sign in again.',
  person_deleted: 'The person’s data was deleted.',
  calls_reconciled: 'The unclear calls were settled.',
  dispute_settled: 'The disputed charge was settled.',
  order_stopped: 'The bulk order was stopped.',
  schedule_stopped: 'The schedule was stopped.',
  schedule_resumed: 'The schedule was resumed.',
  filling_stopped: 'The column is no longer kept filled.',
  delivery_retried: 'The rows will be written again within a few minutes.',
  message_replayed: 'The message is being processed again.',
  erased: 'It was erased. Every later look-up of it is refused.',
  alert_tested: 'The test message was accepted by the receiver.',
} as const;

export type NoticeCode = keyof typeof notices;

const isNoticeCode = (code: string): code is NoticeCode => Object.hasOwn(notices, code);

/** Finds the message of a code from an address. */
export function findNotice(code: string | undefined): string | undefined {
  return code !== undefined && isNoticeCode(code) ? notices[code] : undefined;
}
