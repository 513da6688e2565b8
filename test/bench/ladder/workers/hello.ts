// A minimal Worker that answers with 2 KB.
import { formatRecord } from '../../load/records.ts';

const body = formatRecord('1');

export default {
  fetch: () => new Response(body, { headers: { 'content-type': 'application/json' } }),
} satisfies ExportedHandler;
