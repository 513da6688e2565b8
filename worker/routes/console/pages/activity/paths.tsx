// Addresses of the pages of activity, the links between them, and the choice of a team.
import type { Query } from '../../admin-client.ts';
import type { ConsoleContext } from '../../context.ts';
import { getTeamPage } from '../teams/paths.ts';

/** Address of the bulk orders, and start of the addresses of other activity. */
export const ACTIVITY = '/console/activity';

/** Lines of a page. */
const PAGE_SIZE = 25;

/** Lists of activity and their addresses. */
const lists = [
  [ACTIVITY, 'Bulk orders'],
  [`${ACTIVITY}/schedules`, 'Schedules'],
  [`${ACTIVITY}/filled`, 'Kept filled'],
  [`${ACTIVITY}/deliveries`, 'Deliveries'],
  [`${ACTIVITY}/failed`, 'Failed messages'],
] as const;

/** Returns the parameters of a list's call: the chosen team and the page. */
export const getListQuery = ({ query: { team, after } }: ConsoleContext): Query => ({
  team,
  after,
  limit: PAGE_SIZE,
});

/** Returns the address of the next page. @param after - undefined or null on the last page */
export function getNextPage(
  address: string,
  { query: { team } }: ConsoleContext,
  after: string | null,
): string | undefined {
  if (after === null) return undefined;
  return `${address}?${new URLSearchParams({ ...(team === undefined ? {} : { team }), after })}`;
}

/** Renders the links between the lists. They keep the chosen team. */
export const ActivityLinks = ({ current, team }: { current: string; team: string | undefined }) => (
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

/** Renders which team is shown. */
export const ChosenTeam = ({ team, address }: { team: string | undefined; address: string }) =>
  team === undefined ? null : (
    <p>
      Only <a href={getTeamPage(team)}>one team</a> is shown. <a href={address}>Show all teams</a>
    </p>
  );
