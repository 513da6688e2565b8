// The gateway, out of KV.
import { gatewayRow } from '../rows.ts';

export const variant = gatewayRow('kv', 'hit');
