// A Worker that only ingests a result file, as a data request does.
import * as z from 'zod';
import { ingestFile } from '../../../../worker/data-requests/ingest/index.ts';
import { createRemoteStore } from './remote-store.ts';

const orderSchema = z.object({ url: z.string(), storageUrl: z.string() });

export default {
  async fetch(request) {
    if (request.method !== 'POST') return new Response('ready');
    const { url, storageUrl } = orderSchema.parse(await request.json());
    const { body } = await fetch(url);
    if (body === null) return new Response('The file is missing.', { status: 502 });
    const file = { requestId: 'bench', family: 'company_clean', fileIndex: 0, body } as const;
    return Response.json(await ingestFile(createRemoteStore(storageUrl), file));
  },
} satisfies ExportedHandler;
