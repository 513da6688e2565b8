// One operation on the reference page: a line to find it by, and everything about it behind that line.
import { html } from 'hono/html';
import type {
  Answer,
  DescribedOperation,
  Document,
  Method,
  Parameter,
  RequestBody,
} from '../../../shared/openapi/document.ts';
import { isProblemCode, problems } from '../../../shared/problems.ts';
import { curl } from './curl.ts';
import { type Html, inline, nothing, panel, prose, table } from './html.ts';
import { members, sampleOf, typeWords } from './schemas.ts';

/** What an operation costs, as a badge. */
function price({ 'x-credits': credits }: DescribedOperation): Html {
  if (credits === undefined) return nothing;
  if (credits === 0) return html`<span class="badge free">free</span>`;
  return html`<span class="badge">${credits} credit${credits === 1 ? '' : 's'}</span>`;
}

function parameterRow(own: Parameter, document: Document): (Html | string)[] {
  const { name, required, description = '', schema } = own;
  const values = schema.enum?.map((value) => html`<code>${String(value)}</code> `) ?? nothing;
  const standard =
    schema.default === undefined ? nothing : html`Default <code>${String(schema.default)}</code>.`;
  return [
    html`<code class="name">${name}</code>${required ? html` <span class="required">required</span>` : nothing}`,
    own.in,
    typeWords(schema, document),
    html`${inline(description)} ${values}${standard}`,
  ];
}

function parametersPart({ parameters = [] }: DescribedOperation, document: Document): Html {
  if (parameters.length === 0) return nothing;
  const rows = parameters.map((own) => parameterRow(own, document));
  return html`<h5>Parameters</h5>${table(['Name', 'In', 'Type', 'What it does'], rows)}`;
}

function bodyPart(body: RequestBody | undefined, document: Document): Html {
  const [entry] = Object.entries(body?.content ?? {});
  if (entry === undefined) return nothing;
  const [type, { schema = {} }] = entry;
  return html`<h5>Body <span class="type">${type}</span></h5>${members(schema, document)}`;
}

function isGood(status: string): boolean {
  return status.startsWith('2');
}

function headersPart({ headers = {} }: Answer, { components }: Document): Html {
  const names = Object.keys(headers);
  if (names.length === 0) return nothing;
  const rows = names.map((name) => [html`<code>${name}</code>`, components.headers[name]?.description ?? '']);
  return html`<details class="more"><summary>Headers</summary>${table(['Header', 'What it tells'], rows)}</details>`;
}

function successPart(status: string, answer: Answer, document: Document): Html {
  const types = Object.keys(answer.content ?? {});
  const schema = answer.content?.['application/json']?.schema;
  return html`<h5>Answer <span class="status good">${status}</span> <span class="type">${types.join(
    ' or ',
  )}</span></h5><p>${inline(answer.description)}.</p>${
    schema === undefined ? nothing : members(schema, document)
  }${headersPart(answer, document)}`;
}

/** The codes that a refusal names between backticks. */
function codesOf({ description }: Answer): string[] {
  return [...description.matchAll(/`(\w+)`:/g)].map(([, code = '']) => code).filter(isProblemCode);
}

function refusalRow(status: string, answer: Answer): (Html | string)[] {
  const codes = codesOf(answer);
  const words = answer.description.split('\n\n').filter((text) => !text.startsWith('`'));
  return [
    html`<span class="status">${status}</span>`,
    html`${words.join(' ')} ${codes.map(
      (code) =>
        html`<a class="code" href="#problem-${code}" title="${isProblemCode(code) ? problems[code].title : ''}">${code}</a> `,
    )}`,
  ];
}

function refusalsPart({ responses }: DescribedOperation): Html {
  const rows = Object.entries(responses)
    .filter(([status]) => !isGood(status))
    .map(([status, answer]) => refusalRow(status, answer));
  return rows.length === 0 ? nothing : html`<h5>Refusals</h5>${table(['Status', 'Why'], rows)}`;
}

function samplePart(status: string, { content = {} }: Answer, document: Document): Html {
  const schema = content['application/json']?.schema;
  if (schema === undefined) return nothing;
  return panel(`Answer ${status}`, JSON.stringify(sampleOf(schema, document, true), undefined, 2));
}

/**
 * Shows an operation.
 * @param path - below the server's address
 */
export function operationPart(
  path: string,
  method: Method,
  operation: DescribedOperation,
  document: Document,
): Html {
  const { operationId, summary, description, responses, requestBody } = operation;
  const good = Object.entries(responses).filter(([status]) => isGood(status));
  return html`<details class="operation" id="${operationId}">
<summary><span class="method ${method}">${method.toUpperCase()}</span> <h4><code>${path}</code> <span class="summary">${summary}</span></h4> ${price(operation)}</summary>
<div class="columns">
<div>${description === undefined ? nothing : prose(description)}${parametersPart(operation, document)}${bodyPart(
    requestBody,
    document,
  )}${good.map(([status, answer]) => successPart(status, answer, document))}${refusalsPart(operation)}</div>
<div class="samples">${panel('Request', curl(method, path, operation, document))}${good.map(
    ([status, answer]) => samplePart(status, answer, document),
  )}</div>
</div>
</details>`;
}
