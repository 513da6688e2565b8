// The gateway, out of its memory.
import { gatewayRow } from '../rows.ts';

export const variant = gatewayRow('memory', 'hit');
