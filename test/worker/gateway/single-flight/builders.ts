// Builds calls, responses and answers for the tests of the single flight.
import { env } from 'cloudflare:workers';
import type { Family, KeyKind } from '../../../../shared/families/index.ts';
import { findRecordOperation } from '../../../../shared/operations.ts';
import type { Payer } from '../../../../worker/gateway/provider-call.ts';
import { buildRecordCall } from '../../../../worker/gateway/record-call.ts';
import { Pseudonyms } from '../../../../worker/gateway/refusal-list/pseudonyms.ts';
import type { StoredAnswer } from '../../../../worker/gateway/single-flight/storage/answer-repository.ts';
import type { CallRequest } from '../../../../worker/gateway/single-flight/types.ts';

/** Identity of the fake provider. */
export const IDENTITY = 'scripted';

export function buildPayer(team: string, token = `token of ${team}`): Payer {
  return { team, token };
}

/** Builds the call for a record. */
export function buildCall(family: Family, kind: KeyKind, value: string, since = 0): CallRequest {
  const operation = findRecordOperation(family, kind);
  if (operation === undefined) throw new Error(`${family} has no ${kind}`);
  return buildRecordCall(operation, { family, kind, value }, value, since);
}

/** Builds the call for a company by its website: 10 credits. */
export function enrichCall(website: string, since = 0): CallRequest {
  return buildCall('company_clean', 'website', website, since);
}

/** Builds a call for a page. */
export function buildPageCall(operation: 'search' | 'preview'): CallRequest {
  return {
    name: `${operation}:team:company_clean:hash`,
    operation,
    family: 'company_clean',
    method: 'POST',
    path: '/v2/company_clean/search/es_dsl',
    body: '{}',
    credits: operation === 'preview' ? 10 : 0,
    since: 0,
  };
}

/** Builds the provider's response with a company. */
export function companyResponse(website: string, fields: Record<string, unknown> = {}): Response {
  const id = Number.parseInt(website.replace(/\D/g, '') || '1', 10);
  return Response.json({ id, name: website, websites_main: website, ...fields });
}

export const notFoundResponse = (): Response =>
  Response.json({ detail: 'Company not found' }, { status: 404 });

/** Answers every call with the company of its key. */
export const respondWithCompany = ({ key }: { key: string }): Response => companyResponse(key);

/** Builds an answer that another object publishes. */
export function buildPeerAnswer(fetchedAt: number, pseudonyms: string[] = []): StoredAnswer {
  const until = fetchedAt + 1e9;
  const content = { kind: 'record', record: { id: 1 } };
  const text = JSON.stringify({ content, fetched_at: fetchedAt, fresh_until: until, keep_until: until });
  return { text, fetchedAt, pseudonyms: [pseudonyms], references: [] };
}

/** Creates the pseudonyms of keys: subject, kind, value. */
export async function createPseudonyms(...keys: [string, string, string][]): Promise<string[]> {
  const pseudonyms = await Pseudonyms.load(env);
  return Promise.all(keys.map((parts) => pseudonyms.create(parts.join(':'))));
}
