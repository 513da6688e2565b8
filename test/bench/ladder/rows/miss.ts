// The gateway, with a record that it has to buy.
import { gatewayRow } from '../rows.ts';

export const variant = gatewayRow('fresh', 'miss');
