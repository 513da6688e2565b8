// The rules that map people to teams: the list, its export, and the import with a preview.
import type { TeamRuleList, TeamRulesImport } from '../../../../../shared/api/admin-people.ts';
import { formatCsvRow } from '../../../../../shared/lib/csv.ts';
import { formatNumber } from '../../../../../shared/lib/format-count.ts';
import { createChange } from '../../change.ts';
import { type Column, Figure, Figures, Table } from '../../components/data.tsx';
import { Form, Hidden, readText, TextArea } from '../../components/form.tsx';
import { TeamLink } from '../../components/list.tsx';
import type { Action, FailedForm, Page, PageContent } from '../../context.ts';
import { PEOPLE, TEAM_RULES } from '../paths.ts';

/** A longer list is changed in its export. */
const MAX_SHOWN = 200;
const PREVIEW = `${TEAM_RULES}/preview`;

type Rule = TeamRuleList['rules'][number];

const ruleColumns: readonly Column<Rule>[] = [
  { label: 'Address, pattern or domain', render: ({ match }) => <span class="address">{match}</span> },
  { label: 'Team', render: ({ team, team_name }) => <TeamLink id={team} name={team_name} /> },
];

const changeColumns: readonly Column<TeamRulesImport['changes'][number]>[] = [
  { label: 'Address, pattern or domain', render: ({ match }) => <span class="address">{match}</span> },
  { label: 'Team so far', render: ({ from }) => from ?? '–' },
  { label: 'Team after the import', render: ({ to }) => to ?? 'rule removed' },
];

const listProblemColumns = (
  lines: readonly string[],
): readonly Column<TeamRulesImport['problems'][number]>[] => [
  { label: 'Line', isNumber: true, render: ({ line }) => formatNumber(line) },
  { label: 'As you wrote it', render: ({ line }) => <span class="address">{lines[line - 1]}</span> },
  { label: 'Problem', render: ({ detail }) => detail },
  { label: 'What to do', render: ({ fix }) => fix },
];

const formatPeople = (count: number, more: boolean): string =>
  `${formatNumber(count)}${more ? ' or more' : ''}`;

/** Renders how many people are still connected to their former team; nothing if none are. */
const Mismatched = ({ mismatched: { moving, unmatched, more } }: Pick<TeamRuleList, 'mismatched'>) =>
  moving === 0 && unmatched === 0 && !more ? null : (
    <Figures>
      <Figure
        label="Move at their next sign-in"
        value={formatPeople(moving, more)}
        hint="connected people whose rule names another team"
      />
      <Figure
        label="Stay until their token expires"
        value={formatPeople(unmatched, more)}
        hint="connected people without a rule; revoke them to end it now"
      />
    </Figures>
  );

const RulesForm = ({ csv, failed }: { csv: string; failed?: FailedForm | undefined }) => (
  <Form action={PREVIEW} submit="See what changes" failed={failed}>
    <TextArea
      label="All rules as CSV"
      name="csv"
      value={csv}
      hint="The headings match and team, then a line for each rule; the team by name or id. The list replaces the present one."
    />
  </Form>
);

const buildCsv = (rules: readonly Rule[]): string =>
  [
    ['match', 'team'],
    ...rules.map(({ match, team, team_name, same_name }) => [match, same_name ? team : team_name]),
  ]
    .map(formatCsvRow)
    .join('');

function renderPreview({ problems, ...change }: TeamRulesImport, csv: string): PageContent {
  if (problems.length > 0)
    return {
      title: 'Correct these lines',
      body: (
        <>
          <p class="lead">Nothing was changed.</p>
          <Table
            caption="Lines with problems"
            columns={listProblemColumns(csv.split(/\r\n|\n|\r/))}
            rows={problems}
            empty=""
          />
          <section class="card">
            <RulesForm csv={csv} />
          </section>
        </>
      ),
    };
  const changes = change.added + change.changed + change.removed;
  return {
    title: 'Replace the rules?',
    body: (
      <>
        <Figures>
          <Figure label="Added" value={formatNumber(change.added)} hint="rules" />
          <Figure label="Changed" value={formatNumber(change.changed)} hint="rules with another team" />
          <Figure label="Removed" value={formatNumber(change.removed)} hint="rules" />
        </Figures>
        <Mismatched mismatched={change.mismatched} />
        <Table
          caption="Changed rules"
          columns={changeColumns}
          rows={change.changes}
          empty="The list equals the present one."
        />
        {changes > change.changes.length ? (
          <p>{formatNumber(changes - change.changes.length)} more changes are not shown.</p>
        ) : null}
        <section class="card">
          <p>
            After the import there are {formatNumber(change.rules)} rules. People who are connected move with
            their next sign-in.
          </p>
          <Form action={TEAM_RULES} submit="Replace the rules">
            <Hidden name="csv" value={csv} />
          </Form>
          <p>
            <a href={TEAM_RULES}>Keep the present ones</a>
          </p>
        </section>
      </>
    ),
  };
}

const preview: Action = {
  needs: 'importTeamRules',
  run: async ({ api }, form) => {
    const csv = readText(form, 'csv');
    return renderPreview(await api.call('importTeamRules', { body: { csv, dry_run: true } }), csv);
  },
};

const replace = createChange(
  'importTeamRules',
  'The rules were replaced.',
  () => TEAM_RULES,
  (form) => ({ csv: readText(form, 'csv') }),
);

export const teamRules: Page = {
  path: '/team-rules',
  needs: 'listTeamRules',
  render: async ({ api }, failed) => {
    const { rules, mismatched } = await api.call('listTeamRules');
    const isShort = rules.length <= MAX_SHOWN;
    return {
      title: 'Rules for teams',
      body: (
        <>
          <p class="lead">
            People who sign in with a Google account join the team of the most specific rule: first their
            address, then <code>*@sales.acme.com</code>, then <code>acme.com</code> with all hosts below it.
            Without a rule they join the team of <a href={PEOPLE}>their domain</a>, if it has one.
          </p>
          <Mismatched mismatched={mismatched} />
          <Table
            caption="Rules for teams"
            columns={ruleColumns}
            rows={rules.slice(0, MAX_SHOWN)}
            empty="There are no rules: everybody joins the team of the domain."
          />
          {isShort ? null : (
            <p>
              The first {formatNumber(MAX_SHOWN)} of {formatNumber(rules.length)} rules.
            </p>
          )}
          <p class="actions">
            <a href={`${TEAM_RULES}/export`}>Export as CSV</a>
          </p>
          <section class="card">
            <h2>Change the rules</h2>
            {isShort ? null : <p>Export the list, change it, and paste the whole list here.</p>}
            <RulesForm
              csv={isShort ? buildCsv(rules) : ''}
              failed={failed && { ...failed, action: PREVIEW }}
            />
          </section>
        </>
      ),
    };
  },
  actions: { '/team-rules': replace, '/team-rules/preview': preview },
  downloads: {
    '/team-rules/export': ({ api }) => api.fetch('listTeamRules', { query: { format: 'csv' } }),
  },
};
