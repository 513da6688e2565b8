// Credits of a team that the provider seems to have charged beyond reservations, and their settlement.

import { teamView } from '../../../../../shared/api/admin.ts';
import {
  type DisputedCharges,
  disputedCharges,
  disputeSettled,
} from '../../../../../shared/api/admin-records.ts';
import { familyLabels } from '../../../../../shared/families/registry.ts';
import { formatNumber } from '../../../../../shared/lib/format-count.ts';
import { ProblemError } from '../../../../http/problem-error.ts';
import { type Column, formatCredits, ShortId, Table, Time } from '../../components/data.tsx';
import { Form, Hidden, readText } from '../../components/form.tsx';
import type { Action, Page } from '../../context.ts';
import { getDisputedPage, getTeamPage, getTeamPath } from '../paths.tsx';

type Charge = DisputedCharges['charges'][number];

const Settle = ({ team, charge }: { team: string; charge: Charge }) => (
  <>
    {[true, false].map((accepted) => (
      <Form
        action={`${getDisputedPage(team)}/${accepted ? 'accept' : 'reject'}`}
        submit={accepted ? 'Count as spent' : 'Drop'}
        inline
      >
        <Hidden name="reference" value={charge.reference} />
      </Form>
    ))}
  </>
);

const listColumns = (team: string): readonly Column<Charge>[] => [
  { label: 'When', render: ({ at }) => <Time at={at} /> },
  { label: 'Order', render: ({ reference }) => <ShortId id={reference} /> },
  { label: 'Data', render: ({ family }) => familyLabels[family].name },
  { label: 'Token', render: ({ token }) => <ShortId id={token} /> },
  { label: 'Charged', isNumber: true, render: ({ charged }) => formatNumber(charged) },
  { label: 'Disputed', isNumber: true, render: ({ credits }) => formatNumber(credits) },
  { label: 'Settle', render: (charge) => <Settle team={team} charge={charge} /> },
];

const page: Page = {
  path: '/teams/:id/disputed',
  render: async ({ api, params: { id } }) => {
    const path = getTeamPath(id);
    const [team, { charges, more }] = await Promise.all([
      api.get(path, teamView),
      api.get(`${path}/disputed-charges`, disputedCharges),
    ]);
    return {
      title: `Disputed charges of ${team.name}`,
      body: (
        <>
          {charges.length === 0 ? null : (
            <p>
              The provider delivered more than was ordered, or the same record twice, and may have charged it:{' '}
              {formatCredits(team.budget.disputed)}. Compare with the provider’s account. What you count as
              spent is booked to the day of the order, even above the team’s limits. Neither can be undone.
            </p>
          )}
          <Table
            caption="Disputed charges, the oldest first"
            columns={listColumns(team.id)}
            rows={charges}
            empty="Nothing is disputed."
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

const settle = (name: string, accepted: boolean): Action => ({
  path: `/teams/:id/disputed/${name}`,
  page,
  run: async ({ api, params: { id } }, form) => {
    const body = { team: id, reference: readText(form, 'reference'), accepted };
    const { credits } = await api.send('POST', '/provider/settle-dispute', disputeSettled, body);
    if (credits === 0)
      throw new ProblemError(
        'invalid_request',
        'This charge is no longer disputed, so nothing was changed.',
        'Reload the page.',
      );
    return { redirect: getDisputedPage(id), notice: 'dispute_settled' };
  },
});

export const disputedPages: readonly Page[] = [page];
export const disputedActions: readonly Action[] = [settle('accept', true), settle('reject', false)];
