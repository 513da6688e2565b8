// The API reference: contents, and each operation of the OpenAPI document behind a line that expands to its details.
import { HELP_PATH } from '../../../shared/help-path.ts';
import {
  type Method,
  methods,
  type OpenApiDocument,
  type OperationObject,
  type Parameter,
  type ResponseObject,
} from '../../../shared/openapi/document.ts';
import { isProblemCode, problems } from '../../../shared/problems.ts';
import { formatCredits, Table } from '../console/components/data.tsx';
import { renderDocument } from '../console/layout.tsx';
import { buildSample, formatCurl } from './samples.ts';
import { Default, type DocumentProps, formatType, Inline, Members, Required, Values } from './schema.tsx';

const Paragraphs = ({ text }: { text: string }) => (
  <>
    {text.split('\n\n').map((paragraph) =>
      paragraph.startsWith('- ') ? (
        <ul>
          {paragraph.split('\n').map((item) => (
            <li>
              <Inline text={item.slice(2)} />
            </li>
          ))}
        </ul>
      ) : (
        <p>
          <Inline text={paragraph} />
        </p>
      ),
    )}
  </>
);

const Panel = ({ title, text }: { title: string; text: string }) => (
  <figure class="panel">
    <figcaption>{title}</figcaption>
    <pre tabindex={0}>
      <code>{text}</code>
    </pre>
  </figure>
);

interface ParametersProps extends DocumentProps {
  id: string;
  parameters: readonly Parameter[];
}

const Parameters = ({ id, parameters, document }: ParametersProps) => (
  <>
    <h5>Parameters</h5>
    <Table
      caption={`Parameters: ${id}`}
      empty="None."
      rows={parameters}
      columns={[
        {
          label: 'Name',
          render: ({ name, required }) => (
            <>
              <code class="name">{name}</code>
              {required ? <Required /> : null}
            </>
          ),
        },
        { label: 'In', render: (parameter) => parameter.in },
        { label: 'Type', render: ({ schema }) => formatType(schema, document) },
        {
          label: 'Description',
          render: ({ description = '', schema }) => (
            <>
              <Inline text={description} />
              <Default schema={schema} />
              <Values schema={schema} document={document} />
            </>
          ),
        },
      ]}
    />
  </>
);

type Answer = readonly [status: string, response: ResponseObject];

