// Looks up companies through the drop-in API, with the headers that tell the price and what to do when it is refused.
// Usage: GATEWAY=http://127.0.0.1:8787 TEAM_TOKEN=cds_… node enrich.ts acme.example globex.example
const { GATEWAY = 'http://127.0.0.1:8787', TEAM_TOKEN = '' } = process.env;
const MAX_ATTEMPTS = 3;

/** Waits as long as the gateway asks for. */
const wait = (response?: Response): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, 1000 * Number(response?.headers.get('retry-after') ?? 1)));

/** Looks up one website. Problems that pass and lost connections are tried again; nothing is paid twice. */
async function enrich(website: string, attempt = 1): Promise<string> {
  const address = new URL('/cdapi/v2/company_clean/enrich', GATEWAY);
  address.searchParams.set('website', website);
  for (const field of ['name', 'industry']) address.searchParams.append('fields', field);
  const response = await fetch(address, { headers: { apikey: TEAM_TOKEN } }).catch((error: unknown) => {
    if (attempt === MAX_ATTEMPTS) throw error;
  });
  if (!response) {
    await wait();
    return enrich(website, attempt + 1);
  }
  const credits = response.headers.get('x-credits-charged') ?? '0';
  if (response.ok) {
    const { name, industry } = Object(await response.json());
    return `${website}: ${name}, ${industry} (${response.headers.get('x-cache')}, ${credits} credits)`;
  }
  await response.body?.cancel();
  if ([429, 503].includes(response.status) && attempt < MAX_ATTEMPTS) {
    await wait(response);
    return enrich(website, attempt + 1);
  }
  return `${website}: ${response.headers.get('x-problem') ?? `status ${response.status}`}`;
}

for (const website of process.argv.slice(2)) console.log(await enrich(website));
