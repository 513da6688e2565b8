// The bench's Worker: puts a result file in as a data request does, with nothing around it.
import * as z from 'zod';
import { ingestFile, type RowBucket } from '../../../../worker/requests/rows/index.ts';

interface Env {
  FILES: R2Bucket;
  DB: D1Database;
}

const order = z.object({ url: z.string(), store: z.string().optional() });

/** A bucket that is elsewhere, as R2 is where Workers are deployed. */
function remote(store: string): RowBucket {
  return {
    get: async () => null,
    put: async (key, value) => {
      const response = await fetch(`${store}/${key}`, { method: 'PUT', body: value });
      if (!response.ok) throw new Error(`a page was not stored: ${response.status}`);
      return response;
    },
    list: async () => ({ objects: [], delimitedPrefixes: [], truncated: false }),
    delete: async () => {},
  };
}

export default {
  async fetch(request, env) {
    if (request.method !== 'POST') return new Response('ready');
    const { url, store } = order.parse(await request.json());
    const { body } = await fetch(url);
    if (body === null) return new Response('There is no file.', { status: 502 });
    const report = await ingestFile(
      { bucket: store === undefined ? env.FILES : remote(store), db: env.DB },
      { requestId: 'bench', family: 'company_clean', fileIndex: 0, fileName: 'part-00000.json.gz', body },
    );
    return Response.json(report);
  },
} satisfies ExportedHandler<Env>;