const Success = ({ answer: [status, response], document }: DocumentProps & { answer: Answer }) => {
  const { content = {}, headers = {}, description } = response;
  const schema = content['application/json']?.schema;
  return (
    <>
      <h5>
        Response <code>{status}</code> <small>{Object.keys(content).join(' or ')}</small>
      </h5>
      <p>
        <Inline text={description} />
      </p>
      {schema === undefined ? null : <Members schema={schema} document={document} />}
      {Object.keys(headers).length === 0 ? null : (
        <details>
          <summary>Headers</summary>
          <ul class="members">
            {Object.keys(headers).map((name) => (
              <li>
                <code>{name}</code>
                <p>{document.components.headers[name]?.description}</p>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
};

/** Renders the reasons of an error. Problem codes lead to their explanations. */
const Reasons = ({ description }: ResponseObject) => (
  <>
    {description.split('\n\n').map((paragraph) => {
      const [, code = ''] = /^`(\w+)`: /.exec(paragraph) ?? [];
      return isProblemCode(code) ? (
        <>
          <a href={`${HELP_PATH}#${code}`} title={problems[code].title}>
            <code>{code}</code>
          </a>{' '}
        </>
      ) : (
        <p>{paragraph}</p>
      );
    })}
  </>
);

const Errors = ({ id, answers }: { id: string; answers: readonly Answer[] }) =>
  answers.length === 0 ? null : (
    <>
      <h5>Errors</h5>
      <Table
        caption={`Errors: ${id}`}
        empty="None."
        rows={answers}
        columns={[
          { label: 'Status', render: ([status]) => <code>{status}</code> },
          { label: 'Reason', render: ([, response]) => <Reasons {...response} /> },
        ]}
      />
    </>
  );

interface OperationProps extends DocumentProps {
  path: string;
  method: Method;
  operation: OperationObject;
}

const Details = ({ path, method, operation, document }: OperationProps) => {
  const { operationId, description, parameters = [], requestBody, responses } = operation;
  const [successes, errors] = [true, false].map((isSuccess) =>
    Object.entries(responses).filter(([status]) => status.startsWith('2') === isSuccess),
  );
  const [body] = Object.entries(requestBody?.content ?? {});
  const samples = successes?.flatMap(([status, { content = {} }]) => {
    const schema = content['application/json']?.schema;
    if (schema === undefined) return [];
    const sample = JSON.stringify(buildSample(schema, document, true), undefined, 2);
    return [<Panel title={`Response ${status}`} text={sample} />];
  });
  return (
    <div class="columns">
      <div>
        {description === undefined ? null : <Paragraphs text={description} />}
        {parameters.length === 0 ? null : (
          <Parameters id={operationId} parameters={parameters} document={document} />
        )}
        {body === undefined ? null : (
          <>
            <h5>
              Body <small>{body[0]}</small>
            </h5>
            <Members schema={body[1].schema ?? {}} document={document} />
          </>
        )}
        {successes?.map((answer) => (
          <Success answer={answer} document={document} />
        ))}
        <Errors id={operationId} answers={errors ?? []} />
      </div>
      <div>
        <Panel title="Request" text={formatCurl(method, path, operation, document)} />
        {samples}
      </div>
    </div>
  );
};

const Operation = ({ path, method, operation, document }: OperationProps) => {
  const { operationId, summary, 'x-credits': credits } = operation;
  return (
    <details class="operation" id={operationId}>
      <summary>
        <code class={`method ${method}`}>{method.toUpperCase()}</code>
        <h4>
          <code>{path}</code> <span>{summary}</span>
        </h4>
        {credits === undefined ? null : (
          <span class={credits === 0 ? 'badge good' : 'badge'}>
            {credits === 0 ? 'free' : formatCredits(credits)}
          </span>
        )}
      </summary>
      <Details path={path} method={method} operation={operation} document={document} />
    </details>
  );
};

const toId = (name: string): string => name.toLowerCase().replaceAll(/\W+/g, '-');

const Contents = ({ document: { 'x-tagGroups': groups = [] } }: DocumentProps) => (
  <nav aria-label="Contents">
    <a class="brand" href="#main">
      CDAPI <span>for Sheets</span>
    </a>
    <ul>
      <li>
        <a href={HELP_PATH}>Troubleshooting</a>
      </li>
    </ul>
    {groups.map(({ name, tags }) => (
      <>
        <h2>{name}</h2>
        <ul>
          {tags.map((tag) => (
            <li>
              <a href={`#tag-${toId(tag)}`}>{tag}</a>
            </li>
          ))}
        </ul>
      </>
    ))}
  </nav>
);

const Section = ({ tag, document }: DocumentProps & { tag: string }) => (
  <section id={`tag-${toId(tag)}`}>
    <h3>{tag}</h3>
    <p>{document.tags?.find(({ name }) => name === tag)?.description}</p>
    {Object.entries(document.paths).flatMap(([path, item]) =>
      methods.flatMap((method) => {
        const operation = item[method];
        if (!operation?.tags.includes(tag)) return [];
        return [<Operation path={path} method={method} operation={operation} document={document} />];
      }),
    )}
  </section>
);

/**
 * Renders the page.
 * @param isPublic - browsers can open `/openapi.json` without a token
 */
export function renderReference(document: OpenApiDocument, isPublic: boolean) {
  const { info, servers, 'x-tagGroups': groups = [] } = document;
  const command = `curl '${servers[0]?.url ?? ''}/openapi.json' -H "authorization: Bearer $TEAM_TOKEN"`;
  return renderDocument(
    `${info.title}: reference`,
    <>
      <a class="skip" href="#main">
        Skip to the contents
      </a>
      <div class="reference">
        <Contents document={document} />
        <main id="main" tabindex={-1}>
          <h1>{info.title}</h1>
          <p class="lead">{info.summary}</p>
          <Paragraphs text={info.description ?? ''} />
          {isPublic ? (
            <a class="button" href="/openapi.json">
              openapi.json
            </a>
          ) : (
            <Panel title="For programs" text={command} />
          )}
          {groups.map(({ name, tags }) => (
            <>
              <h2>{name}</h2>
              {tags.map((tag) => (
                <Section tag={tag} document={document} />
              ))}
            </>
          ))}
          <footer>
            Records come from the data provider under its terms: do not publish their structure or pass the
            data on.
          </footer>
        </main>
      </div>
    </>,
  );
}
