// Settings and options of a deployment, and the decisions that are made from them.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeFailures } from '../../../worker/commands/deploy/canary.ts';
import { planDeployment } from '../../../worker/commands/deploy/configuration.ts';
import { readDeployOptions } from '../../../worker/commands/deploy/options.ts';
import { exampleSettings, parseSettings, toVariables } from '../../../worker/commands/deploy/settings.ts';
import type { DeploymentState } from '../../../worker/commands/deploy/state.ts';
import { findSkippedRelease } from '../../../worker/commands/deploy.ts';
import { root } from '../../../worker/commands/paths.ts';

const parse = (settings: unknown) => parseSettings('settings.json', JSON.stringify(settings));

describe('settings', () => {
  it('become variables of the Worker, each as the documentation shows it', async () => {
    expect(toVariables(parse(exampleSettings))).toEqual({
      FRESH_FOR: 'company=30d, job=12h',
      KEEP_FOR: '365d',
      PROVIDER_RATE_PER_S: '5',
      OPERATOR_LOW_BALANCE: '1000',
      REQUEST_LOG: 'notable',
      ACCESS_TEAM_DOMAIN: 'acme.cloudflareaccess.com',
      ACCESS_AUDIENCE: '32eafc7626e7',
      ACCESS_ROLES: 'ada@acme.com=owner, Finance=finance',
      ASSISTANT_MODEL: exampleSettings.assistant.model,
    });
    const page = await readFile(join(root, 'docs', 'deploy.md'), 'utf8');
    const [, json = ''] = /```json\n(\{\n {2}"version": 1[\s\S]*?)```/.exec(page) ?? [];
    expect(JSON.parse(json)).toEqual(exampleSettings);
  });

  it.each([
    [{}, /^settings\.json, version: .* Example: "version": 1$/],
    [{ version: 2 }, /^settings\.json, version: /],
    [{ version: 1, nonsense: 1 }, /^settings\.json, nonsense: .* Fields: version, fresh_for, keep_for/],
    [
      { version: 1, fresh_for: { people: '1d' } },
      /, fresh_for: .*people is none of.* Example: "fresh_for": \{/,
    ],
    [{ version: 1, fresh_for: '30d' }, /, fresh_for: /],
    [{ version: 1, keep_for: '400d' }, /, keep_for: .*twelve months/],
    [
      { version: 1, provider_rate_per_s: 0 },
      /, provider_rate_per_s: .*1 to 9999\. Example: "provider_rate_per_s": 5$/,
    ],
    [{ version: 1, low_balance: -1 }, /, low_balance: .*whole number/],
    [{ version: 1, request_log: 'none' }, /, request_log: .* Example: "request_log": "notable"$/],
    [{ version: 1, access: { team_domain: 'acme.com', audience: 'x' } }, /, access: .*Access is configured/],
    [{ version: 1, access: { ...exampleSettings.access, roles: { ada: 'king' } } }, /, access: roles: ada: /],
    [{ version: 1, assistant: { model: 'm', url: 'http://model' } }, /, assistant: .*public https address/],
  ])('%j are refused with the field and an example', (settings, sentence) => {
    expect(() => parse(settings)).toThrow(sentence);
  });

  it('that are no JSON are refused', () => {
    expect(() => parseSettings('settings.json', '{')).toThrow(/^settings\.json, version: this is not JSON/);
  });
});

describe('options', () => {
  const state: DeploymentState = {
    account: '',
    provider_url: '',
    public_url: 'https://old.example.com',
    has_team: true,
    free: true,
    workers_ai: true,
    domain: 'old.example.com',
    uploaded: { digest: '', version: '', summary: {}, release: '', variables: [] },
  };
  const plan = (...args: string[]) =>
    planDeployment(
      readDeployOptions(args),
      state,
      { version: 1 },
      { workersUrl: 'https://w', providerUrl: '' },
    );

  it('are all remembered, and each has its opposite', () => {
    expect(plan()).toMatchObject({
      isFree: true,
      hasMetrics: false,
      usesWorkersAi: true,
      domain: 'old.example.com',
    });
    const opposite = plan('--no-free', '--metrics', '--no-workers-ai', '--no-domain');
    expect(opposite).toMatchObject({
      isFree: false,
      hasMetrics: true,
      usesWorkersAi: false,
      domain: undefined,
    });
    expect(opposite.publicUrl).toBe('https://w');
  });

  it.each([
    [['--free', '--no-free'], /^Usage/],
    [['--domain', 'a.example.com', '--no-domain'], /^Usage/],
    [['--canary', '50%'], /^--canary is a percentage of requests from 1 to 49/],
    [['--canary', '50'], /^--canary/],
    [
      ['--jurisdiction', 'eu', '--region', 'enam'],
      /^--region enam is outside --jurisdiction eu: choose weur or eeur/,
    ],
  ])('that contradict each other are refused: %j', (args, sentence) => {
    expect(() => readDeployOptions(args)).toThrow(sentence);
  });
});

it('finds a release that would be skipped', () => {
  const releases = ['1.2.0', '1.1.0', '1.0.0'];
  const cases = [
    ['1.0.0', '1.1.0', undefined],
    ['1.0.0', '1.2.0', '1.1.0'],
    ['1.1.0', '1.3.0', '1.2.0'],
    ['1.2.0', '1.3.0', undefined],
    ['1.2.0', '1.0.0', undefined],
    [undefined, '1.2.0', undefined],
  ] as const;
  for (const [deployed, release, skipped] of cases)
    expect(findSkippedRelease(releases, deployed, release)).toBe(skipped);
});

it.each([
  [100, 2, 1000, 0, false],
  [100, 3, 1000, 0, true],
  [1000, 30, 1000, 15, false],
  [0, 0, 1000, 15, false],
])('judges %i requests of a new version with %i failures beside %i with %i', (...facts) => {
  const [requests, failed, otherRequests, otherFailed, isWorse] = facts;
  const rows = [
    { version: 'new', requests, failed },
    { version: 'old', requests: otherRequests, failed: otherFailed },
  ];
  expect(describeFailures(rows, 'new') !== undefined).toBe(isWorse);
});
