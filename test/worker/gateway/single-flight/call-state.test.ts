// Transitions of a call: a sent call is never dropped, and an ended call stays ended.
import { describe, expect, it } from 'vitest';
import {
  type CallState,
  isFinal,
  transition,
} from '../../../../worker/gateway/single-flight/calls/call-state.ts';

const states: readonly CallState[] = [
  'queued',
  'permitted',
  'reserved',
  'sent',
  'answered',
  'unclear',
  'refused',
  'cancelled',
];

const getNext = (from: CallState): CallState[] =>
  states.filter((to) => {
    try {
      return transition(from, to) === to;
    } catch {
      return false;
    }
  });

describe('the states of a call', () => {
  it('lead from the queue to an answer, each in its turn', () => {
    let state: CallState = 'queued';
    for (const next of ['permitted', 'reserved', 'sent', 'answered'] as const) {
      state = transition(state, next);
    }
    expect(state).toBe('answered');
  });

  it('reach the provider only with a reservation', () => {
    expect(states.filter((from) => getNext(from).includes('sent'))).toEqual(['reserved']);
  });

  it('end a sent call only by what the provider did: answered, unclear, or failed without a charge and retried', () => {
    expect(getNext('sent')).toEqual(['queued', 'answered', 'unclear']);
  });

  it('are unclear only after the call was sent', () => {
    expect(states.filter((from) => getNext(from).includes('unclear'))).toEqual(['sent']);
  });

  it('have no way out of an end', () => {
    expect(states.filter(isFinal)).toEqual(['answered', 'unclear', 'refused', 'cancelled']);
  });

  it('refuse an illegal transition with an error that names both states', () => {
    expect(() => transition('answered', 'sent')).toThrow('answered → sent');
  });
});
