// npm run simulate -- [--sellers N] [--record-kb N] [--overlap-percent N] …: prints what months cost, and how near limits are.
import { formatNumber } from '../../shared/lib/format-count.ts';
import { type CostPlan, calculateCosts, costPlan } from '../operations/costs.ts';
import { readArguments, text } from './arguments.ts';
import { runCommand, UserError } from './user-error.ts';

const SIZES = [10, 400, 10_000];
const names = Object.keys(costPlan.shape);
const toOption = (name: string): string => name.replaceAll('_', '-');

const USAGE = `Usage: npm run simulate -- ${names.map((name) => `[--${toOption(name)} N]`).join(' ')}`;

/** Reads the plans. @throws UserError if an argument is invalid */
export function readPlans(args: readonly string[]): CostPlan[] {
  const options = Object.fromEntries(names.map((name) => [toOption(name), text]));
  const { values } = readArguments(USAGE, options, args);
  const given = Object.fromEntries(names.map((name) => [name, values[toOption(name)]]));
  const sizes = given.sellers === undefined ? SIZES : [given.sellers];
  return sizes.map((sellers) => {
    const { data } = costPlan.safeParse({ ...given, sellers });
    if (data === undefined) throw new UserError(USAGE);
    return data;
  });
}

const round = (value: number): string => formatNumber(Number(value.toPrecision(3)));

/** Formats months as a table in Markdown, a column for each plan. */
export function formatMonths(plans: readonly CostPlan[]): string[] {
  const months = plans.map(calculateCosts);
  const row = (label: string, read: (month: (typeof months)[number]) => string): string =>
    `| ${[label, ...months.map(read)].join(' | ')} |`;
  const [first] = months;
  const products = [...new Set(first?.lines.map(({ product }) => product))];
  const dollars = (value: number): string => `$${value.toFixed(2)}`;
  return [
    `| a month | ${plans.map(({ sellers }) => `${formatNumber(sellers)} sellers`).join(' | ')} |`,
    `|---|${plans.map(() => '--:|').join('')}`,
    ...products.map((product) =>
      row(product, ({ lines }) =>
        dollars(lines.reduce((sum, line) => sum + (line.product === product ? line.dollars : 0), 0)),
      ),
    ),
    row('**Cloudflare**, with the plan’s $5', ({ total }) => `**${dollars(total)}**`),
    row('credits without reuse', ({ credits }) => round(credits.withoutReuse)),
    row('**credits** with reuse', ({ credits }) => `**${round(credits.withReuse)}**`),
    ...(first?.limits ?? []).map(({ name, limit }, at) =>
      row(`${name}, of ${formatNumber(limit)}`, ({ limits }) => round(limits[at]?.used ?? 0)),
    ),
  ];
}

if (import.meta.main)
  await runCommand(async () => console.log(formatMonths(readPlans(process.argv.slice(2))).join('\n')));
