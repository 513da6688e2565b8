// Shared parts of the lists of activity: links between them, which keep the chosen team, and states of automatic work.
import type { Child } from 'hono/jsx';
import { Badge, type Tone } from '../../components/data.tsx';
import { buildList, type List } from '../../components/list.tsx';
import { findTeamId, listTeamChoices, TeamSelect } from '../../components/team-select.tsx';
import type { ConsoleContext, Page } from '../../context.ts';
import { ACTIVITY } from '../paths.ts';

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

interface ActivityList<T> extends Omit<List<T>, 'above' | 'form'> {
  /** Fields besides that of the team. */
  fields?: (context: ConsoleContext) => Child;
}

/** Builds a list of activity. Its lines can be filtered by team. */
export function buildActivityList<T>({ load, fields, ...list }: ActivityList<T>): Page {
  return buildList({
    ...list,
    filters: ['team', ...(list.filters ?? [])],
    load: async (context, { team, ...query }, failed) => {
      const id = team && findTeamId(await listTeamChoices(context.api), String(team));
      return load(context, { ...query, team: id }, failed);
    },
    form: async (context) => (
      <>
        <TeamSelect teams={await listTeamChoices(context.api)} none="All" value={context.query.team} />
        {fields?.(context)}
      </>
    ),
    above: ({ query: { team } }) => <Tabs current={`/console${list.path}`} team={team} />,
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
