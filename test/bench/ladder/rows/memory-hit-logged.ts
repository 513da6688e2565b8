// The gateway, out of its memory, with a line in the log of each request.
import { gatewayRow } from '../rows.ts';

export const variant = gatewayRow('memory', 'hit', { vars: { REQUEST_LOG: 'all' } });
