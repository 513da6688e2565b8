// The bench's Worker: puts a result file in as a data request does, with nothing around it.
import * as z from 'zod';
import { ingestFile } from '../../../../worker/requests/rows/index.ts';
import { elsewhere } from './elsewhere.ts';

interface Env {
  FILES: R2Bucket;
  DB: D1Database;
}

const order = z.object({ url: z.string(), elsewhere: z.string().optional() });

export default {
  async fetch(request, env) {
    if (request.method !== 'POST') return new Response('ready');
    const { url, elsewhere: origin } = order.parse(await request.json());
    const { body } = await fetch(url);
    if (body === null) return new Response('There is no file.', { status: 502 });
    const report = await ingestFile(
      origin === undefined ? { bucket: env.FILES, db: env.DB } : elsewhere(origin),
      { requestId: 'bench', family: 'company_clean', fileIndex: 0, fileName: 'part-00000.json.gz', body },
    );
    return Response.json(report);
  },
} satisfies ExportedHandler<Env>;
