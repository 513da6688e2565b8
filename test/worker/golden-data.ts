// Fetches golden data from vitest.config.ts, because tests in workerd cannot read files.
import { env } from 'cloudflare:workers';
import type { Family } from '../../shared/families/index.ts';
import type { Json } from '../golden/read.ts';

declare global {
  namespace Cloudflare {
    interface Env {
      GOLDEN_DATA: Fetcher;
    }
  }
}

/** Fetches up to 300 sample records of a family as the provider returns them, by ascending id. */
export async function fetchRecords(family: Family, count: number): Promise<Json[]> {
  const response = await env.GOLDEN_DATA.fetch(`http://golden.example/${family}`);
  return (await response.json<Json[]>()).slice(0, count);
}
