// The choice of a team in a form or a filter: by name, or by id where there are more teams than a list can show.
import type { AdminClient } from '../admin-client.ts';
import { Field, Select } from './form.tsx';
import type { Options } from './texts.ts';

/** Each team of the list costs a call of its ledger. */
const MAX_LISTED = 100;

export interface TeamChoices {
  /** Id and name of the oldest teams. */
  options: Options;
  hasMore: boolean;
}

export async function listTeamChoices(api: AdminClient): Promise<TeamChoices> {
  const { teams, next } = await api.call('listTeams', { query: { limit: MAX_LISTED } });
  return { options: teams.map(({ id, name }) => [id, name] as const), hasMore: next !== null };
}

interface TeamSelectProps {
  label?: string;
  teams: TeamChoices;
  /** The choice of no team, if there is one. */
  none?: string;
  /** Id of the chosen team, which the list may lack. */
  value?: string | undefined;
}

/** Renders the choice of a team, with the name `team`. */
export const TeamSelect = ({
  label = 'Team',
  teams: { options, hasMore },
  none,
  value = '',
}: TeamSelectProps) => {
  if (hasMore) {
    const hint = `The id at the end of the address of the team’s page.${none === undefined ? '' : ` Empty: ${none}.`}`;
    return <Field label={label} name="team" value={value} hint={hint} required={none === undefined} />;
  }
  const isMissing = value !== '' && options.every(([id]) => id !== value);
  const all: Options = [
    ...(none === undefined ? [] : [['', none] as const]),
    ...options,
    ...(isMissing ? [[value, value] as const] : []),
  ];
  return <Select label={label} name="team" options={all} value={value} />;
};
