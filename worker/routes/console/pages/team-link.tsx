// Links to teams.
import { getTeamPage } from './teams/paths.ts';

/** Renders a team as a link to its page. @param name - null if the team is unknown */
export const TeamLink = ({ id, name }: { id: string; name: string | null }) =>
  name === null ? <code>{id}</code> : <a href={getTeamPage(id)}>{name}</a>;
