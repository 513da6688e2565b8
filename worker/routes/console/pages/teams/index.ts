// The section of teams, their tokens, and people.
import type { Action, Page } from '../../context.ts';
import { dangerActions, dangerPages } from './danger.tsx';
import { disputedActions, disputedPages } from './disputed.tsx';
import { listActions, listPages } from './list.tsx';
import { domainActions, domainPages } from './people.tsx';
import { personActions, personPages } from './person.tsx';
import { teamPage, teamPageActions } from './team.tsx';
import { tokenActions, tokenPages } from './tokens.tsx';
import { unclearActions, unclearPages } from './unclear.tsx';

export const teamPages: readonly Page[] = [
  ...listPages,
  teamPage,
  ...tokenPages,
  ...unclearPages,
  ...disputedPages,
  ...dangerPages,
  ...domainPages,
  ...personPages,
];
export const teamActions: readonly Action[] = [
  ...listActions,
  ...teamPageActions,
  ...tokenActions,
  ...unclearActions,
  ...disputedActions,
  ...dangerActions,
  ...domainActions,
  ...personActions,
];
