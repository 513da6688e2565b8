// The German texts, by their English originals.
import { activity } from './activity.ts';
import { labels } from './labels.ts';
import { menu } from './menu.ts';
import { problems } from './problems.ts';
import { runs } from './runs.ts';
import { search } from './search.ts';
import { sidebar } from './sidebar.ts';
import { tables } from './tables.ts';

export const texts = {
  ...menu,
  ...runs,
  ...sidebar,
  ...search,
  ...tables,
  ...activity,
  ...problems,
  ...labels,
} as const;
