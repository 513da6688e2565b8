// Meter of spent credits.
import type { JSX } from 'preact';
import { formatNumber } from '../../../shared/lib/format-count.ts';
import { formatCredits } from '../format.ts';

export function Meter(props: { label: string; spent: number; cap: number | null }): JSX.Element {
  const { label, spent, cap } = props;
  const share = cap === null || cap === 0 ? 0 : Math.min(1, spent / cap);
  const tone = share >= 1 ? 'full' : share >= 0.8 ? 'high' : 'fine';
  const text = cap === null ? formatCredits(spent) : `${formatNumber(spent)} of ${formatCredits(cap)}`;
  return (
    <div class="meter">
      <div class="between">
        <span>{label}</span>
        <span class="number">{text}</span>
      </div>
      {cap !== null && (
        // biome-ignore lint/a11y/useSemanticElements: browsers can't style <meter> consistently.
        <div
          class="track"
          role="meter"
          aria-label={`Credits, ${label.toLowerCase()}`}
          aria-valuenow={Math.min(spent, cap)}
          aria-valuemin={0}
          aria-valuemax={cap}
          aria-valuetext={text}
        >
          <span class={tone} style={{ width: `${share * 100}%` }} />
        </div>
      )}
    </div>
  );
}
