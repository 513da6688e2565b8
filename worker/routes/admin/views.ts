// Converts D1 rows and ledger budgets to responses of the admin API.
import type { BudgetView, TeamView, TokenView } from '../../../shared/api/admin.ts';
import type { TeamRow, TokenRow } from '../../gateway/auth/team-repository.ts';
import type { Budget, TokenBudget } from '../../gateway/ledger/types.ts';
import { toIsoTime } from '../../lib/format.ts';

const isoTimeOrNull = (ms: number | null | undefined): string | null => (ms == null ? null : toIsoTime(ms));

/** Converts a team's budget to its view. */
export const toBudgetView = ({ caps, topUp, ...budget }: Budget): BudgetView => ({
  day: caps.day,
  month: caps.month,
  ...budget,
  top_up: topUp,
});

export function toTeamView(team: TeamRow, budget: Budget): TeamView {
  return {
    id: team.id,
    name: team.name,
    created_at: toIsoTime(team.createdAt),
    background_refresh: team.backgroundRefresh,
    confirm_above_credits: team.confirmAboveCredits,
    formula_max_credits: team.formulaMaxCredits,
    budget: toBudgetView(budget),
  };
}

/**
 * Converts a token to its view, without its hash.
 * @param person - e-mail address of the person whose token it is
 */
export function toTokenView(
  token: TokenRow,
  { caps, spent, lastUsedAt }: TokenBudget,
  person: string | null = null,
): TokenView {
  return {
    id: token.id,
    prefix: token.prefix,
    name: token.name,
    person,
    families: token.families,
    operations: token.operations,
    rate_per_minute: token.ratePerMinute,
    budget: { day: caps.day, month: caps.month, spent: { day: spent.day, month: spent.month } },
    created_at: toIsoTime(token.createdAt),
    expires_at: isoTimeOrNull(token.expiresAt),
    last_used_at: isoTimeOrNull(lastUsedAt),
    revoked_at: isoTimeOrNull(token.revokedAt),
  };
}
