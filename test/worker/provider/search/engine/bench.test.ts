import { env } from 'cloudflare:workers';
import { it } from 'vitest';
import { createEngine } from '../../../../../worker/provider/search/engine/engine.ts';
import { analyze } from '../../../../../worker/provider/search/analysis/standard.ts';
import { companyClean } from '../../../../../shared/index-fields/company_clean.ts';
let s = 5; const rnd = () => { s |= 0; s = s + 0x6D2B79F5 | 0; let t = Math.imul(s ^ s >>> 15, 1 | s); t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t; return ((t ^ t >>> 14) >>> 0) / 4294967296; };
const int = (n: number) => Math.floor(rnd() * n);
const V = 40000;
const word = () => 'w' + Math.floor(Math.exp(rnd() * Math.log(V)));
const text = (n: number) => Array.from({ length: n }, word).join(' ');
const pick = <T,>(a: T[]) => a[int(a.length)] as T;
const countries = Array.from({ length: 80 }, (_, i) => 'Country ' + i); const cities = Array.from({ length: 900 }, () => text(1 + int(2)));
const industries = Array.from({ length: 150 }, () => text(2));
const company = (id: number) => { const site = `https://www.site${id}.example/`; return { id, name: text(2), type: pick(['Privately Held', 'Public', null]), founded: String(1950 + int(75)), followers: rnd() < .1 ? null : int(100000), websites_main: site, websites_main_original: site, websites_professional_network: `https://pn.example/company/c${id}`, size_range: pick(['1-10', '11-50', '51-200', null]), size_employees_count: int(5000), industry: pick(industries), description: text(260), enriched_summary: text(40), enriched_category: pick(industries), enriched_keywords: Array.from({ length: 5 }, word), location_hq_raw_address: text(6), location_hq_country: pick(countries), location_hq_country_iso_2: 'US', location_hq_state: pick(cities), location_hq_city: pick(cities), location_hq_regions: ['Americas', 'North'], last_updated: `20${10 + int(15)}-0${1 + int(9)}-1${int(9)}`, created_at: `20${10 + int(15)}-0${1 + int(9)}-1${int(9)}`, specialities: Array.from({ length: 6 }, () => text(2)), metadata_title: text(8), metadata_description: text(40), funding_rounds: Array.from({ length: int(3) }, () => ({ last_round_type: pick(['Seed', 'Series A']), last_round_date: '2020-01-01', last_round_money_raised: int(1e8) })), locations_full: Array.from({ length: 1 + int(2) }, () => ({ location_address: text(5), is_primary: rnd() < .5, country: pick(countries), city: pick(cities), regions: [{ region: 'Americas' }] })), technologies: Array.from({ length: int(10) }, () => ({ technology: text(1), first_verified_at: '2021-02-03' })), updates: Array.from({ length: int(5) }, () => ({ description: text(35), followers: int(1000), reactions_count: int(100) })) }; };
const t = (field: string, value: any) => ({ kind: 'term', field, value, boost: 1 });
const bool = (o: any) => ({ kind: 'bool', must: [], should: [], filter: [], mustNot: [], minimumShouldMatch: o.must || o.filter ? 0 : 1, boost: 1, ...o });
const nested = (path: string, query: any) => ({ kind: 'nested', path, query, scoreMode: 'avg', boost: 1 });
const phrase = (field: string, ...w: string[]) => ({ kind: 'phrase', field, terms: w.map((term, position) => ({ term, position })), slop: 0, prefix: false, boost: 1 });
const queries: any[] = [
  t('description', 'w1'), t('description', 'w50'), t('description', 'w3000'), t('name', 'w10'),
  bool({ should: [t('description', 'w1'), t('description', 'w2'), t('description', 'w7')] }),
  bool({ must: [t('description', 'w1'), t('description', 'w30')] }),
  bool({ should: ['name', 'description', 'enriched_summary', 'metadata_title', 'industry'].map((f) => t(f, 'w20')) }),
  { kind: 'disMax', queries: ['name', 'description', 'enriched_summary', 'metadata_title', 'industry'].map((f) => t(f, 'w4')), tieBreaker: 0, boost: 1 },
  phrase('description', 'w1', 'w2'), phrase('description', 'w3', 'w1', 'w2'), { ...phrase('description', 'w5', 'w9'), slop: 3 },
  { kind: 'prefix', field: 'description', value: 'w12', caseInsensitive: false, boost: 1 },
  { kind: 'wildcard', field: 'description', pattern: '*99*', caseInsensitive: false, boost: 1 },
  { kind: 'wildcard', field: 'name', pattern: 'w1*5', caseInsensitive: false, boost: 1 },
  { kind: 'fuzzy', field: 'description', value: 'w1234', maxEdits: 1, prefixLength: 0, maxExpansions: 50, transpositions: true, boost: 1 },
  { kind: 'regexp', field: 'description', pattern: 'w[12]0{2,3}', caseInsensitive: false, boost: 1 },
  { kind: 'range', field: 'followers', lower: { value: 5000, inclusive: true }, upper: { value: 20000, inclusive: true }, boost: 1 },
  bool({ must: [t('description', 'w8')], filter: [{ kind: 'range', field: 'size_employees_count', lower: { value: 1000, inclusive: true }, boost: 1 }, t('location_hq_country', 'Country 3')] }),
  { kind: 'exists', field: 'followers', boost: 1 }, t('size_range', '11-50'), t('websites_main.exact', 'https://www.site4242.example/'),
  nested('locations_full', bool({ must: [t('locations_full.country', 'Country 7'), t('locations_full.is_primary', true)] })),
  nested('technologies', t('technologies.technology', 'w5')), nested('updates', bool({ must: [t('updates.description', 'w2'), t('updates.description', 'w40')] })),
  nested('funding_rounds', { kind: 'range', field: 'funding_rounds.last_round_money_raised', lower: { value: 5e7, inclusive: true }, boost: 1 }),
  bool({ must: [t('description', 'w6')], mustNot: [t('location_hq_country', 'Country 3')], should: [t('enriched_summary', 'w6')] }),
  { kind: 'terms', field: 'location_hq_country', values: countries.slice(0, 10), boost: 1 }, { kind: 'all', boost: 1 },
  { kind: 'phrase', field: 'description', terms: [{ term: 'w3', position: 0 }, { term: 'w1', position: 1 }], slop: 0, prefix: true, boost: 1 },
  bool({ should: Array.from({ length: 20 }, (_, i) => t('description', 'w' + (i * 13 + 1))), minimumShouldMatch: 3 }),
];
it('bench', async () => {
  const N = Number(50000);
  const engine = createEngine(env.PROVIDER_DB, analyze);
  await engine.createIndex('c', companyClean);
  let ms = 0, bytes = 0; let an = 0;
  for (let b = 0; b < N; b += 500) {
    const docs = Array.from({ length: 500 }, (_, i) => company(b + i + 1));
    if (b < 5000) { bytes += JSON.stringify(docs).length; }
    const t0 = performance.now();
    await engine.put('c', docs.map((source) => ({ id: String(source.id), source })));
    ms += performance.now() - t0;
    if (b % 10000 === 0) console.log(b, ms);
  }
  console.log('put ms', ms, 'bytes/doc', bytes / 5000);
  for (const table of ['search_postings', 'search_terms', 'search_columns', 'search_records']) console.log(table, await env.PROVIDER_DB.prepare(`SELECT count(*) n FROM ${table}`).first('n'));
  console.log(await env.PROVIDER_DB.prepare(`SELECT sum(length(docs)) d, sum(length(positions)) p, sum(length(term)) t FROM search_postings`).first());
  const round = async (label: string, fresh: boolean) => { let e = createEngine(env.PROVIDER_DB, analyze); await e.search('c', { query: t('name', 'zz') as any, size: 1 }); let total = 0; const out: string[] = [];
    for (const [i, query] of queries.entries()) { if (fresh) { e = createEngine(env.PROVIDER_DB, analyze); await e.search('c', { query: t('name', 'zz') as any, size: 1 }); }
      const t0 = performance.now(); const r = await e.search('c', { query, size: 20 }); const d = performance.now() - t0; total += d; out.push(`${query.kind}:${r.total}:${d.toFixed(1)}`); }
    console.log(label, total.toFixed(0), out.join(' ')); return e; };
  await round('cold', true);
  await round('cold', true);
  const e = createEngine(env.PROVIDER_DB, analyze);
  for (let k = 0; k < 4; k++) { let total = 0; const out: string[] = []; for (const query of queries) { const t0 = performance.now(); const r = await e.search('c', { query, size: 20 }); const d = performance.now() - t0; total += d; out.push(`${query.kind}:${r.total}:${d.toFixed(1)}`); } console.log('warm', total.toFixed(0), out.join(' ')); }
  for (const sort of [[{ field: 'id', order: 'asc' }], [{ field: 'followers', order: 'desc' }, { field: 'last_updated', order: 'desc' }, { field: 'id', order: 'asc' }]] as any[]) for (let k = 0; k < 3; k++) { const t0 = performance.now(); await e.search('c', { query: { kind: 'all', boost: 1 }, sort, size: 1000 }); console.log('sort', (performance.now() - t0).toFixed(1)); }
  const big = bool({ should: Array.from({ length: 1024 }, (_, i) => t('description', 'w' + (i * 31 + 1))) });
  for (let k = 0; k < 3; k++) { const t0 = performance.now(); const r = await e.search('c', { query: big, size: 20 }); console.log('1024', r.total, (performance.now() - t0).toFixed(1)); }
  for (const [label, kind] of [['fuzzy', (i: number) => ({ kind: 'fuzzy', field: 'description', value: 'w' + (i * 37), maxEdits: 2, prefixLength: 0, maxExpansions: 50, transpositions: true, boost: 1 })], ['wild', (i: number) => ({ kind: 'wildcard', field: 'description', pattern: '*' + i + 'x*', caseInsensitive: false, boost: 1 })], ['prefix', (i: number) => ({ kind: 'prefix', field: 'description', value: 'w' + (i * 37), caseInsensitive: false, boost: 1 })]] as any[]) { const q = bool({ should: Array.from({ length: 1024 }, (_, i) => kind(i + 1)) }); const t0 = performance.now(); try { const r = await e.search('c', { query: q, size: 20 }); console.log(label, r.total, (performance.now() - t0).toFixed(0)); } catch (x) { console.log(label, String(x), (performance.now() - t0).toFixed(0)); } }
  const t1 = performance.now(); await engine.put('c', [{ id: '77', source: company(77) }]); console.log('put one', performance.now() - t1);
  const t2 = performance.now(); await engine.put('c', Array.from({ length: 500 }, (_, i) => ({ id: String(i * 100 + 1), source: company(i * 100 + 1) }))); console.log('replace 500 spread', performance.now() - t2);
}, 900000);
