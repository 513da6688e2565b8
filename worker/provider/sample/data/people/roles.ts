// All roles in one table, and which of them a company has.
import type { Role, RoleFacts } from '../../people/vocabulary.ts';
import type { Weighted } from '../../random.ts';
import type { TradeFacts } from '../../vocabulary.ts';
import { OFFICE_ROLES } from './roles-office.ts';
import { SERVICE_ROLES } from './roles-services.ts';
import { TECHNICAL_ROLES } from './roles-technical.ts';

const ALL: readonly RoleFacts[] = [...TECHNICAL_ROLES, ...SERVICE_ROLES, ...OFFICE_ROLES];
const BY_ROLE: ReadonlyMap<Role, RoleFacts> = new Map(ALL.map((facts) => [facts.role, facts]));

/**
 * The facts of one role.
 *
 * @param role its key
 * @returns its facts
 * @throws `RangeError` for a role without facts, which only a mistake in the tables can cause
 */
export function roleFacts(role: Role): RoleFacts {
  const facts = BY_ROLE.get(role);
  if (facts === undefined) throw new RangeError(`no facts for the role ${role}`);
  return facts;
}

/**
 * How often a role is found in a company.
 *
 * @param facts the role
 * @param trade the company's trade
 * @param staff its number of employees
 * @returns a weight; 0 where the company has nobody of that kind
 */
export function roleWeight(facts: RoleFacts, trade: TradeFacts, staff: number): number {
  const place = facts.fits.findIndex((fit) => fit === trade.trade || fit === trade.sector);
  if (place >= 0) return place < 2 ? facts.weight * 2 : facts.weight;
  if (staff < facts.staff) return 0;
  return facts.fits.length === 0 ? facts.weight * 2 : Math.max(1, Math.floor(facts.weight / 3));
}

/**
 * The roles of a company, as choices.
 *
 * @param trade its trade
 * @param staff its number of employees
 * @returns every role with its weight, never all zero
 */
export function rolesOf(trade: TradeFacts, staff: number): Weighted<RoleFacts> {
  const found = ALL.map((facts) => [facts, roleWeight(facts, trade, staff)] as const);
  return found.some(([, weight]) => weight > 0) ? found : [[roleFacts('operations'), 1]];
}
