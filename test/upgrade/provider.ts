// A provider of generated records and data requests, for Workers in this process.
import { gzipSync } from 'node:zlib';
import { type Request as PlatformRequest, Response as PlatformResponse } from 'miniflare';
import { buildNotFoundBody, buildRecord, isRecordRequest, parseRequest } from '../faults/provider/records.ts';

export const PROVIDER_URL = 'https://provider.example/cdapi';

/** A provider that counts what it sells. */
export class Provider {
  /** Keys of the calls that were charged, in order. */
  readonly sold: string[] = [];
  /** Ids of each data request, by its own id. */
  readonly orders = new Map<string, number[]>();
  /** Data requests are still being processed. */
  isBusy = false;

  async answer(request: PlatformRequest): Promise<PlatformResponse> {
    const url = new URL(request.url);
    if (url.origin !== new URL(PROVIDER_URL).origin)
      return new PlatformResponse('unknown host', { status: 404 });
    const isOrder = request.method === 'POST' && url.pathname.includes('/data_requests/');
    if (isOrder) return this.#createOrder(await request.text());
    const [, id = '', file] = /\/data_requests\/([^/]+)\/files(?:\/(.+))?$/.exec(url.pathname) ?? [];
    const ids = this.orders.get(id);
    return ids === undefined ? this.#sell(url) : this.#deliver(ids, file);
  }

  #sell(url: URL): PlatformResponse {
    const request = parseRequest(url, undefined);
    if (request === undefined || !isRecordRequest(request))
      return new PlatformResponse('unknown call', { status: 404 });
    const record = buildRecord(request, 100);
    if (record === undefined) return new PlatformResponse(buildNotFoundBody(request), { status: 404 });
    this.sold.push(request.key);
    return PlatformResponse.json(record, { headers: { 'x-ratelimit-limit-second': '1000' } });
  }

  #createOrder(form: string): PlatformResponse {
    const id = `order-${this.orders.size}`;
    this.orders.set(
      id,
      [...form.matchAll(/name="ids"\r\n\r\n(\d+)\r\n/g)].map(([, text]) => Number(text)),
    );
    return PlatformResponse.json({ request_id: id }, { status: 201 });
  }

  #deliver(ids: readonly number[], file: string | undefined): PlatformResponse {
    if (this.isBusy) return PlatformResponse.json({ message: 'still being processed' }, { status: 202 });
    if (file === undefined) return PlatformResponse.json({ data_request_files: ['part-0.json.gz'] });
    const lines = ids.map((id) => `${JSON.stringify({ id, name: `Company ${id}` })}\n`);
    return new PlatformResponse(gzipSync(lines.join('')));
  }
}
