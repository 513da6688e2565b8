// Problems in OpenAPI: the schema, an example for each code, and a response for each status.
import {
  describeResponse,
  type ResponseObject,
  type Schema,
  schemaReference,
} from '../../../../shared/openapi/document.ts';
import { createProblem, type ProblemCode, problemCodes, problems } from '../../../../shared/problems.ts';

/** RFC 9457 with a stable code and a fix. */
export const problemSchema: Schema = {
  type: 'object',
  description: 'RFC 9457, with a stable code and a fix.',
  required: ['type', 'title', 'status', 'detail', 'code', 'fix'],
  properties: {
    type: { type: 'string', format: 'uri', description: 'urn:cdapi:problem: followed by the code.' },
    title: { type: 'string', description: 'What happened. The same for every problem with this code.' },
    status: { type: 'integer', description: 'The HTTP status.' },
    detail: { type: 'string', description: 'Details of this occurrence.' },
    code: { type: 'string', enum: [...problemCodes] },
    fix: { type: 'string', description: 'What to do.' },
    instance: { type: 'string', format: 'uri', description: 'Id of this occurrence.' },
  },
};

export function problemExamples(): Record<string, { summary: string; value: unknown }> {
  return Object.fromEntries(
    problemCodes.map((code) => [code, { summary: problems[code].title, value: createProblem(code) }]),
  );
}

/** Formats the problems of a response as Markdown. */
function formatProblems(codes: readonly ProblemCode[]): string {
  return codes.map((code) => `\`${code}\`: ${problems[code].title}`).join('\n\n');
}

/** Builds the problem responses of a route, by status. */
export function problemResponses(codes: readonly ProblemCode[]): Record<string, ResponseObject> {
  const listed = problemCodes.filter((code) => codes.includes(code));
  const byStatus = Map.groupBy(listed, (code) => problems[code].policy.status);
  return Object.fromEntries(
    [...byStatus].map(([status, codesOfStatus]) => {
      const only: Schema = { type: 'object', properties: { code: { type: 'string', enum: codesOfStatus } } };
      const media = {
        schema: { allOf: [schemaReference('Problem'), only] },
        examples: Object.fromEntries(
          codesOfStatus.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
        ),
      };
      const described = describeResponse(
        formatProblems(codesOfStatus),
        status === 429 ? ['Retry-After'] : [],
      );
      return [status, { ...described, content: { 'application/problem+json': media } }];
    }),
  );
}
