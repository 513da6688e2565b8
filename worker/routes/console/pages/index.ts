// All pages of the console, with their actions and downloads.
import type { Page } from '../context.ts';
import { deliveries } from './activity/deliveries.tsx';
import { failedMessageChanges, failedMessages } from './activity/failed-messages.tsx';
import { orderPage, orders } from './activity/orders.tsx';
import { keptFilled, schedules } from './activity/standing-orders.tsx';
import { ledger } from './ledger.tsx';
import { costs } from './overview/costs.tsx';
import { costsByPerson } from './overview/costs-by-person.tsx';
import { overview } from './overview/index.tsx';
import { erasureProof, erasures, refusedKeys } from './records/erasures.tsx';
import { records } from './records/lookup.tsx';
import { admins } from './settings/admins.tsx';
import { audit, settings } from './settings/index.tsx';
import { setup } from './setup.tsx';
import { teamAlert, teamAlerts } from './teams/alerts.tsx';
import { disputed, reconcileAll, unclear } from './teams/credit-review.tsx';
import { deleteTeam, newTeam, newWebhookSecret, teams } from './teams/list.tsx';
import { people, personPage, removeDomain } from './teams/people.tsx';
import { teamRules } from './teams/rules.tsx';
import { team } from './teams/team.tsx';
import { newToken, revokeToken, tokenPage, tokens } from './teams/tokens.tsx';

export const pages: readonly Page[] = [
  overview,
  costs,
  costsByPerson,
  setup,
  teams,
  newTeam,
  team,
  tokens,
  newToken,
  tokenPage,
  revokeToken,
  unclear,
  reconcileAll,
  disputed,
  teamAlerts,
  teamAlert,
  deleteTeam,
  newWebhookSecret,
  people,
  teamRules,
  removeDomain,
  personPage,
  ledger,
  orders,
  orderPage,
  schedules,
  keptFilled,
  deliveries,
  failedMessages,
  ...failedMessageChanges,
  records,
  erasures,
  refusedKeys,
  erasureProof,
  settings,
  admins,
  audit,
];
