// Reads the keys of a lookup from a request that may yet be refused.
import { lookupRequest } from '../../../shared/api/lookup.ts';
import type { RecordKey } from '../../gateway/cache/cache-keys.ts';
import { listRecordKeys } from '../../gateway/cached-records.ts';
import { readBody } from '../route.ts';
import { lookupSurface } from './route.ts';

/** Fits 1,000 websites. An unauthenticated request must not make an isolate parse megabytes. */
const MAX_BYTES = 128 * 1024;

/** @returns no keys if the body is large, of unknown size or not a lookup */
export async function readLookupKeys(request: Request): Promise<RecordKey[]> {
  const bytes = Number(request.headers.get('content-length') ?? Number.NaN);
  if (!(bytes <= MAX_BYTES)) return [];
  const body = lookupRequest.safeParse(await readBody(request, lookupSurface));
  return body.success ? listRecordKeys(body.data) : [];
}
