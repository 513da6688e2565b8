// A request for a permit of the provider throttle.
export const permit = {
  team: 'team',
  purpose: 'purchase',
  lane: 'formula',
  calls: 1,
  credits: 1,
  waitMs: 0,
} as const;
