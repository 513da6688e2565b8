// /admin/v1/team-rules: imports and exports the rules that map people to teams.
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import * as z from 'zod';
import { adminEndpoints as endpoints } from '../../../shared/api/admin-endpoints.ts';
import * as api from '../../../shared/api/admin-people.ts';
import { readCsv } from '../../../shared/lib/csv.ts';
import { formatNumber } from '../../../shared/lib/format-count.ts';
import { listDomains } from '../../gateway/auth/identity/domain-repository.ts';
import {
  createRuleRows,
  endTeamsByRule,
  findMismatchedPeople,
  getHost,
  isWithin,
  listTeamRules,
  maxTeamRules,
  replaceTeamRules,
  type TeamRule,
} from '../../gateway/auth/identity/team-rules.ts';
import { journalRevocation } from '../../gateway/auth/revocation-journal.ts';
import { listTeams, type TeamRow } from '../../gateway/auth/team-repository.ts';
import { respondCsv } from '../../http/csv.ts';
import { invalidRequest, ProblemError } from '../../http/problem-error.ts';
import { buildAuditInsert } from './audit-log.ts';
import { listRoute, route } from './route.ts';

/** A line of an import, as it was sent. */
interface Line {
  line: number;
  match: string;
  team: string;
}

type LineProblem = api.TeamRulesImport['problems'][number];

const ALL = Number.MAX_SAFE_INTEGER;
const headings = ['match', 'team'] as const;

/** Reads the lines of CSV. @throws ProblemError `invalid_request` */
function readLines(csv: string): Line[] {
  const { rows, brokenLine } = readCsv(csv);
  if (brokenLine !== undefined)
    throw new ProblemError(
      'invalid_request',
      `Line ${brokenLine} has a quotation mark that is not closed, or stands inside a cell.`,
      'Write a quotation mark inside a quoted cell twice, and close each quoted cell.',
    );
  const [head, ...lines] = rows;
  const [matchAt, teamAt] = headings.map((heading) =>
    (head?.cells ?? []).findIndex((cell) => cell.trim().toLowerCase() === heading),
  );
  if (matchAt === undefined || teamAt === undefined || matchAt < 0 || teamAt < 0)
    throw new ProblemError(
      'invalid_request',
      'The first line does not have the headings match and team.',
      'Write match,team into the first line, as the export does.',
    );
  return lines.map(({ line, cells }) => ({ line, match: cells[matchAt] ?? '', team: cells[teamAt] ?? '' }));
}

const WRITE_A_MATCH = 'Write an address such as ada@acme.com, or *@sales.acme.com, or acme.com.';

const isMatch = (match: string): boolean => {
  const host = getHost(match);
  if (!api.domain.safeParse(host).success) return false;
  return match === host || match === `*@${host}` || z.email().safeParse(match).success;
};

/** Finds the ids of teams by each text that names them: their id or name. */
const indexTeams = (teams: readonly TeamRow[]) =>
  Map.groupBy(
    teams.flatMap(({ id, name }) => [...new Set([id, name])].map((text) => ({ text, id }))),
    ({ text }) => text,
  );

/** Validates lines. @returns the rules of the good ones, and the problems of the others, without what they say */
async function readRules(
  orm: DrizzleD1Database,
  lines: readonly Line[],
): Promise<{ rules: TeamRule[]; problems: LineProblem[]; teamNames: ReadonlyMap<string, string> }> {
  const [teams, domains] = await Promise.all([
    listTeams(orm, undefined, ALL),
    listDomains(orm, undefined, ALL),
  ]);
  const teamNames = new Map(teams.map(({ id, name }) => [id, name]));
  const teamsByText = indexTeams(teams);
  const lineByMatch = new Map<string, number>();
  const rules: TeamRule[] = [];
  const problems: LineProblem[] = [];
  for (const { line, ...sent } of lines) {
    const [match, team] = [sent.match.trim().toLowerCase(), sent.team.trim()];
    const [named, ...others] = teamsByText.get(team) ?? [];
    const refuse = (detail: string, fix: string) => problems.push({ line, detail, fix });
    const earlier = lineByMatch.get(match);
    if (!isMatch(match)) refuse('It has no address, pattern or domain.', WRITE_A_MATCH);
    else if (!domains.some(({ domain }) => isWithin(getHost(match), domain)))
      refuse(
        'Its domain is not assigned.',
        'Assign the domain of the company first, or correct the address.',
      );
    else if (earlier !== undefined) refuse(`It repeats line ${earlier}.`, 'Delete one of the two lines.');
    else if (named === undefined)
      refuse('No team has this id or name.', 'Write the name or id of a team, as the list of teams has it.');
    else if (others.length > 0 && teamNames.has(team))
      refuse('It is the id of one team and the name of another one.', 'Rename the other team first.');
    else if (others.length > 0) refuse('Several teams have this name.', 'Write the id of the team.');
    else {
      lineByMatch.set(match, line);
      rules.push({ match, teamId: named.id });
    }
  }
  return { rules, problems, teamNames };
}

