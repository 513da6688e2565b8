// States of a call and the transitions between them. The diagram is in docs/consistency.md, "Single flight".

/**
 * - `queued`: waits for a permit of the provider throttle.
 * - `permitted`: has a permit; its payer's credits are being reserved.
 * - `reserved`: the credits are reserved, or the call is free.
 * - `sent`: the provider may charge it.
 * - `answered`: the provider's answer is stored, or another single-flight object published one.
 * - `unclear`: sent without a usable answer; counts as charged.
 * - `refused`: ended unsent with a problem, for example over budget.
 * - `cancelled`: ended unsent, because no waiter wants it any more.
 */
export type CallState =
  | 'queued'
  | 'permitted'
  | 'reserved'
  | 'sent'
  | 'answered'
  | 'unclear'
  | 'refused'
  | 'cancelled';

/** States that a call never leaves. */
export type FinalState = Extract<CallState, 'answered' | 'unclear' | 'refused' | 'cancelled'>;

const transitions: Readonly<Record<CallState, readonly CallState[]>> = {
  queued: ['permitted', 'answered', 'refused', 'cancelled'],
  // Back to the queue: the payer may not pay, and the next waiter takes over.
  permitted: ['queued', 'reserved', 'refused', 'cancelled'],
  // Back to the queue: the payer withdrew, and another waiter stays.
  reserved: ['queued', 'sent', 'refused', 'cancelled'],
  // Back to the queue: the provider failed without a charge, and the call is retried.
  sent: ['queued', 'answered', 'unclear'],
  answered: [],
  unclear: [],
  refused: [],
  cancelled: [],
};

/**
 * Checks a transition.
 * @returns the new state
 * @throws Error for a transition that the table does not allow, which is a bug
 */
export function transition(from: CallState, to: CallState): CallState {
  if (!transitions[from].includes(to)) throw new Error(`Illegal transition of a call: ${from} → ${to}.`);
  return to;
}

export function isFinal(state: CallState): state is FinalState {
  return transitions[state].length === 0;
}
