// Calls of a team whose charge is unknown, and their settlement.

import { teamView } from '../../../../../shared/api/admin.ts';
import { reconciled, type UnclearCalls, unclearCalls } from '../../../../../shared/api/admin-records.ts';
import { familyLabels } from '../../../../../shared/families/registry.ts';
import { formatNumber } from '../../../../../shared/lib/format-count.ts';
import { ProblemError } from '../../../../http/problem-error.ts';
import { type Column, formatCredits, ShortId, Table, Time } from '../../components/data.tsx';
import { Form, Hidden, readText } from '../../components/form.tsx';
import type { Action, Page } from '../../context.ts';
import { getTeamPage, getTeamPath, getUnclearPage } from '../paths.tsx';

type Call = UnclearCalls['calls'][number];

const Settle = ({ team, call }: { team: string; call: Call }) => (
  <>
    {[true, false].map((charged) => (
      <Form
        action={`${getUnclearPage(team)}/${charged ? 'charged' : 'free'}`}
        submit={charged ? 'It was charged' : 'It was not'}
        inline
      >
        <Hidden name="reference" value={call.reference} />
      </Form>
    ))}
  </>
);

const listColumns = (team: string): readonly Column<Call>[] => [
  { label: 'When', render: ({ at }) => <Time at={at} /> },
  { label: 'Data', render: ({ family }) => familyLabels[family].name },
  { label: 'Operation', render: ({ operation }) => operation },
  { label: 'Token', render: ({ token }) => <ShortId id={token} /> },
  { label: 'Credits', isNumber: true, render: ({ credits }) => formatNumber(credits) },
  { label: 'Settle', render: (call) => <Settle team={team} call={call} /> },
];

const page: Page = {
  path: '/teams/:id/unclear',
  render: async ({ api, params: { id } }) => {
    const path = getTeamPath(id);
    const [team, { calls, more }] = await Promise.all([
      api.get(path, teamView),
      api.get(`${path}/unclear-calls`, unclearCalls),
    ]);
    return {
      title: `Unclear calls of ${team.name}`,
      body: (
        <>
          <p>
            These calls were sent to the provider, and their answers were lost. They count as spent:{' '}
            {formatCredits(team.budget.unclear)}. Compare with the provider’s account. What was not charged
            returns to the team’s budget; what was charged stays spent. Neither can be undone.
          </p>
          <Table
            caption="Unclear calls, the oldest first"
            columns={listColumns(team.id)}
            rows={calls}
            empty="The outcome of every call is known."
          />
          {more ? <p>There are more. They are listed when these are settled.</p> : null}
          <p class="actions">
            <a href={getTeamPage(id)}>Back to the team</a>
          </p>
        </>
      ),
    };
  },
};

const settle = (name: string, charged: boolean): Action => ({
  path: `/teams/:id/unclear/${name}`,
  page,
  run: async ({ api, params: { id } }, form) => {
    const body = { team: id, references: [readText(form, 'reference')], charged };
    const settled = await api.send('POST', '/provider/reconcile', reconciled, body);
    if (settled.reconciled === 0)
      throw new ProblemError(
        'invalid_request',
        'This call is no longer unclear, so nothing was changed.',
        'Reload the page.',
      );
    return { redirect: getUnclearPage(id), notice: 'calls_reconciled' };
  },
});

export const unclearPages: readonly Page[] = [page];
export const unclearActions: readonly Action[] = [settle('charged', true), settle('free', false)];
