// What a month costs, calculated from a seller's day and the counted operations of each action.
import { formatNumber } from '../../../../../shared/lib/format-count.ts';
import { ProblemError } from '../../../../http/problem-error.ts';
import { type CostPlan, calculateCosts, costPlan } from '../../../../operations/costs.ts';
import { Badge, type Column, Figure, Figures, Table } from '../../components/data.tsx';
import { Field } from '../../components/form.tsx';
import { numbers } from '../../components/list.tsx';
import type { Page } from '../../context.ts';
import { COSTS_BY_PERSON } from '../paths.ts';
import { readPeriod } from './latency.tsx';

type Month = ReturnType<typeof calculateCosts>;

const formatDollars = (dollars: number): string => `$${dollars.toFixed(2)}`;
const round = (value: number): string => formatNumber(Number(value.toPrecision(3)));

const fields: readonly (readonly [keyof CostPlan, string])[] = [
  ['sellers', 'Sellers'],
  ['sellers_per_team', 'Sellers of a team'],
  ['record_kb', 'Size of a record (KB)'],
  ['overlap_percent', 'Purchases that a colleague made before (%)'],
  ['kept_months', 'Months that records are kept'],
  ['provider_rate', 'Calls a second that the provider allows'],
];

const lineColumns: readonly Column<Month['lines'][number]>[] = [
  { label: 'Product', render: ({ product }) => product },
  { label: 'Unit', render: ({ unit }) => unit.replaceAll('_', ' ').replace(/\bgb\b/, 'GB') },
  numbers('In a month', ({ amount }) => Number(amount.toPrecision(3))),
  { label: 'Above the plan', isNumber: true, render: ({ dollars }) => formatDollars(dollars) },
];

const limitColumns: readonly Column<Month['limits'][number]>[] = [
  { label: 'Limit', render: ({ name }) => name },
  { label: 'Used at most', isNumber: true, render: ({ used }) => round(used) },
  numbers('Possible', ({ limit }) => limit),
  {
    label: 'State',
    render: ({ used, limit }) =>
      used < limit ? <Badge tone="good">enough</Badge> : <Badge tone="bad">too little</Badge>,
  },
];

export const costs: Page = {
  path: '/costs',
  needs: 'getUsage',
  render: async (context) => {
    const { api, query } = context;
    const { from, to } = readPeriod(context);
    const [{ total: used }, { throttle }] = await Promise.all([
      api.call('getUsage', { query: { by: 'day', from, to } }),
      api.call('getProvider'),
    ]);
    const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
    const { data: plan } = costPlan.safeParse({
      ...(throttle === null ? {} : { provider_rate: throttle.pace.per_s }),
      ...given,
    });
    if (plan === undefined)
      throw new ProblemError(
        'invalid_request',
        'One of the figures is out of range.',
        'Correct the address.',
      );
    const month = calculateCosts(plan);
    return {
      title: 'Costs of a month',
      body: (
        <>
          <p class="lead">
            Your teams spent {formatNumber(used.credits)} credits in the last 30 days; data that they used
            again would have cost {formatNumber(used.saved)}, at each use (
            <a href={COSTS_BY_PERSON}>costs by person</a>). The calculation takes your provider’s rate and the
            seller’s day of docs/scale.md.
          </p>
          <form method="get" action="/console/costs" class="card inline">
            {fields.map(([name, label]) => (
              <Field label={label} name={name} value={plan[name]} required />
            ))}
            <button type="submit">Calculate</button>
          </form>
          <Figures>
            <Figure label="Credits" value={round(month.credits.withReuse)} hint="of the provider" />
            <Figure
              label="Without reuse"
              value={round(month.credits.withoutReuse)}
              hint="credits, if each seller bought alone"
            />
            <Figure label="Cloudflare" value={formatDollars(month.total)} hint="with the plan’s $5" />
          </Figures>
          <h2>Limits</h2>
          <Table caption="Limits" columns={limitColumns} rows={month.limits} empty="" />
          <h2>Cloudflare</h2>
          <Table caption="Cloudflare’s bill" columns={lineColumns} rows={month.lines} empty="" />
        </>
      ),
    };
  },
};
