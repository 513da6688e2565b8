// Prices of the templates' examples now: records and pages that the team already bought are free.
import type { Connection } from '../../../shared/connection.ts';
import { estimateAll, search } from '../../client/gateway.ts';
import { estimateAtCompanies } from '../../client/gateway-companies.ts';
import type { GatewayResult } from '../../client/http.ts';
import type { Examples, Template } from './templates.ts';

const WAIT_MS = 5_000;

/** Adds up estimates. @returns undefined if one failed */
const addUp = (answers: readonly GatewayResult<{ credits: number }>[]): number | undefined =>
  answers.every(({ ok }) => ok)
    ? answers.reduce((sum, answer) => sum + (answer.ok ? answer.body.credits : 0), 0)
    : undefined;

function price(examples: Examples, websites: readonly string[], connection: Connection): number | undefined {
  if (examples.of === 'accounts') {
    const { list, query } = examples;
    const request = { ...query, companies: [...websites], wait_ms: WAIT_MS };
    return addUp(estimateAtCompanies(connection, list, [request]));
  }
  const { family } = examples;
  if (examples.of === 'websites')
    return addUp(estimateAll(connection, [{ family, by: 'website', keys: [...websites] }]));
  const { query, limit } = examples;
  const found = search(connection, { ...query, family, items_per_page: limit, wait_ms: WAIT_MS });
  if (!found.ok || found.body.ids.length === 0) return undefined;
  return addUp(estimateAll(connection, [{ family, by: 'auto', keys: found.body.ids.slice(0, limit) }]));
}

/**
 * Prices the examples of templates. Free.
 * @returns credits, by {@link Examples}; those whose price is not known are missing
 */
export function priceExamples(
  templates: readonly Template[],
  websites: readonly string[],
  connection: Connection,
): ReadonlyMap<Examples, number> {
  const prices = new Map<Examples, number>();
  for (const examples of new Set(templates.map((template) => template.examples))) {
    const credits = price(examples, websites, connection);
    if (credits !== undefined) prices.set(examples, credits);
  }
  return prices;
}
