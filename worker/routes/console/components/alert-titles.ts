// Short titles of operator alerts on pages.

const titles: Readonly<Record<string, string>> = {
  breaker_open: 'The provider fails; calls are paused',
  ledger_drift: 'The provider’s balance differs from our ledgers',
  dead_letters: 'Messages failed too often',
  unclear_outcomes: 'Outcomes of calls are unclear',
  disputed_charges: 'Charges exceed what was reserved',
  erasure_failing: 'An erasure makes no progress',
  sweep_failing: 'Background work fails',
  cron_silent: 'Background work has stood still',
  provider_balance_low: 'The provider’s account is nearly empty',
};

/** Returns the title of a kind of alert. */
export const getAlertTitle = (kind: string): string => titles[kind] ?? kind.replaceAll('_', ' ');
