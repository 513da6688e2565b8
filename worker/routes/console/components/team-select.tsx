// The choice of a team in a form or a filter, by name.
import { invalidRequest } from '../../../http/problem-error.ts';
import type { AdminClient } from '../admin-client.ts';
import { Field, Select } from './form.tsx';
import type { Options } from './texts.ts';

/** Longer lists are suggestions of a text field. */
const MAX_OPTIONS = 200;
const SUGGESTIONS = 'teams';

/** Ids and names of all teams, by name. */
export async function listTeamChoices(api: AdminClient): Promise<Options> {
  const { teams } = await api.call('listTeamNames');
  return teams.map(({ id, name }) => [id, name] as const);
}

/**
 * Finds the id of the team that a person chose or wrote, by its id or name.
 * @returns a text that names no team as it is: the admin API refuses it, or knows a deleted team
 * @throws ProblemError `invalid_request`
 */
export function findTeamId(teams: Options, text: string): string {
  const [team, ...others] = teams.filter((names) => names.includes(text));
  if (others.length > 0) throw invalidRequest('team', 'several teams have this name: write the id of one');
  return team?.[0] ?? text;
}

interface TeamSelectProps {
  label?: string;
  teams: Options;
  none?: string;
  /** What was chosen: an id or a name. */
  value?: string | undefined;
}

/** Renders the choice of a team, with the name `team`. {@link findTeamId} reads it. */
export const TeamSelect = ({ label = 'Team', teams, none, value = '' }: TeamSelectProps) => {
  const chosen = teams.find((names) => names.includes(value));
  const sameName = Map.groupBy(teams, ([, name]) => name);
  const isUnique = (name: string): boolean => sameName.get(name)?.length === 1;
  if (teams.length <= MAX_OPTIONS) {
    const all: Options = [
      ...(none === undefined ? [] : [['', none] as const]),
      ...teams.map(([id, name]) => [id, isUnique(name) ? name : `${name} (${id})`] as const),
      ...(value === '' || chosen !== undefined ? [] : [[value, value] as const]),
    ];
    return <Select label={label} name="team" options={all} value={chosen?.[0] ?? value} />;
  }
  const getText = ([id, name]: readonly [string, string]): string => (isUnique(name) ? name : id);
  return (
    <>
      <Field
        label={label}
        name="team"
        value={chosen === undefined ? value : getText(chosen)}
        hint={none === undefined ? 'Its name.' : `Its name. Empty: ${none}.`}
        list={SUGGESTIONS}
        required={none === undefined}
      />
      <datalist id={SUGGESTIONS}>
        {teams.map((team) => (
          <option value={getText(team)}>{team[1]}</option>
        ))}
      </datalist>
    </>
  );
};
