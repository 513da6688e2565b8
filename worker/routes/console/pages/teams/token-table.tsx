// The list of a team's tokens.
import type { TokenView } from '../../../../../shared/api/admin.ts';
import { Badge, type Column, Table, Time, type Tone, Usage } from '../../components/data.tsx';
import { getTeamPage } from '../paths.tsx';
import { describeScopes } from './scopes.tsx';

function describeState({ revoked_at, expires_at }: TokenView, now: number): readonly [Tone, string] {
  if (revoked_at !== null) return ['bad', 'revoked'];
  if (expires_at !== null && Date.parse(expires_at) <= now) return ['warning', 'expired'];
  return ['good', 'active'];
}

const State = ({ token, now }: { token: TokenView; now: number }) => {
  const [tone, text] = describeState(token, now);
  return <Badge tone={tone}>{text}</Badge>;
};

/** Renders tokens, without their values. */
export const TokenTable = ({
  team,
  tokens,
  now,
}: {
  team: string;
  tokens: readonly TokenView[];
  now: number;
}) => {
  const columns: readonly Column<TokenView>[] = [
    {
      label: 'Token',
      render: ({ id, name, prefix }) => (
        <>
          <a href={`${getTeamPage(team)}/tokens/${encodeURIComponent(id)}`}>{name || 'without a name'}</a>
          <br />
          <code>{prefix}…</code>
        </>
      ),
    },
    { label: 'State', render: (token) => <State token={token} now={now} /> },
    {
      label: 'Spent today',
      render: ({ budget }) => <Usage label="Spent today" used={budget.spent.day} limit={budget.day} />,
    },
    {
      label: 'Spent this month',
      render: ({ budget }) => (
        <Usage label="Spent this month" used={budget.spent.month} limit={budget.month} />
      ),
    },
    { label: 'Permits', render: describeScopes },
    {
      label: 'Expires',
      render: ({ expires_at }) => (expires_at === null ? 'never' : <Time at={expires_at} />),
    },
    { label: 'Last used', render: ({ last_used_at }) => <Time at={last_used_at} /> },
  ];
  return (
    <Table
      caption="Tokens"
      columns={columns}
      rows={tokens}
      empty="No token exists yet. Create one to connect a spreadsheet."
    />
  );
};
