// The state of a bulk order in words.

import type { AdminDataRequestView } from '../../../../../shared/api/admin-data-requests.ts';
import { formatNumber } from '../../../../../shared/lib/format-count.ts';
import { Badge, type Tone } from '../../components/messages.tsx';

const states: Readonly<Record<AdminDataRequestView['state'], readonly [Tone, string]>> = {
  reserved: ['neutral', 'credits reserved'],
  submitted: ['neutral', 'ordered'],
  running: ['neutral', 'being prepared'],
  ingesting: ['neutral', 'rows arrive'],
  ready: ['good', 'ready'],
  failed: ['bad', 'failed'],
  cancelled: ['neutral', 'stopped'],
  unclear: ['warning', 'unclear'],
};

/** Renders the state of a bulk order. */
export const OrderState = ({ order: { state, watched, ended_at } }: { order: AdminDataRequestView }) => {
  const [tone, label] = states[state];
  return (
    <>
      <Badge tone={tone}>{label}</Badge>
      {watched || ended_at !== null ? null : <small> nobody waits for it</small>}
    </>
  );
};

/** Formats what a bulk order costs: the charge once it is known, the reserved credits before. */
export const formatCost = ({ credits: { charged, reserved } }: AdminDataRequestView): string =>
  charged === null ? `up to ${formatNumber(reserved)}` : formatNumber(charged);
