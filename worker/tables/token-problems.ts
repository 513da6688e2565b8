// Why a schedule, a column that is kept filled, or the pushes of a table stop when their token is no longer valid.
import type { StoredProblem } from '../db/schema.ts';

export const scheduleTokenInvalid: StoredProblem = {
  problem: 'unauthorised',
  detail: 'The connection that pays for this schedule has ended: its token has expired or was revoked.',
  fix: 'Take the schedule over in the sidebar under Tables → Schedule. Your connection pays from then on.',
};

export const enrichmentTokenInvalid: StoredProblem = {
  problem: 'unauthorised',
  detail: 'The connection that pays for these rows has ended: its token has expired or was revoked.',
  fix: 'Save the setting again in the sidebar under Tables. Your connection pays from then on.',
};

export const pushTokenInvalid: StoredProblem = {
  problem: 'unauthorised',
  detail:
    'The connection that updates this table while its sheet is closed has ended: its token has expired or was revoked.',
  fix: 'Take the updates over in the sidebar under Tables → Schedule. Rows that have arrived are then written.',
};
