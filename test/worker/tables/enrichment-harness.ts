// A closed spreadsheet whose columns are kept filled, over a strict Google.
import { env } from 'cloudflare:workers';
import type { Enrichment, EnrichmentBody } from '../../../shared/api/enrichments.ts';
import { findRecordOperation } from '../../../shared/operations.ts';
import { getLedger } from '../../../worker/gateway/ledger/ledger-object.ts';
import { sweepJobs, toTeamJobId } from '../../../worker/queue/jobs.ts';
import { runEnrichment } from '../../../worker/tables/enrichments/run-enrichment.ts';
import { createPushCache } from '../../../worker/tables/push/pusher.ts';
import { createGateway } from '../harness.ts';
import { clock, scriptedProviders, testPlatform } from '../platform.ts';
import { type ApiClient, createClient } from '../routes/sheets/callers.ts';
import { FakeGoogle, FakeSpreadsheet, keyFile, SHEETS_URL, TOKEN_URL } from './push/fake-google.ts';
import { FakeSheet, markTable } from './push/fake-sheet.ts';

export const HOUR = 3_600_000;
export const PRICE = findRecordOperation('company_clean', 'website')?.credits ?? 0;
const settings = {
  ENVIRONMENT: 'development',
  GOOGLE_SERVICE_ACCOUNT: JSON.stringify(keyFile),
  GOOGLE_TOKEN_URL: TOKEN_URL,
  GOOGLE_SHEETS_URL: SHEETS_URL,
};

const KEY = { id: 'c9', heading: 'Website' };
const COLUMNS = [
  { id: 'c2', path: 'name', heading: 'Name' },
  { id: 'c1', path: 'id', heading: 'Id' },
];

let number = 0;

const companyRecord = (website: string): Record<string, unknown> => ({
  id: Number.parseInt(website.replace(/\D/g, '') || '1', 10),
  name: website,
  websites_main: website,
});

/** A closed spreadsheet with a column of websites, and a team. */
export class EnrichmentHarness {
  readonly team = `enriched-${number++}`;
  readonly id = crypto.randomUUID();
  readonly sheet = new FakeSheet(7, 'Accounts', 30, 6);
  readonly spreadsheet = new FakeSpreadsheet('book', this.sheet);
  readonly google = new FakeGoogle(() => clock.now, this.spreadsheet);
  readonly cache = createPushCache();
  /** Changed fields of records, by website. */
  readonly changed = new Map<string, Record<string, unknown>>();
  /** Websites whose answers can't be read, although they are charged. */
  readonly unreadable = new Set<string>();
  /** Numbers of matches at companies, by website; undefined: the provider is not available. */
  readonly counts = new Map<string, number | undefined>();
  readonly gateway = createGateway(
    async (key, request) =>
      request.method === 'POST'
        ? this.#count(await request.text())
        : key.startsWith('missing')
          ? Response.json({ detail: 'not found' }, { status: 404 })
          : this.unreadable.has(key)
            ? new Response('{"id":')
            : Response.json({ ...companyRecord(key), ...this.changed.get(key) }),
    this.team,
    undefined,
    { GOOGLE_SERVICE_ACCOUNT: settings.GOOGLE_SERVICE_ACCOUNT },
  );
  #client: ApiClient | undefined;

  #count(query: string): Response {
    const [website = ''] = /c\d+\.example/.exec(query) ?? [];
    const total = this.counts.get(website);
    return total === undefined
      ? new Response('', { status: 503 })
      : Response.json(total > 0 ? [1] : [], { headers: { 'x-total-results': String(total) } });
  }

  get client(): ApiClient {
    if (this.#client === undefined) throw new Error('start first');
    return this.#client;
  }

  set client(client: ApiClient) {
    this.#client = client;
  }

  async start(more: Partial<EnrichmentBody> = {}): Promise<void> {
    this.client = await createClient(this.team, {}, this.gateway);
    this.sheet.fill(1, 1, [
      ['Website', 'Notes', 'Name', 'Id'],
      ['c1.example', 'mine', 'Typed by hand', ''],
      ['c2.example', '', '', ''],
    ]);
    const columns = [KEY, ...COLUMNS];
    markTable(this.sheet, this.id, columns);
    // The present keys are known before the order is active.
    await this.put({ ...more, paused: true });
    await this.client.call('POST', `/enrichments/${this.id}/known`, { keys: ['c1.example', 'c2.example'] });
    await this.put(more);
  }

  put(more: Partial<EnrichmentBody> = {}, client = this.client): Promise<Enrichment> {
    return client.ok<Enrichment>('PUT', `/enrichments/${this.id}`, {
      title: 'Accounts',
      family: 'company_clean',
      by: 'website',
      spreadsheet: { id: 'book', sheet_id: 7 },
      key: KEY,
      columns: COLUMNS,
      push: true,
      every: 'hour',
      max_credits: 100,
      month_credits: 1000,
      paused: false,
      refresh_days: null,
      ...more,
    });
  }

  addKeys(row: number, ...keys: string[]): void {
    this.sheet.fill(
      row,
      1,
      keys.map((key) => [key]),
    );
  }

  /** Lets time pass, at least an interval, and runs the cron. */
  async runNext(ms = HOUR): Promise<void> {
    clock.now += ms + 1000;
    await this.runDue();
  }

  async runDue(): Promise<void> {
    const upstream = scriptedProviders.get(this.team)?.upstream;
    const sent: { kind: string; id: string }[] = [];
    const JOBS = {
      ...env.JOBS,
      sendBatch: async (messages: Iterable<{ body: { kind: string; id: string } }>) => {
        for (const { body } of messages) sent.push(body);
        return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };
      },
    };
    const context = {
      env: { ...env, JOBS },
      platform: { ...testPlatform, ...(upstream === undefined ? {} : { sandbox: () => upstream }) },
      waitUntil: () => {},
    };
    await sweepJobs(context, false);
    const mine = toTeamJobId(this.team, this.id);
    const google = {
      ...testPlatform,
      fetch: this.google.fetch,
      timeout: () => new AbortController().signal,
    };
    for (const { kind, id } of sent) {
      if (kind !== 'enrichment' || id !== mine) continue;
      await runEnrichment(context, id, { settings, google, cache: this.cache });
    }
  }

  async view(): Promise<Enrichment> {
    const { enrichments } = await this.client.ok<{ enrichments: Enrichment[] }>('GET', '/enrichments');
    const found = enrichments.find(({ id }) => id === this.id);
    if (found === undefined) throw new Error('not listed');
    return found;
  }

  async spent(): Promise<number> {
    return (await getLedger(env, this.team).getBudget()).spent.month;
  }

  /** Erases a company. */
  async erase(key: string): Promise<void> {
    const response = await this.gateway.request('/admin/v1/erasures', {
      method: 'POST',
      headers: { authorization: `Bearer ${env.ADMIN_TOKEN}` },
      body: JSON.stringify({ family: 'company_clean', key }),
    });
    if (response.status !== 200) throw new Error(await response.text());
  }

  get rows(): unknown[][] {
    return this.sheet.values().slice(1);
  }
}
