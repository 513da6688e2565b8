// Shared parts of the lists of activity: links between them, which keep the chosen team, and states of automatic work.
import type { Child } from 'hono/jsx';
import { Badge, type Tone } from '../../components/data.tsx';
import { buildList, type List } from '../../components/list.tsx';
import type { Page } from '../../context.ts';
import { ACTIVITY, getTeamPage } from '../paths.ts';

const lists = [
  [ACTIVITY, 'Bulk orders'],
  [`${ACTIVITY}/schedules`, 'Schedules'],
  [`${ACTIVITY}/filled`, 'Kept filled'],
  [`${ACTIVITY}/deliveries`, 'Deliveries'],
  [`${ACTIVITY}/failed`, 'Failed messages'],
] as const;

const Tabs = ({ current, team }: { current: string; team: string | undefined }) => (
  <nav class="tabs" aria-label="Activity">
    <ul>
      {lists.map(([address, label]) => (
        <li>
          <a
            href={team === undefined ? address : `${address}?${new URLSearchParams({ team })}`}
            aria-current={address === current ? 'page' : undefined}
          >
            {label}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

/** Builds a list of activity. One team can be chosen by the address, unless the description has other filters. */
export function buildActivityList<T>(list: Omit<List<T>, 'above'>): Page {
  const filters = list.filters ?? ['team'];
  const address = `/console${list.path}`;
  return buildList({
    ...list,
    filters,
    above: ({ query: { team } }) => (
      <>
        <Tabs current={address} team={team} />
        {team === undefined || !filters.includes('team') ? null : (
          <p>
            Only <a href={getTeamPage(team)}>one team</a> is shown. <a href={address}>Show all teams</a>
          </p>
        )}
      </>
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
