// Renders an operation on the reference page: a summary line that expands to the details.
import { html } from 'hono/html';
import type {
  Method,
  OpenApiDocument,
  OperationObject,
  Parameter,
  RequestBody,
  ResponseObject,
} from '../../../shared/openapi/document.ts';
import { isProblemCode, problems } from '../../../shared/problems.ts';
import { formatCurl } from './curl.ts';
import { emptyHtml, type Html, renderInline, renderPanel, renderParagraphs, renderTable } from './html.ts';
import { buildSample, formatType, renderMembers } from './schemas.ts';

/** Renders the price as a badge. */
function renderPrice({ 'x-credits': credits }: OperationObject): Html {
  if (credits === undefined) return emptyHtml;
  if (credits === 0) return html`<span class="badge free">free</span>`;
  return html`<span class="badge">${credits} credit${credits === 1 ? '' : 's'}</span>`;
}

function renderParameterRow(parameter: Parameter, document: OpenApiDocument): (Html | string)[] {
  const { name, required, description = '', schema } = parameter;
  const values = schema.enum?.map((value) => html`<code>${String(value)}</code> `) ?? emptyHtml;
  const defaultValue =
    schema.default === undefined ? emptyHtml : html`Default <code>${String(schema.default)}</code>.`;
  return [
    html`<code class="name">${name}</code>${required ? html` <span class="required">required</span>` : emptyHtml}`,
    parameter.in,
    formatType(schema, document),
    html`${renderInline(description)} ${values}${defaultValue}`,
  ];
}

function renderParameters({ parameters = [] }: OperationObject, document: OpenApiDocument): Html {
  if (parameters.length === 0) return emptyHtml;
  const rows = parameters.map((parameter) => renderParameterRow(parameter, document));
  return html`<h5>Parameters</h5>${renderTable(['Name', 'In', 'Type', 'Description'], rows)}`;
}

function renderBody(body: RequestBody | undefined, document: OpenApiDocument): Html {
  const [entry] = Object.entries(body?.content ?? {});
  if (entry === undefined) return emptyHtml;
  const [type, { schema = {} }] = entry;
  return html`<h5>Body <span class="type">${type}</span></h5>${renderMembers(schema, document)}`;
}

function isSuccess(status: string): boolean {
  return status.startsWith('2');
}

function renderHeaders({ headers = {} }: ResponseObject, { components }: OpenApiDocument): Html {
  const names = Object.keys(headers);
  if (names.length === 0) return emptyHtml;
  const rows = names.map((name) => [html`<code>${name}</code>`, components.headers[name]?.description ?? '']);
  return html`<details class="more"><summary>Headers</summary>${renderTable(['Header', 'Description'], rows)}</details>`;
}

function renderSuccess(status: string, answer: ResponseObject, document: OpenApiDocument): Html {
  const types = Object.keys(answer.content ?? {});
  const schema = answer.content?.['application/json']?.schema;
  return html`<h5>Response <span class="status good">${status}</span> <span class="type">${types.join(
    ' or ',
  )}</span></h5><p>${renderInline(answer.description)}.</p>${
    schema === undefined ? emptyHtml : renderMembers(schema, document)
  }${renderHeaders(answer, document)}`;
}

/** Parses the problem codes in the description of an error. */
function parseProblemCodes({ description }: ResponseObject): string[] {
  return [...description.matchAll(/`(\w+)`:/g)].map(([, code = '']) => code).filter(isProblemCode);
}

function renderErrorRow(status: string, answer: ResponseObject): (Html | string)[] {
  const codes = parseProblemCodes(answer);
  const paragraphs = answer.description.split('\n\n').filter((text) => !text.startsWith('`'));
  return [
    html`<span class="status">${status}</span>`,
    html`${paragraphs.join(' ')} ${codes.map(
      (code) =>
        html`<a class="code" href="#problem-${code}" title="${isProblemCode(code) ? problems[code].title : ''}">${code}</a> `,
    )}`,
  ];
}

function renderErrors({ responses }: OperationObject): Html {
  const rows = Object.entries(responses)
    .filter(([status]) => !isSuccess(status))
    .map(([status, answer]) => renderErrorRow(status, answer));
  return rows.length === 0 ? emptyHtml : html`<h5>Errors</h5>${renderTable(['Status', 'Reason'], rows)}`;
}

function renderSample(status: string, { content = {} }: ResponseObject, document: OpenApiDocument): Html {
  const schema = content['application/json']?.schema;
  if (schema === undefined) return emptyHtml;
  return renderPanel(`Response ${status}`, JSON.stringify(buildSample(schema, document, true), undefined, 2));
}

/**
 * Renders an operation.
 * @param path - path below the server's origin
 */
export function renderOperation(
  path: string,
  method: Method,
  operation: OperationObject,
  document: OpenApiDocument,
): Html {
  const { operationId, summary, description, responses, requestBody } = operation;
  const good = Object.entries(responses).filter(([status]) => isSuccess(status));
  return html`<details class="operation" id="${operationId}">
<summary><span class="method ${method}">${method.toUpperCase()}</span> <h4><code>${path}</code> <span class="summary">${summary}</span></h4> ${renderPrice(operation)}</summary>
<div class="columns">
<div>${description === undefined ? emptyHtml : renderParagraphs(description)}${renderParameters(operation, document)}${renderBody(
    requestBody,
    document,
  )}${good.map(([status, answer]) => renderSuccess(status, answer, document))}${renderErrors(operation)}</div>
<div class="samples">${renderPanel('Request', formatCurl(method, path, operation, document))}${good.map(
    ([status, answer]) => renderSample(status, answer, document),
  )}</div>
</div>
</details>`;
}
