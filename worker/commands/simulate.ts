// npm run simulate -- [--sellers N] [--count]: what sellers cost on Cloudflare in a month, and which limit comes first.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { root, tools } from './paths.ts';
import { readOperations } from './simulate/assumptions.ts';
import { type Simulation, simulate } from './simulate/volume.ts';
import { runCommand, UserError } from './user-error.ts';

const USAGE = 'Usage: npm run simulate -- [--sellers N] [--count]';
const SIZES = [10, 1000, 100_000];
const MAX_SELLERS = 100_000_000;
const NAME_WIDTH = 34;

const formatDollars = (dollars: number): string =>
  `$${dollars.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

const formatNumber = (value: number): string =>
  value.toLocaleString('en', { maximumSignificantDigits: value < 100 ? 2 : 3 });

function formatVerdict(limits: Simulation['limits']): string {
  const reached = limits.filter(({ used, limit }) => used >= limit);
  const [first] = limits;
  if (first === undefined) return '';
  if (reached.length === 0) return `No limit is reached. The first would be: ${first.name}.`;
  return `Reached: ${reached.map(({ name, remedy }) => `${name} (${remedy})`).join('; ')}.`;
}

/** Formats a simulation for a person. */
export function formatSimulation({ sellers, volume, costs, total, limits }: Simulation): string[] {
  const amounts = Object.entries(volume).map(
    ([unit, amount]) => `  ${unit.padEnd(NAME_WIDTH)}${formatNumber(amount)}`,
  );
  const prices = costs.map(({ name, dollars }) => `  ${name.padEnd(NAME_WIDTH)}${formatDollars(dollars)}`);
  const uses = limits.map(({ name, used, limit, unit, sellersAtLimit }) => {
    const reached = Number.isFinite(sellersAtLimit)
      ? `, reached at ${formatNumber(sellersAtLimit)} sellers`
      : ', does not grow with sellers';
    return `  ${name.padEnd(NAME_WIDTH)}${formatNumber(used)} of ${formatNumber(limit)} ${unit}${reached}`;
  });
  return [
    `${sellers.toLocaleString('en')} sellers: ${formatDollars(total)} a month, the plan's $5 included`,
    ' Volume of a month',
    ...amounts,
    ' Costs above what the plan includes',
    ...prices,
    ' Limits: use in the busiest second, and stored',
    ...uses,
    formatVerdict(limits),
    '',
  ];
}

function parseSellers(text: string): number {
  const sellers = /^[0-9]+$/.test(text) ? Number(text) : 0;
  if (sellers < 1 || sellers > MAX_SELLERS)
    throw new UserError('--sellers must be a whole number from 1 to 100,000,000, such as 1000.');
  return sellers;
}

function readArguments() {
  try {
    return parseArgs({ options: { sellers: { type: 'string' }, count: { type: 'boolean' } } }).values;
  } catch {
    throw new UserError(USAGE);
  }
}

/** Counts the operations of each action again, by the test that checks them. */
async function countOperations(): Promise<void> {
  const args = [tools.vitest, 'run', '--project', 'workerd', 'operations.scale.test', '--update'];
  const env = { ...process.env, SCALE: '1' };
  const [status] = await once(spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env }), 'close');
  if (status !== 0) throw new UserError('The operations could not be counted. The test above says why.');
}

async function main(): Promise<void> {
  const { sellers, count = false } = readArguments();
  const sizes = sellers === undefined ? SIZES : [parseSellers(sellers)];
  if (count) await countOperations();
  const operations = await readOperations();
  for (const size of sizes) console.log(formatSimulation(simulate(operations, size)).join('\n'));
}

if (import.meta.main) await runCommand(main);
