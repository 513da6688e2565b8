// A provider for counted actions: it knows every website, finds twenty companies on a page and delivers the ordered records.

/** Bytes of a delivered record. */
const RECORD_BYTES = 20_000;
const PAGE_ROWS = 20;

const buildCompany = (id: number) => ({ id, name: `Company ${id}`, websites_main: `company-${id}.example` });

const page = Array.from({ length: PAGE_ROWS }, (_, at) => 100_000 + at);

function gzipRecords(ids: readonly string[]): Response {
  const filler = 'x'.repeat(RECORD_BYTES);
  const lines = ids.map((id) => `${JSON.stringify({ ...buildCompany(Number(id)), description: filler })}\n`);
  return new Response(new Blob(lines).stream().pipeThrough(new CompressionStream('gzip')));
}

/** The provider of one gateway. */
export class ActionProvider {
  /** Where the provider reports the end of the last data request. */
  webhookUrl = '';
  #orderedIds: string[] = [];

  answer = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname.endsWith('/files')) return Response.json({ data_request_files: ['part-0.json.gz'] });
    if (/\/files\//.test(pathname)) return gzipRecords(this.#orderedIds);
    if (pathname.includes('/data_requests/')) return this.#order(request);
    if (pathname.includes('/search/')) return this.#search(pathname.endsWith('/preview'));
    const key = searchParams.get('website') ?? pathname.split('/').at(-1) ?? '';
    return Response.json(buildCompany(Number(key.replace(/\D/g, ''))));
  };

  async #order(request: Request): Promise<Response> {
    const form = await request.formData();
    this.webhookUrl = String(form.get('webhook_url'));
    this.#orderedIds = form.getAll('ids').map(String);
    return Response.json({ request_id: crypto.randomUUID() }, { status: 201 });
  }

  #search(isPreview: boolean): Response {
    const headers = {
      'x-total-results': String(PAGE_ROWS),
      ...(isPreview ? { 'x-snapshot-token': 'snapshot' } : {}),
    };
    return Response.json(isPreview ? page.map(buildCompany) : page, { headers });
  }
}
