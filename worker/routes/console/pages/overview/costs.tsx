// What a month costs, calculated from a seller's day and the counted operations of each action.
import { formatNumber } from '../../../../../shared/lib/format-count.ts';
import { invalidRequest } from '../../../../http/problem-error.ts';
import { describeIssue } from '../../../../lib/describe-issue.ts';
import { type CostPlan, calculateCosts, costPlan } from '../../../../operations/costs.ts';
import { Badge, type Column, Figure, Figures, Table } from '../../components/data.tsx';
import { Field } from '../../components/form.tsx';
import { answerQuery, Filters, numbers, pick } from '../../components/list.tsx';
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

const unitLabels: Readonly<Record<string, string>> = {
  requests: 'Requests',
  cpu_ms: 'Milliseconds of CPU',
  object_requests: 'Requests',
  object_gb_seconds: 'GB seconds',
  object_rows_read: 'Rows read',
  object_rows_written: 'Rows written',
  object_gb: 'GB stored',
  kv_reads: 'Reads',
  kv_writes: 'Writes',
  kv_gb: 'GB stored',
  d1_rows_read: 'Rows read',
  d1_rows_written: 'Rows written',
  d1_gb: 'GB stored',
  r2_writes: 'Writes',
  r2_reads: 'Reads',
  r2_gb: 'GB stored',
  queue_operations: 'Operations',
  log_lines: 'Lines',
};

/** Reads the figures of the form. @throws ProblemError `invalid_request` */
async function readPlan(figures: Readonly<Record<string, unknown>>): Promise<CostPlan> {
  const { data, error } = costPlan.safeParse(figures, { error: describeIssue });
  if (data !== undefined) return data;
  const [issue] = error.issues;
  throw invalidRequest(String(issue?.path[0]), issue?.message ?? 'is out of range');
}

const lineColumns: readonly Column<Month['lines'][number]>[] = [
  { label: 'Product', render: ({ product }) => product },
  { label: 'Unit', render: ({ unit }) => unitLabels[unit] ?? unit },
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

const Costs = ({ month }: { month: Month }) => (
  <>
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
);

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
    const names = fields.map(([name]) => name);
    const given = {
      ...(throttle === null ? {} : { provider_rate: throttle.pace.per_s }),
      ...pick(query, names),
    };
    const { answer: plan, wrong } = await answerQuery(names, readPlan(given));
    return {
      title: 'Costs of a month',
      wrong,
      body: (
        <>
          <p class="lead">
            Your teams spent {formatNumber(used.credits)} credits in the last 30 days; data that they used
            again would have cost {formatNumber(used.saved)}, at each use (
            <a href={COSTS_BY_PERSON}>costs by person</a>). The calculation takes your provider’s rate and the
            seller’s day of docs/scale.md.
          </p>
          <Filters action="/console/costs" submit="Calculate">
            {fields.map(([name, label]) => (
              <Field
                label={label}
                name={name}
                value={{ ...costPlan.parse({}), ...given, ...plan }[name]}
                required
              />
            ))}
          </Filters>
          {plan === undefined ? null : <Costs month={calculateCosts(plan)} />}
        </>
      ),
    };
  },
};
