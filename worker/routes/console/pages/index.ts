// All pages, actions and downloads of the console.
import type { Action, Download, Page } from '../context.ts';
import { deliveryActions, deliveryPages } from './activity/deliveries.tsx';
import { failedMessageActions, failedMessagePages } from './activity/failed-messages.tsx';
import { keptFilledActions, keptFilledPages } from './activity/kept-filled.tsx';
import { orderActions, orderPages } from './activity/order.tsx';
import { orderListPages } from './activity/orders.tsx';
import { scheduleActions, schedulePages } from './activity/schedules.tsx';
import { ledgerDownloads, ledgerPages } from './ledger.tsx';
import { overviewDownloads, overviewPages } from './overview/index.tsx';
import { eraseActions, erasePages } from './records/erase.tsx';
import { erasureListPages } from './records/erasures.tsx';
import { lookupActions, lookupPage } from './records/lookup.tsx';
import { settingsActions, settingsPages } from './settings/index.tsx';
import { setupPages } from './setup.tsx';
import { dangerActions, dangerPages } from './teams/danger.tsx';
import { listActions, listPages } from './teams/list.tsx';
import { domainActions, domainPages } from './teams/people.tsx';
import { personActions, personPages } from './teams/person.tsx';
import { settlementActions, settlementPages } from './teams/settlements.tsx';
import { teamPage, teamPageActions } from './teams/team.tsx';
import { tokenActions, tokenPages } from './teams/tokens.tsx';

export const pages: readonly Page[] = [
  ...overviewPages,
  ...setupPages,
  ...listPages,
  teamPage,
  ...tokenPages,
  ...settlementPages,
  ...dangerPages,
  ...domainPages,
  ...personPages,
  ...ledgerPages,
  ...orderListPages,
  ...orderPages,
  ...schedulePages,
  ...keptFilledPages,
  ...deliveryPages,
  ...failedMessagePages,
  lookupPage,
  ...erasureListPages,
  ...erasePages,
  ...settingsPages,
];
export const actions: readonly Action[] = [
  ...listActions,
  ...teamPageActions,
  ...tokenActions,
  ...settlementActions,
  ...dangerActions,
  ...domainActions,
  ...personActions,
  ...orderActions,
  ...scheduleActions,
  ...keptFilledActions,
  ...deliveryActions,
  ...failedMessageActions,
  ...lookupActions,
  ...eraseActions,
  ...settingsActions,
];
export const downloads: readonly Download[] = [...overviewDownloads, ...ledgerDownloads];
