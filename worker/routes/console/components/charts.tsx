// Charts, drawn on the server as SVG. Each stands above the table with its figures.
import { scaleBand, scaleLinear } from 'd3-scale';
import { stack } from 'd3-shape';
import { formatNumber } from '../../../../shared/lib/format-count.ts';

export interface Series {
  /** Class of its colour: see the style sheet. */
  name: 'spent' | 'saved' | 'calls' | 'errors' | 'median' | 'slow';
  label: string;
}

/** A bar: its label below the axis, and the figure of each series. */
export interface Bar {
  /** Shown in full when the pointer rests on it. */
  label: string;
  /** Shown below the axis, if the width allows it. */
  short: string;
  values: Readonly<Partial<Record<Series['name'], number>>>;
  /** What is shown when the pointer rests on a part. Default: its figure. */
  titles?: Readonly<Partial<Record<Series['name'], string>>>;
}

interface ChartProps {
  /** What the chart shows, for screen readers. */
  caption: string;
  series: readonly Series[];
  bars: readonly Bar[];
  /** Unit of the figures, such as `credits`. */
  unit: string;
}

const WIDTH = 480;
const HEIGHT = 200;
const LEFT = 56;
/** Margin for half of the last label. */
const RIGHT = 14;
const BOTTOM = 24;
const TOP = 10;
const MAX_LABELS = 6;
const TICKS = 4;

function describePart(
  bar: Bar | undefined,
  series: Series | undefined,
  figure: number,
  unit: string,
): string {
  if (bar === undefined || series === undefined) return '';
  const { label, titles } = bar;
  return `${label}: ${titles?.[series.name] ?? `${formatNumber(figure)} ${unit} ${series.label.toLowerCase()}`}`;
}

/** Renders the series on top of each other, a bar for each period. */
export const BarChart = ({ caption, series, bars, unit }: ChartProps) => {
  const layers = stack<unknown, Bar, Series['name']>()
    .keys(series.map(({ name }) => name))
    .value(({ values }, name) => values[name] ?? 0)(bars);
  const max = Math.max(1, ...layers.flatMap((layer) => layer.map(([, top]) => top)));
  const x = scaleBand<number>()
    .domain(bars.map((_, at) => at))
    .range([LEFT, WIDTH - RIGHT])
    .padding(0.2);
  const y = scaleLinear()
    .domain([0, max])
    .nice(TICKS)
    .range([HEIGHT - BOTTOM, TOP]);
  const every = Math.ceil(bars.length / MAX_LABELS);
  return (
    <figure class="chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={caption}>
        {y
          .ticks(TICKS)
          .filter(Number.isInteger)
          .map((tick) => (
            <g class="tick">
              <line x1={LEFT} x2={WIDTH - RIGHT} y1={y(tick)} y2={y(tick)} />
              <text x={LEFT - 8} y={y(tick) + 4} text-anchor="end">
                {formatNumber(tick)}
              </text>
            </g>
          ))}
        {layers.map((layer, at) => (
          <g class={`series ${series[at]?.name ?? ''}`}>
            {layer.map(([from, to], bar) =>
              to > from ? (
                <rect x={x(bar)} width={x.bandwidth()} y={y(to)} height={Math.max(1, y(from) - y(to))}>
                  <title>{describePart(bars[bar], series[at], to - from, unit)}</title>
                </rect>
              ) : null,
            )}
          </g>
        ))}
        {bars.map(({ short }, at) =>
          (bars.length - 1 - at) % every === 0 ? (
            <text class="label" x={(x(at) ?? 0) + x.bandwidth() / 2} y={HEIGHT - 6} text-anchor="middle">
              {short}
            </text>
          ) : null,
        )}
      </svg>
      <figcaption>
        {series.map(({ name, label }) => (
          <span class={`key ${name}`}>{label}</span>
        ))}
      </figcaption>
    </figure>
  );
};
