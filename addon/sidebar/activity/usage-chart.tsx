// Chart of the credits of the last 30 days, with the shares of sources, connections and kinds of record.

import type { JSX } from 'preact';
import type { UsageResponse } from '../../../shared/api/usage.ts';
import { DAY_MS } from '../../../shared/lib/durations.ts';
import { sourceLabels } from '../../../shared/sources.ts';
import type { AlignedUsage, Share } from '../../server/api/index.ts';
import { getLanguage, t, translate } from '../../texts/texts.ts';
import { formatCredits, getFamilyLabel } from '../format.ts';
import { Disclosure } from '../parts/basics.tsx';

type Amounts = UsageResponse['total'];

/** Translated when they are shown. */
export const SOURCE_LABELS: Readonly<Record<Share['source'], string>> = {
  ...sourceLabels,
  late: 'Calls in the last minute',
};

/** Size of the drawing; the width is that of the sidebar's content. Each of 30 days has 9 px. */
const WIDTH = 270;
const HEIGHT = 72;
const DAY_WIDTH = 9;

/** `12 Nov`; noon is on the same day in every time zone. */
const formatDay = (day: string): string =>
  new Date(`${day}T12:00`).toLocaleDateString(getLanguage().locale, { day: 'numeric', month: 'short' });

export const formatAmounts = ({ spent, saved }: Amounts): string =>
  t('{credits} spent, {saved} reused', { credits: formatCredits(spent), saved });

type Named = Amounts & { name: string };

/** Lists shares, and what they lack of the total: calls of the last minute, and shares that the person may not see. */
function Shares(props: { title: string; of: readonly Named[]; total: Amounts }): JSX.Element | null {
  const { title, of, total } = props;
  if (of.length === 0) return null;
  const rest = of.reduce(
    (left, { spent, saved }) => ({ spent: left.spent - spent, saved: left.saved - saved }),
    total,
  );
  const shares =
    rest.spent > 0 || rest.saved > 0
      ? [...of, { ...rest, name: t('Others and calls in the last minute') }]
      : of;
  return (
    <div>
      <h4>{title}</h4>
      <ul>
        {shares.map((each) => (
          <li key={each.name} class="entry breaks">
            {each.name}
            <small>{formatAmounts(each)}</small>
          </li>
        ))}
      </ul>
    </div>
  );
}

export function UsageChart({ usage }: { usage: AlignedUsage }): JSX.Element {
  const { from, to, total, days, people, families, sources } = usage;
  const [most] = [...days].sort((a, b) => b.spent - a.spent);
  const scale = HEIGHT / Math.max(1, ...days.map(({ spent, saved }) => spent + saved));
  const sum = t('Last 30 days: {amounts}.', { amounts: formatAmounts(total) });
  const peak = most?.spent
    ? t('Most on {day}: {credits}.', { day: formatDay(most.day), credits: formatCredits(most.spent) })
    : '';
  return (
    <>
      <figure class="chart">
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${sum} ${peak}`.trim()}>
          {days.map(({ day, spent, saved }) => {
            const x = WIDTH - ((Date.parse(to) - Date.parse(day)) / DAY_MS + 1) * DAY_WIDTH + 1;
            const y = HEIGHT - spent * scale;
            const place = { x, width: DAY_WIDTH - 2 };
            return (
              <g key={day}>
                <title>{`${formatDay(day)}: ${formatAmounts({ spent, saved })}`}</title>
                <rect {...place} y={y} height={spent * scale} class="spent" />
                <rect {...place} y={y - saved * scale} height={saved * scale} class="saved" />
              </g>
            );
          })}
        </svg>
        <figcaption class="between hint">
          <span>{formatDay(from)}</span>
          <span>
            <i class="spent">■</i> {t('Spent')} <i class="saved">■</i> {t('Reused')}
          </span>
          <span>{formatDay(to)}</span>
        </figcaption>
      </figure>
      <p class="hint">{sum}</p>
      {people.length > 0 && (
        <Disclosure title={t('By source, connection and kind')}>
          <Shares
            title={t('By source')}
            total={total}
            of={sources.map((each) => ({ ...each, name: translate(SOURCE_LABELS[each.source]) }))}
          />
          <Shares
            title={t('By connection')}
            total={total}
            of={people.map((each) => ({ ...each, name: each.name || t('Unnamed connection') }))}
          />
          <Shares
            title={t('By kind of record')}
            total={total}
            of={families.map((each) => ({ ...each, name: getFamilyLabel(each.family) }))}
          />
        </Disclosure>
      )}
    </>
  );
}
