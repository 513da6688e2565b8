// Shared parts of the lists of activity: the chosen team, and states of automatic work.
import type { Child } from 'hono/jsx';
import { Badge, type Tone } from '../../components/data.tsx';
import { buildList, type List } from '../../components/list.tsx';
import type { Page } from '../../context.ts';
import { getTeamPage } from '../paths.ts';

/** Builds a list of activity. One team can be chosen by the address, unless the description has other filters. */
export function buildActivityList<T>(list: Omit<List<T>, 'above' | 'tab'>): Page {
  const filters = list.filters ?? ['team'];
  const address = `/console${list.path}`;
  return buildList({
    ...list,
    tab: list.title,
    filters,
    above: ({ query: { team } }) =>
      team === undefined || !filters.includes('team') ? null : (
        <p>
          Only <a href={getTeamPage(team)}>one team</a> is shown. <a href={address}>Show all teams</a>
        </p>
      ),
  });
}

/** Renders a state with what explains it. */
export const State = ({
  badge: [tone, label],
  notes,
}: {
  badge: readonly [Tone, string];
  notes: Child[];
}) => (
  <>
    <Badge tone={tone}>{label}</Badge>
    {notes.map((note) => (
      <p>
        <small>{note}</small>
      </p>
    ))}
  </>
);
