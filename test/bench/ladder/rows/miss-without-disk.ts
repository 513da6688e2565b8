// The gateway, with a record that it has to buy, and everything that it stores in memory.
import { gatewayRow } from '../rows.ts';

export const variant = gatewayRow('fresh', 'miss', { withoutDisk: true });
