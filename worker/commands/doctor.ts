// npm run doctor -- [--json] [--settings FILE]: tells whether the provider's address and key work, and spends nothing.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Family, familyNames } from '../../shared/families/index.ts';
import { operations } from '../../shared/operations.ts';
import { type ExaminePlatform, examine, type Findings, type SearchAnswer } from './doctor/examine.ts';
import { findTarget, type Target } from './doctor/target.ts';
import { judge, type Verdict } from './doctor/verdict.ts';
import { devDir } from './paths.ts';
import { command, UserError } from './user-error.ts';

const USAGE = 'Usage: npm run doctor -- [--json] [--settings FILE]';
const PATIENCE_MS = 10_000;
const LABEL_WIDTH = 10;
const FAMILY_WIDTH = 24;

/** What the command finds out, as `--json` prints it. */
export interface Report extends Verdict, Findings {
  provider: Target['kind'];
  address: string;
  settings_from: string;
}

const words: Readonly<Record<SearchAnswer, string>> = {
  yes: 'yes',
  no: 'not in the plan',
  unpaid: 'no credits left',
  limited: 'too many calls',
  down: 'the provider failed',
  odd: 'answered, but not as expected',
};

/** What costs credits, and so was not tried: `collect 10, preview 10`. */
function untried(family: Family): string {
  const paid = operations.filter((own) => own.family === family && own.credits > 0 && own.name !== 'bulk');
  const prices = new Map(paid.map(({ name, credits }) => [name, credits]));
  return [...prices].map(([name, credits]) => `${name} ${credits}`).join(', ');
}

function familyLine(family: Family, { searches }: Findings): string {
  const found = Object.entries(searches[family] ?? {});
  const searched =
    found.length === 0
      ? 'can’t be tried for free'
      : found.map(([style, answer]) => `${style} ${words[answer]}`).join(', ');
  return `${family.padEnd(FAMILY_WIDTH)}search: ${searched} · not tried, as they cost: ${untried(family)}`;
}

function line(label: string, text: string): string {
  return `${label.padEnd(LABEL_WIDTH)}${text}`;
}

function addressWords({ trouble, answered_ms }: Findings): string {
  return trouble === null ? `answers (${answered_ms} ms)` : `no answer: ${trouble.kind} (${trouble.code})`;
}

/** The report for people. */
export function reportLines(report: Report): string[] {
  const {
    provider,
    address,
    settings_from: from,
    key,
    rate_limit_per_s: limit,
    balance,
    clock_ahead_s: clock,
  } = report;
  const lines = [
    line('Provider', `${address} (${provider === 'embedded' ? 'the sandbox, ' : ''}from ${from})`),
    line('Address', addressWords(report)),
  ];
  if (report.trouble === null) lines.push(line('Key', key ?? 'not found out'));
  if (key === 'accepted') {
    const families = familyNames.map((family) => familyLine(family, report));
    families.forEach((text, at) => {
      lines.push(line(at === 0 ? 'Families' : '', text));
    });
    lines.push(line('Limit', limit === null ? 'not told' : `${limit} calls a second`));
    lines.push(line('Balance', balance === null ? 'not told' : `${balance.toLocaleString('en')} credits`));
    lines.push(line('Clock', clock === null ? 'not told' : `the provider’s is ${clock} s ahead`));
  }
  lines.push('', `${report.ok ? 'Good' : 'Bad'}: ${report.verdict} Nothing was spent.`);
  if (report.fix !== null) lines.push(`What to do: ${report.fix}`);
  for (const warning of report.warnings) lines.push(`Note: ${warning}`);
  return lines;
}

/**
 * Examines a provider and judges it.
 * @param target - from {@link findTarget}
 */
export async function diagnose(target: Target, platform: ExaminePlatform): Promise<Report> {
  const { kind: provider, address, from } = target;
  const findings = await examine(target, platform);
  return { ...judge(findings, address), provider, address, settings_from: from, ...findings };
}

function readArguments() {
  try {
    return parseArgs({ options: { json: { type: 'boolean' }, settings: { type: 'string' } } }).values;
  } catch {
    throw new UserError(USAGE);
  }
}

async function doctor(): Promise<void> {
  const { json = false, settings: file } = readArguments();
  const target = await findTarget(process.env, { dir: devDir, ...(file === undefined ? {} : { file }) });
  const report = await diagnose(target, {
    fetch,
    now: Date.now,
    after: (ms) => sleep(ms),
    patienceMs: PATIENCE_MS,
  });
  const text = json ? JSON.stringify(report, undefined, 2) : reportLines(report).join('\n');
  // Whatever the settings or an answer held: the key is not printed.
  console.log(text.replaceAll(target.key, '…'));
  if (!report.ok) process.exitCode = 1;
}

if (import.meta.main) await command(doctor);
