// Prices of the templates' examples now: records and pages that the team already bought are free.
import type { LookupRequest } from '../../../shared/api/lookup.ts';
import type { Connection } from '../../../shared/connection.ts';
import { call } from '../../client/gateway.ts';
import type { Examples, Template } from './templates.ts';

const WAIT_MS = 5_000;

/** Reads the price of a lookup; undefined if it failed or has no record. */
function priceLookup(connection: Connection, body: LookupRequest): number | undefined {
  const answer = call(connection, 'estimate', { body });
  if (!answer.ok || (answer.body.credits === 0 && answer.body.found === 0)) return undefined;
  return answer.body.credits;
}

function price(examples: Examples, websites: readonly string[], connection: Connection): number | undefined {
  if (examples.of === 'accounts') {
    const { list, query } = examples;
    const body = { ...query, companies: [...websites], wait_ms: WAIT_MS };
    const answer = call(connection, 'estimateAtCompanies', { params: { list }, body });
    return answer.ok && answer.body.rows > 0 ? answer.body.credits : undefined;
  }
  const { family } = examples;
  if (examples.of === 'websites')
    return priceLookup(connection, { family, by: 'website', keys: [...websites] });
  const { query, limit } = examples;
  const found = call(connection, 'search', {
    body: { ...query, family, items_per_page: limit, wait_ms: WAIT_MS },
  });
  if (!found.ok || found.body.ids.length === 0) return undefined;
  return priceLookup(connection, { family, by: 'auto', keys: found.body.ids.slice(0, limit) });
}

/**
 * Prices the examples of templates. Free.
 * @returns credits, by {@link Examples}; those whose price is not known, or that have no records, are missing
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
