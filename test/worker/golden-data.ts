// Fetches golden data from vitest.config.ts, because tests in workerd cannot read files.
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

/** Fetches the documents of a golden index. @returns null if their table is not part of the checkout */
export function fetchDocuments(index: GoldenIndex): Promise<GoldenDocument[] | null> {
  return fetchData(`documents/${index}`);
}

/** Fetches up to 300 sample records of a family as the provider returns them, by ascending id. */
export async function fetchRecords(family: Family, count: number): Promise<Json[]> {
  return (await fetchData<Json[]>(`records/${family}`)).slice(0, count);
}
