// npm run doctor -- [--json] [--settings FILE | --gateway ADDRESS]: checks the provider's address and key without spending
// credits, or whether Google Sheets reaches a gateway.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Family, familyNames } from '../../shared/families/index.ts';
import { formatNumber } from '../../shared/lib/format-count.ts';
import { operations } from '../../shared/operations.ts';
import { flag, readArguments, text } from './arguments.ts';
import { type DoctorPlatform, examineProvider, type Findings, type SearchAnswer } from './doctor/examine.ts';
import { findTarget, type Target } from './doctor/target.ts';
import { examineGateway, judgeFindings, type Verdict } from './doctor/verdict.ts';
import { devDir } from './paths.ts';
import { runCommand, UserError } from './user-error.ts';

const USAGE = 'Usage: npm run doctor -- [--json] [--settings FILE | --gateway ADDRESS]';
const LABEL_WIDTH = 10;
const FAMILY_WIDTH = 24;

/** The result, as `--json` prints it. */
export interface Report extends Verdict, Findings {
  provider: Target['kind'];
  address: string;
  settings_from: string;
}

const searchLabels: Readonly<Record<SearchAnswer, string>> = {
  yes: 'yes',
  no: 'not in the plan',
  unpaid: 'no credits left',
  limited: 'too many calls',
  down: 'the provider failed',
  odd: 'answered, but not as expected',
};

/** Lists the operations that cost credits and were therefore not called: `collect 10, preview 10`. */
function formatUntriedOperations(family: Family): string {
  const paid = operations.filter(
    (operation) => operation.family === family && operation.credits > 0 && operation.name !== 'bulk',
  );
  const prices = new Map(paid.map(({ name, credits }) => [name, credits]));
  return [...prices].map(([name, credits]) => `${name} ${credits}`).join(', ');
}

function formatFamily(family: Family, { searches }: Findings): string {
  const answers = Object.entries(searches[family] ?? {});
  const searched =
    answers.length === 0
      ? 'can’t be tried for free'
      : answers.map(([style, answer]) => `${style} ${searchLabels[answer]}`).join(', ');
  return `${family.padEnd(FAMILY_WIDTH)}search: ${searched} · not tried, as they cost: ${formatUntriedOperations(family)}`;
}

function formatLine(label: string, text: string): string {
  return `${label.padEnd(LABEL_WIDTH)}${text}`;
}

function formatConnection({ trouble, answered_ms }: Findings): string {
  return trouble === null ? `answers (${answered_ms} ms)` : `no answer: ${trouble.kind} (${trouble.code})`;
}

export function formatReport(report: Report): string[] {
  const { key, rate_limit_per_s: limit, balance, clock_ahead_s: clock } = report;
  const provider = `${report.address} (${report.provider === 'sandbox' ? 'the sandbox, ' : ''}from ${report.settings_from})`;
  const families = familyNames.map((family, at) =>
    formatLine(at === 0 ? 'Families' : '', formatFamily(family, report)),
  );
  return [
    formatLine('Provider', provider),
    formatLine('Address', formatConnection(report)),
    ...(report.trouble === null ? [formatLine('Key', key ?? 'unknown')] : []),
    ...(key === 'accepted'
      ? [
          ...families,
          formatLine('Limit', limit === null ? 'unknown' : `${limit} calls a second`),
          formatLine('Balance', balance === null ? 'unknown' : `${formatNumber(balance)} credits`),
          formatLine('Clock', clock === null ? 'unknown' : `the provider’s is ${clock} s ahead`),
        ]
      : []),
    '',
    ...formatVerdict(report, ' Nothing was spent.'),
  ];
}

/** Formats a judgement for a person. @param more - follows the verdict */
function formatVerdict({ ok, verdict, fix, warnings }: Verdict, more = ''): string[] {
  return [
    `${ok ? 'Good' : 'Bad'}: ${verdict}${more}`,
    ...(fix === null ? [] : [`What to do: ${fix}`]),
    ...warnings.map((warning) => `Note: ${warning}`),
  ];
}

/** Examines a gateway and prints the judgement. */
async function diagnoseGateway(text: string, json: boolean, platform: DoctorPlatform): Promise<void> {
  const address = URL.parse(text)?.origin;
  if (address === undefined || address === 'null') throw new UserError(`${text} is no address. ${USAGE}`);
  const verdict = await examineGateway(address, platform);
  console.log(json ? JSON.stringify(verdict, undefined, 2) : formatVerdict(verdict).join('\n'));
  if (!verdict.ok) process.exitCode = 1;
}

/** Examines a provider and judges the findings. */
export async function diagnoseProvider(target: Target, platform: DoctorPlatform): Promise<Report> {
  const { kind: provider, address, from } = target;
  const findings = await examineProvider(target, platform);
  return { ...judgeFindings(findings, address), provider, address, settings_from: from, ...findings };
}

async function main(): Promise<void> {
  const options = { json: flag, settings: text, gateway: text };
  const { json, settings: file, gateway } = readArguments(USAGE, options).values;
  const platform: DoctorPlatform = { fetch, now: Date.now, sleep: (ms) => sleep(ms) };
  if (gateway !== undefined) return diagnoseGateway(gateway, json, platform);
  const target = await findTarget(process.env, { dir: devDir, file });
  const report = await diagnoseProvider(target, platform);
  const printed = json ? JSON.stringify(report, undefined, 2) : formatReport(report).join('\n');
  // Settings or an answer may contain the key; it is never printed.
  console.log(printed.replaceAll(target.key, '…'));
  if (!report.ok) process.exitCode = 1;
}

if (import.meta.main) await runCommand(main);
