// The ledger of a team: every change of credits, filtered, with a running balance and exports.
import * as z from 'zod';
import type { TeamLedger } from '../../../../shared/api/admin-reports.ts';
import { familyLabels } from '../../../../shared/families/registry.ts';
import { formatNumber } from '../../../../shared/lib/format-count.ts';
import { sourceLabels } from '../../../../shared/sources.ts';
import { type Column, Empty, Pager, Table } from '../components/data.tsx';
import { Field, Select } from '../components/form.tsx';
import {
  answerQuery,
  Filters as FilterForm,
  NO_MATCH,
  numbers,
  Payer,
  pick,
  times,
} from '../components/list.tsx';
import { findTeamId, listTeamChoices, TeamSelect } from '../components/team-select.tsx';
import {
  ALL,
  describeDetails,
  familyFilterOptions,
  ledgerKindLabels,
  type Options,
  operationLabels,
  operationOptions,
} from '../components/texts.ts';
import type { Page } from '../context.ts';

type Entry = TeamLedger['entries'][number];

const PAGE_SIZE = 50;

const kindOptions: Options = [ALL, ...Object.entries(ledgerKindLabels)];

/** Filters that the address may have. The admin API validates them. */
const filterNames = ['token', 'family', 'operation', 'kind', 'day'] as const;

const budgetNote = z
  .string()
  .transform((text) => JSON.parse(text))
  .pipe(z.record(z.string(), z.unknown()));

/** Changes of budgets have the changed limits as JSON. */
function describeNote({ kind, note }: Entry): string {
  if (note === null) return '';
  if (kind !== 'budget') return note;
  const { caps, ...change } = budgetNote.parse(note);
  return describeDetails({ ...(caps === undefined ? {} : { 'limit per': caps }), ...change });
}

/** A column of figures that most kinds of lines don't have. */
const amounts = (label: string, read: (entry: Entry) => number): Column<Entry> => ({
  label,
  isNumber: true,
  render: (entry) => (read(entry) === 0 ? '' : formatNumber(read(entry))),
});

/** @param team - id of the team whose lines are shown */
const listColumns = (team: string): readonly Column<Entry>[] => [
  times('When', ({ at }) => at),
  { label: 'What', render: ({ kind }) => ledgerKindLabels[kind] },
  { label: 'Data', render: ({ family }) => (family === null ? '' : familyLabels[family].name) },
  { label: 'Operation', render: ({ operation }) => (operation === null ? '' : operationLabels[operation]) },
  { label: 'Source', render: ({ source }) => (source === null ? '' : sourceLabels[source]) },
  {
    label: 'Who',
    render: ({ token, token_name }) =>
      token === null ? (
        'Admin'
      ) : (
        <a href={`/console/ledger?${new URLSearchParams({ team, token })}`}>
          <Payer token={token} name={token_name} />
        </a>
      ),
  },
  amounts('Calls', ({ calls }) => calls),
  amounts('Reused', ({ saved }) => saved),
  amounts('Spent', ({ kind, credits }) => (kind === 'top_up' ? 0 : credits)),
  amounts('Added', ({ kind, credits }) => (kind === 'top_up' ? credits : 0)),
  numbers('Sum', ({ balance }) => balance),
  { label: 'Note', render: describeNote },
];

const Filters = ({
  teams,
  team,
  filter,
  tokenName,
}: {
  teams: Options;
  team: string;
  filter: Readonly<Record<string, string>>;
  /** Name of the chosen token. */
  tokenName: string | undefined;
}) => (
  <FilterForm action="/console/ledger">
    <TeamSelect teams={teams} value={team} />
    <Select label="What" name="kind" options={kindOptions} value={filter.kind} />
    <Select label="Data" name="family" options={familyFilterOptions} value={filter.family} />
    <Select label="Operation" name="operation" options={operationOptions} value={filter.operation} />
    <Field label="Day (UTC)" name="day" type="date" value={filter.day} />
    {filter.token === undefined ? null : (
      <Select
        label="Who"
        name="token"
        options={[ALL, [filter.token, tokenName ?? filter.token.slice(0, 8)]]}
        value={filter.token}
      />
    )}
  </FilterForm>
);

const Lines = ({
  list: { entries, archived, next },
  team,
  filter,
}: {
  list: TeamLedger;
  team: string;
  filter: Readonly<Record<string, string>>;
}) => {
  const address = new URLSearchParams({ team, ...filter });
  return (
    <>
      <Table caption="Ledger lines" columns={listColumns(team)} rows={entries} empty={NO_MATCH} />
      {archived ? <p>Lines older than 13 months are not listed here; the exports include them.</p> : null}
      <p class="actions">
        <a href={`/console/ledger/export?format=csv&${address}`}>Export as CSV</a>
        <a href={`/console/ledger/export?format=json&${address}`}>Export as JSON</a>
      </p>
      <Pager href={next === null ? undefined : `/console/ledger?${address}&before=${next}`} />
    </>
  );
};

export const ledger: Page = {
  path: '/ledger',
  needs: 'exportLedger',
  render: async (context) => {
    const { api, query } = context;
    const teams = await listTeamChoices(api);
    const team = query.team ?? teams[0]?.[0];
    if (team === undefined)
      return {
        title: 'Ledger',
        body: (
          <Empty>
            No team exists yet, so nothing was bought. <a href="/console/new-team">Create a team</a>.
          </Empty>
        ),
      };
    const filter = pick(context.query, filterNames);
    const listEntries = async () => {
      const id = findTeamId(teams, team);
      const call = { ...filter, before: query.before, limit: PAGE_SIZE };
      const list = await api.call('listLedger', { params: { id }, query: call });
      return { ...list, team: id };
    };
    const { answer, wrong } = await answerQuery(['team', ...filterNames], listEntries());
    return {
      title: 'Ledger',
      wrong,
      body: (
        <>
          <p class="lead">
            Every change of credits, newest first. “Sum” is what all matching lines up to each one have spent.
            Top-ups are no spending; choose them alone to see their sum.
          </p>
          <Filters
            teams={teams}
            team={team}
            filter={filter}
            tokenName={answer?.entries.find(({ token_name }) => token_name !== null)?.token_name ?? undefined}
          />
          {answer === undefined ? null : <Lines list={answer} team={answer.team} filter={filter} />}
        </>
      ),
    };
  },
  downloads: {
    '/ledger/export': async ({ api, query }) => {
      const { team = '', format = 'csv' } = query;
      const response = await api.fetch('exportLedger', {
        query: { team, format, ...pick(query, filterNames) },
      });
      if (format !== 'json') return response;
      const headers = new Headers(response.headers);
      headers.set(
        'content-disposition',
        `attachment; filename="ledger-${team.replaceAll(/[^\w-]/g, '')}.json"`,
      );
      return new Response(response.body, { headers });
    },
  },
};