/** Compares the rules before and after an import. */
function listChanges(
  before: readonly TeamRule[],
  after: readonly TeamRule[],
  teamNames: ReadonlyMap<string, string>,
): api.TeamRulesImport['changes'] {
  const former = new Map(before.map(({ match, teamId }) => [match, teamId]));
  const next = new Map(after.map(({ match, teamId }) => [match, teamId]));
  const getName = (team: string | undefined) => (team === undefined ? null : (teamNames.get(team) ?? team));
  return [...new Set([...next.keys(), ...former.keys()])]
    .filter((match) => former.get(match) !== next.get(match))
    .map((match) => ({ match, from: getName(former.get(match)), to: getName(next.get(match)) }));
}

const importTeamRules = listRoute(endpoints.importTeamRules, {
  summary: 'Replace the rules that map people to teams, also as a dry run',
  description:
    'A person belongs to the team of the most specific rule: an address, then `*@` and its host, then the longest domain; without one to the team of the assigned domain. Rules apply to addresses of assigned domains and below, and never to people of another domain. Connected people move with their next sign-in.',
  returns: 'What the import changes',
  handle: async ({ body: { csv, rules: sent = [], dry_run: isDryRun } }, { env, now, actor, orm }) => {
    const lines = csv === undefined ? sent.map((rule, at) => ({ line: at + 1, ...rule })) : readLines(csv);
    if (lines.length > maxTeamRules)
      throw invalidRequest('rules', `at most ${formatNumber(maxTeamRules)} are possible`);
    const { rules, problems, teamNames } = await readRules(orm, lines);
    const [problem] = problems;
    if (problem !== undefined && !isDryRun)
      throw new ProblemError(
        'invalid_request',
        `Nothing was imported: ${formatNumber(problems.length)} of ${formatNumber(lines.length)} lines are invalid. Line ${problem.line}: ${problem.detail}`,
        problem.fix,
      );
    const changes = listChanges(await listTeamRules(env, orm), rules, teamNames);
    const counts = {
      added: changes.filter(({ from }) => from === null).length,
      changed: changes.filter(({ from, to }) => from !== null && to !== null).length,
      removed: changes.filter(({ to }) => to === null).length,
    };
    const { mismatched, withoutRule } = await findMismatchedPeople(env, orm, rules, now);
    if (!isDryRun) {
      const rows = await createRuleRows(env, rules);
      await journalRevocation(env, now, { kind: 'team_rules', id: 'all', rows });
      await orm.batch([
        ...replaceTeamRules(orm, rows),
        endTeamsByRule(orm, withoutRule),
        buildAuditInsert({ env, now, actor }, 'team_rules.import', 'all', { rules: rules.length, ...counts }),
      ]);
    }
    return {
      rules: rules.length,
      problems: problems.slice(0, api.maxRuleProblems),
      ...counts,
      changes: changes.slice(0, api.maxRuleChanges),
      mismatched,
    };
  },
});

const listTeamRulesRoute = route(endpoints.listTeamRules, {
  summary: 'List or export the rules that map people to teams',
  returns: 'All rules, and how many connected people have not moved to the team of their rule',
  handle: async ({ query: { format } }, { env, now, orm }) => {
    const [rules, teams] = await Promise.all([listTeamRules(env, orm), listTeams(orm, undefined, ALL)]);
    const names = new Map(teams.map(({ id, name }) => [id, name]));
    const teamsByText = indexTeams(teams);
    const named = rules.map(({ match, teamId }) => {
      const name = names.get(teamId) ?? teamId;
      return { match, team: teamId, team_name: name, same_name: (teamsByText.get(name)?.length ?? 0) > 1 };
    });
    if (format === 'json') {
      const { mismatched } = await findMismatchedPeople(env, orm, rules, now);
      return { rules: named, mismatched };
    }
    return respondCsv('team-rules', ['match', 'team', 'team_name'], named);
  },
});

export const teamRuleRoutes = { listTeamRules: listTeamRulesRoute, importTeamRules };
