// Golden data for the suites in workerd, which read no files: vitest.config.ts serves it.
import { env } from 'cloudflare:workers';
import type { Family } from '../../shared/families/index.ts';
import type { GoldenDocument } from '../golden/document.ts';
import type { GoldenIndex } from '../golden/load.ts';
import type { Json } from '../golden/read.ts';

declare global {
  namespace Cloudflare {
    interface Env {
      GOLDEN_DATA: Fetcher;
    }
  }
}

async function fetchData<T>(path: string): Promise<T> {
  return (await env.GOLDEN_DATA.fetch(`http://golden.example/${path}`)).json();
}

/**
 * Fetches the documents of a golden index.
 * @returns null where they come from a table that is not here
 */
export function fetchDocuments(index: GoldenIndex): Promise<GoldenDocument[] | null> {
  return fetchData(`documents/${index}`);
}

/**
 * Fetches sample records of a family, as the service returns them.
 * @returns at most 300, ids ascending
 */
export async function fetchRecords(family: Family, count: number): Promise<Json[]> {
  return (await fetchData<Json[]>(`records/${family}`)).slice(0, count);
}
