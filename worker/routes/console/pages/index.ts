// The menu of the console: its sections, and their pages with their actions and downloads.
import type { Page, Section } from '../context.ts';
import { deliveries } from './activity/deliveries.tsx';
import { failedMessagePages } from './activity/failed-messages.tsx';
import { orderPages } from './activity/orders.tsx';
import { standingOrderPages } from './activity/standing-orders.tsx';
import { ledger } from './ledger.tsx';
import { costs } from './overview/costs.tsx';
import { costsByPerson } from './overview/costs-by-person.tsx';
import { overview } from './overview/index.tsx';
import { erasurePages } from './records/erasures.tsx';
import { personSearch } from './records/find-person.tsx';
import { records } from './records/lookup.tsx';
import { admins } from './settings/admins.tsx';
import { settingsPages } from './settings/index.tsx';
import { setup } from './setup.tsx';
import { teamAlertPages } from './teams/alerts.tsx';
import { creditReviewPages } from './teams/credit-review.tsx';
import { teamListPages } from './teams/list.tsx';
import { peoplePages } from './teams/people.tsx';
import { teamRules } from './teams/rules.tsx';
import { team } from './teams/team.tsx';
import { tokenPages } from './teams/tokens.tsx';

export const sections: readonly Section[] = [
  { label: 'Overview', pages: [overview, costs, costsByPerson, setup] },
  {
    label: 'Teams',
    pages: [
      ...teamListPages,
      team,
      ...tokenPages,
      ...creditReviewPages,
      ...teamAlertPages,
      ...peoplePages,
      teamRules,
    ],
  },
  { label: 'Ledger', pages: [ledger] },
  { label: 'Activity', pages: [...orderPages, ...standingOrderPages, deliveries, ...failedMessagePages] },
  { label: 'Records', pages: [records, personSearch, ...erasurePages] },
  { label: 'Settings', pages: [...settingsPages, admins] },
];

export const pages: readonly Page[] = sections.flatMap((section): readonly Page[] => section.pages);
