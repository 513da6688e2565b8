// Shared parts of the lists of activity: the chosen team, and states of automatic work.
import type { Child } from 'hono/jsx';
import { Badge, type Tone } from '../../components/data.tsx';
import { buildList, type List } from '../../components/list.tsx';
import { findTeamId, listTeamChoices, TeamSelect } from '../../components/team-select.tsx';
import type { ConsoleContext, Page } from '../../context.ts';

interface ActivityList<T> extends Omit<List<T>, 'above' | 'form' | 'tab'> {
  /** Fields besides that of the team. */
  fields?: (context: ConsoleContext) => Child;
}

/** Builds a list of activity. Its lines can be filtered by team. */
export function buildActivityList<T>({ load, fields, ...list }: ActivityList<T>): Page {
  return buildList({
    ...list,
    tab: list.title,
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
