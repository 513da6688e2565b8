// Renders the reference page from the OpenAPI document.
import { html, raw } from 'hono/html';
import { HELP_PATH } from '../../../shared/help-path.ts';
import {
  type Method,
  methods,
  type OpenApiDocument,
  type OperationObject,
  type Tag,
} from '../../../shared/openapi/document.ts';
import { isProblemCode, problemPolicies, problems } from '../../../shared/problems.ts';
import { emptyHtml, type Html, renderInline, renderPanel, renderTable } from './html.ts';
import { renderOperation } from './operation.ts';
import { style } from './style.ts';

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%230b7a55'/%3E%3Cpath d='M4 5h8M4 8h8M4 11h5' stroke='white' stroke-width='1.5'/%3E%3C/svg%3E";

/** Renders the frame of a page. */
export function renderLayout(title: string, body: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="${ICON}">
<style>${raw(style)}</style>
</head>
<body>${body}</body>
</html>`;
}

interface LocatedOperation {
  path: string;
  method: Method;
  operation: OperationObject;
}

function listOperations({ paths }: OpenApiDocument, tag: string): LocatedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      return operation?.tags.includes(tag) ? [{ path, method, operation }] : [];
    }),
  );
}

const slug = (name: string): string => name.toLowerCase().replaceAll(/\W+/g, '-');
const tagId = (name: string): string => `tag-${slug(name)}`;
const groupId = (name: string): string => `group-${slug(name)}`;

const chapters = [
  ['start', 'First call'],
  ['keys', 'Keys'],
  ['costs', 'Costs'],
  ['problems', 'Problems'],
] as const;

function renderContents({ 'x-tagGroups': groups = [] }: OpenApiDocument): Html {
  return html`<nav aria-label="Contents">
<a class="brand" href="#top">CDAPI <span>for Sheets</span></a>
<ul>${chapters.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>
${groups.map(
  ({ name, tags }) => html`<h2><a href="#${groupId(name)}">${name}</a></h2>
<ul>${tags.map((tag) => html`<li><a href="#${tagId(tag)}">${tag}</a></li>`)}</ul>`,
)}
</nav>`;
}

function renderFirstCall({ servers }: OpenApiDocument): Html {
  const server = servers[0]?.url ?? '';
  return html`<section id="start"><h2>First call</h2>
<div class="columns">
<div><p>Use any client of the service. Set its base URL to <code>${server}/cdapi</code> and its API key to a team token.</p>
<p>Repeat the call: the second response has <code>x-cache: hit</code> and is free, even with other fields or another spelling of the website.</p>
${renderTable(
  ['API', 'Path', 'For'],
  [
    ['Drop-in service', html`<code>/cdapi</code>`, 'any client of the service'],
    ['Spreadsheets', html`<code>/sheets/v1</code>`, 'the add-on: up to 1,000 keys per call'],
    ['Administration', html`<code>/admin/v1</code>`, 'the owner of the API key and the bill'],
  ],
)}</div>
<div class="samples">${renderPanel(
    'Request',
    `curl -i '${server}/cdapi/v2/company_clean/enrich?website=acme.example' \\\n  -H "apikey: $TEAM_TOKEN"`,
  )}${renderPanel(
    'Answer',
    'HTTP/1.1 200 OK\nx-cache: miss\nage: 0\nx-credits-charged: 10\nx-credits-remaining: 4990\n\n{ "name": "…", "industry": "…", … }',
  )}</div>
</div></section>`;
}

function renderKeys({ components }: OpenApiDocument): Html {
  const rows = Object.values(components.securitySchemes).map(({ type, name, description = '' }) => [
    html`<code>${type === 'apiKey' ? `${name}: …` : 'authorization: Bearer …'}</code>`,
    description,
  ]);
  return html`<section id="keys"><h2>Keys</h2>
<p>The provider’s key stays in the gateway. Callers send a team token (<code>cds_…</code>), which the admin creates, limits and revokes. A revoked token is rejected everywhere within 30 seconds. Never put a token in a URL.</p>
${renderTable(['Header', 'Content'], rows)}</section>`;
}

const costHeaders = [
  'x-cache',
  'age',
  'x-credits-charged',
  'x-credits-remaining',
  'RateLimit',
  'RateLimit-Policy',
];

function renderCosts({ components }: OpenApiDocument): Html {
  const rows = costHeaders.map((name) => [
    html`<code>${name}</code>`,
    components.headers[name]?.description ?? '',
  ]);
  return html`<section id="costs"><h2>Costs</h2>
<p>The team pays only for responses that the provider charges. Cached, not-found and rejected responses are free. A stale record is returned with its <code>age</code>. It is bought again only with <code>cache-control: no-cache</code> or <code>max-age=N</code>. <code>only-if-cached</code> never buys.</p>
${renderTable(['Header', 'Description'], rows)}</section>`;
}

function renderProblems(): Html {
  const rows = Object.keys(problems)
    .filter(isProblemCode)
    .map((code) => {
      const { title, fix, ...rest } = problems[code];
      const word = 'cell' in rest ? html`<code>${rest.cell}</code>` : '';
      return [
        html`<a class="code" id="problem-${code}" href="${HELP_PATH}#${code}">${code}</a>`,
        html`<span class="status">${problemPolicies[code].status}</span>`,
        html`${title} <span class="fix">${fix}</span>`,
        word,
      ];
    });
  return html`<section id="problems"><h2>Problems</h2>
<p><code>/sheets/v1</code> and <code>/admin/v1</code> return problems as RFC 9457 (<code>application/problem+json</code>), with a stable <code>code</code> and a <code>fix</code>. <code>/cdapi</code> keeps the four error formats of the service for its clients: <code>{"detail": "…"}</code>, <code>{"detail": [{"loc", "msg", "type"}]}</code>, <code>{"Error": "…"}</code> and <code>{"message": "…"}</code>; the header <code>x-problem</code> contains the code.</p>
${renderTable(['Code', 'Status', 'Problem and fix', 'In a cell'], rows)}</section>`;
}

function renderTag({ name, description = '' }: Tag, document: OpenApiDocument): Html {
  const all = listOperations(document, name);
  return html`<section class="tag" id="${tagId(name)}"><h3>${name}</h3><p>${renderInline(description)}</p>
${all.map(({ path, method, operation }) => renderOperation(path, method, operation, document))}</section>`;
}

function renderGroup(title: string, names: readonly string[], document: OpenApiDocument): Html {
  const tags = names.map((name) => document.tags?.find((tag) => tag.name === name) ?? { name });
  return html`<section class="group" id="${groupId(title)}"><h2>${title}</h2>${tags.map((tag) => renderTag(tag, document))}</section>`;
}

/**
 * Renders the reference page.
 * @param isPublic - whether the reference is public
 */
export async function renderReferencePage(document: OpenApiDocument, isPublic: boolean): Promise<string> {
  const { info, servers, 'x-tagGroups': groups = [] } = document;
  const link = isPublic
    ? html`<a class="button" href="/openapi.json">openapi.json</a>`
    : renderPanel(
        'For programs',
        `curl '${servers[0]?.url ?? ''}/openapi.json' \\\n  -H "authorization: Bearer $TEAM_TOKEN"`,
      );
  const page = renderLayout(
    `${info.title}: reference`,
    html`<a class="skip" href="#main">Skip to the contents</a>
<div class="page" id="top">${renderContents(document)}
<main id="main"><header><h1>${info.title}</h1><p class="lead">${info.summary ?? emptyHtml}</p><p>${renderInline(
      info.description ?? '',
    )}</p>${link}</header>
${renderFirstCall(document)}${renderKeys(document)}${renderCosts(document)}${renderProblems()}
${groups.map(({ name, tags }) => renderGroup(name, tags, document))}
<footer>Records come from the data provider under its terms: do not publish their structure or pass the data on.</footer>
</main></div>`,
  );
  return String(await page);
}
