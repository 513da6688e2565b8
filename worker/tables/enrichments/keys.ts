// Keys of the rows of an enrichment, and their pseudonyms.
import type { KeyKind } from '../../../shared/families/index.ts';
import { resolveKey } from '../../../shared/keys/index.ts';
import { splitIntoBatches } from '../../../shared/lib/split-into-batches.ts';
import { findRecordOperation } from '../../../shared/operations.ts';
import type { EnrichmentRow } from '../../db/schema.ts';
import type { Env } from '../../env.ts';
import { Pseudonyms } from '../../gateway/refusal-list/pseudonyms.ts';
import { parseCompany } from '../../matching/accounts/query.ts';

const PSEUDONYMS_PER_BATCH = 500;

/** A key as its cell has it, normalised. */
export interface EnrichmentKey {
  kind: KeyKind;
  value: string;
}

/**
 * Parses the company of a cell; undefined if it is none.
 * @param by - names are companies only with `auto`
 */
function parseCountKey(by: EnrichmentRow['by'], text: string): EnrichmentKey | undefined {
  const company = parseCompany(text);
  if (company === undefined || (company.kind === 'name' && by !== 'auto')) return undefined;
  const { kind, value } = company;
  // Keys have no kind for names. Both identify a company, so an erased one deletes a count that is free.
  return { kind: kind === 'name' ? 'shorthand_name' : kind, value };
}

/** Parses the key of a cell; undefined if it can't be looked up. */
export function parseEnrichmentKey(
  { family, by, query }: Pick<EnrichmentRow, 'family' | 'by' | 'query'>,
  text: string,
): EnrichmentKey | undefined {
  if (query !== null) return parseCountKey(by, text);
  const key = text.trim() === '' ? undefined : resolveKey(family, by, text);
  if (!key?.ok || findRecordOperation(family, key.kind) === undefined) return undefined;
  return { kind: key.kind, value: key.value };
}

/** Returns the pseudonyms of keys, by {@link toKeyName}. */
export async function createKeyPseudonyms(
  env: Env,
  row: Pick<EnrichmentRow, 'family' | 'query'>,
  keys: readonly EnrichmentKey[],
): Promise<Map<string, string>> {
  const pseudonyms = await Pseudonyms.load(env);
  const family = row.query === null ? row.family : 'company_base';
  const byName = new Map<string, string>();
  // A promise takes more memory than a pseudonym.
  for (const batch of splitIntoBatches(keys, PSEUDONYMS_PER_BATCH))
    await Promise.all(
      batch.map(async (key) => byName.set(toKeyName(key), await pseudonyms.forKey({ family, ...key }))),
    );
  return byName;
}

export const toKeyName = ({ kind, value }: EnrichmentKey): string => `${kind}:${value}`;
