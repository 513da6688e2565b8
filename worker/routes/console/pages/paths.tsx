// Addresses of pages, and of their calls in the admin API. Keys of records are sent in bodies, never in addresses.
import type { Query } from '../admin-client.ts';
import { readText } from '../components/form.tsx';
import type { ConsoleContext, FormValues } from '../context.ts';

/** Returns the address of a team's page. */
export const getTeamPage = (id = ''): string => `/console/teams/${encodeURIComponent(id)}`;

/** Returns the path of a team in the admin API. */
export const getTeamPath = (id = ''): string => `/teams/${encodeURIComponent(id)}`;

/** Returns the address of a team's unclear calls. */
export const getUnclearPage = (id = ''): string => `${getTeamPage(id)}/unclear`;

/** Returns the address of a team's disputed charges. */
export const getDisputedPage = (id = ''): string => `${getTeamPage(id)}/disputed`;

/** Start of the addresses of domains, which the page of the people lists. */
export const DOMAINS = '/console/domains';

/** Address of the people. */
export const PEOPLE = '/console/people';

/** Returns the address of a person's page. */
export const getPersonPage = (id = ''): string => `${PEOPLE}/${encodeURIComponent(id)}`;

/** Address of the look-up. */
export const RECORDS = '/console/records';

/** Address of the list of erasures. */
export const ERASURES = `${RECORDS}/erasures`;

/** Address of the list of refused keys. */
export const REFUSED_KEYS = `${RECORDS}/refused-keys`;

/** Returns the address of the proof of an erasure. */
export const getErasurePage = (id: string): string => `${ERASURES}/${encodeURIComponent(id)}`;

/** A record that a form names. */
export interface NamedRecord {
  family: string;
  key: string;
}

/** Reads the record that a form names. */
export const readRecord = (form: FormValues): NamedRecord => ({
  family: readText(form, 'family'),
  key: readText(form, 'key'),
});

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

/** Renders a team as a link to its page. @param name - null if the team is unknown */
export const TeamLink = ({ id, name }: { id: string; name: string | null }) =>
  name === null ? <code>{id}</code> : <a href={getTeamPage(id)}>{name}</a>;
