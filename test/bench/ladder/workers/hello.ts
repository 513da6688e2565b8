// The least that a Worker can do with 2 KB.
import { recordText } from '../../load/records.ts';

const body = recordText('1');

export default {
  fetch: () => new Response(body, { headers: { 'content-type': 'application/json' } }),
} satisfies ExportedHandler;
