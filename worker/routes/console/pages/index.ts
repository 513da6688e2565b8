// All pages, actions and downloads of the console.
import type { Action, Download, Page } from '../context.ts';
import { activityActions, activityPages } from './activity/index.ts';
import { ledgerDownloads, ledgerPages } from './ledger.tsx';
import { overviewDownloads, overviewPages } from './overview/index.tsx';
import { recordActions, recordPages } from './records/index.ts';
import { settingsActions, settingsPages } from './settings/index.tsx';
import { setupPages } from './setup.tsx';
import { teamActions, teamPages } from './teams/index.ts';

export const pages: readonly Page[] = [
  ...overviewPages,
  ...setupPages,
  ...teamPages,
  ...ledgerPages,
  ...activityPages,
  ...recordPages,
  ...settingsPages,
];
export const actions: readonly Action[] = [
  ...teamActions,
  ...activityActions,
  ...recordActions,
  ...settingsActions,
];
export const downloads: readonly Download[] = [...overviewDownloads, ...ledgerDownloads];
